"""Builtins that make iterators, as generator functions: their walks are converted like the program's.

    for i, v in enumerate(positives(xs)):       # `positives` is a generator function with a staged test
    for v in takewhile(lambda v: v < t, xs):    # and so is this test

Python's own iterators ask for an item at a time, so a test in what they walk over cannot be staged.
"""

from __future__ import annotations

import dis
import itertools
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.generator_loops import can_begin
from autograph._src.operators.plain_code import refuse_effects
from autograph._src.policy import request_own


def _enumerate(iterable: Iterable[Any], start: int = 0) -> Iterator[Any]:
    number = start
    for item in iterable:
        yield number, item
        number += 1


def _map(function: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        yield function(item)


def _starmap(function: Callable[..., Any], iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        yield function(*item)


def _filter(function: Any, iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        if item if function is None else function(item):
            yield item


def _filterfalse(function: Any, iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def _takewhile(function: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        if not function(item):
            return
        yield item


def _dropwhile(function: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    is_dropping = True
    for item in iterable:
        if is_dropping:
            is_dropping = bool(function(item))
        if not is_dropping:
            yield item


def _islice(iterable: Iterable[Any], stop: Any) -> Iterator[Any]:
    number = 0
    if number < stop:
        for item in iterable:
            yield item
            number += 1
            if number >= stop:  # No item is taken after the last.
                return


def _chain(*iterables: Iterable[Any]) -> Iterator[Any]:
    for iterable in iterables:
        yield from iterable


def _chain_of(iterables: Iterable[Iterable[Any]]) -> Iterator[Any]:
    for iterable in iterables:
        yield from iterable


def _are_same(one: Any, other: Any) -> Any:
    """``one == other``, of tuples part by part: their parts may be staged."""
    if not (type(one) is tuple and type(other) is tuple and len(one) == len(other)):
        return one == other
    same = True
    for place in range(len(one)):
        same = same and one[place] == other[place]
    return same


request_own(_are_same)


def _groupby(iterable: Iterable[Any], key: Any = None) -> Iterator[Any]:
    items = list(iterable)
    marks = items if key is None else [key(item) for item in items]
    start = 0
    while start < len(items):
        stop = start + 1
        while stop < len(items) and _are_same(marks[stop], marks[start]):
            stop += 1
        yield marks[start], iter(items[start:stop])
        start = stop


def _zip_with_values(iterable: Iterable[Any], values: Any) -> Iterator[Any]:
    number = 0
    for item in iterable:  # It is asked first.
        if number >= len(values):
            return
        yield item, values[number]
        number += 1  # noqa: SIM113 - the walk counts by itself


def _zip_values_with(values: Any, iterable: Iterable[Any]) -> Iterator[Any]:
    number = 0
    if number < len(values):
        for item in iterable:
            yield values[number], item
            number += 1
            if number >= len(values):
                return


_OF_FUNCTIONS: dict[Any, Any] = {
    map: _map,
    filter: _filter,
    itertools.starmap: _starmap,
    itertools.filterfalse: _filterfalse,
    itertools.takewhile: _takewhile,
    itertools.dropwhile: _dropwhile,
}
"""Of a function and an iterable."""

_WITH_TESTS = (itertools.takewhile, itertools.dropwhile, itertools.filterfalse)
"""What has no other staged version, and asks the function for a truth value."""


def as_generator(
    function: object, args: tuple[Any, ...], kwargs: dict[str, Any], holds_staged: Callable[[Any], bool]
) -> tuple[Any, tuple[Any, ...]] | None:
    """The generator function that a call of a builtin stands for, and its arguments.

    Args:
        function: The builtin.
        args: The arguments.
        kwargs: Those by keyword.
        holds_staged: Whether a value is staged or holds what is.

    Returns:
        ``None`` if Python's own iterator does.
    """
    if function is itertools.groupby:
        # Of plain items too: Python's groups are iterators that the recording does not know.
        is_walked = bool(args) and (can_begin(args[0]) or not hasattr(type(args[0]), "__next__"))
        if not is_walked or not _is_of_groupby(args, kwargs):
            return None
        walked = (*args, *kwargs.values())
        _require_pure(walked[1] if len(walked) > 1 else None)
        return _groupby, walked
    if kwargs or not args:
        return None
    if function is itertools.chain:
        return (_chain, args) if any(can_begin(one) or holds_staged(one) for one in args) else None
    if function == itertools.chain.from_iterable:
        return (_chain_of, args) if can_begin(args[0]) or holds_staged(args[0]) else None
    if function in _OF_FUNCTIONS and len(args) == 2:
        is_walked = can_begin(args[1]) or (function in _WITH_TESTS and holds_staged(args[1]))
        return (_OF_FUNCTIONS[function], args) if is_walked else None
    if function is enumerate and len(args) <= 2 and can_begin(args[0]):
        return _enumerate, args
    if function is itertools.islice and len(args) > 1:
        staged = next((one for one in map(backend_of, args[1:]) if one is not None), None)
        if staged is not None:  # Whether a first item is taken would depend on data.
            raise staged.refuse("`islice` to a number that depends on data")
        return (_islice, args) if len(args) == 2 and can_begin(args[0]) and type(args[1]) is int else None
    if function is zip and len(args) == 2:
        if can_begin(args[0]) and _has_values(args[1]):
            return _zip_with_values, args
        if _has_values(args[0]) and can_begin(args[1]):
            return _zip_values_with, args
    return None


MAKERS = (*_OF_FUNCTIONS, enumerate, zip, itertools.islice, itertools.chain, itertools.groupby)
"""The builtins."""

METHODS_THAT_MAKE = frozenset((itertools.chain.from_iterable,))
"""The methods of such."""


def _is_of_groupby(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return len(args) + len(kwargs) <= 2 and kwargs.keys() <= {"key"}


def _require_pure(key: object) -> None:
    """Refuses a key that writes or prints: it is asked for all items before the first group is walked."""
    if not isinstance(key, FunctionType):
        return
    refuse_effects(key)
    instructions = list(dis.get_instructions(key))
    is_writing = any(one.opname in _WRITING for one in instructions)
    is_writing = is_writing or not _WRITERS.isdisjoint(key.__code__.co_names)
    backend = active_backend()
    if is_writing and backend is not None:
        raise backend.refuse(f"`groupby` with a key that writes: `{key.__name__}`")


_WRITERS = frozenset(
    (
        *("append", "appendleft", "extend", "insert", "add", "update", "setdefault", "sort", "reverse"),
        *("pop", "popleft", "popitem", "remove", "discard", "clear", "write", "send", "__next__", "next"),
    )
)
_WRITING = frozenset(("STORE_DEREF", "STORE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"))


def _has_values(value: object) -> bool:
    """Whether the items of a value are found by their index, which changes nothing."""
    return isinstance(value, (list, tuple, range, np.ndarray)) or backend_of(value) is not None
