"""`match` over staged values: what CPython says, or a refusal at a place in the program.

A `match` is converted to `if` and `elif` (`crates/ag_syntax/src/patterns.rs`), so what a pattern compares may
be staged.
"""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import Outcome, module_of, outcome_or_refusal
from match_programs import PLACES, module_text

PROGRAMS = 40
PATHS = [(x, np.bool_(c), np.int64(n)) for x, n in ((1.5, 0), (0.0, 1), (-2.0, 2), (1.0, 3)) for c in (0, 1)]


def told(function: Any, path: tuple[Any, ...]) -> tuple[Outcome, bool, str]:
    """What comes of a call, whether it is refused, and what it prints."""
    x, c, n = path
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result, is_refusal = outcome_or_refusal(function, (np.float64(x), c, n))
    return result, is_refusal, printed.getvalue()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("place", PLACES)
def test_as_python(place: str, seed: int, tmp_path: Path) -> None:
    text = module_text(seed, place, PROGRAMS)
    module = module_of(text, tmp_path, f"match_{place}_{seed}")
    counts: Counter[str] = Counter()
    different = []
    for number in range(PROGRAMS):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for path in PATHS:
            want, _, printed = told(function, path)
            got, is_refusal, also_printed = told(staged, path)
            counts["refused" if is_refusal else "same"] += 1
            if not is_refusal and (want, printed) != (got, also_printed):
                different.append((f"f{number}", path, want, got, printed, also_printed))
    assert not different
    assert counts["refused"] < PROGRAMS * len(PATHS) // 3, counts
