"""Builtins that make iterators, as generator functions: their walks are converted like the program's.

    for i, v in enumerate(positives(xs)):       # `positives` is a generator function with a staged test
    for v in takewhile(lambda v: v < t, xs):    # and so is this test

Python's own iterators ask for an item at a time, so a test in what they walk over cannot be staged.
"""

from __future__ import annotations

import inspect
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any, TypeVar

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.generator_loops import can_begin, has_values, walk_in_steps
from autograph._src.operators.group_walks import advanced, groups, groups_of_walk, taken


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


def _chain_two(first: Iterable[Any], second: Iterable[Any]) -> Iterator[Any]:
    yield from first
    yield from second


def _chain_three(first: Iterable[Any], second: Iterable[Any], third: Iterable[Any]) -> Iterator[Any]:
    yield from first
    yield from second
    yield from third


def _chain_of(iterables: Iterable[Iterable[Any]]) -> Iterator[Any]:
    for iterable in iterables:
        yield from iterable


_feed: Callable[[Any], Any]
_feeds: Callable[[tuple[Any, ...]], Any]

Maker = TypeVar("Maker", bound=Callable[..., Any])


def feed_by(maker: Maker) -> Maker:
    """Registers what walks an iterable beside others; ``generator_sources.py`` calls this."""
    global _feed
    _feed = maker
    return maker


def feed(iterable: Any) -> Any:
    """An iterable from which items are taken one by one."""
    return _feed(iterable)


def feeds_by(maker: Maker) -> Maker:
    """As :func:`feed_by`, for several iterables."""
    global _feeds
    _feeds = maker
    return maker


def _zip(before: object, iterable: Iterable[Any], after: object) -> Iterator[Any]:
    if advanced(before):
        for item in iterable:  # What stands before it has been asked already.
            if not advanced(after):
                return
            yield taken(before) + (item,) + taken(after)  # noqa: RUF005 - operators are recorded
            if not advanced(before):
                return


def _pairwise(items: object) -> Iterator[Any]:
    if advanced(items):
        before = taken(items)
        while advanced(items):
            item = taken(items)
            yield before, item
            before = item


def _accumulate(items: object, function: Callable[[Any, Any], Any]) -> Iterator[Any]:
    if advanced(items):
        total = taken(items)
        yield total
        while advanced(items):
            total = function(total, taken(items))
            yield total


def _accumulate_from(
    iterable: Iterable[Any], function: Callable[[Any, Any], Any], initial: Any
) -> Iterator[Any]:
    total = initial
    yield total
    for item in iterable:
        total = function(total, item)
        yield total


def _islice_between(iterable: Iterable[Any], start: int, stop: int, step: int) -> Iterator[Any]:
    number, last = 0, max(start, stop)
    if number < last:
        for item in iterable:
            if start <= number < stop and (number - start) % step == 0:
                yield item
            number += 1
            if number >= last:  # What stands between the last one and `stop` is taken too.
                return


def _islice_from(iterable: Iterable[Any], start: int, step: int) -> Iterator[Any]:
    number = 0
    for item in iterable:
        if number >= start and (number - start) % step == 0:
            yield item
        number += 1  # noqa: SIM113 - the walk counts by itself


class _Longest:
    """One of several iterables that are walked to the end of the longest; an end is not asked for again."""

    def __init__(self, feed: object) -> None:
        self.feed = feed
        self.is_done = False


def _zip_longest(feeds: tuple[object, ...], fill: object) -> Iterator[object]:
    walked = [_Longest(feed) for feed in feeds]
    while True:
        row: tuple[object, ...] = ()
        for one in walked:
            if one.is_done:  # Nothing is written: what has ended while recording stays so in each run.
                row = row + (fill,)  # noqa: RUF005 - operators are recorded
            elif advanced(one.feed):
                row = row + (taken(one.feed),)  # noqa: RUF005
            else:
                one.is_done = True
                row = row + (fill,)  # noqa: RUF005
        if all([one.is_done for one in walked]):
            return
        yield row


def _cycle(iterable: Iterable[object]) -> Iterator[object]:
    saved = []
    for item in iterable:
        saved.append(item)
        yield item
    while len(saved) > 0:
        for item in saved:
            yield item


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


