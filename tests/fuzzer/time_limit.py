"""Ends programs that do not end: the time is up in the main thread of a process, by an alarm."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class TooLong(BaseException):
    """A program that took too long; no program catches it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Within it, `TooLong` is raised after so many seconds."""

    def expired(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
