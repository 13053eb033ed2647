"""``locals()``, ``vars()``, ``dir()``, ``eval`` and ``exec`` in converted code.

These builtins read their caller's frame. The frame of a converted function holds more than the user's
variables, and a block has a frame of its own. So converted code passes each such call a function for every
variable that CPython would show::

    locals()    ag__.frame_locals(locals, frame, x=lambda: x, y=lambda: y)
    eval(s)     eval(*ag__.frame_arguments(eval, frame, s, x=lambda: x, y=lambda: y))

If the user's module defines a function of one of these names, it is called like any other function.
"""

import builtins
import sys
from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.operators.impurity import refuse_impure

_HAS_FRESH_SNAPSHOTS = sys.version_info >= (3, 13)
"""PEP 667: since 3.13 each ``locals()`` returns a new dict; before, a frame has one that calls update."""


class Frame:
    """Stands for the frame of one call of the user's function."""

    __slots__ = ("snapshot",)

    def __init__(self) -> None:
        self.snapshot: dict[str, Any] = {}

    def view(self, variables: dict[str, Callable[[], Any]]) -> dict[str, Any]:
        """The dict that ``locals()`` returns: the bound variables with their values."""
        shown = {} if _HAS_FRESH_SNAPSHOTS else self.snapshot
        for name, read in variables.items():
            try:
                shown[name] = read()
            except NameError:
                shown.pop(name, None)
        return shown


def frame_locals(
    function: Callable[..., Any], frame: Frame, /, *arguments: object, **variables: Callable[[], Any]
) -> object:
    """``locals()`` and ``vars()``; `arguments` are those of ``vars(*arguments)``."""
    if arguments or (function is not builtins.locals and function is not builtins.vars):
        return converted_call(function, *arguments)
    return frame.view(variables)


def frame_dir(
    function: Callable[..., Any], frame: Frame, /, *arguments: object, **variables: Callable[[], Any]
) -> object:
    """``dir()``."""
    if arguments or function is not builtins.dir:
        return converted_call(function, *arguments)
    return sorted(frame.view(variables))


def frame_arguments(
    function: Callable[..., Any], frame: Frame, /, *arguments: object, **variables: Callable[[], Any]
) -> tuple[Any, ...]:
    """The arguments for ``eval`` or ``exec``, completed with the caller's namespaces.

    If the call passes no globals, or ``None``, these are the caller's globals and its local variables.
    """
    is_builtin = function is builtins.eval or function is builtins.exec
    if not is_builtin or not 1 <= len(arguments) <= 3:
        return arguments
    source, given_globals, given_locals = (*arguments, None, None)[:3]
    if given_globals is not None:
        return arguments
    shown = frame.view(variables) if given_locals is None else given_locals
    return source, sys._getframe(1).f_globals, shown


def in_frame(function: Callable[..., Any]) -> object:
    """A function to be called directly from the user's frame, because it reads its caller's frame.

    Converted code calls ``breakpoint()`` as ``ag__.in_frame(breakpoint)()``.
    """
    refuse_impure(function)
    return function
