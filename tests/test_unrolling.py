"""Loops and comprehensions of a few items are unrolled, which hides what the staged ones do: with a budget of
nothing, every program of `tests/run` still equals CPython's own.
"""

from __future__ import annotations

import pytest
from autograph._src.staging.control import comprehensions, python_loops
from programs import Case, cases, load, run
from test_programs import compare, twice


@pytest.mark.filterwarnings("ignore:.* is retraced for each size:UserWarning")
@pytest.mark.parametrize("case", cases(), ids=str)
def test_nothing_is_unrolled(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (comprehensions, python_loops):
        monkeypatch.setattr(module, "UNROLL_BUDGET", 0)
    want = run(load(case.file), case.call, lambda function: function)
    got = run(load(case.file), case.call, twice)
    compare(case, "native", got, want)
