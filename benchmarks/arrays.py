"""Whole arrays at once, staged and by NumPy in turns: functions of elements, order, choice by masks.

A million elements each. The staged function is the one line that NumPy runs too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
from measure import Comparison, compare

COUNT = 1_000_000

#: What is timed, of which of the arrays, and the most of NumPy's time that it may take.
LINES: dict[str, tuple[Callable[[Any], Any], str, float]] = {
    "exp": (lambda x: np.exp(x), "normal", 1.2),
    "log": (lambda x: np.log(x), "positive", 1.2),
    "sin": (lambda x: np.sin(x), "normal", 1.2),
    "cos": (lambda x: np.cos(x), "normal", 1.2),
    "tanh": (lambda x: np.tanh(x), "normal", 1.2),
    "x[x > 0]": (lambda x: x[x > 0], "normal", 1.0),
    "flatnonzero": (lambda x: np.flatnonzero(x > 1), "normal", 1.0),
    "sort": (lambda x: np.sort(x), "normal", 1.2),
    "argsort": (lambda x: np.argsort(x), "normal", 1.2),
    "sort of integers": (lambda x: np.sort(x), "integers", 1.2),
    "cumsum": (lambda x: np.cumsum(x), "normal", 1.2),
}


def run() -> Iterator[Comparison]:
    generator = np.random.default_rng(0)
    arrays = {
        "normal": generator.normal(size=COUNT),
        "positive": generator.random(COUNT) + 0.01,
        "integers": generator.integers(0, COUNT, COUNT),
    }
    for name, (function, kind, target) in LINES.items():
        staged, array = ag.function(function), arrays[kind]
        np.testing.assert_allclose(staged(array), function(array), rtol=1e-14, atol=1e-300)

        def ours(staged: Any = staged, array: Any = array) -> Any:
            return staged(array)

        def numpy(function: Any = function, array: Any = array) -> Any:
            return function(array)

        yield compare(f"{name} of a million", ours, numpy, "NumPy", target)
