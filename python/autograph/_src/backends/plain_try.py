"""A converted ``try`` as Python runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Kinds = tuple[Callable[[], Any] | None, ...]
"""The classes of each handler, asked for when something is raised; ``None`` takes everything."""


def run_try(clauses: Any, kinds: Kinds, has_else: bool, has_finally: bool) -> None:
    """Runs it as Python does."""
    last = len(kinds) + 1
    try:
        try:
            clauses(0, None)
        except BaseException as error:
            clause = 1 + next((at for at, kind in enumerate(kinds) if _takes(kind, error)), -1)
            if not clause:
                raise
            clauses(clause, error)
        else:
            if has_else:
                clauses(last, None)
    finally:
        if has_finally:
            clauses(last + 1, None)


def _takes(kind: Callable[[], Any] | None, error: BaseException) -> bool:
    if kind is None:
        return True
    traceback, context = error.__traceback__, error.__context__
    try:
        raise error
    except kind():
        return True
    except BaseException as other:
        if other is not error:
            raise
        return False
    finally:
        error.__traceback__, error.__context__ = traceback, context
