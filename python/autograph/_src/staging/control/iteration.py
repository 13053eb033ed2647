"""The iterables of a staged ``for``: ranges, arrays, lists, ``enumerate``, ``zip``, ``map``, ``reversed``."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from autograph._src.operators.items import get_item
from autograph._src.operators.logic import if_exp
from autograph._src.operators.places import Attribute
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.staged_iterable import StagedIterable, Step, refusal_of_text
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import number, smaller
from autograph._src.staging.tensors.python_scalars import compare, either, negate, of_program, require
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import (
    is_foreign,
    require_trace,
    staging_error,
    type_error,
    value_error,
)
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.statements import use_characters


class StandIn:
    """A wrapper that a loop iterates instead of the wrapped iterable, such as a progress bar.

    Attributes:
        holds_items: Whether it has the items itself, as a dict has: then `zip` takes it beside plain lists.
    """

    holds_items: ClassVar[bool] = False

    def staged(self) -> StagedIterable | None:
        """A staged iterable over the wrapped one; ``None`` if Python is to iterate."""
        raise NotImplementedError

    def sequence(self) -> StagedIterable | None:
        """As :meth:`staged`, for ``zip`` and ``enumerate``."""
        raise NotImplementedError


def staged_range(start: Any, stop: Any, step: Any) -> StagedIterable:
    """``range(start, stop, step)`` as a staged iterable; the bounds may be staged or plain."""
    if not any(isinstance(bound, Tensor) for bound in (start, stop, step)):
        length: object = len(range(start, stop, step))
    elif isinstance(step, int) and step == 1:
        length = stop - start
    elif isinstance(step, int) and step > 1:
        length = (stop - start + (step - 1)) // step
    elif isinstance(step, int) and step < 0:
        length = (start - stop + (-step - 1)) // -step
    elif isinstance(step, int):
        raise value_error("range() arg 3 must not be zero")
    else:
        length = _length_with_step(start, stop, step)
    is_one = isinstance(step, int) and step == 1

    def item(position: Any) -> Any:
        scaled = position if is_one else position * step
        return of_program(scaled if isinstance(start, int) and start == 0 else scaled + start)

    made = StagedIterable(length, item)
    made.bounds = start, step
    return made


def _length_with_step(start: Any, stop: Any, step: Any) -> Any:
    """The number of items where the step is staged, and so is its sign; the run raises if it is zero."""
    require(step != 0, ValueError, "range() arg 3 must not be zero")
    return if_exp(
        step > 0,
        lambda: (stop - start + (step - 1)) // step,
        lambda: (start - stop + (-step - 1)) // -step,
    )


@looked_at(lambda walk: walk.kind, lambda _: None, lambda _: None)
class StagedIterator:
    """``iter(array)``: a position in a staged iterable.

    Attributes:
        source: The iterable.
        position: How many items have been taken; staged if that depends on data.
        moves: How often recorded code has taken from it. It only rises, also where a block is recorded again:
            who walks the iterator sees by it whether somebody else has taken from it meanwhile.
        may_have_skipped: Whether a ``zip`` may have taken one item more than it has given.
    """

    kind = "iterator"

    def __init__(self, source: StagedIterable) -> None:
        self.source = source
        self.position: Any = 0
        self.moves = 0
        self.may_have_skipped = False
        require_trace().journal.created(self)

    def __repr__(self) -> str:
        raise refusal_of_text("iterator")

    def __iter__(self) -> StagedIterator:
        return self

    def advance(self, position: Any) -> None:
        """Notes that the items before a position have been taken."""
        require_trace().journal.will_write(Attribute(self, "position"))
        self.position = position
        self.moves += 1

    def take(self) -> Any:
        """The next item; the caller has checked that there is one."""
        self._require_known_position()
        position = self.position
        self.advance(position + 1)
        return self.source.item(position)

    def rest(self) -> StagedIterable:
        """The items that are left; a loop over them advances this iterator.

        The loop is refused if anything else takes from the iterator before the loop has ended.
        """
        self._require_known_position()
        start, moves = self.position, self.moves

        def item(position: object) -> Any:
            nonlocal moves
            check()
            self.advance(start + position + 1)
            moves = self.moves
            return self.source.item(start + position)

        def check() -> None:
            if self.moves != moves:
                raise staging_error(
                    "AG120",
                    "this walks an iterator from which something else takes items too",
                    "take its items in one place: `while`, with an index or with `next`",
                )

        made = StagedIterable(self.source.length - start, item)
        made.checks = (check,)
        return made

    def _require_known_position(self) -> None:
        if self.may_have_skipped:
            raise staging_error(
                "AG120",
                "a `zip` or `map` with a sequence that may be shorter may have taken one item more from this"
                " iterator",
                "name the iterator last: `zip(sequence, iterator)`",
            )

    def __next__(self) -> Any:
        if isinstance(self.position, Tensor) or isinstance(self.source.length, Tensor):
            raise staging_error(
                "AG120",
                "how far this iterator has come depends on data, and code that is not converted takes"
                " from it",
                "call `next(iterator)` in the staged function itself",
            )
        if self.position >= self.source.length:
            raise StopIteration
        return self.take()


def staged_iterable(value: object) -> StagedIterable | None:
    """A staged iterable over a staged value; ``None`` for a value that Python iterates."""
    if isinstance(value, StagedIterable):
        return value
    if isinstance(value, StagedIterator):
        return value.rest()
    if isinstance(value, StandIn):
        return value.staged()
    if isinstance(value, Tensor):
        return StagedIterable(value.length(), lambda position: value[position])
    if is_foreign(value):
        return _of_foreign(value)
    if type(value) is GrownTuple:
        return _of_list(value.ag_list())
    if isinstance(value, StagedString):
        characters: StagedIterable = use_characters("walk", value)
        return characters
    return _of_list(value) if isinstance(value, StagedList) else None


def length_of_foreign(value: object) -> Tensor:
    """``len(value)`` of another library's staged value."""
    return wrap(require_trace().builder.length(value), Form.PYTHON)


