"""A part of the crossing: a few hundred of its programs, judged by CPython."""

from __future__ import annotations

import os

import pytest
from crossing.judge import judged
from crossing.program import case_number, count, numbers

CASES = list(numbers(600, seed=20))


@pytest.mark.parametrize("part", range(6))
def test_programs_mean_what_cpython_means(part: int) -> None:
    faults = []
    for number in CASES[part::6]:
        verdict = judged(case_number(number), number)
        faults += [(number, verdict.case.name, *one) for one in verdict.differences]
    assert not faults


def test_numbers_are_spread_over_all_cases() -> None:
    drawn = list(numbers(2000, seed=3))
    assert len(set(drawn)) == 2000 and max(drawn) < count()
    names = [case_number(number).name for number in drawn]
    assert all(len({name[place] for name in names}) > 10 for place in range(4))


def test_a_call_that_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_number(next(numbers(1, 0)))
    assert not judged(case, -1).differences
    monkeypatch.setattr("autograph.function", lambda function: lambda *args: None)
    assert judged(case, -2).differences


def test_workers_judge_and_survive_a_case() -> None:
    from crossing.workers import verdicts

    chosen = list(numbers(4, seed=1))
    os.environ["PYTHONPATH"] = os.pathsep.join(("tests", os.environ.get("PYTHONPATH", "")))
    assert sorted(number for number, _ in verdicts(chosen, 2)) == sorted(chosen)