_CHAINS: dict[int, Any] = {2: _chain_two, 3: _chain_three}
"""By how many iterables: each has a loop of its own, which may be staged."""


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
        if is_known and can_begin(args[0]):
            return (groups_of_walk, (feed(args[0]), *given[1:])) if walk_in_steps(args[0]) else None
        return (groups, given) if is_known and holds_staged(args[0]) and has_values(args[0]) else None
    if function is itertools.accumulate:
        return _of_accumulate(args, kwargs)
    if function is itertools.zip_longest:
        return _of_zip_longest(args, kwargs)
    if kwargs or not args:
        return None
    if function is itertools.chain:
        is_walked = any(can_begin(one) or holds_staged(one) for one in args)
        return (_CHAINS.get(len(args), _chain), args) if is_walked else None
    if function == itertools.chain.from_iterable:
        if type(args[0]) is tuple and len(args[0]) in _CHAINS and any(map(can_begin, args[0])):
            return _CHAINS[len(args[0])], args[0]
        is_walked = can_begin(args[0]) or holds_staged(args[0])
        return (_chain_of, args) if is_walked else None
    if function in _OF_FUNCTIONS and len(args) == 2:
        is_walked = can_begin(args[1]) or (function in _WITH_TESTS and holds_staged(args[1]))
        is_walked = is_walked or (function is map and _makes_generators(args[0]) and has_values(args[1]))
        return (_OF_FUNCTIONS[function], args) if is_walked else None
    if function is itertools.cycle and len(args) == 1 and can_begin(args[0]):
        return _cycle, args
    if function is enumerate and len(args) <= 2 and can_begin(args[0]):
        return _enumerate, args
    if function is itertools.pairwise and len(args) == 1 and can_begin(args[0]):
        return (_pairwise, (feed(args[0]),)) if walk_in_steps(args[0]) else None
    if function is itertools.islice and len(args) > 1:
        return _of_islice(args)
    return _of_zip(args) if function is zip else None


def _makes_generators(function: object) -> bool:
    return type(function) is FunctionType and bool(function.__code__.co_flags & inspect.CO_GENERATOR)


def _of_accumulate(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...]] | None:
    if not 1 <= len(args) <= 2 or not can_begin(args[0]) or not kwargs.keys() <= {"func", "initial"}:
        return None
    if len(args) == 2 and "func" in kwargs:
        return None
    function = args[1] if len(args) == 2 else kwargs.get("func")
    function = operator.add if function is None else function
    initial = kwargs.get("initial")
    if initial is not None:
        return _accumulate_from, (args[0], function, initial)
    return (_accumulate, (feed(args[0]), function)) if walk_in_steps(args[0]) else None


def _of_islice(args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]] | None:
    staged = next((one for one in map(backend_of, args[1:]) if one is not None), None)
    if staged is not None:  # Whether a first item is taken would depend on data.
        raise staged.refuse("`islice` to a number that depends on data", "count in a `for` loop, and `break`")
    if not can_begin(args[0]) or len(args) > 4:
        return None
    if len(args) == 2:
        return (_islice, args) if _is_number(args[1]) else None
    start = 0 if args[1] is None else args[1]
    step = args[3] if len(args) == 4 and args[3] is not None else 1
    if not _is_number(start) or not _is_number(step) or step < 1:
        return None  # CPython raises the error.
    if args[2] is None:
        return _islice_from, (args[0], start, step)
    return (_islice_between, (args[0], start, args[2], step)) if _is_number(args[2]) else None


def _is_number(value: object) -> bool:
    return type(value) is int and value >= 0


def _of_zip(args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]] | None:
    """`zip` with a generator that runs around what is done with the items; others give theirs one by one."""
    place = next((number for number, one in enumerate(args) if can_begin(one)), None)
    if place is None:
        return None
    others = (*args[:place], *args[place + 1 :])
    if not all(has_values(one) or can_begin(one) for one in others):
        for backend, one in zip(map(backend_of, others), others, strict=True):
            if backend is not None:
                backend.learn_steps_of(one)
        return None
    if None in [walk_in_steps(one) for one in others if can_begin(one)]:
        return None
    return _zip, (_feeds(args[:place]), args[place], _feeds(args[place + 1 :]))


def _of_zip_longest(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...]] | None:
    if not any(map(can_begin, args)) or not kwargs.keys() <= {"fillvalue"}:
        return None
    if not all(has_values(one) or can_begin(one) for one in args):
        return None
    return _zip_longest, (tuple(map(_feed, args)), kwargs.get("fillvalue"))


MAKERS = (
    *(*_OF_FUNCTIONS, enumerate, zip, itertools.islice, itertools.chain),
    *(itertools.accumulate, itertools.pairwise, itertools.zip_longest, itertools.cycle),
)
"""The builtins."""

METHODS_THAT_MAKE = frozenset((itertools.chain.from_iterable,))
"""The methods of such."""
