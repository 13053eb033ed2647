"""The function that ``ag.convert`` returns: runs the original, or the converted version while recording.

A Python function keeps its own bytecode with a test in front of it (``prologue.py``): outside a trace a
call costs the test, and no extra frame. Other callables, and functions on Python versions that the prologue
does not know, get a wrapper.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any
from weakref import ref

from autograph._src import operators
from autograph._src.backends.protocol import RECORDING, active_backend
from autograph._src.policy import ORIGINAL, STRICT, request
from autograph._src.prologue import with_prologue
from autograph.errors import ConversionError


def either_version(function: Any, strict: bool | None) -> object:
    """A function that calls a callable, or its converted version while a back-end records on the thread.

    Args:
        function: The callable.
        strict: The argument of ``ag.convert``.

    Returns:
        A function with the name, documentation, attributes and signature of the callable.
    """
    made = None
    if type(function) is FunctionType:
        request(function)
        made = _with_test(function)
    if made is None:
        made = _wrapper(function)
    setattr(made, ORIGINAL, function)
    if strict is not None:
        setattr(made, STRICT, strict)
    return made


def _with_test(function: FunctionType) -> FunctionType | None:
    """The function with the test in front of its own bytecode; ``None`` if the prologue cannot be added."""
    dispatch = Dispatch()
    code = with_prologue(function.__code__, RECORDING, dispatch)
    if code is None:
        return None
    cells = function.__closure__
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(made, function)
    dispatch.function = ref(made)
    return made


class Dispatch:
    """The callable that the test in the bytecode calls while a back-end is active.

    It is a constant of its function's code object. The garbage collector does not search code objects for
    cycles, so a strong reference from here to the function would leak the function.
    """

    __slots__ = ("function",)

    function: Callable[[], Any]

    def __init__(self) -> None:
        self.function = _nothing

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls the function as converted code does."""
        function = self.function()
        if function is None:
            raise ConversionError(
                "this copy of the code of a converted function does not know the function",
                code="AG011",
                help="copy the original, its `__wrapped__`, and convert the copy",
            )
        if active_backend() is None:
            return getattr(function, ORIGINAL)(*args, **kwargs)
        return operators.converted_call(function, *args, **kwargs)

    def __reduce__(self) -> tuple[type[Dispatch], tuple[()]]:
        return (Dispatch, ())


def _nothing() -> None:
    return None


def _wrapper(function: Any) -> Any:
    """A function that wraps a callable and makes the same test in Python."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> object:
        if active_backend() is None:
            return function(*args, **kwargs)
        return operators.converted_call(wrapper, *args, **kwargs)

    return wrapper
