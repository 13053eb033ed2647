"""Converting what wraps functions: methods, caches, partials, callable objects, classes.

:func:`mapped` unwraps the functions, changes them, and wraps them again:

>>> import functools
>>> add = functools.partial(lambda a, b: a + b, 1)
>>> mapped(add, lambda function: function)(2)
3
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from autograph._src.load import NOT_CONVERTIBLE
from autograph._src.policy import is_user_function, original_of
from autograph.errors import ConversionError

CACHED: Any = type(functools.lru_cache(len))
"""The class of the objects that ``functools.lru_cache`` returns."""

_WITH_FUNC = (functools.partial, functools.partialmethod, functools.cached_property)
"""Classes whose objects hold a function as ``func``."""

Change = Callable[[FunctionType], Any]


def plain_function(function: object) -> FunctionType:
    """The Python function behind a decorated function, method, partial or wrapper of this package.

    Raises:
        ConversionError: If there is no Python function behind the object.
    """
    while True:
        original = original_of(function)
        if original is not None:
            function = original
        elif isinstance(function, (MethodType, staticmethod, classmethod)):
            function = function.__func__
        elif isinstance(function, property) and function.fget is not None:
            function = function.fget
        elif isinstance(function, CACHED):
            function = function.__wrapped__
        elif isinstance(function, _WITH_FUNC):
            function = function.func
        elif not isinstance(function, (FunctionType, type)) and _is_callable_in_python(function):
            function = type(function).__call__
        else:
            break
    if not isinstance(function, FunctionType):
        raise ConversionError(
            f"`{getattr(function, '__name__', type(function).__name__)}` is not a Python function",
            code="AG011",
            help="only functions written in Python can be converted",
        )
    return function


def _is_callable_in_python(value: object) -> bool:
    """Whether the object's class defines ``__call__`` in Python."""
    return isinstance(inspect.getattr_static(type(value), "__call__", None), FunctionType)


def mapped(entity: Any, change: Change) -> Any:
    """The same kind of object around changed functions.

    Args:
        entity: A function, method, ``classmethod`` or ``staticmethod`` object, property, partial, cache,
            callable object or class.
        change: Called with each Python function; returns the function to use instead.

    Returns:
        The same kind of entity; for a callable object its bound method ``__call__``, for a class a
        subclass.
    """
    original = original_of(entity)
    if original is not None:
        return mapped(original, change)
    if isinstance(entity, MethodType):
        return MethodType(mapped(entity.__func__, change), entity.__self__)
    if isinstance(entity, (staticmethod, classmethod)):
        return type(entity)(mapped(entity.__func__, change))
    if isinstance(entity, property):
        parts = (entity.fget, entity.fset, entity.fdel)
        fget, fset, fdel = (None if part is None else mapped(part, change) for part in parts)
        return property(fget, fset, fdel, entity.__doc__)
    if isinstance(entity, (functools.partial, functools.partialmethod)):
        return type(entity)(mapped(entity.func, change), *entity.args, **entity.keywords)
    if isinstance(entity, functools.cached_property):
        return type(entity)(mapped(entity.func, change))
    if isinstance(entity, CACHED):
        return functools.lru_cache(**entity.cache_parameters())(mapped(entity.__wrapped__, change))
    if isinstance(entity, type):
        body = {"__module__": entity.__module__, "__slots__": (), **_mapped_methods(entity, change)}
        return type(entity)(entity.__name__, (entity,), body)
    if not isinstance(entity, FunctionType) and _is_callable_in_python(entity):
        return MethodType(mapped(type(entity).__call__, change), entity)
    return change(plain_function(entity))


def _mapped_methods(kind: type, change: Change) -> dict[str, Any]:
    """The changed methods of a class; those that cannot be converted, such as generators, are left out."""
    changed = {}
    for name, method in own_methods(kind):
        try:
            changed[name] = mapped(method, change)
        except ConversionError as refusal:
            if refusal.code != NOT_CONVERTIBLE:
                raise
    return changed


def replace_method(kind: type, name: str, method: object) -> None:
    """Sets an attribute of a class, and calls its ``__set_name__`` as the ``class`` statement does."""
    setattr(kind, name, method)
    set_name = getattr(type(method), "__set_name__", None)
    if set_name is not None:
        set_name(method, kind, name)


def own_methods(kind: type) -> list[tuple[str, Any]]:
    """The methods and properties of the user that a class itself defines, in order."""
    found = []
    for name, value in vars(kind).items():
        inner = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        inner = inner.fget if isinstance(inner, property) else inner
        inner = inner.func if isinstance(inner, _WITH_FUNC[1:]) else inner
        inner = original_of(inner) or inner
        inner = inner.__wrapped__ if isinstance(inner, CACHED) else inner
        if is_user_function(inner):
            found.append((name, value))
    return found
