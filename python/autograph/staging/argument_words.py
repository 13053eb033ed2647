"""What CPython says of arguments that a builtin does not take, where a function of ours stands for it.

    xs.append()             # list.append() takes exactly one argument (0 given)
    max(xs, first=1)        # 'first' is an invalid keyword argument for max()

The builtin itself is asked, with objects that are of no use to it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any


def call_in_place_of(
    original: Callable[..., Any], stand_in: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """``stand_in(*args, **kwargs)``; where its signature does not fit, what the original raises is raised."""
    try:
        return stand_in(*args, **kwargs)
    except TypeError as error:
        is_entered = error.__traceback__ is None or error.__traceback__.tb_next is not None
        if is_entered or not isinstance(stand_in, FunctionType):
            raise
        _raise_misfit(original, args, kwargs)
        raise


def _raise_misfit(original: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Calls the original with objects that are of no use: it counts its arguments first."""
    given = [[] if isinstance(one, list) else object() for one in args]
    try:
        original(*given, **dict.fromkeys(kwargs, object()))
    except TypeError as error:
        raise error.with_traceback(None) from None
