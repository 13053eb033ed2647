"""Python's operators and attributes as calls, in which methods of the user are converted.

    if Point(x, 1.0) < goal:          # `Point.__lt__` compares staged numbers, in an `if` of its own
        ...

Python itself calls such methods, with the code that the user wrote. A recording in which one needs the truth
of a staged value begins again with converted text that spells operators out. Here they do what Python does,
step by step.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.calls import backend_inside, converted_call
from autograph._src.operators.group_walks import compare_with
from autograph._src.operators.identity import is_, is_not, not_
from autograph._src.operators.special_calls import (
    COMPARE,
    COMPARISONS,
    call_method,
    is_of_user,
    method_of,
    tested,
)
from autograph._src.policy import is_user_function

_TEMPLATES = ("mod", "imod")
"""The operators that format their right operand if the left one is a string."""

_UNARY = frozenset(("neg", "pos", "invert"))


@compare_with
def operated(name: str, *operands: Any) -> Any:
    """An operator by its name in the module ``operator``."""
    plain: Callable[..., Any] = getattr(operator, name)
    backend = active_backend()
    if backend is None:
        return plain(*operands)
    if name in COMPARISONS and _are_sequences(*operands):
        inside = backend_inside(operands[0]) or backend_inside(operands[1]) or _objects_inside(operands)
        if inside is not None:
            made = backend.call_builtin(plain, operands, {})
            return plain(*operands) if made is NotImplemented else made
    if name in _TEMPLATES and type(operands[0]) is str:
        given = operands[1] if isinstance(operands[1], tuple) else operands[1:]
        if backend_inside(operands) is not None or any(map(is_of_user, given)):
            return backend.call_builtin(plain, operands, {})
    if not any(is_of_user(one) for one in operands):
        return plain(*operands)
    if name in _UNARY:
        method = method_of(operands[0], f"__{name}__")
        return plain(*operands) if method is None else call_method(method, *operands)
    left, right = operands
    if name in COMPARISONS:
        return _compared(plain, name, left, right)
    base = name.rstrip("_")
    if name in _IN_PLACE:
        method = method_of(left, f"__{base}__")
        if method is not None:
            made = call_method(method, left, right)
            if made is not NotImplemented:
                return made
        elif getattr(type(left), f"__{base}__", None) is not None:
            return plain(left, right)
        base = base[1:]  # `plain` stays: CPython's error names `+=`.
    return _in_turn(plain, f"__{base}__", f"__r{base}__", left, right)


_IN_PLACE = frozenset(
    ("iadd", "isub", "imul", "imatmul", "itruediv", "imod", "ipow", "ilshift", "irshift", "ior", "ixor")
) | {"iand", "ifloordiv"}


def _are_sequences(left: object, right: object) -> bool:
    """Whether both are tuples, or both lists of a known length."""
    are_alike = any(isinstance(left, kind) and isinstance(right, kind) for kind in (tuple, list))
    return are_alike and not any(backend_of(one) is not None or is_of_user(one) for one in (left, right))


def _objects_inside(operands: tuple[Any, ...]) -> object:
    """An object of the user in one of two sequences."""
    return next((one for operand in operands for one in operand if is_of_user(one)), None)


def _in_turn(plain: Callable[..., Any], name: str, reflected: str, left: Any, right: Any) -> Any:
    """A binary operator: the left operand's method, then the right one's, or first that of a subclass."""
    first, second = method_of(left, name), method_of(right, reflected)
    is_first_unknown = first is None and not _knows_no_objects(left) and getattr(type(left), name, None)
    if is_first_unknown or (first is None and second is None):
        return plain(left, right)
    attempts = [(first, left, right)] if first is not None else []
    if second is not None and (type(left) is not type(right) or reflected[2:-2] in COMPARISONS):
        is_subclass = type(left) is not type(right) and issubclass(type(right), type(left))
        overrides = getattr(type(left), reflected, None) is not getattr(type(right), reflected, None)
        is_asked_first = is_subclass and (overrides or reflected[2:-2] in COMPARISONS)
        attempts.insert(0 if is_asked_first else len(attempts), (second, right, left))
    for method, one, other in attempts:
        made = call_method(method, one, other)
        if made is not NotImplemented:
            return made
    return NotImplemented if reflected[2:-2] in COMPARISONS else plain(left, right)


def _knows_no_objects(value: object) -> bool:
    """Whether a value's own operators do not know objects of the user's classes."""
    backend = backend_of(value)
    kind = type(value) if backend is None else backend.plain_class(value)
    if kind in (int, float, complex, bool, type(None), str, list, tuple, dict):
        return True
    return is_of_user(value)


def _compared(plain: Callable[..., Any], name: str, left: Any, right: Any) -> Any:
    own, reflected = f"__{name}__", f"__{COMPARISONS[name]}__"
    if name == "ne" and _inverts(left) and _inverts(right):
        made = _in_turn(operator.eq, "__eq__", "__eq__", left, right)
        return is_not(left, right) if made is NotImplemented else not_(tested(made))
    made = _in_turn(plain, own, reflected, left, right)
    if made is not NotImplemented:
        return made
    if name in ("eq", "ne"):
        return is_(left, right) if name == "eq" else is_not(left, right)
    return plain(left, right)  # CPython raises the error.


def _inverts(value: object) -> bool:
    """Whether ``!=`` of a value is the opposite of its ``==``, for all that is asked here."""
    return type(value).__ne__ is object.__ne__ or not is_of_user(value)


def get_attr(owner: Any, name: str) -> Any:
    """``owner.name``; the getter of a property is converted."""
    if active_backend() is not None and is_of_user(owner):
        kind = type(owner)
        found = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
        names = {one for base in kind.__mro__[:-1] for one in base.__dict__}
        has_fallback = not names.isdisjoint(("__getattr__", "__getattribute__"))
        if isinstance(found, property) and is_user_function(found.fget) and not has_fallback:
            return converted_call(found.fget, owner)
    return getattr(owner, name)


COMPARE.append(operated)
