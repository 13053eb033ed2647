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
    """Within it, `TooLong` is raised after so many seconds of processor time."""

    def expired(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, expired)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
