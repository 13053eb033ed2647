"""Iterators of Python in loops that data may leave.

    for item in pairs(xs):        # a generator, a `zip`, an object with `__next__`
        if item > limit:          # staged
            break

Such a loop is unrolled: its items are taken while it is recorded, also those that a run which leaves it early
never takes. So nothing may tell the difference: what the iterator does to give an item must be seen nowhere
else, and nobody may take from it later, because how far it has come is known in the run only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.iterator_places import iterators_of

_WHAT = "a loop that data may leave"

_OF_DICTS: tuple[Any, ...] = ({}, {}.values(), {}.items())
_EMPTY: tuple[Any, ...] = ([], (), "", b"", set(), range(0), *_OF_DICTS)

_ONLY_STEP: frozenset[type] = frozenset(
    [
        *map(type, map(iter, _EMPTY)),
        *map(type, map(reversed, ([], range(0), *_OF_DICTS))),
        *(enumerate, zip, itertools.count, itertools.cycle, itertools.repeat, itertools.chain),
        *(itertools.islice, itertools.product, itertools.combinations, itertools.permutations),
    ]
)
"""Iterators that do nothing to give an item but take the next one of others."""


class LeftIterator:
    """The iterator of a loop that a staged test may leave before the next item."""

    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items
        self._reached = reached = iterators_of(items)
        self._only_steps = all(type(one) in _ONLY_STEP for one in reached)
        journal = require_trace().journal
        for one in reached:
            journal.lose_place(one)

    def take(self) -> Any:
        """The next item.

        Raises:
            StopIteration: If there is none.
            StagingError: If giving it has an effect that a run which has left the loop does not have (AG121).
        """
        if self._only_steps:
            return next(self._items)
        trace = require_trace()
        before, ended = (trace.failures, len(trace.sites)), False
        with trace.journal.block(_WHAT, moving=self._reached) as block:
            try:
                item = next(self._items)
            except StopIteration:
                item, ended = None, True
            writes = trace.journal.take(block)
        written = [place.name for place, _ in writes.places.values()]
        if written or writes.tensors or before != (trace.failures, len(trace.sites)):
            effect = f"`{written[0]}` is written" if written else "something is written, printed or raised"
            raise staging_error(
                "AG121",
                f"{effect} to give an item of this loop, which a test on data may have left before",
                "make a list of the items before the loop, or use `while`",
            )
        if ended:
            raise StopIteration
        return item
