"""``ag.convert`` and what belongs to it: the front end without an engine."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, overload

from autograph import operators
from autograph.backends.protocol import active_backend
from autograph.entities import mapped, own_methods, plain_function
from autograph.load import conversion_of, instantiate
from autograph.operators.calls import DO_NOT_CONVERT, ORIGINAL

P = ParamSpec("P")
R = TypeVar("R")

CONVERTED = "__autograph_converted__"
"""Attribute of a function: its converted version, once made."""


def converted_version(function: FunctionType) -> FunctionType:
    """The converted function, made at the first call for each function object."""
    known = function.__dict__.get(CONVERTED)
    if known is None:
        known = instantiate(function, conversion_of(function), operators)
        function.__dict__[CONVERTED] = known
    return known


@overload
def convert(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def convert() -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def convert(function: Any = None, /) -> Any:
    """Convert a function so that staged values may decide its control flow.

    There are two versions (AutoGraph §4): while nothing records, the original bytecode runs, at its
    own speed; where a staged value can exist, the converted one runs. Conversion happens at the
    first call that needs it.

    Args:
        function: The function. Without it, a decorator.

    Returns:
        A function with the same signature.

    Example:
        >>> import autograph as ag
        >>> @ag.convert
        ... def sign(x):
        ...     return 1 if x > 0 else -1
        >>> sign(3)
        1
    """
    if function is None:
        return convert
    if getattr(function, ORIGINAL, None) is not None:
        return function
    plain_function(function)

    @functools.wraps(function)
    def either_version(*args: Any, **kwargs: Any) -> Any:
        if active_backend() is None:
            return function(*args, **kwargs)
        return operators.converted_call(function, *args, **kwargs)

    setattr(either_version, ORIGINAL, function)
    return either_version


def to_graph(function: Callable[P, R], /) -> Callable[P, R]:
    """The converted function itself, which calls operators for plain values too.

    Args:
        function: A function, lambda or method; what ``functools.partial`` or ``lru_cache`` makes of one;
            a class or static method object, a property, a callable object; or a class.

    Returns:
        A function with the same arguments, defaults, closure and globals. Of another entity the same
        kind of entity: a bound method stays bound, a cache stays a cache, and of a class it is a
        subclass whose methods are converted.

    Raises:
        ConversionError: If the source cannot be found or converted.

    Example:
        >>> import autograph as ag
        >>> def sign(x):
        ...     return 1 if x > 0 else -1
        >>> ag.to_graph(sign)(-3)
        -1
    """
    return mapped(function, _converted)  # type: ignore[no-any-return]


def _converted(function: FunctionType) -> FunctionType:
    conversion = conversion_of(function)
    if conversion.refusal is not None:
        raise conversion.refusal
    return converted_version(function)


def to_code(function: Callable[..., Any], /) -> str:
    """The converted Python of a function, as text.

    Args:
        function: As for :func:`to_graph`.

    Returns:
        The text of the converted function, or of all methods of a class; ``ag__`` in it is :mod:`autograph.operators`.

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
    if isinstance(function, type):
        return "\n".join(to_code(method) for _, method in own_methods(function))
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


def do_not_convert(function: Callable[P, R], /) -> Callable[P, R]:
    """Mark a function to run as it is, also when called from converted code.

    Args:
        function: The function.

    Returns:
        The function.
    """
    plain_function(function).__dict__[DO_NOT_CONVERT] = True
    return function