def _of_foreign(value: object) -> StagedIterable:
    """An iterable over another library's staged value."""
    recorder = require_trace().builder

    def item(position: object) -> Any:
        return recorder.item(value, lift(position).read())

    return StagedIterable(length_of_foreign(value), item, "list")


def _of_list(values: StagedList) -> StagedIterable:
    """An iterable over a staged list; as in Python, the body may replace elements further on."""
    if is_reference(values):
        return rows_of_reference(values)
    begin = values.current().length

    def item(position: object) -> Any:
        contents = values.current()
        if contents.length != begin:
            raise staging_error(
                "AG120",
                f"`{values.called()}` gets more or fewer elements while a staged loop walks it",
                f"walk a copy: `list({values.called()})`",
            )
        return contents.at(number(position))

    return StagedIterable(values.length(), item, "list")


def rows_of_reference(values: Any) -> StagedIterable:
    """An iterable over a list that is a row of a table; the run raises if its length changes meanwhile."""
    table, begin = values.ag_table, values.ag_table.length_changes
    length = values.length()

    def end(count: object, is_whole: object) -> None:
        if table.length_changes != begin:
            same = compare("equal", lift(values.length()), length)
            require(
                same if is_whole is True else either(negate(lift(is_whole)), same),
                "GraphRuntimeError",
                _GROWS,
            )

    made = StagedIterable(length, lambda position: values.current().at(number(position)), "list")
    made.endings = (end,)
    return made


_GROWS = "a list in a list gets longer while a staged loop walks it: walk a copy"


def sequence_of(value: object) -> StagedIterable | None:
    """A range, array or staged value as a staged iterable, for ``zip`` and ``enumerate``.

    An iterator is used up. ``None`` for other values, and for items that a filter may drop.
    """
    staged = value.sequence() if isinstance(value, StandIn) else staged_iterable(value)
    if staged is not None:
        if staged.is_filtered():
            return None
        staged.use()
        return staged
    if isinstance(value, range):
        return staged_range(value.start, value.stop, value.step)
    if isinstance(value, np.ndarray):
        return staged_iterable(lift(value))
    return None


def staged_enumerate(value: object, start: object = 0) -> StagedIterable | None:
    """``enumerate(value, start)``, or ``None`` if Python has to iterate."""
    inner = sequence_of(value)
    if inner is None:
        return None

    def item(position: Any) -> tuple[Any, Any]:
        return of_program(position + start), inner.item(position)

    made = StagedIterable(inner.length, item, "enumerate").ending_as(inner)
    made.parts = value, start
    return made


