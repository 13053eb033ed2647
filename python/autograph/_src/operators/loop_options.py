"""The converted loops that are running on this thread, and the options set for each."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class LoopOptions:
    """The options that ``ag.set_loop_options`` has set for a loop.

    Attributes:
        maximum_iterations: The most iterations that the loop may need.
        shape_invariants: Shapes of loop variables by name.
        is_checkpointed: Whether gradients compute iterations again instead of saving their values.
        memory_limit: The most bytes that gradients may save for the loop.
    """

    maximum_iterations: object = None
    shape_invariants: dict[str, Any] = field(default_factory=dict)
    is_checkpointed: bool = False
    memory_limit: int | None = None


class Loop:
    """A loop that is running or being recorded.

    Attributes:
        options: The options that were set for it.
    """

    def __init__(self) -> None:
        self.options = LoopOptions()

    def set(self, options: LoopOptions) -> None:
        """Sets the loop's options."""
        self.options = options


_running = threading.local()


def current_loop() -> Loop | None:
    """The innermost converted loop on this thread, if a back-end is active."""
    loops = getattr(_running, "loops", None)
    return loops[-1] if loops else None


@contextmanager
def entered_loop() -> Iterator[Loop]:
    """Makes a new loop the innermost one."""
    if not hasattr(_running, "loops"):
        _running.loops = []
    loop = Loop()
    _running.loops.append(loop)
    try:
        yield loop
    finally:
        _running.loops.pop()
