"""The native recorder: writes into a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph import _core
from autograph._src.staging.trace.known_tests import KnownTests
from autograph._src.staging.trace.recorder import GraphType, Recorder, Region, Value


class GraphRecorder(_core.GraphBuilder, Recorder):
    """The graph builder as a recorder; its values are numbers, its blocks can be reopened."""

    __slots__ = ("_marks", "known_tests", "regions")

    words = "the native back-end"
    known_tests: KnownTests

    def __init__(self, name: str) -> None:
        self.regions = 0  # How many blocks are open that :meth:`region` has opened.
        self.known_tests = KnownTests()
        self._marks: list[int] = []  # What was known where each open block began.

    def open(self) -> None:
        """Opens a block."""
        super().open()
        self._marks.append(self.known_tests.mark())

    def reopen(self, region: Region) -> None:
        """Opens a closed block again."""
        super().reopen(region)
        self._marks.append(self.known_tests.mark())

    def close(self, results: Sequence[Value]) -> Region:
        """Closes the innermost block, and forgets what was known in it."""
        self.known_tests.forget(self._marks.pop())
        return super().close(results)

    def mark(self) -> Any:
        """The present state, for :meth:`roll_back`."""
        return super().mark(), self.known_tests.mark(), len(self._marks)

    def roll_back(self, mark: Any) -> None:
        """Forgets what was recorded since the mark."""
        graph, known, depth = mark
        super().roll_back(graph)
        self.known_tests.forget(known)
        self.known_tests.drop(self.value_count)
        del self._marks[depth:]

    def region(self, types: Sequence[GraphType], run: Callable[[list[Value]], list[Value]]) -> Region:
        """Records the block and closes it with its results, without reopening it."""
        self.open()
        self.regions += 1
        try:
            return self.close(run([self.param_of(one) for one in types]))
        finally:
            self.regions -= 1
