"""``is``, ``x.__class__`` and the patterns ``None``, ``True``, ``False`` with staged values.

A staged value is not the object that it stands for, so CPython's ``is`` would silently give a wrong answer:

    flag = x > 0
    if flag is True:       # always false for a staged `flag`
        ...

These operators ask the back-end instead.
"""

from __future__ import annotations

from typing import Any

from autograph._src.backends.protocol import active_backend, backend_among, backend_of
from autograph._src.operators.special_calls import tested


def is_(left: Any, right: object) -> object:
    """``left is right``."""
    backend = backend_among((left, right))
    if backend is not None:
        return backend.is_(left, right)
    active = active_backend()
    return left is right if active is None else active.is_same(left, right)


def is_not(left: Any, right: object) -> object:
    """``left is not right``."""
    backend = backend_among((left, right))
    return not_(is_(left, right) if backend is None else backend.is_(left, right))


def not_(value: object) -> object:
    """``not value``."""
    value = tested(value)
    backend = backend_of(value)
    return not value if backend is None else backend.not_(value)


def class_of(value: object) -> object:
    """``value.__class__``."""
    backend = backend_of(value)
    return value.__class__ if backend is None else backend.call_builtin(type, (value,), {})


class _Singleton(type):
    """The metaclass of the patterns below: converted code matches ``case None:`` by ``isinstance``."""

    value: Any

    def __instancecheck__(cls, instance: object) -> bool:
        return bool(is_(instance, cls.value))


class IsNone(metaclass=_Singleton):
    """Stands for the pattern in ``case None:``."""

    value = None


class IsTrue(metaclass=_Singleton):
    """Stands for the pattern in ``case True:``."""

    value = True


class IsFalse(metaclass=_Singleton):
    """Stands for the pattern in ``case False:``."""

    value = False
