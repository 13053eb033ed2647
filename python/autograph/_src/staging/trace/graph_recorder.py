"""The native recorder: writes into a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph import _core
from autograph._src.staging.trace.recorder import GraphType, Recorder, Region, Value


class GraphRecorder(_core.GraphBuilder, Recorder):
    """The graph builder as a recorder; its values are numbers, its blocks can be reopened."""

    __slots__ = ("regions",)

    words = "the native back-end"

    def __init__(self, name: str) -> None:
        self.regions = 0  # How many blocks are open that :meth:`region` has opened.

    def region(self, types: Sequence[GraphType], run: Callable[[list[Value]], list[Value]]) -> Region:
        """Records the block and closes it with its results, without reopening it."""
        self.open()
        self.regions += 1
        try:
            return self.close(run([self.param_of(one) for one in types]))
        finally:
            self.regions -= 1
