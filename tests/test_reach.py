"""Functions as their authors would write them stage, but for those that `tests/reach/refused.txt` names."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from reach.judge import Program, judged, of_numpy, programs

REFUSED = Path(__file__).parent / "reach" / "refused.txt"
"""By line: the arguments' kind, a program, and the code that it is refused with."""


def refused(kind: str) -> list[str]:
    return [line for line in REFUSED.read_text().splitlines() if line.startswith(f"{kind} ")]


def as_numpy(program: Program) -> Program:
    return replace(program, calls=tuple(map(of_numpy, program.calls)))


@pytest.mark.parametrize("kind", ("given", "numpy"))
def test_programs_stage_as_written(kind: str) -> None:
    chosen = list(programs()) if kind == "given" else list(map(as_numpy, programs()))
    verdicts = list(map(judged, chosen))
    for verdict in verdicts:
        assert not verdict.differences, verdict.program.name
    lines = [f"{kind} {verdict.program.name} {verdict.refusal}" for verdict in verdicts if verdict.refusal]
    if os.environ.get("AG_BLESS"):
        others = [line for line in REFUSED.read_text().splitlines() if not line.startswith(f"{kind} ")]
        REFUSED.write_text("\n".join(sorted([*others, *lines])) + "\n")
    assert sorted(lines) == refused(kind)
    assert len(chosen) >= 150
