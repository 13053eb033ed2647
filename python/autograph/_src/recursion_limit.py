"""Lets recorded functions call each other as deep as in CPython.

A call of a converted function takes many Python frames: those of operators and of the blocks around it.
While a trace records, this module raises CPython's recursion limit by that factor and counts the calls of
the program instead of frames.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_FRAMES_OF_A_CALL = 40
"""An upper bound on the frames of one call of the program, unless blocks are nested very deep."""

_MOST_FRAMES = 60_000
"""How many frames fit into the stack of a thread."""

_lock = threading.Lock()
_state = {"recordings": 0, "limit": 0, "raised": 0}


def most_calls() -> int:
    """How deep the calls of the program may nest, whether or not a trace records."""
    return _state["limit"] if _state["recordings"] else sys.getrecursionlimit()


@contextmanager
def more_frames() -> Iterator[None]:
    """Raises the recursion limit of the process while the ``with`` block runs."""
    with _lock:
        if not _state["recordings"]:
            limit = sys.getrecursionlimit()
            _state["limit"] = limit
            _state["raised"] = max(limit, min(limit * _FRAMES_OF_A_CALL, _MOST_FRAMES))
            sys.setrecursionlimit(_state["raised"])
        _state["recordings"] += 1
    try:
        yield
    finally:
        with _lock:
            _state["recordings"] -= 1
            # If the program set the limit itself meanwhile, keep its value.
            if not _state["recordings"] and sys.getrecursionlimit() == _state["raised"]:
                sys.setrecursionlimit(_state["limit"])
