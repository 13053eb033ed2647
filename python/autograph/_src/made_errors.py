"""Who is told of each exception of this package when it is made: recordings, which must not lose one."""

from __future__ import annotations

from collections.abc import Callable

WATCHERS: list[Callable[[BaseException], None]] = []
"""The functions that are told."""


def tell(error: BaseException) -> None:
    """Tells all watchers of an exception that has just been made.

    Args:
        error: The exception.
    """
    for watcher in WATCHERS:
        watcher(error)
