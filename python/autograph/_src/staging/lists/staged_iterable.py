"""Iterables of staged items: a range to a staged bound, the elements of a list, a generator over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from autograph._src.operators.logic import and_, if_exp
from autograph._src.operators.places import Attribute
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import as_index, cut_off
from autograph._src.staging.tensors.python_scalars import cast, require
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import require_trace, staging_error, type_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.lookers import looked_at
from autograph.errors import StagedIndexError, StagingError


def refusal_of_text(kind: str) -> StagingError:
    """The error for the text of a range or an iterator of the run, which Python's would say of itself."""
    help = "show what it was made of, or a list of its items: `list(…)`"
    return staging_error("AG120", f"the text of a staged {kind}", help)


class Step(NamedTuple):
    """One step of a generator, ``map`` or ``filter``.

    Attributes:
        function: Called with the item.
        is_filter: If true, the result says whether to keep the item; if false, it is the new item.
    """

    function: Callable[[Any], Any]
    is_filter: bool


@looked_at(lambda walk: walk.kind, lambda _: None, lambda _: None)
class StagedIterable:
    """An iterable of a staged loop: its length, and a function from a staged index to the item.

    Attributes:
        length: The number of items before filters, plain or staged.
        source: Gives the item at a staged index, before the steps.
        kind: Its class in Python: ``range``, ``zip``, ``generator``.
        steps: The functions and filters that apply to each item, in order.
        bounds: The first item and the difference, of what `range` has given.
        parts: What `zip` has been given, and the values and first number of `enumerate`.
        refuse_again: Called before it is refused to iterate it; it may record the program anew.
        endings: Called after a loop over it, with the number of items and whether the loop was not left
            early.
        checks: Called after a loop over it has been recorded; each refuses what took items meanwhile.
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
        self.bounds: tuple[Any, Any] | None = None
        self.parts: tuple[Any, ...] | None = None
        self.refuse_again: Callable[[], None] | None = None
        self.endings: tuple[Callable[[Any, Any], None], ...] = ()
        self.checks: tuple[Callable[[], None], ...] = ()
        if self.is_iterator():
            require_trace().journal.created(self)

    def item(self, position: object) -> Any:
        """The item at a staged index, for an iterable without filters."""
        value = self.source(position)
        for step in self.steps:
            value = step.function(value)
        return value

    def is_filtered(self) -> bool:
        """Whether a filter may drop items."""
        return any(step.is_filter for step in self.steps)

    @property
    def ag_type_name(self) -> str:
        """Its name in messages."""
        return self.kind

    def then(self, kind: str, *steps: Step) -> StagedIterable:
        """An iterator over this one with more steps; this one is used up."""
        self.use()
        return StagedIterable(self.length, self.source, kind, (*self.steps, *steps)).ending_as(self)

    def ending_as(self, *inner: StagedIterable) -> StagedIterable:
        """Takes over the endings and checks of the iterables that this one walks; gives itself."""
        self.endings = tuple(ending for one in inner for ending in one.endings)
        self.checks = tuple(check for one in inner for check in one.checks)
        return self

    def check(self) -> None:
        """Refuses a loop, recorded just now, whose body took items of the iterator that it walks."""
        for check in self.checks:
            check()

    def end(self, is_whole: object = True) -> None:
        """Runs the endings after a loop.

        Args:
            is_whole: Whether the loop was not left early, plain or staged.
        """
        self.check()
        for ending in self.endings:
            ending(self.count(), is_whole)

    def count(self) -> Any:
        """``len(…)``, which is 0 for a range that ends before it begins."""
        length = self.length
        return if_exp(length > 0, lambda: length, lambda: 0) if isinstance(length, Tensor) else length

    def at(self, index: Any) -> object:
        """``range(…)[index]``, with CPython's error if the index is out of range."""
        if self.is_iterator():
            raise type_error(f"'{self.kind}' object is not subscriptable")
        if isinstance(index, slice):
            return self._part(index)
        if isinstance(index, Tensor):  # The items are Python's ints, whatever the index is.
            index = cast(wrap(index.read(), Form.PYTHON), "int64")
        position = if_exp(index < 0, lambda: index + self.count(), lambda: index)
        inside = and_(position >= 0, lambda: position < self.length)
        if isinstance(inside, Tensor):
            require(inside, IndexError, "range object index out of range")
        elif not inside:
            raise StagedIndexError("range object index out of range", code="AG116", location=here())
        return self.item(position)

    def _part(self, part: slice) -> StagedIterable:
        """``range(…)[start:stop:step]``, a range again."""
        start, stop, step = (
            None if one is None else as_index(one) for one in (part.start, part.stop, part.step)
        )
        step = 1 if step is None else step
        if isinstance(step, Tensor):
            raise staging_error(
                "AG120", "the step of a slice of a staged range must be a plain int", "use a `while` loop"
            )
        if step == 0:
            raise ValueError("slice step cannot be zero")
        first, last = cut_off(start, stop, step, lift(self.count()))
        first, last = wrap(first.read(), Form.PYTHON), wrap(last.read(), Form.PYTHON)
        distance = last - first if step > 0 else first - last
        length = (distance + (abs(step) - 1)) // abs(step)
        return StagedIterable(length, lambda position: self.item(first + position * step))

    def __repr__(self) -> str:
        raise refusal_of_text(self.kind)

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
        """Whether it can be iterated only once."""
        return self.kind not in ("range", "list")

    def use(self) -> None:
        """Notes that it is iterated; an iterator is empty from then on.

        Raises:
            StagingError: If it was iterated before.
        """
        if not self.is_iterator():
            return
        if self.is_used_up is not False:
            if self.refuse_again is not None:
                self.refuse_again()
            raise staging_error(
                "AG120",
                f"this staged {self.kind} may have been iterated before, and would be empty now",
                f"make a new {self.kind} for each loop",
            )
        require_trace().journal.will_write(Attribute(self, "is_used_up"))
        self.is_used_up = True

    def __iter__(self) -> Any:
        if isinstance(self.length, Tensor):
            self.length.__index__()
        self.use()
        if self.is_filtered():
            if self.refuse_again is not None:
                self.refuse_again()
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
