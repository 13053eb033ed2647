"""How deep functions may call each other while they are recorded: as deep as in CPython.

A call of a converted function is many frames, of operators and of the blocks that the call is in. While a
trace records, CPython's limit is as many times as high, and the calls of the program are counted.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_FRAMES_OF_A_CALL = 40
"""Frames that one call of the program takes at most, but for code with blocks in blocks in blocks."""

_MOST_FRAMES = 60_000
"""So many fit into the stack of a thread."""

_lock = threading.Lock()
_state = {"recordings": 0, "limit": 0, "raised": 0}


def most_calls() -> int:
    """How many calls may nest in the program, outside and inside of recordings."""
    return _state["limit"] if _state["recordings"] else sys.getrecursionlimit()


@contextmanager
def more_frames() -> Iterator[None]:
    """Within it there is room for the frames of a recording, on all threads."""
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
            # What the program has set meanwhile stays.
            if not _state["recordings"] and sys.getrecursionlimit() == _state["raised"]:
                sys.setrecursionlimit(_state["limit"])
