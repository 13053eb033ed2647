"""Timing two programs against each other: interleaved, medians, as a ratio of one run."""

from __future__ import annotations

import gc
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Comparison:
    """Median times of one workload, ours and the peer's, in seconds."""

    name: str
    ours: float
    peer: float
    peer_name: str
    target: float

    @property
    def ratio(self) -> float:
        """Our time over the peer's: smaller is faster."""
        return self.ours / self.peer

    def __str__(self) -> str:
        verdict = "reached" if self.ratio <= self.target else "MISSED"
        return (
            f"{self.name}: ours {milliseconds(self.ours)}, {self.peer_name} {milliseconds(self.peer)},"
            f" ratio {self.ratio:.2f} (target {self.target:g}, {verdict})"
        )


@dataclass(frozen=True)
class Duration:
    """The median time of something of ours against a fixed limit, in seconds."""

    name: str
    ours: float
    limit: float

    def __str__(self) -> str:
        verdict = "reached" if self.ours <= self.limit else "MISSED"
        return f"{self.name}: {milliseconds(self.ours)} (limit {milliseconds(self.limit)}, {verdict})"


@dataclass(frozen=True)
class Note:
    """Something that was measured, in words, and whether it is as it should be."""

    text: str
    is_reached: bool

    def __str__(self) -> str:
        return f"{self.text} ({'reached' if self.is_reached else 'MISSED'})"


def milliseconds(seconds: float) -> str:
    """A time for people."""
    return f"{seconds * 1e3:.3g} ms"


def clock(run: Callable[[], Any]) -> float:
    """Seconds that one run takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def compare(
    name: str,
    ours: Callable[[], Any],
    peer: Callable[[], Any],
    peer_name: str,
    target: float,
    rounds: int = 15,
) -> Comparison:
    """Run both in turns and compare the medians."""
    ours()
    peer()
    gc.collect()
    gc.disable()
    pairs = [(clock(ours), clock(peer)) for _ in range(rounds)]
    gc.enable()
    mine, theirs = zip(*pairs, strict=True)
    return Comparison(name, statistics.median(mine), statistics.median(theirs), peer_name, target)


def duration(name: str, run: Callable[[], Any], limit: float, rounds: int = 15) -> Duration:
    """The median time of a run."""
    run()
    return Duration(name, statistics.median(clock(run) for _ in range(rounds)), limit)


def example(path: str) -> ModuleType:
    """A module of `examples/`, by its path: two folders have files of one name."""
    file = Path(__file__).parent.parent / "examples" / path
    name = "example_" + path.removesuffix(".py").replace("/", "_")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
