"""What a converted function costs where nothing is staged: a call, a level of recursion, a loop.

Outside a trace, the extra time of a call and how deep recursion goes; inside a trace, a `for` with an
`if` over 1,000 plain values. Ours and plain Python in turns, times of the thread, medians.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import autograph as ag
from autograph._src.backends.native import NATIVE
from autograph._src.backends.protocol import activated
from autograph._src.recording import new_trace
from autograph._src.staging.trace.active import tracing
from autograph._src.staging.trace.facts import Facts
from measure import Comparison

CALLS = 20_000
ROUNDS = 31
LARGEST_EXTRA = 0.3e-6
SMALLEST_DEPTH = 0.9
LARGEST_RATIO = 5.0


@dataclass(frozen=True)
class CallCost:
    """Seconds that one call takes, of a converted function and of the original."""

    name: str
    ours: float
    original: float

    def __str__(self) -> str:
        extra = self.ours - self.original
        verdict = "reached" if extra <= LARGEST_EXTRA else "MISSED"
        return (
            f"a call outside a trace, {self.name}: {extra * 1e6:.3f} µs more than the original's"
            f" {self.original * 1e6:.3f} µs (limit {LARGEST_EXTRA * 1e6:g} µs, {verdict})"
        )


@dataclass(frozen=True)
class Depth:
    """How many levels deep a converted function and the original may call themselves."""

    ours: int
    original: int

    def __str__(self) -> str:
        ratio = self.ours / self.original
        verdict = "reached" if ratio >= SMALLEST_DEPTH else "MISSED"
        return (
            f"recursion: {self.ours} levels of {self.original}, ratio {ratio:.3f}"
            f" (limit {SMALLEST_DEPTH:g}, {verdict})"
        )


def nothing(x):
    return x


def many(a, b, c=3, *rest, k=4, **more):
    return a


def levels(count):
    return 0 if count == 0 else 1 + levels(count - 1)


@ag.convert
def converted_levels(count):
    return 0 if count == 0 else 1 + converted_levels(count - 1)


def count_over_range(n):
    total = 0
    for value in range(n):
        if value % 3 == 0:
            total += value
        else:
            total -= 1
    return total


def count_over_list(values):
    total = 0
    for value in values:
        if value % 3 == 0:
            total += value
        else:
            total -= 1
    return total


def run() -> list[Any]:
    figures: list[Any] = [
        call_cost("one argument", nothing, lambda f: f(1)),
        call_cost("several kinds of arguments", many, lambda f: f(1, 2, 3, 4, k=5, z=6)),
        Depth(deepest(converted_levels), deepest(levels)),
    ]
    with activated(NATIVE), tracing(new_trace("calls", Facts())):
        figures.append(in_trace("range", count_over_range, 1_000))
        figures.append(in_trace("list", count_over_list, [*range(1_000)]))
    return figures


def call_cost(name: str, original: Callable[..., Any], call: Callable[[Any], Any]) -> CallCost:
    """The cost of calls that a function is given to make."""
    ours, theirs = in_turns(_repeated(ag.convert(original), call), _repeated(original, call))
    return CallCost(name, ours / CALLS, theirs / CALLS)


def _repeated(function: Callable[..., Any], call: Callable[[Any], Any]) -> Callable[[], None]:
    def repeat() -> None:
        for _ in range(CALLS):
            call(function)

    return repeat


def deepest(function: Callable[[int], int]) -> int:
    """The largest argument that a function may recurse from."""
    low, high = 1, sys.getrecursionlimit()
    while low < high:
        middle = (low + high + 1) // 2
        try:
            function(middle)
            low = middle
        except RecursionError:
            high = middle - 1
    return low


def in_trace(name: str, function: Callable[[Any], Any], argument: Any) -> Comparison:
    """A converted loop over plain values against plain Python, while a trace records."""
    converted = ag.to_graph(function)
    assert converted(argument) == function(argument)
    ours, theirs = in_turns(lambda: converted(argument), lambda: function(argument))
    title = f"`for` with `if` over a {name} of 1,000 plain values, in a trace"
    return Comparison(title, ours, theirs, "plain Python", LARGEST_RATIO)


def in_turns(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """The median times of the thread for two runs, made in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for taken, action in zip(times, (ours, theirs), strict=True):
            started = time.thread_time()
            action()
            taken.append(time.thread_time() - started)
    return statistics.median(times[0]), statistics.median(times[1])
