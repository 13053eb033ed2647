"""What a call of an already compiled function costs: its way to the native code and back.

`f(a, b, c)` of three float64 arrays of three elements, against NumPy's own `a + b + c`, in turns; then calls
with keywords, defaults, trees of arguments, strided arrays and nested results. The time of the computation
itself is part of both. Times of the thread, medians.
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
LONGEST_OF_TREES = 5e-6


@dataclass(frozen=True)
class Dispatch:
    """Seconds that one call takes, of a staged function and of plain NumPy."""

    name: str
    ours: float
    numpy: float
    limit: float

    def __str__(self) -> str:
        verdict = "reached" if self.ours <= self.limit else "MISSED"
        return (
            f"dispatch, {self.name}: {self.ours * 1e6:.2f} µs (limit {self.limit * 1e6:g} µs, {verdict}),"
            f" plain NumPy {self.numpy * 1e6:.2f} µs, ratio {self.ours / self.numpy:.2f}"
        )


def added(a, b, c):
    return a + b + c


def added_and_scaled(a, b, rate):
    return (a + b) * rate, a


def added_with_default(a, b, rate=0.5):
    return a + b * rate


def outputs(params, x):
    for weights, bias in params:
        x = np.maximum(x @ weights + bias, 0.0)
    return x


def total(params, x):
    return params["a"] + params["b"] + params["c"] * x + params["d"] + params["e"] + params["f"]


def updated(params, rate):
    return [(weights - rate * weights, bias - rate * bias) for weights, bias in params]


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
    layers = [(np.full((3, 3), 0.1), np.ones(3)) for _ in range(4)]
    batch = np.ones((4, 3))
    by_name = {name: np.ones(3) for name in "abcdef"}
    table = np.arange(12.0).reshape(3, 4)
    trees = LONGEST_OF_TREES
    return [
        dispatch("three arrays", ag.function(added), added, (a, b, c)),
        dispatch("two arrays and a float", ag.function(added_and_scaled), added_and_scaled, (a, b, 0.5)),
        dispatch("three scalars", ag.function(added), added, tuple(np.float64(i) for i in range(3))),
        dispatch("a method", model.staged_step, model.step, (a, b)),
        dispatch("keywords", ag.function(added), added, (a,), {"b": b, "c": c}),
        dispatch(
            "a default argument", ag.function(added_with_default), added_with_default, (a, b), limit=trees
        ),
        dispatch("a list of four tuples", ag.function(outputs), outputs, (layers, batch), limit=trees),
        dispatch("a dict of six arrays", ag.function(total), total, (by_name, a), limit=trees),
        dispatch(
            "a transposed array", ag.function(added), added, (table.T, table.T.copy(), 1.0), limit=trees
        ),
        dispatch("a nested result", ag.function(updated), updated, (layers, 0.1), limit=trees),
    ]


def dispatch(
    name: str,
    ours: Callable[..., Any],
    numpy: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    limit: float = LONGEST,
) -> Dispatch:
    """The medians of both, run in turns."""
    named = kwargs or {}

    def seconds(function: Callable[..., Any]) -> float:
        started = time.thread_time()
        if named:
            for _ in range(CALLS):
                function(*args, **named)
        else:
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
    return Dispatch(name, statistics.median(mine) / CALLS, statistics.median(theirs) / CALLS, limit)
