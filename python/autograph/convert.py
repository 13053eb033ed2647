"""``ag.convert`` and what belongs to it: the front end without an engine."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, ParamSpec, TypeVar, overload
from weakref import ref

from autograph import operators
from autograph.errors import ConversionError
from autograph.load import conversion_of, instantiate
from autograph.policy import ORIGINAL, is_user_function, mark, original_of
from autograph.two_versions import either_version

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")

CONVERTED = "__autograph_converted__"
"""Attribute of a function: its converted version, once made, and what it was made of."""


def plain_function(function: Any) -> FunctionType:
    """The Python function behind a decorated function, method, partial or wrapper of this package.

    Raises:
        ConversionError: If there is none.
    """
    while True:
        original = getattr(function, ORIGINAL, None)
        if original is not None:
            function = original
        elif isinstance(function, MethodType):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, (staticmethod, classmethod)):
            function = function.__func__
        else:
            break
    if not isinstance(function, FunctionType):
        raise ConversionError(
            f"`{getattr(function, '__name__', type(function).__name__)}` is not a Python function",
            code="AG011",
            help="only functions written in Python can be converted",
        )
    return function


def converted_version(function: FunctionType) -> FunctionType:
    """The converted function, made at the first call for each function object."""
    known = function.__dict__.get(CONVERTED)
    if known is not None:
        made, owner, code, defaults = known
        # `functools.wraps` copies the attributes of a function; code and defaults can be replaced.
        if owner() is function and code is function.__code__ and defaults is function.__defaults__:
            return made  # type: ignore[no-any-return]
    made = instantiate(function, conversion_of(function), operators)
    function.__dict__[CONVERTED] = (made, ref(function), function.__code__, function.__defaults__)
    return made


@overload
def convert(function: C, /, *, strict: bool | None = None) -> C: ...
@overload
def convert(*, strict: bool | None = None) -> Callable[[C], C]: ...


def convert(function: Any = None, /, *, strict: bool | None = None) -> Any:
    """Convert a function so that staged values may decide its control flow.

    There are two versions (AutoGraph §4): while nothing records, the original bytecode runs, at its
    own speed; where a staged value can exist, the converted one runs. Conversion happens at the
    first call that needs it.

    Args:
        function: The function or callable; a static or class method or a property; a class, whose own
            methods are then replaced. Without it, a decorator.
        strict: Whether a function that cannot be converted is an error; otherwise it runs as it is,
            which the trace notes. By default what the caller chose, else ``AUTOGRAPH_STRICT``, which
            is on unless it is ``0``.

    Returns:
        A function with the same signature; for anything else, what it was with such functions in it.

    Raises:
        ConversionError: If there is no function written in Python to be converted.

    Example:
        >>> import autograph as ag
        >>> @ag.convert
        ... def sign(x):
        ...     return 1 if x > 0 else -1
        >>> sign(3)
        1
    """
    if function is None:
        return functools.partial(convert, strict=strict)
    if isinstance(function, type):
        return _convert_class(function, strict)
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(convert(function.__func__, strict=strict))
    if isinstance(function, MethodType):
        return MethodType(convert(function.__func__, strict=strict), function.__self__)
    if isinstance(function, property):
        parts: Any = (function.fget, function.fset, function.fdel)
        fget, fset, fdel = (None if part is None else convert(part, strict=strict) for part in parts)
        return property(fget, fset, fdel, function.__doc__)
    if original_of(function) is not None:
        return function
    if type(function) is FunctionType or not _is_callable_object(function):
        plain_function(function)
    return either_version(function, strict)


def _is_callable_object(value: Any) -> bool:
    """Whether the class of a value, which is no function, has a ``__call__`` written in Python."""
    return isinstance(inspect.getattr_static(type(value), "__call__", None), FunctionType)


_CONVERTIBLE = (FunctionType, staticmethod, classmethod, property)


def _convert_class(kind: type, strict: bool | None) -> type:
    """Replaces the methods that a class defines itself."""
    for name, value in list(vars(kind).items()):
        if isinstance(value, _CONVERTIBLE) and _is_of_user(value):
            setattr(kind, name, convert(value, strict=strict))
    return kind


def to_graph(function: Callable[P, R], /) -> Callable[P, R]:
    """The converted function itself, which calls operators for plain values too.

    Args:
        function: The function or method.

    Returns:
        A function with the same arguments, defaults, closure and globals.

    Raises:
        ConversionError: If the source cannot be found or converted.
    """
    plain = plain_function(function)
    conversion = conversion_of(plain)
    if conversion.refusal is not None:
        raise conversion.refusal
    made = converted_version(plain)
    return MethodType(made, function.__self__) if isinstance(function, MethodType) else made


def to_code(function: Callable[..., Any], /) -> str:
    """The converted Python of a function, as text.

    Args:
        function: The function or method.

    Returns:
        The text of the converted function; ``ag__`` in it is :mod:`autograph.operators`.

    Raises:
        ConversionError: If the source cannot be found or converted.

    Example:
        >>> import autograph as ag
        >>> def sign(x):
        ...     return 1 if x > 0 else -1
        >>> print(ag.to_code(sign), end="")
        def sign(x):
            return ag__.if_exp(x > 0, lambda: 1, lambda: -1)
    """
    conversion = conversion_of(plain_function(function))
    if conversion.refusal is not None:
        raise conversion.refusal
    return _inner_text(conversion.text)


def _inner_text(text: str) -> str:
    """The function in the text of its factory, dedented; lines inside string literals stay."""
    factory = ast.parse(text).body[0]
    assert isinstance(factory, ast.FunctionDef)
    inner = factory.body[0]
    inside_strings = {
        line
        for node in ast.walk(inner)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }
    lines = text.splitlines()[inner.lineno - 1 : inner.end_lineno]
    numbered = enumerate(lines, start=inner.lineno)
    return "".join(f"{line if number in inside_strings else line[4:]}\n" for number, line in numbered)


def _is_of_user(method: Any) -> bool:
    """Whether a method in a class is the user's: not one that ``dataclass`` or ``Enum`` put there."""
    if isinstance(method, property):
        return all(part is None or is_user_function(part) for part in (method.fget, method.fset, method.fdel))
    function = method.__func__ if isinstance(method, (staticmethod, classmethod)) else method
    return is_user_function(function)


