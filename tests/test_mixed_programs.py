"""Dicts keyed by data, chosen constants, strings of the run and handlers, together, are as in CPython."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mixed_programs
import numpy as np
import pytest
from reach.judge import Program, judged, of_numpy

WAYS: dict[str, Callable[[list[int]], Any]] = {
    "given": lambda xs: xs,
    "numpy": of_numpy,
    "array": lambda xs: np.array(xs, int),
}
REFUSED = {
    ("numpy", "texts_by_number"),
}


@pytest.mark.parametrize("way", WAYS)
def test_they_are_as_cpythons(way: str) -> None:
    refused = set()
    for function in mixed_programs.PROGRAMS:
        calls = tuple((WAYS[way](xs),) for xs in mixed_programs.LISTS)
        verdict = judged(Program("mixed", function, calls))
        assert not verdict.differences, function.__name__
        if verdict.refusal is not None:
            refused.add((way, function.__name__))
    assert refused == {one for one in REFUSED if one[0] == way}
