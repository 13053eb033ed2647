"""The profile of a call, which :meth:`autograph.Function.profile` returns."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from autograph import _core
from autograph._src.profiles.chrome_trace import chrome_trace
from autograph._src.profiles.profile_line import ProfileLine
from autograph._src.profiles.steps import Steps
from autograph._src.profiles.table import amount_text, seconds_text, table

R = TypeVar("R")

MOST_EVENTS = 50_000
"""The most executions of steps that a profile keeps one by one, for a trace of them."""


class Parts(NamedTuple):
    """What a profile is made of: the code that ran, what it measured, nanoseconds of the whole call."""

    executable: _core.ProfiledExecutable
    measured: _core.Measured
    whole: float


class Profile(Generic[R]):
    """What one call of a staged function has spent, by line of the program.

    It prints as a table, the lines that take longest first. Times of lines with ``~`` are estimated parts of
    a time that was measured together: lines that became one loop over arrays, or a loop of numbers, which a
    clock in it would slow down.

    Attributes:
        result: The result of the call.
        lines: The lines, as :class:`autograph.ProfileLine`, those that take longest first. Lines that ran
            only while the function was traced are not in the graph, and have no part in a call.
        seconds: The time of the call, without that of the measuring.
        outside: The part of it outside of the graph: finding the graph, binding arguments, making results.
        results: The part of it in which the graph moves results to their places.
        measuring: What the measuring took besides.
        left_out: How many executions of steps are in the times, but not one by one in the trace.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> @ag.function
        ... def norm(x):
        ...     y = x * x
        ...     return np.sqrt(np.sum(y))
        >>> profile = norm.profile(np.array([3.0, 4.0]))
        >>> profile.result
        np.float64(5.0)
        >>> sorted((line.line, line.calls, line.flops) for line in profile.lines)
        [(3, 1, 2), (4, 1, 2)]
        >>> sum(line.seconds for line in profile.lines) <= profile.seconds
        True
    """

    result: R
    lines: tuple[ProfileLine, ...]
    seconds: float
    outside: float
    results: float
    measuring: float
    left_out: int

    def __init__(self, name: str, result: R, parts: Parts) -> None:
        graph, results, measuring = parts.measured[4]
        self.result = result
        self._name = name
        self._units, self._events, self.left_out = parts.measured[1:4]
        self._steps = Steps(parts.executable, parts.measured)
        self.lines = tuple(self._steps.lines())
        self.outside = max(parts.whole - graph - measuring, 0.0) * 1e-9
        self.seconds = graph * 1e-9 + self.outside
        self.results = results * 1e-9
        self.measuring = measuring * 1e-9

    @property
    def flops(self) -> int:
        """Floating-point operations of all lines.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: x @ x).profile(np.ones((4, 4))).flops
            128
        """
        return sum(line.flops for line in self.lines)

    @property
    def bytes(self) -> int:
        """Bytes that all lines read and write.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: x @ x).profile(np.ones((4, 4))).bytes
            384
        """
        return sum(line.bytes for line in self.lines)

    def __repr__(self) -> str:
        head = (
            f"{self._name}: {seconds_text(self.seconds)},"
            f" {seconds_text(self.outside)} of it outside of the graph;"
            f" {amount_text(self.bytes, 'B')}, {amount_text(self.flops, 'flop').rstrip()}"
        )
        notes = []
        if any(line.shared_with for line in self.lines):
            notes.append("~ an estimated part of the time of several lines, which was measured together")
        if not self.lines:
            notes.append("no line is left for the graph to do: all of it ran while the function was traced")
        notes.append(f"measuring took {seconds_text(self.measuring)} besides")
        return table(self.lines, head, notes)

    def to_chrome_trace(self) -> dict[str, Any]:
        """The executions of the steps, one by one, in the format of ``chrome://tracing`` and Perfetto.

        Returns:
            The trace, as :mod:`json` writes it. It has the first 50,000 executions and says how many are left
            out. The share of the time outside of the graph is drawn half before it and half after it.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> trace = ag.function(lambda x: x @ x).profile(np.ones((4, 4))).to_chrome_trace()
            >>> [event["args"]["shapes"] for event in trace["traceEvents"] if event.get("cat") == "step"]
            ['f64[4, 4], f64[4, 4] -> f64[4, 4]']
        """
        times = (sum(self._graph_times()) * 1e9, self.outside * 1e9)
        return chrome_trace(self._name, self._steps, self._units, self._events, self.left_out, times)

    def _graph_times(self) -> tuple[float, float]:
        return self.seconds - self.outside, self.measuring

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes :meth:`to_chrome_trace` to a file, which ``chrome://tracing`` and Perfetto open.

        Args:
            path: The file, ``….json``.

        Example:
            >>> import json, tempfile, pathlib
            >>> import numpy as np
            >>> import autograph as ag
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = pathlib.Path(folder, "trace.json")
            ...     ag.function(lambda x: x @ x).profile(np.ones((4, 4))).save(path)
            ...     sorted(json.loads(path.read_text()))
            ['displayTimeUnit', 'otherData', 'traceEvents']
        """
        Path(path).write_text(json.dumps(self.to_chrome_trace()), encoding="utf-8")
