"""Functions under ``functools.singledispatch``: the one that is chosen is called, and so converted.

@functools.singledispatch
def loss(value): ...

@loss.register
def _(value: float): ...
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

_FILE = functools.singledispatch.__code__.co_filename


def is_generic(function: object) -> bool:
    """Whether ``singledispatch`` has made a function."""
    if type(function) is not FunctionType or "dispatch" not in function.__dict__:
        return False
    return function.__code__.co_filename == _FILE


def dispatched(function: Any, args: tuple[Any, ...], class_of: Callable[[Any], Any]) -> Any:
    """The function that a generic function chooses for its first argument; ``None`` for other functions.

    Args:
        function: The function that is called.
        args: Its arguments.
        class_of: Gives the class of a value, staged or plain.
    """
    return function.dispatch(class_of(args[0])) if args and is_generic(function) else None
