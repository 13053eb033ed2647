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
from autograph._src.own_attributes import has_own
from autograph._src.staging.trace.active import current_trace, staging_error


def is_(left: Any, right: object) -> object:
    """``left is right``."""
    backend = backend_among((left, right))
    if backend is not None:
        return backend.is_(left, right)
    if _is_list_of_trace(left, right):
        return left.is_same(right)
    _require_known_identity(left, right)
    return left is right


def is_not(left: Any, right: object) -> object:
    """``left is not right``."""
    backend = backend_among((left, right))
    if backend is not None:
        return not_(backend.is_(left, right))
    if _is_list_of_trace(left, right):
        return not_(left.is_same(right))
    _require_known_identity(left, right)
    return left is not right


def _is_list_of_trace(left: object, right: object) -> bool:
    """Whether the left operand is a traced list or table row, which knows which other one it may be."""
    if hasattr(type(left), "ag_table"):
        return True
    return isinstance(left, list) and isinstance(right, list) and has_own(left, "is_same")


def _require_known_identity(left: object, right: object) -> None:
    """Refuses ``is`` of plain objects whose identity depends on a staged statement or on the arguments."""
    if left is not right and type(left) is type(right) and active_backend() is not None:
        if isinstance(left, tuple):
            _require_known_tuples(left, right)
        _require_known_objects(left, right)


def _require_known_tuples(left: Any, right: Any) -> None:
    """Refuses tuples with staged values: a staged statement may have rebuilt one of them from the other."""
    backend = backend_among(left) or backend_among(right)
    if backend is not None and len(left) == len(right):
        raise backend.refuse("`is` of tuples with staged values, which may be one: use `==`")


def _require_known_objects(left: object, right: object) -> None:
    """Refuses two objects of the arguments: the caller may pass the same object twice in another call."""
    trace = current_trace()
    if trace is None:
        return
    if trace.search is not None:
        trace.search.compared(left, right)
    if id(left) in trace.given and id(right) in trace.given:
        raise staging_error(
            "AG120",
            f"whether two arguments are one and the same {type(left).__name__} is not known while tracing",
            "use `==`",
        )


def not_(value: object) -> object:
    """``not value``."""
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
