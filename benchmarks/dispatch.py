"""What a call of an already compiled function costs: its way to the native code and back.

`f(a, b, c)` of three float64 arrays of three elements, against NumPy's own `a + b + c`, in turns.
The time of the addition itself is part of both. Times of the thread, medians.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np

CALLS = 5_000
ROUNDS = 31
LONGEST = 2e-6


@dataclass(frozen=True)
class Dispatch:
    """Seconds that one call takes, of a staged function and of plain NumPy."""

    name: str
    ours: float
    numpy: float

    def __str__(self) -> str:
        verdict = "reached" if self.ours <= LONGEST else "MISSED"
        return (
            f"dispatch, {self.name}: {self.ours * 1e6:.2f} µs (limit {LONGEST * 1e6:g} µs, {verdict}),"
            f" plain NumPy {self.numpy * 1e6:.2f} µs, ratio {self.ours / self.numpy:.2f}"
        )


def added(a, b, c):
    return a + b + c


def added_and_scaled(a, b, rate):
    return (a + b) * rate, a


class Model:
    """A method whose `self` is read."""

    def __init__(self) -> None:
        self.weights = np.ones(3)
        self.rate = 0.5

    def step(self, a, b):  # noqa: D102 - the class says it
        return a + b * self.weights * self.rate

    staged_step = ag.function(step)


def run() -> list[Dispatch]:
    a, b, c = np.ones(3), np.arange(3.0), np.full(3, 2.0)
    model = Model()
    return [
        dispatch("three arrays", ag.function(added), added, (a, b, c)),
        dispatch("two arrays and a float", ag.function(added_and_scaled), added_and_scaled, (a, b, 0.5)),
        dispatch("three scalars", ag.function(added), added, tuple(np.float64(i) for i in range(3))),
        dispatch("a method", model.staged_step, model.step, (a, b)),
    ]


def dispatch(
    name: str, ours: Callable[..., Any], numpy: Callable[..., Any], args: tuple[Any, ...]
) -> Dispatch:
    """The medians of both, run in turns."""

    def seconds(function: Callable[..., Any]) -> float:
        started = time.thread_time()
        for _ in range(CALLS):
            function(*args)
        return time.thread_time() - started

    seconds(ours)
    seconds(numpy)
    gc.collect()
    gc.disable()
    pairs = [(seconds(ours), seconds(numpy)) for _ in range(ROUNDS)]
    gc.enable()
    mine, theirs = zip(*pairs, strict=True)
    return Dispatch(name, statistics.median(mine) / CALLS, statistics.median(theirs) / CALLS)
