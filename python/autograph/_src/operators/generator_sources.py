"""What the loops of a generator walk over, whose items are taken one by one.

    for x in xs:            values, place = ag__.asked(each, xs), 0
        yield x             while ag__.advanced(each, values, place):
                                x, place = ag__.taken(each, values, place), place + 1
                                …

What the loop is over is known while tracing, what it holds and how far it has come are variables of the
generator (`stepping.rs`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import partial
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.calls import converted_call, iterated
from autograph._src.operators.generator_loops import has_values, walk_in_steps
from autograph._src.operators.generator_steps import Steps
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.operators.items import get_item
from autograph._src.operators.lazy_builtins import feed_by, feeds_by
from autograph._src.operators.logic import and_
from autograph._src.operators.places import Attribute


class Form(Enum):
    """How the items of a loop are found."""

    VALUES = "by an index"
    FIXED = "by an index in values that are those of each loop"
    RANGE = "by a number"
    NUMBERED = "by an index, with a number"
    TOGETHER = "by one index in several values"
    STEPS = "in steps of another generator"
    ITERATOR = "by Python"


class Source:
    """What one loop of a generator walks over.

    Attributes:
        form: How its items are found; ``None`` before the loop has begun.
        fixed: Values of the generator's parameters, which stay what they are.
        values: The one of them that the loop walks.
        parts: How the items are found in each of several values.
        whole: The `zip` or `enumerate` of these.
        steps: The generator.
        iterator: The iterator of Python.
        item: The item of that.
        blocks: How many staged blocks were around when the generator was made.
    """

    is_of_loop = True

    def __init__(self) -> None:
        self.form: Form | None = None
        self.fixed: list[Any] = []
        self.values: Any = None
        self.parts: tuple[Form, ...] = ()
        self.whole: object = None
        self.steps: Steps | None = None
        self.iterator: Iterator[Any] | None = None
        self.item: Any = None
        backend = active_backend()
        self.blocks = 0 if backend is None else backend.open_blocks()
        if backend is not None:
            backend.existed(self)

    def walk(self, steps: Steps, *, is_new: bool) -> None:
        """Begins a loop over a generator.

        Args:
            steps: The generator.
            is_new: Whether a staged block inside of the generator has made it, which may run more than once.
        """
        if self.steps is None:
            self.steps = steps.moved() if is_new else steps
        if self.steps is not steps:
            self.steps.restart(steps)


def asked(source: Source, iterable: Any) -> object:
    """Begins a loop; gives what it keeps in a variable."""
    form, values = form_of(source, iterated(iterable))
    if source.form not in (None, form):
        backend = active_backend()
        assert backend is not None
        raise backend.refuse("a generator with a loop over values of several kinds, taken one by one")
    source.form = form
    return values


def form_of(source: Source, iterable: Any, *, is_of_loop: bool = True) -> tuple[Form, object]:
    """How the items of a value are found, and what a loop over it keeps.

    Args:
        source: What knows that from then on.
        iterable: The value.
        is_of_loop: Whether it is a loop of a generator, which may begin more than once.
    """
    backend = active_backend()
    assert backend is not None
    if type(iterable) is range:
        return Form.RANGE, (len(iterable), iterable.start, iterable.step)
    parts = backend.range_parts(iterable)
    if parts is not None:
        return Form.RANGE, parts
    is_fixed = backend_of(iterable) is not None and any(iterable is one for one in source.fixed)
    if is_fixed and has_values(iterable):
        source.values = iterable
        return Form.FIXED, None
    if has_values(iterable):
        return Form.VALUES, iterable
    together = _of_several(source, iterable)
    if together is not None:
        return together
    walk = walk_in_steps(iterable)
    if isinstance(walk, Steps):
        if is_of_loop and not any(iterable is one for one in source.fixed):
            walk.keep_parameters()  # Another one may take its place.
        source.walk(walk, is_new=is_of_loop and backend.is_of_blocks(iterable, source.blocks))
        return Form.STEPS, None
    refuse_outside_iterator(iterable)
    source.iterator = backend.created(iter(iterable))
    return Form.ITERATOR, None


def _of_several(source: Source, iterable: Any) -> tuple[Form, object] | None:
    """The form and values of a `zip` or `enumerate` of values that are found by their index."""
    backend = active_backend()
    assert backend is not None
    made = backend.parts_of(iterable, source.whole is iterable)
    if made is None:
        return None
    kind, values = made
    source.whole = iterable
    walked = values[:1] if kind == "enumerate" else values
    fixed, source.fixed = source.fixed, []
    found = [form_of(source, one) for one in walked]
    source.fixed = fixed
    source.parts = tuple(form for form, _ in found)
    if not {*source.parts} <= {Form.VALUES, Form.RANGE}:
        raise backend.refuse(f"a generator with a loop over a `{kind}` of iterators, taken one by one")
    kept = tuple(value for _, value in found)
    return (Form.NUMBERED, (*kept, values[1])) if kind == "enumerate" else (Form.TOGETHER, kept)


def advanced(source: Source, values: Any, place: Any) -> Any:
    """Whether there is another item."""
    if source.form is Form.STEPS:
        assert source.steps is not None
        return source.steps.advance()
    if source.form is Form.ITERATOR:
        return _advanced_by_python(source)
    if source.form is Form.FIXED:
        return _is_inside(source.form, source.values, place)
    if source.form not in (Form.NUMBERED, Form.TOGETHER):
        return _is_inside(source.form, values, place)
    asks = [partial(_is_inside, *one, place) for one in zip(source.parts, values, strict=False)]
    return and_(True, *asks)


def _is_inside(form: Form | None, values: Any, place: Any) -> object:
    return place < (values[0] if form is Form.RANGE else converted_call(len, values))


def _advanced_by_python(source: Source) -> bool:
    assert source.iterator is not None
    refuse_outside_iterator(source.iterator)
    backend = active_backend()
    assert backend is not None
    for item in source.iterator:
        backend.will_write(Attribute(source, "item"))
        source.item = item
        return True
    return False


def taken(source: Source, values: Any, place: Any) -> object:
    """The next item."""
    if source.form is Form.STEPS:
        assert source.steps is not None
        return source.steps.item()
    if source.form is Form.ITERATOR:
        return source.item
    if source.form is Form.FIXED:
        return _item(source.form, source.values, place)
    if source.form not in (Form.NUMBERED, Form.TOGETHER):
        return _item(source.form, values, place)
    items = tuple(_item(form, part, place) for form, part in zip(source.parts, values, strict=False))
    return (place + values[-1], *items) if source.form is Form.NUMBERED else items


def _item(form: Form | None, values: Any, place: Any) -> object:
    if form is Form.RANGE:
        _, start, step = values
        return start + place * step
    return get_item(values, place)


@feed_by
class Feed:
    """An iterable beside which others are walked, as by ``zip``.

    Attributes:
        place: How many items have been taken.
    """

    def __init__(self, iterable: Any) -> None:
        self._source = Source()
        self._source.form, self._values = form_of(self._source, iterated(iterable), is_of_loop=False)
        self.place: Any = 0
        backend = active_backend()
        assert backend is not None
        backend.created(self)

    def advance(self) -> Any:
        """Asks for an item; gives whether there is one."""
        return advanced(self._source, self._values, self.place)

    def take(self) -> object:
        """The item that was asked for."""
        item = taken(self._source, self._values, self.place)
        backend = active_backend()
        assert backend is not None
        backend.will_write(Attribute(self, "place"))
        self.place = self.place + 1
        return item


@feeds_by
class Feeds:
    """Iterables that are walked together."""

    def __init__(self, iterables: tuple[Any, ...]) -> None:
        self._feeds = [Feed(one) for one in iterables]

    def advance(self) -> Any:
        """Asks each for an item, up to the first that has none; gives whether all have one."""
        return and_(True, *[feed.advance for feed in self._feeds])

    def take(self) -> tuple[Any, ...]:
        """The items that were asked for."""
        return tuple(feed.take() for feed in self._feeds)
