"""What a debugger sees of a staged value: its type, its shape, and the line that it comes from.

    (Pdb) p y
    <staged float64 array of shape (3,) from program.py:12>

The program itself gets no such text: it would become a constant of the graph. So a text is for whoever looks
from outside of the recording, or in a trace function of ``sys.settrace`` or a debugger in between.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, TypeVar

from autograph._src.staging.trace.active import current_trace
from autograph._src.staging.trace.callers import NO_CALLER
from autograph._src.staging.trace.frames import is_internal_file

Looked = TypeVar("Looked", bound=type)

Words = Callable[[Any], str]
"""The type of a value in words, which asks the graph nothing."""

_DEBUGGERS = frozenset(
    ("bdb", "pdb", "ipdb", "pudb", "wdb", "rpdb", "debugpy", "pydevd", "_pydevd_bundle", "_pydev_bundle")
)
"""Modules and packages whose frames show values to a person."""


def is_looking(*, is_after: bool = True) -> bool:
    """Whether a debugger asks the running code, and not the program that is recorded.

    Args:
        is_after: The answer where nothing is recorded: after an error, or for a value that has leaked.
    """
    trace = current_trace()
    if trace is None:
        return is_after
    if not _is_debugged():
        return False
    ends = trace.callers.innermost()
    tracer = _code_of(sys.gettrace())
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame is not ends:
        code = frame.f_code
        if not is_internal_file(code.co_filename):
            above = frame.f_back
            local = None if above is None else _code_of(above.f_trace)
            if code is tracer or code is local or _module(frame) in _DEBUGGERS:
                return True
        frame = frame.f_back
    return False


def _is_debugged() -> bool:
    """Whether a trace function or a debugger is at work on this thread."""
    if sys.gettrace() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)  # Python 3.12
    return monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None


def _code_of(function: Any) -> CodeType | None:
    code: CodeType | None = getattr(getattr(function, "__func__", function), "__code__", None)
    return code


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def seen_text(value: object, words: str, made_by: object, name: str | None) -> str:
    """The text for whoever looks at a value.

    Args:
        value: The value.
        words: Its type in words.
        made_by: The tensor whose place it comes from.
        name: The variable that messages name it by.
    """
    place = _place_of(made_by)
    is_named = name is not None and name.isidentifier() and name != "return_value"
    return f"<staged {words}{f' `{name}`' if is_named else ''}{f' from {place}' if place else ''}>"


def _place_of(tensor: Any) -> str | None:
    """The user's file and line that a tensor's node comes from; ``None`` for an argument."""
    trace = getattr(tensor, "ag_trace", None)
    if trace is None or trace.is_finished:
        return None
    number = getattr(trace.builder, "location_of", lambda _: None)(tensor.value_id)
    if number is None or number == NO_CALLER:
        return None
    location = trace.callers.locations()[number]
    return f"{os.path.basename(location.file)}:{location.line}"


def looked_at(words: Words, made_by: Words | Callable[[Any], Any], name: Words | Callable[[Any], Any]) -> Any:
    """Decorates a class of staged values: a debugger gets a text, names and copies, and never an error.

    Args:
        words: Gives the type of a value in words.
        made_by: Gives the tensor whose place it comes from, or ``None``.
        name: Gives the variable that messages name it by, or ``None``.
    """

    def decorate(kind: Looked) -> Looked:
        def text(value: Any) -> str:
            return seen_text(value, words(value), made_by(value), name(value))

        for method in ("__repr__", "__str__", "__format__"):
            setattr(kind, method, _or_else(getattr(kind, method), text))
        for method in ("__copy__", "__deepcopy__"):
            if hasattr(kind, method):
                setattr(kind, method, _or_else(getattr(kind, method), lambda value: value, is_after=False))
        # `copy` takes an object for its own copy if this is a string.
        reduction = _or_else(kind.__reduce_ex__, lambda value: "staged", is_after=False)
        kind.__reduce_ex__ = reduction  # type: ignore[method-assign]
        kind.__dir__ = _or_else(kind.__dir__, _names)  # type: ignore[method-assign]
        return kind

    return decorate


def _or_else(original: Any, seen: Callable[[Any], Any], *, is_after: bool = True) -> Any:
    """A method that gives what a debugger sees if one looks, and else does what it did."""

    def method(self: Any, *args: Any) -> Any:
        return seen(self) if is_looking(is_after=is_after) else original(self, *args)

    method.__name__ = getattr(original, "__name__", "method")
    method.__doc__ = getattr(original, "__doc__", None)
    return method


_PLAIN = ("dtype", "ndim", "shape", "size")


def _names(value: Any) -> list[str]:
    """The attributes that a debugger may read without recording anything."""
    kind = object.__getattribute__(value, "__class__")
    return [name for name in _PLAIN if hasattr(kind, name)]
