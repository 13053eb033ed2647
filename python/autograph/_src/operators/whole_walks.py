"""Calls that take all items of a generator whose walk may be staged, as statements and lists.

primes.extend(k for k in range(n) if is_prime(k))    # for k in …: primes.append(k)
set(positives(xs)), dict(pairs(xs))                  # of a list of the items
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from autograph._src.operators.generator_loops import can_begin, walk_in_steps
from autograph._src.operators.group_walks import advanced, taken
from autograph._src.operators.lazy_builtins import feed
from autograph._src.policy import request_own

_OF_ITEMS: frozenset[Any] = frozenset((set, frozenset, dict, Counter, deque))
"""Classes whose objects hold the items of their first argument."""

_OF_ALL: frozenset[Any] = frozenset(
    (
        itertools.product,
        itertools.combinations,
        itertools.permutations,
        itertools.combinations_with_replacement,
    )
)
"""Classes whose objects take all items of their arguments before they give one."""


def with_lists(
    function: object,
    args: tuple[Any, ...],
    iterated: Callable[[Any], Any],
    listed: Callable[[Any], Any],
) -> tuple[Any, ...]:
    """The arguments of a call that takes all items of a generator: a list of them.

    Args:
        function: What is called.
        args: The arguments.
        iterated: Gives what a loop over a value walks, such as the generator that ``__iter__`` makes.
        listed: Makes the list.
    """
    if function in _OF_ITEMS and args:
        walked = iterated(args[0])
        if can_begin(walked):
            return (listed(walked), *args[1:])
    if function in _OF_ALL:
        return tuple(listed(one) if can_begin(one) else one for one in args)
    return args


def with_items(
    function: object, args: tuple[Any, ...], kwargs: dict[str, Any], call: Callable[..., Any]
) -> tuple[Any, ...]:
    """The arguments of a function of NumPy that takes all items of a generator: a list of them.

    Args:
        function: What is called.
        args: The arguments.
        kwargs: Those by keyword.
        call: Calls as converted code does.
    """
    if function is not np.fromiter or not args or not can_begin(args[0]):
        return args
    if len(args) > 2 or "count" in kwargs:
        return args  # It takes so many only.
    return (call(list, args[0]), *args[1:])


def as_statements(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    """The function of statements that a call of a builtin stands for; ``None`` if it stands for none."""
    if kwargs or not args:
        return None
    if function is functools.reduce:
        if len(args) == 2 and walk_in_steps(args[1]) is not None:
            return functools.partial(_reduced_from_first, feed(args[1]))
        return _reduced if len(args) == 3 and can_begin(args[1]) else None
    if function is itertools.tee:
        is_staged = len(args) <= 2 and can_begin(args[0]) and walk_in_steps(args[0]) is not None
        return functools.partial(_teed, feed(args[0])) if is_staged else None
    if function.__name__ != "extend" or not isinstance(function.__self__, list):
        return None
    return functools.partial(_extended, function.__self__) if len(args) == 1 and can_begin(args[0]) else None


def _reduced(function: Callable[[Any, Any], Any], items: Iterable[Any], value: Any) -> Any:
    for item in items:
        value = function(value, item)
    return value


def _reduced_from_first(items: object, function: Callable[[Any, Any], Any], _: object) -> Any:
    if not advanced(items):
        raise TypeError("reduce() of empty iterable with no initial value")
    value = taken(items)
    while advanced(items):
        value = function(value, taken(items))
    return value


def _extended(values: list[Any], items: Iterable[Any]) -> None:
    for item in items:
        values.append(item)


def _teed(items: object, _: object, count: int = 2) -> tuple[Iterator[object], ...]:
    held: list[object] = []
    return tuple([_one_of_teed(items, held) for _ in range(count)])


def _one_of_teed(items: object, held: list[object]) -> Iterator[object]:
    place = 0
    while True:
        if place == len(held):  # No other one has asked for it.
            if not advanced(items):
                return
            held.append(taken(items))
        yield held[place]
        place += 1


for _one in (_reduced, _reduced_from_first, _extended, _teed, _one_of_teed):
    request_own(_one)
