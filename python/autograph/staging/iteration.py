"""What a staged ``for`` iterates: ranges, arrays, and ``enumerate``, ``zip``, ``reversed`` of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from autograph.errors import StagedIndexError, StagingError
from autograph.operators.items import get_item
from autograph.operators.logic import and_, if_exp
from autograph.operators.places import Attribute
from autograph.staging.frames import here
from autograph.staging.list_indices import number, smaller
from autograph.staging.python_scalars import cast, compare, either, negate, require
from autograph.staging.references import is_reference
from autograph.staging.tensor import Kind, Tensor, lift, require_trace, wrap
from autograph.staging.trace import staging_error, type_error, value_error
from autograph.staging.traced_list import StagedList


class Step(NamedTuple):
    """What a generator, ``map`` or ``filter`` does to an item.

    Attributes:
        function: Called with the item.
        is_filter: Whether its result says that the item is kept, or is the new item.
    """

    function: Callable[[Any], Any]
    is_filter: bool


class StagedIterable:
    """What a staged loop walks: how long it is, and its item number ``k``.

    Attributes:
        length: Number of items before any are left out, plain or staged.
        source: The item of a staged number, before the steps.
        kind: What it is in Python: ``range``, ``zip``, ``generator``.
        steps: What is done to each item, in order: a function makes another item of it, or says
            whether it is kept.
        endings: Called when a loop over it is over, with the number of items and whether the loop was
            not left early.
    """

    def __init__(
        self,
        length: Any,
        source: Callable[[Any], Any],
        kind: str = "range",
        steps: tuple[Step, ...] = (),
    ) -> None:
        self.length = length
        self.source = source
        self.kind = kind
        self.steps = steps
        self.is_used_up: Any = False
        self.endings: tuple[Callable[[Any, Any], None], ...] = ()
        if self.is_iterator():
            require_trace().journal.created(self)

    def item(self, position: Any) -> Any:
        """The item of a staged number, of an iterable that leaves out none."""
        value = self.source(position)
        for step in self.steps:
            value = step.function(value)
        return value

    def is_filtered(self) -> bool:
        """Whether it may leave out items."""
        return any(step.is_filter for step in self.steps)

    def then(self, kind: str, *steps: Step) -> StagedIterable:
        """An iterator over this that does more to each item; this is used up."""
        self.use()
        return StagedIterable(self.length, self.source, kind, (*self.steps, *steps)).ending_as(self)

    def ending_as(self, *inner: StagedIterable) -> StagedIterable:
        """Itself, whose end is the end of those that it walks."""
        self.endings = tuple(ending for one in inner for ending in one.endings)
        return self

    def end(self, is_whole: Any = True) -> None:
        """Says that a loop over it is over.

        Args:
            is_whole: Whether it was not left early, plain or staged.
        """
        for ending in self.endings:
            ending(self.count(), is_whole)

    def count(self) -> Any:
        """``len(…)``: of a range that ends before it begins it is 0."""
        length = self.length
        return if_exp(length > 0, lambda: length, lambda: 0) if isinstance(length, Tensor) else length

    def at(self, index: Any) -> Any:
        """``range(…)[index]``, which raises what CPython raises out of range."""
        if self.is_iterator():
            raise type_error(f"'{self.kind}' object is not subscriptable")
        if isinstance(index, Tensor):  # The items are Python's ints, whatever the index is.
            index = cast(wrap(index.read(), Kind.PYTHON), "int64")
        position = if_exp(index < 0, lambda: index + self.count(), lambda: index)
        inside = and_(position >= 0, lambda: position < self.length)
        if isinstance(inside, Tensor):
            require(inside, IndexError, "range object index out of range")
        elif not inside:
            raise StagedIndexError("range object index out of range", code="AG116", location=here())
        return self.item(position)

    def __bool__(self) -> bool:
        raise staging_error(
            "AG101", f"the truth of a staged {self.kind} is needed while tracing", "test `len(…)`"
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise staging_error("AG120", f"`{name}` of a staged {self.kind}", "use the numbers it was made of")

    def _refuse_comparison(self, other: object) -> bool:
        raise staging_error(
            "AG120", f"a staged {self.kind} cannot be compared", "compare the numbers it was made of"
        )

    __eq__ = __ne__ = _refuse_comparison

    def __hash__(self) -> int:
        return id(self)

    def is_iterator(self) -> bool:
        """Whether it can be iterated once only."""
        return self.kind not in ("range", "list")

    def use(self) -> None:
        """Notes that it is iterated; an iterator is empty from then on.

        Raises:
            StagingError: If it was iterated before.
        """
        if not self.is_iterator():
            return
        if self.is_used_up is not False:
            raise staging_error(
                "AG120",
                f"this staged {self.kind} may have been iterated before, and would be empty now",
                f"make the {self.kind} anew for each loop over it",
            )
        require_trace().journal.will_write(Attribute(self, "is_used_up"))
        self.is_used_up = True

    def __iter__(self) -> Any:
        if isinstance(self.length, Tensor):
            self.length.__index__()
        self.use()
        if self.is_filtered():
            raise staging_error(
                "AG117",
                f"how many items this {self.kind} has depends on data",
                "loop over it with `for`, or use `np.where` on the whole array",
            )
        return self._items()

    def _items(self) -> Iterator[Any]:
        for position in range(self.length):
            yield self.item(position)
        self.end()


class StandIn:
    """What is iterated in the place of something else, and does more: a progress bar."""

    def staged(self) -> StagedIterable | None:
        """It as a staged iterable, or ``None`` for what Python iterates."""
        raise NotImplementedError

    def sequence(self) -> StagedIterable | None:
        """The same for ``zip`` and ``enumerate``."""
        raise NotImplementedError


def staged_range(start: Any, stop: Any, step: Any) -> StagedIterable:
    """``range(start, stop, step)``, with a staged bound or to be staged."""
    if not any(isinstance(bound, Tensor) for bound in (start, stop, step)):
        length: Any = len(range(start, stop, step))
    elif isinstance(step, int) and step == 1:
        length = stop - start
    elif isinstance(step, int) and step > 1:
        length = (stop - start + (step - 1)) // step
    elif isinstance(step, int) and step < 0:
        length = (start - stop + (-step - 1)) // -step
    elif isinstance(step, int):
        raise value_error("range() arg 3 must not be zero")
    else:
        raise _staged_step()

    def item(position: Any) -> Any:
        scaled = position if step == 1 else position * step
        return scaled if isinstance(start, int) and start == 0 else scaled + start

    return StagedIterable(length, item)


def _staged_step() -> StagingError:
    return staging_error("AG120", "the step of a staged `range` must be a plain int", "use a `while` loop")


class StagedIterator:
    """``iter(array)``: a place in a staged iterable.

    Attributes:
        source: What is iterated.
        position: How many items are taken; staged if that depends on data.
    """

    kind = "iterator"

    def __init__(self, source: StagedIterable) -> None:
        self.source = source
        self.position: Any = 0
        require_trace().journal.created(self)

    def __iter__(self) -> StagedIterator:
        return self

    def advance(self, position: Any) -> None:
        """Notes that the items before a position are taken."""
        require_trace().journal.will_write(Attribute(self, "position"))
        self.position = position

    def take(self) -> Any:
        """The next item, which must be known to exist."""
        position = self.position
        self.advance(position + 1)
        return self.source.item(position)

    def rest(self) -> StagedIterable:
        """The items that are left; they are taken when a loop meets them."""
        start = self.position

        def item(position: Any) -> Any:
            self.advance(start + position + 1)
            return self.source.item(start + position)

        return StagedIterable(self.source.length - start, item)

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


def staged_iterable(value: Any) -> StagedIterable | None:
    """A staged iterable for a staged value, or ``None`` for what Python iterates."""
    if isinstance(value, StagedIterable):
        return value
    if isinstance(value, StagedIterator):
        return value.rest()
    if isinstance(value, StandIn):
        return value.staged()
    if isinstance(value, Tensor):
        return StagedIterable(value.length(), lambda position: value[position])
    return _of_list(value) if isinstance(value, StagedList) else None


def _of_list(values: StagedList) -> StagedIterable:
    """A staged list, whose elements are those it has when they are met."""
    if is_reference(values):
        return rows_of_reference(values)
    begin = values.current().length

    def item(position: Any) -> Any:
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
    """A list that others may refer to, and change while it is walked: the run fails then."""
    table, begin = values.ag_table, values.ag_table.length_changes
    length = values.length()

    def end(count: Any, is_whole: Any) -> None:
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


def sequence_of(value: Any) -> StagedIterable | None:
    """Anything of known items as a staged iterable, which is used up: for ``zip`` and ``enumerate``."""
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


def staged_enumerate(value: Any, start: Any = 0) -> StagedIterable | None:
    """``enumerate(value, start)``, or ``None`` if Python has to iterate."""
    inner = sequence_of(value)
    if inner is None:
        return None
    return StagedIterable(inner.length, lambda k: (k + start, inner.item(k)), "enumerate").ending_as(inner)


def staged_zip(values: tuple[Any, ...]) -> StagedIterable | None:
    """``zip(*values)`` of sequences, or ``None`` if Python has to iterate one."""
    inner = _together(values)
    if inner is None:
        return None
    length = _shortest(inner)
    return StagedIterable(length, lambda k: tuple(one.item(k) for one in inner), "zip").ending_as(*inner)


def staged_map(function: Callable[..., Any], values: tuple[Any, ...]) -> StagedIterable | None:
    """``map(function, *values)`` of sequences of plain length, or of one of any length."""
    if len(values) == 1:
        single = staged_iterable(values[0])
        return None if single is None else single.then("map", Step(function, False))
    inner = _together(values)
    if inner is None:
        return None
    length = _shortest(inner)
    made = StagedIterable(length, lambda k: function(*[one.item(k) for one in inner]), "map")
    return made.ending_as(*inner)


def _shortest(sequences: list[StagedIterable]) -> Any:
    """The smallest of their lengths."""
    plain = [one.length for one in sequences if isinstance(one.length, int)]
    staged = [number(one.length) for one in sequences if not isinstance(one.length, int)]
    if not staged:
        return min(plain)
    return reduce(smaller, [*staged, *([lift(min(plain))] if plain else [])])


def _together(values: tuple[Any, ...]) -> list[StagedIterable] | None:
    """Sequences, or ``None`` if one is none; only then are iterators used up."""
    kinds = (StagedIterable, StagedIterator, StandIn, Tensor, range, np.ndarray, StagedList)
    plain = (list, tuple) if any(isinstance(value, StagedList) for value in values) else ()
    if not all(isinstance(value, (*kinds, *plain)) for value in values):
        return None
    inner = [_of_plain(value) if isinstance(value, plain) else sequence_of(value) for value in values]
    sequences = [one for one in inner if one is not None and not one.is_filtered()]
    return sequences if len(sequences) == len(values) else None


def _of_plain(values: Any) -> StagedIterable | None:
    """A list or tuple of Python beside a staged list: its item of a staged number is of its elements."""
    if isinstance(values, StagedList):
        return sequence_of(values)
    return StagedIterable(len(values), lambda position: get_item(values, position), "list")


def staged_reversed(value: Any) -> StagedIterable | None:
    """``reversed(value)``, or ``None`` if Python has to reverse."""
    if isinstance(value, StagedIterable) and value.is_iterator():
        raise type_error(f"'{value.kind}' object is not reversible")
    if isinstance(value, StandIn):  # tqdm itself goes forward: it forgets the order before it begins.
        raise staging_error("AG120", "`reversed` of a progress bar", "write `tqdm(reversed(…))`")
    inner = sequence_of(value)
    if inner is None:
        return None
    return StagedIterable(inner.length, lambda position: inner.item(inner.length - 1 - position), "reversed")
