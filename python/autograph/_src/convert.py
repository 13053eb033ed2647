"""``ag.convert``, ``ag.to_graph``, ``ag.to_code`` and ``ag.do_not_convert``: conversion without a graph."""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, ParamSpec, TypeVar, overload
from weakref import ref

from autograph._src import operators
from autograph._src.articles import with_article
from autograph._src.backends.protocol import active_backend
from autograph._src.entities import mapped, own_methods, plain_function, replace_method
from autograph._src.load import NOT_CONVERTIBLE, Walked, conversion_of, instantiate
from autograph._src.operators.calls import convert_with, walk_with
from autograph._src.policy import is_marked, mark, original_of
from autograph._src.two_versions import either_version
from autograph.errors import ConversionError

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")

CONVERTED = "__autograph_converted__"
CONVERTED_SPELLED = "__autograph_converted_spelled__"
"""Attribute of a function: its converted version, once made, and the code and defaults it was made from."""


@convert_with
def converted_version(function: FunctionType) -> FunctionType:
    """The converted function, made at the first call for each function object."""
    backend = active_backend()
    is_spelled = backend is not None and backend.spells_operators()
    attribute = CONVERTED_SPELLED if is_spelled else CONVERTED
    known = function.__dict__.get(attribute)
    if known is not None:
        made, owner, *parts = known
        # `functools.wraps` may have copied the attribute from another function, and a program may have
        # replaced the function's code or defaults since.
        if owner() is function and all(map(operator.is_, parts, _replaceable(function))):
            return made  # type: ignore[no-any-return]
    made = instantiate(function, conversion_of(function, is_spelled), operators)
    function.__dict__[attribute] = (made, ref(function), *_replaceable(function))
    return made


@walk_with
def converted_walk(function: FunctionType, walk: Walked = "loop") -> FunctionType | None:
    """The walk of a generator function; ``None`` if it has none."""
    backend = active_backend()
    is_spelled = backend is not None and backend.spells_operators()
    try:
        conversion = conversion_of(function, is_spelled, walk)
    except ConversionError:
        return None
    return None if conversion.refusal is not None else instantiate(function, conversion, operators)


def _replaceable(function: FunctionType) -> tuple[Any, Any, Any]:
    """The code and defaults of a function: the program may replace them after conversion."""
    return function.__code__, function.__defaults__, function.__kwdefaults__


@overload
def convert(function: C, /, *, strict: bool | None = None) -> C: ...
@overload
def convert(*, strict: bool | None = None) -> Callable[[C], C]: ...


def convert(function: object = None, /, *, strict: bool | None = None) -> Any:
    """Convert a function so that staged values may decide its control flow.

    The function then has two versions (AutoGraph §4). While no back-end records on the thread, the original
    bytecode runs at its own speed; while one records, the converted version runs. The first call that
    needs the converted version makes it.

    Args:
        function: A function or other callable; a static or class method or a property; or a class, whose
            own methods are then replaced. Leave it out to use ``convert`` as a decorator with options.
        strict: Whether a function that cannot be converted raises an error. If not, it runs unconverted,
            and the trace notes that. By default the choice of the calling converted function, else that of
            the environment variable ``AUTOGRAPH_STRICT``: strict unless it is ``0``.

    Returns:
        For a function, a function with the same signature. For a method, property or callable object, the
        same kind of object around such a function. A class itself.

    Raises:
        ConversionError: If the argument is not, and does not wrap, a function written in Python.

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
    if original_of(function) is not None:
        return function
    plain_function(function)
    return mapped(function, lambda plain: either_version(plain, strict))


def _convert_class(kind: type, strict: bool | None) -> type:
    """Replaces the methods that a class defines itself."""
    for name, method in own_methods(kind):
        if not is_marked(method):
            replace_method(kind, name, convert(method, strict=strict))
    return kind


def to_graph(function: Callable[P, R], /) -> Callable[P, R]:
    """The converted version of a function by itself: it calls operators for plain values too.

    Args:
        function: A function, lambda or method; a ``functools.partial`` or ``lru_cache`` of one; a
            ``classmethod`` or ``staticmethod`` object, a property, a callable object; or a class.

    Returns:
        A function with the same arguments, defaults, closure and globals. For anything else the same
        kind of object: a bound method stays bound, a cache stays a cache, and a class becomes a
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
        The text of the converted function, or of all methods of a class; ``ag__`` in it is
        :mod:`autograph._src.operators`.

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
        return "\n".join(_text_of_method(name, method) for name, method in own_methods(function))
    conversion = conversion_of(plain_function(function))
    if conversion.refusal is not None:
        raise conversion.refusal
    return _inner_text(conversion.text)


def _text_of_method(name: str, method: Any) -> str:
    try:
        return to_code(method)
    except ConversionError as refusal:
        if refusal.code != NOT_CONVERTIBLE:
            raise
        return f"# {name} stays as written: {refusal.message}\n"


def _inner_text(text: str) -> str:
    """The text of the inner function of a factory, dedented; lines inside string literals stay."""
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


@overload
def do_not_convert(function: C, /) -> C: ...
@overload
def do_not_convert() -> Callable[[C], C]: ...


def do_not_convert(function: object = None, /) -> Any:
    """Mark a function to run unconverted, also when converted code calls it.

    The functions it calls are not converted either: :func:`autograph.control_status` is ``DISABLED``
    until it returns. Outside a trace nothing changes.

    Args:
        function: A function, method or other callable; a static or class method or a property; or a
            class, to mark all methods that it defines itself. Leave it out to use
            ``@ag.do_not_convert()`` as a decorator.

    Returns:
        The argument itself.

    Raises:
        ConversionError: If the argument cannot be marked because it has no attributes, such as a builtin.

    Example:
        >>> import autograph as ag
        >>> @ag.do_not_convert
        ... def log(message):
        ...     print(message, ag.control_status())
        >>> ag.to_graph(lambda: log("plain:"))()
        plain: ControlStatus.UNSPECIFIED
    """
    if function is None:
        return do_not_convert
    if isinstance(function, type):
        for _, method in own_methods(function):
            do_not_convert(method)
    elif isinstance(function, (staticmethod, classmethod, MethodType)):
        do_not_convert(function.__func__)
    elif isinstance(function, (functools.cached_property, functools.partialmethod)):
        do_not_convert(function.func)
    elif original_of(function) is not None:
        do_not_convert(original_of(function))
    elif isinstance(function, property):
        for part in (function.fget, function.fset, function.fdel):
            if part is not None:
                do_not_convert(part)
    elif not callable(function) or not mark(function):
        plain_function(function)
        raise ConversionError(
            f"{with_article(type(function).__name__)} cannot be marked: it has no attributes",
            code="AG011",
            help="mark the function that it calls",
        )
    return function