def staged_zip(values: tuple[Any, ...]) -> StagedIterable | None:
    """``zip(*values)`` of sequences, or ``None`` if Python has to iterate one."""
    inner = _together(values)
    if inner is None:
        return None
    length = _shortest(inner)
    made = StagedIterable(length, lambda k: tuple(one.item(k) for one in inner), "zip").ending_as(*inner)
    made.parts = values
    return made


def staged_map(function: Callable[..., Any], values: tuple[Any, ...]) -> StagedIterable | None:
    """``map(function, *values)``, or ``None`` if Python has to iterate."""
    if len(values) == 1:
        single = staged_iterable(values[0])
        return None if single is None else single.then("map", Step(function, False))
    inner = _together(values)
    if inner is None:
        return None
    length = _shortest(inner)
    made = StagedIterable(length, lambda k: function(*[one.item(k) for one in inner]), "map")
    return made.ending_as(*inner)


def _shortest(sequences: list[StagedIterable]) -> Tensor | int:
    """The smallest of the sequences' lengths."""
    plain = [one.length for one in sequences if isinstance(one.length, int)]
    staged = [number(one.length) for one in sequences if not isinstance(one.length, int)]
    if not staged:
        return min(plain)
    return reduce(smaller, [*staged, *([lift(min(plain))] if plain else [])])


def _together(values: tuple[Any, ...]) -> list[StagedIterable] | None:
    """The values as sequences; ``None``, with no iterator used up, if one of them has another class."""
    of_run = (StagedIterable, StagedIterator, StandIn, Tensor, StagedList, GrownTuple, StagedString)
    kinds = (*of_run, range, np.ndarray)
    plain = (list, tuple) if any(map(_holds_items, values)) else ()
    if not all(isinstance(value, (*kinds, *plain)) or is_foreign(value) for value in values):
        return None
    inner = [
        sequence_of(value) if isinstance(value, StandIn) else _sequence(value, plain) for value in values
    ]
    sequences = [one for one in inner if one is not None and not one.is_filtered()]
    if len(sequences) != len(values):
        return None
    _note_skipped(values, sequences)
    return sequences


def _sequence(value: object, plain: tuple[type, ...]) -> StagedIterable | None:
    return _of_plain(value) if isinstance(value, plain) else sequence_of(value)


def _holds_items(value: object) -> bool:
    return isinstance(value, (StagedList, GrownTuple)) or (isinstance(value, StandIn) and value.holds_items)


def _note_skipped(values: tuple[Any, ...], sequences: list[StagedIterable]) -> None:
    """Notes the iterators that ``zip`` asks for an item before it finds that a later sequence has ended."""
    for place, value in enumerate(values):
        if isinstance(value, StagedIterator):
            later = [one.length for one in sequences[place + 1 :]]
            value.may_have_skipped = any(_may_be_less(one, sequences[place].length) for one in later)


def _may_be_less(one: object, other: object) -> bool:
    """Whether a length may be less than another: one that is staged may."""
    return not (isinstance(one, int) and isinstance(other, int)) or one < other


def _of_plain(values: Any) -> StagedIterable | None:
    """A plain list or tuple as a staged iterable, for a ``zip`` with a staged list."""
    if isinstance(values, StagedList):
        return sequence_of(values)
    return StagedIterable(len(values), lambda position: get_item(values, position), "list")


def staged_reversed(value: Any) -> StagedIterable | None:
    """``reversed(value)``, or ``None`` if Python has to reverse."""
    if isinstance(value, StagedIterable) and value.is_iterator():
        raise type_error(f"'{value.kind}' object is not reversible")
    if isinstance(value, StagedIterator):
        raise type_error("'iterator' object is not reversible")
    if isinstance(value, StandIn):  # tqdm would silently iterate forward.
        raise staging_error("AG120", "`reversed` of a progress bar", "write `tqdm(reversed(…))`")
    inner = sequence_of(value)
    if inner is None:
        return None
    return StagedIterable(inner.length, lambda position: inner.item(inner.length - 1 - position), "reversed")
