"""Builtins that make iterators, as generator functions: their walks are converted like the program's.

    for i, v in enumerate(positives(xs)):       # `positives` is a generator function with a staged test
    for v in takewhile(lambda v: v < t, xs):    # and so is this test

Python's own iterators ask for an item at a time, so a test in what they walk over cannot be staged.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.generator_loops import can_begin
from autograph._src.operators.group_walks import groups


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
        given = (*args, *kwargs.values())
        is_known = bool(args) and len(given) <= 2 and kwargs.keys() <= {"key"}
        return (groups, given) if is_known and holds_staged(args[0]) and _has_values(args[0]) else None
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


MAKERS = (*_OF_FUNCTIONS, enumerate, zip, itertools.islice, itertools.chain)
"""The builtins."""

METHODS_THAT_MAKE = frozenset((itertools.chain.from_iterable,))
"""The methods of such."""


def _has_values(value: object) -> bool:
    """Whether the items of a value are found by their index, which changes nothing."""
    if isinstance(value, (list, range, np.ndarray)) or type(value) is tuple:
        return True
    # What stands for a table is a tuple of its own class. A staged `zip` has no indices.
    is_sequence = hasattr(type(value), "__getitem__") and not hasattr(type(value), "keys")
    return is_sequence and not isinstance(value, tuple) and backend_of(value) is not None
