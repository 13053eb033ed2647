"""What Python unpacks, and looks through item by item. Of a generator statements may take the items.

    a, b = positives(xs)        # the generator is asked three times: a run may raise `ValueError`
    first, *rest = g            # `rest` is a list whose length only the run may know
    y = (x, *g)                 # and so is the length of this tuple
    if v in g:                  # the next one who asks `g` gets what stands behind `v`

Python takes the items where it can. Where a test of the generator is staged it cannot, and the function is
recorded again: statements take them then, by steps (`generator_steps.py`) or by a walk.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any, TypeVar

from autograph._src.backends.protocol import active_backend, backend_of
from autograph._src.operators.calls import converted_call, iterated
from autograph._src.operators.generator_loops import can_begin, has_failed, learn_steps, walk_in_steps
from autograph._src.operators.group_walks import advanced, taken
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.operators.lazy_builtins import feed
from autograph._src.operators.spelled import operated
from autograph._src.policy import request_own
from autograph._src.staging.trace.running_operator import unpacked_count
from autograph.errors import StagingError

Taken = TypeVar("Taken")


def walked(value: object, levels: int = 1) -> object:
    """What Python is about to walk over: ``a, b = value``, ``f(*value)``.

    With `levels` the items are unpacked too, ``(a, b), c = value``.
    """
    if active_backend() is None:
        return value
    generator = iterated(value)
    if type(generator) is GeneratorType:
        return Unpacked(generator, levels)
    refuse_outside_iterator(value)
    if levels > 1 and type(value) in (list, tuple):
        parts = [walked(item, levels - 1) for item in value]  # type: ignore[attr-defined]
        if any(part is not item for part, item in zip(parts, value, strict=True)):  # type: ignore[call-overload]
            return parts
    return value


def kept(value: object, levels: int = 1) -> object:
    """As :func:`walked`, of a value that is bound to a variable too: ``g = a, b = value``."""
    if active_backend() is not None:
        refuse_outside_iterator(value)
        if levels > 1 and type(value) in (list, tuple):
            for item in value:  # type: ignore[attr-defined]
                kept(item, levels - 1)
    return value


class Unpacked:
    """A generator that an instruction of Python unpacks.

    It is asked when that instruction stands there: in ``x, (a, b) = 1, g`` when `x` is bound.
    """

    def __init__(self, generator: Iterator[object], levels: int) -> None:
        if not has_failed(generator):
            refuse_outside_iterator(generator)
        self.generator = generator
        self._levels = levels

    def __iter__(self) -> Iterator[object]:
        count = unpacked_count()
        items = _counted(self.generator) if count is None else _first(self.generator, count)
        return iter(items if self._levels == 1 else [walked(item, self._levels - 1) for item in items])


def _counted(generator: Iterator[Any]) -> list[object]:
    """The items for the arguments of a call, of which Python needs to know how many there are."""
    try:
        return [*_all(generator)]
    except StagingError as error:
        if error.code == "AG117":
            error.message = (
                "how many items this generator has depends on data, and so many arguments are needed"
            )
            error.help = (
                "give them as one list, `f(list(generator))`, or unpack that: `a, *rest = list(generator)`"
            )
        raise


def _all(generator: Iterator[Any]) -> Any:
    """A list of the items."""
    if has_failed(generator):
        return converted_call(list, generator)
    return _by_python(list, generator)


def _listed(value: Any) -> Any:
    """What Python can unpack: of a generator a list of its items."""
    found = walked(value)
    return _all(found.generator) if type(found) is Unpacked else value


def _first(generator: Iterator[object], count: int) -> Any:
    """The items for so many targets, or those for which CPython raises its error."""
    if not has_failed(generator):
        return _by_python(lambda items: [*itertools.islice(items, count + 1)], generator)
    if walk_in_steps(generator) is None:
        return converted_call(_of_walk, generator, count)
    return converted_call(_of_steps, feed(generator), count)


def _by_python(take: Callable[[Iterator[object]], Taken], generator: Iterator[object]) -> Taken:
    """Has Python take items; where a staged test or an effect forbids it, statements do in the next one.

    Raises:
        Learned: If there is such a recording.
    """
    refuse_outside_iterator(generator)
    try:
        return take(generator)
    except StagingError as error:
        if error.code in ("AG101", "AG123"):
            learn_steps(generator)
        raise


def _of_steps(items: object, count: int) -> tuple[object, ...]:
    found: tuple[object, ...] = ()
    for number in range(count):
        if not advanced(items):
            raise ValueError(f"not enough values to unpack (expected {count}, got {number})")
        found = found + (taken(items),)  # noqa: RUF005 - operators are recorded
    if advanced(items):
        raise ValueError(f"too many values to unpack (expected {count})")
    return found


def _of_walk(items: Iterable[object], count: int) -> list[object]:
    found: list[object] = []
    for item in items:
        if len(found) == count:
            raise ValueError(f"too many values to unpack (expected {count})")
        found.append(item)
    for number in range(count):
        if len(found) == number:
            raise ValueError(f"not enough values to unpack (expected {count}, got {number})")
    return [found[number] for number in range(count)]


def spread(value: Any, before: int, after: int, levels: int = 1) -> tuple[object, ...]:
    """What each target of ``a, *rest, b = value`` gets.

    Args:
        value: The value.
        before: How many targets stand before the starred one.
        after: How many stand after it.
        levels: How many levels of the value are unpacked.
    """
    backend = active_backend()
    value = _listed(value)
    try:
        (*items,) = value  # CPython raises the error if it is not iterable.
    except StagingError as error:
        if error.code != "AG117":
            raise
        parts: tuple[object, ...] = converted_call(_spread, value, before, after)
    else:
        if len(items) < before + after:
            raise ValueError(_too_few(before + after, len(items)))
        end = len(items) - after
        rest = items[before:end]
        parts = (*items[:before], rest if backend is None else backend.made_list(rest), *items[end:])
    if levels == 1:
        return parts
    return tuple(part if number == before else walked(part, levels - 1) for number, part in enumerate(parts))


def _too_few(least: int, count: int) -> str:
    return f"not enough values to unpack (expected at least {least}, got {count})"


def _spread(values: list[object], before: int, after: int) -> tuple[object, ...]:
    count, least = len(values), before + after
    for number in range(least):
        if count == number:
            raise ValueError(f"not enough values to unpack (expected at least {least}, got {number})")
    first = tuple([values[number] for number in range(before)])
    last = tuple([values[count - after + number] for number in range(after)])
    return first + (list(values[before : count - after]),) + last  # noqa: RUF005 - operators are recorded


def starred(values: Any) -> Any:
    """``(*values,)``; the length of the tuple may be one that only the run knows."""
    values = _listed(values)
    try:
        return (*values,)
    except StagingError as error:
        if error.code not in ("AG101", "AG117") or backend_of(values) is None:
            raise
        return converted_call(tuple, values)


def tuple_display(*parts: Any) -> object:
    """``(a, *values, b)``: its parts are tuples."""
    return functools.reduce(lambda made, part: made + part, parts)


def contains(item: object, generator: Any) -> Any:
    """``item in generator``, which is asked up to the item; ``NotImplemented`` if it is no generator."""
    if type(generator) is not GeneratorType:
        return NotImplemented
    if not has_failed(generator):
        if backend_of(item) is None:
            return _by_python(lambda items: item in items, generator)
        refuse_outside_iterator(generator)
        learn_steps(generator)
    return converted_call(_is_among, generator, item) if can_begin(generator) else NotImplemented


def _is_among(items: Iterable[object], value: object) -> bool:
    for item in items:  # noqa: SIM110 - a loop of statements
        if _is_equal(item, value):
            return True
    return False


def _is_equal(item: object, value: object) -> object:
    """Whether Python takes an item for the value: the same object is, also one that differs from itself."""
    return True if item is value else operated("eq", item, value)


for _one in (_of_steps, _of_walk, _spread, _is_among):
    request_own(_one)
