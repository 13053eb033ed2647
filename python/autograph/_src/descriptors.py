"""Staging what a descriptor holds: properties, class methods and their like stay what they are.

    class Scale:
        @ag.function
        @property
        def squared(self): ...          # a property, whose getter is staged

Above or below such a decorator, ``@ag.function`` stages the function inside.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

Stage = Callable[[Any], Any]


def staged_inside(entity: object, stage: Stage) -> Any:
    """A descriptor of the same kind around staged functions.

    Args:
        entity: What was decorated.
        stage: Stages a function.

    Returns:
        The new descriptor, or ``None`` if the object is no descriptor that holds functions.

    Example:
        >>> staged_inside(property(len), lambda function: function).fget is len
        True
        >>> staged_inside(len, lambda function: function) is None
        True
    """
    if isinstance(entity, (staticmethod, classmethod)):
        return type(entity)(stage(entity.__func__))
    if isinstance(entity, property):
        parts = (entity.fget, entity.fset, entity.fdel)
        fget, fset, fdel = (None if part is None else stage(part) for part in parts)
        return type(entity)(fget, fset, fdel, entity.__doc__)
    if isinstance(entity, functools.cached_property):
        made = type(entity)(stage(entity.func))
        made.attrname = entity.attrname  # Set if the class is there already.
        return made
    if isinstance(entity, functools.partialmethod):
        return type(entity)(stage(entity.func), *entity.args, **entity.keywords)
    return None
