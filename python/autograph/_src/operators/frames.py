"""``locals()``, ``vars()``, ``dir()``, ``eval`` and ``exec``: a view of the user's variables.

The frame of a converted function holds more than the user's variables, and blocks are frames of their
own. Converted text gives each such call a reader for every variable that CPython would show::

    locals()    ag__.frame_locals(locals, frame, x=lambda: x, y=lambda: y)
    eval(s)     eval(*ag__.frame_arguments(eval, frame, s, x=lambda: x, y=lambda: y))

A function that the user's module has under one of these names is called as any other.
"""

import builtins
import sys
from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.operators.impurity import refuse_impure

_HAS_FRESH_SNAPSHOTS = sys.version_info >= (3, 13)
"""PEP 667: every ``locals()`` is a dict of its own. Before, a frame has one, which calls bring up to date."""


class Frame:
    """Stands for the frame of one call of the user's function."""

    __slots__ = ("snapshot",)

    def __init__(self) -> None:
        self.snapshot: dict[str, Any] = {}

    def view(self, variables: dict[str, Callable[[], Any]]) -> dict[str, Any]:
        """The dict that ``locals()`` gives: the variables that are bound."""
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
    """The arguments for ``eval`` or ``exec``, with the frame's variables where the call gives none.

    The caller's own globals are theirs when they are absent or ``None``; so are, then, its variables.
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
    """A function that looks at the frame that calls it: the user's frame calls it, if it may be called.

    ``breakpoint()`` is ``ag__.in_frame(breakpoint)()``.
    """
    refuse_impure(function)
    return function
