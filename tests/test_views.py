"""Views of staged arrays: what is written to one is written to its array, and read there; as in plain NumPy.

Some of the programs are drawn, always the same ones: `make cross` draws ten times as many.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal
from view_programs import HEAD, texts
from whole import drawn

PARTS = 6


def arguments_of(random: random.Random) -> tuple[Any, ...]:
    """An array of 3 x 4, a number, an index, and how often loops run."""
    dtype = random.choice([np.float64, np.float64, np.int64, np.float32])
    array = np.arange(12.0).reshape(3, 4).astype(dtype)
    return array, random.choice([3.0, np.float64(2), 2]), np.int64(1), np.int64(random.choice([2, 2, 0, 3]))


@pytest.mark.parametrize("part", range(PARTS))
def test_drawn_programs(part: int, tmp_path: Path) -> None:
    different, refused = [], 0
    programs = texts(part, drawn(60, whole=600))
    for number, text in enumerate(programs):
        function = module_of(HEAD + text, tmp_path, f"views_{part}_{number}").f
        arguments = arguments_of(random.Random(number))
        want = outcome(function, arguments)
        got, is_refusal = outcome_or_refusal(ag.function(function), arguments)
        refused += is_refusal and want != got
        if want != got and not is_refusal:
            different.append((text, arguments, want, got))
    assert not different
    assert refused < 0.4 * len(programs)
