"""``is``, ``x.__class__`` and the patterns ``None``, ``True``, ``False``: what a staged value would hide.

A staged value is an object of its own. Plain ``is`` would take it for another object than the one it
stands for, and say so without a word:

    flag = x > 0
    if flag is True:       # never true of a staged `flag`
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
    """Whether the left operand, a list or a row of a table, knows which other one it may be."""
    if hasattr(type(left), "ag_table"):
        return True
    return isinstance(left, list) and isinstance(right, list) and has_own(left, "is_same")


def _require_known_identity(left: object, right: object) -> None:
    """What is plain here may stand for one object or another, depending on a staged statement."""
    if left is not right and type(left) is type(right) and active_backend() is not None:
        if isinstance(left, tuple):
            _require_known_tuples(left, right)
        _require_known_objects(left, right)


def _require_known_tuples(left: Any, right: Any) -> None:
    """A tuple with staged values may have been put together again by a statement: it may be the other."""
    backend = backend_among(left) or backend_among(right)
    if backend is not None and len(left) == len(right):
        raise backend.refuse("`is` of tuples with staged values, which may be one: use `==`")


def _require_known_objects(left: object, right: object) -> None:
    """While a function is traced, copies stand for the objects of its arguments."""
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
    """The class of what matches one object: ``case None:`` asks ``isinstance`` of it."""

    value: Any

    def __instancecheck__(cls, instance: object) -> bool:
        return bool(is_(instance, cls.value))


class IsNone(metaclass=_Singleton):
    """What ``case None:`` matches."""

    value = None


class IsTrue(metaclass=_Singleton):
    """What ``case True:`` matches."""

    value = True


class IsFalse(metaclass=_Singleton):
    """What ``case False:`` matches."""

    value = False
