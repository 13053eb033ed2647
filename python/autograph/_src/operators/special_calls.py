"""Methods of the user's classes that Python itself calls for a statement or a builtin.

    while stack:              # `Stack.__bool__`, else `Stack.__len__`
    len(stack), abs(v), float(v)
    x in interval             # `Interval.__contains__`

The converted method is called; a staged result is checked as Python checks a plain one.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.calls import SPECIAL_CALLS, backend_inside, converted_call, in_converted_code
from autograph._src.policy import is_generated, is_user_class, is_user_function

COMPARISONS = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Comparisons, with the one that the right operand is asked."""

COMPARE: list[Callable[..., Any]] = []
"""The operator for comparisons; ``spelled.py``, which imports this file, enters it here."""


def is_of_user(value: object) -> bool:
    """Whether a value is an object of a class of the user, and not the staged value of a back-end."""
    return is_user_class(type(value)) and not isinstance(value, type) and backend_of(value) is None


def method_of(target: object, name: str) -> Callable[..., Any] | None:
    """The method of this name in the class of an object, if Python code that can be converted defines it."""
    method = getattr(type(target), name, None)
    if type(method) is not FunctionType:
        return None
    if is_user_function(method):
        return method
    is_of_dataclass = is_generated(method) and hasattr(type(target), "__dataclass_fields__")
    if is_of_dataclass and name.strip("_") in COMPARISONS:
        return _OfDataclass(name.strip("_"))
    return method if method.__module__ == "functools" and is_of_user(target) else None


class _OfDataclass:
    """A comparison that ``dataclass`` generates: that of the fields, as tuples."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, left: Any, right: Any) -> object:
        """Compares two objects of one class."""
        if converted_call(type, left) is not converted_call(type, right):
            return NotImplemented
        names = [name for name, field in type(left).__dataclass_fields__.items() if field.compare]
        values = (tuple(getattr(one, name) for name in names) for one in (left, right))
        return COMPARE[0](self.name, *values)


def call_method(method: Callable[..., Any], *operands: Any) -> Any:
    """Calls a method that Python would call."""
    if isinstance(method, _OfDataclass):
        return method(*operands)
    if method.__module__ == "functools" and not is_user_function(method):  # `functools.total_ordering`
        return in_converted_code(method)(*operands)
    return converted_call(method, *operands)


def tested(value: Any) -> Any:
    """What a test of a value asks: of an object of the user the result of its ``__bool__`` or ``__len__``."""
    if active_backend() is None or not is_of_user(value):
        return value
    for name in ("__bool__", "__len__"):
        if getattr(type(value), name, None) is not None:
            method = method_of(value, name)
            return value if method is None else checked_result(name, converted_call(method, value), value)
    return value


def checked_result(name: str, result: Any, value: object) -> Any:
    """The result of a method, whose class Python checks: it raises the error for a wrong one."""
    backend = backend_of(result)
    if backend is not None:
        kind = backend.plain_class(result)
        if kind in _RESULTS[name]:
            made = result if kind is _RESULTS[name][0] else converted_call(_RESULTS[name][0], result)
            if name == "__len__":
                backend.if_stmt(made < 0, _refuse_length, None, None, None, (), 0)
            return made
        result = kind(0)
    stand_in = type(type(value).__name__, (), {name: lambda self: result})()
    return _CHECKED[name](stand_in)


def _refuse_length() -> None:
    raise ValueError("__len__() should return >= 0")


_RESULTS: dict[str, tuple[type, ...]] = {
    "__bool__": (bool,),
    "__len__": (int, bool, np.int64, np.int32),
    "__int__": (int,),
    "__float__": (float, np.float64),
}
"""The class of a method's result, and others that Python makes one of."""

_CHECKED: dict[str, Any] = {"__bool__": bool, "__len__": len, "__int__": int, "__float__": float}


def _asks(name: str) -> Callable[..., Any]:
    def call(value: Any, *rest: Any) -> Any:
        method = method_of(value, name)
        return NotImplemented if method is None else call_method(method, value, *rest)

    return call


def _asks_for(name: str) -> Callable[..., Any]:
    def call(value: Any) -> Any:
        method = method_of(value, name)
        return NotImplemented if method is None else checked_result(name, call_method(method, value), value)

    return call


def text_of_object(value: object, conversion: str | None, spec: str) -> object:
    """``f"{value!conversion:spec}"`` by methods of the user's class; ``NotImplemented`` if it has none."""
    names = _TEXTS[conversion]
    while names:
        method = method_of(value, names[0])
        if method is not None:
            given = (spec,) if names[0] == "__format__" else ()
            made = call_method(method, value, *given)
            if backend_of(made) is None and not isinstance(made, str):
                raise TypeError(f"{names[0]} returned non-string (type {type(made).__name__})")
            is_whole = names[0] == "__format__" or not spec
            return made if is_whole else converted_call(format, made, spec)
        if getattr(type(value), names[0], None) is not getattr(object, names[0]):
            return NotImplemented
        if names[0] == "__format__" and spec:
            return NotImplemented  # CPython raises the error.
        names = names[1:]
    return NotImplemented


def _shown(function: Callable[[object], str], value: object) -> object:
    """``str(value)`` or ``repr(value)``; that of a dataclass shows its fields, which may be staged."""
    made = text_of_object(value, "s" if function is str else "r", "")
    inside = backend_inside(tuple(getattr(value, "__dict__", {}).values()))
    return (
        made if made is not NotImplemented or inside is None else inside.call_builtin(function, (value,), {})
    )


_TEXTS: dict[str | None, tuple[str, ...]] = {
    None: ("__format__", "__str__", "__repr__"),
    "s": ("__str__", "__repr__"),
    "r": ("__repr__",),
    "a": (),
}
"""By conversion, the methods that Python calls, each if the class has none of those before."""


def _truth(value: Any) -> Any:
    asked = tested(value)
    if asked is value:
        return NotImplemented
    return asked if isinstance(asked, bool) else converted_call(bool, asked)


SPECIAL_CALLS.update(
    {
        abs: _asks("__abs__"),
        round: _asks("__round__"),
        len: _asks_for("__len__"),
        int: _asks_for("__int__"),
        float: _asks_for("__float__"),
        bool: _truth,
        str: lambda value: _shown(str, value),
        repr: lambda value: _shown(repr, value),
    }
)
