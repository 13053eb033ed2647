"""``and``, ``or``, ``not``, ``in``, comparison chains, ``a if c else b``."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_among, backend_of, reads
from autograph._src.operators.bindings import Thunk, with_bindings
from autograph._src.operators.calls import backend_inside, converted_call, iterated
from autograph._src.operators.identity import is_, is_not, not_
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.operators.special_calls import call_method, is_of_user, method_of, tested
from autograph._src.operators.spelled import operated
from autograph._src.operators.unpacked import contains


def and_(left: object, *rest: Thunk) -> Any:
    """``a and b and c``: evaluates from left to right up to the first false one."""
    while rest:
        backend = backend_of(left)
        if backend is not None:
            return backend.and_(left, _later(and_, rest))
        test = tested(left)
        backend = None if test is left else backend_of(test)
        if backend is not None:
            return backend.chosen_by(test, left, _later(and_, rest), True)
        reads(left)
        if not test:
            return left
        left, rest = rest[0](), rest[1:]
    return left


def or_(left: object, *rest: Thunk) -> object:
    """``a or b or c``: evaluates from left to right up to the first true one."""
    while rest:
        backend = backend_of(left)
        if backend is not None:
            return backend.or_(left, _later(or_, rest))
        test = tested(left)
        backend = None if test is left else backend_of(test)
        if backend is not None:
            return backend.chosen_by(test, left, _later(or_, rest), False)
        reads(left)
        if test:
            return left
        left, rest = rest[0](), rest[1:]
    return left


def any_of(tests: Sequence[Thunk]) -> object:
    """``or`` of bools, in their order; each half of many is an ``or``: a chain is as deep as it is long."""
    return _in_halves(or_, False, tests)


def all_of(tests: Sequence[Thunk]) -> object:
    """``and`` of bools, as :func:`any_of`."""
    return _in_halves(and_, True, tests)


def _in_halves(operator: Callable[..., Any], empty: bool, tests: Sequence[Thunk]) -> object:
    if len(tests) <= _MOST_IN_CHAIN:
        return operator(empty, *tests)
    half = len(tests) // 2
    first = _in_halves(operator, empty, tests[:half])
    return operator(first, lambda: _in_halves(operator, empty, tests[half:]))


_MOST_IN_CHAIN = 4


def _later(operator: Callable[..., Any], rest: tuple[Thunk, ...]) -> Thunk:
    return with_bindings(lambda: operator(rest[0](), *rest[1:]), rest)


AMONG: dict[type, Callable[[Any, Any], Any]] = {}
"""Look-ups of a staged value, by the class of the container; ``constant_tables.py`` enters them here."""


_PLAIN = frozenset((int, float, complex, bool, str, bytes, type(None)))
"""Classes of items that are neither staged nor the user's: a list of these is looked through at once."""


def in_(item: Any, container: Any) -> object:
    """``item in container``."""
    found = NotImplemented if active_backend() is None else _contains(item, container)
    if found is NotImplemented and active_backend() is not None:
        found = contains(item, iterated(container))
    if found is NotImplemented and type(container) in AMONG:
        found = AMONG[type(container)](item, container)
    if found is not NotImplemented:
        return found
    backend = backend_among((item, container))
    if (
        backend is None
        and isinstance(container, (list, tuple))
        and not _PLAIN.issuperset(map(type, container))
    ):
        backend = backend_among(container)
    if backend is not None:
        return backend.contains(item, container)
    refuse_outside_iterator(container)
    reads(container)
    reads(item)
    return item in container


def _contains(item: object, container: Any) -> Any:
    """``item in container`` where the container's class or the elements' classes are the user's."""
    method = method_of(container, "__contains__") if is_of_user(container) else None
    if method is not None:
        return converted_call(bool, call_method(method, container, item))
    is_sequence = isinstance(container, (list, tuple)) and backend_of(container) is None
    if not is_sequence:
        return NotImplemented
    is_tuple = isinstance(item, tuple) and (backend_inside(item) or backend_inside(container)) is not None
    if is_tuple or is_of_user(item) or any(map(is_of_user, {type(one): one for one in container}.values())):
        return any_of([functools.partial(_is_same, item, one) for one in container])
    return NotImplemented


def _is_same(item: object, one: object) -> object:
    return True if one is item else converted_call(bool, operated("eq", one, item))


def not_in(item: object, container: object) -> object:
    """``item not in container``."""
    return not_(in_(item, container))


def if_exp(test: object, body: Thunk, orelse: Thunk) -> Any:
    """``body() if test else orelse()``."""
    test = tested(test)
    backend = backend_of(test)
    if backend is not None:
        return backend.if_exp(test, body, orelse)
    reads(test)
    return body() if test else orelse()


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "is_": is_,
    "is_not": is_not,
    "in_": in_,
    "not_in": not_in,
}


def compare(left: object, *chain: Any) -> Any:
    """``a < b <= c``: ``compare(a, 'lt', lambda: b, 'le', lambda: c)``; each operand is evaluated once."""
    right = chain[1]()
    result = _COMPARISONS[chain[0]](left, right)
    if len(chain) == 2:
        return result
    backend = backend_of(result)
    if backend is not None:
        return backend.and_(result, with_bindings(lambda: compare(right, *chain[2:]), chain[3::2]))
    return compare(right, *chain[2:]) if result else result