def do_not_convert(function: C, /) -> C:
    """Mark a function to run as it is, also when called from converted code.

    What it calls is not converted either: :func:`autograph.control_status` is ``DISABLED`` meanwhile.
    Outside a trace nothing changes.

    Args:
        function: A function, method or callable; a static or class method or a property; a class,
            for all methods that it defines itself.

    Returns:
        What was given.

    Raises:
        ConversionError: If it is nothing that can be marked, such as a builtin.

    Example:
        >>> import autograph as ag
        >>> @ag.do_not_convert
        ... def log(message):
        ...     print(message, ag.control_status())
        >>> ag.to_graph(lambda: log("plain:"))()
        plain: ControlStatus.UNSPECIFIED
    """
    if isinstance(function, type):
        for value in vars(function).values():
            if isinstance(value, _CONVERTIBLE):
                do_not_convert(value)
    elif isinstance(function, (staticmethod, classmethod, MethodType)):
        do_not_convert(function.__func__)
    elif original_of(function) is not None:
        do_not_convert(original_of(function))
    elif isinstance(function, property):
        for part in (function.fget, function.fset, function.fdel):
            if part is not None:
                do_not_convert(part)
    elif not callable(function) or not mark(function):
        plain_function(function)
        raise ConversionError(
            f"a {type(function).__name__} cannot be marked: it has no attributes",
            code="AG011",
            help="mark the function that it calls",
        )
    return function
