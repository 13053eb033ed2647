"""Indices and slices of staged lists, with CPython's rules and errors.

    xs[-1]          # counts from the end; the run raises "list index out of range" if there is no element
    xs[i : i + 2]   # clipped to the list, as `slice.indices` does

Positions that these functions give count from the front.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.list_lengths import Length, unknown
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import (
    INDICES,
    as_index,
    cut_off,
    from_front,
)
from autograph._src.staging.tensors.python_scalars import both, compare, require
from autograph._src.staging.tensors.tensor import Tensor, class_text
from autograph._src.staging.trace.active import staging_error

OUT_OF_RANGE = "list index out of range"
"""CPython's message when an element is read; writes and methods have messages of their own."""


COUNTS = "'{}' object cannot be interpreted as an integer"
"""CPython's message for a non-integer argument of a method such as ``pop``."""


def no_factor(factor: object) -> str:
    """CPython's message for a list times a non-integer."""
    return f"can't multiply sequence by non-int of type '{class_text(factor)}'"


def inside(
    contents: StagedElements, index: object, message: str = OUT_OF_RANGE, words: str = INDICES
) -> Tensor:
    """The position of an index; the run raises if there is no such element."""
    place, count = as_index(index, words), contents.count()
    if isinstance(place, int) and isinstance(count, int):
        if not -count <= place < count:
            raise IndexError(message)
        return lift(place % count)
    position = from_front(place, count)
    is_inside = compare("less", position, lift(count))
    if not isinstance(place, int) or place < 0:
        is_inside = both(compare("greater_equal", position, 0), is_inside)
    require(is_inside, IndexError, message)
    return position


@dataclass(frozen=True)
class Bounds:
    """The bounds of a slice.

    Attributes:
        start: The first position.
        stop: The position before which it ends.
        step: The step, a plain int.
        length: The number of elements in it.
    """

    start: Tensor
    stop: Tensor
    step: int
    length: Length


def bounds_of(contents: StagedElements, part: slice) -> Bounds:
    """The bounds of a slice, as ``slice.indices`` gives them."""
    step = 1 if part.step is None else as_index(part.step)
    if isinstance(step, Tensor):
        raise staging_error(
            "AG120",
            "the step of a slice of a staged list must be a plain int",
            "take the elements one by one: `[xs[i] for i in range(0, len(xs), step)]`",
        )
    if step == 0:
        raise ValueError("slice step cannot be zero")
    start = None if part.start is None else as_index(part.start)
    stop = None if part.stop is None else as_index(part.stop)
    count = contents.count()
    if isinstance(count, int) and not isinstance(start, Tensor) and not isinstance(stop, Tensor):
        plain = slice(start, stop, step).indices(count)
        return Bounds(lift(plain[0]), lift(plain[1]), step, Length(None, len(range(*plain))))
    first, last = cut_off(start, stop, step, lift(count))
    is_whole = start is None and stop is None and step in (1, -1)
    return Bounds(first, last, step, contents.length if is_whole else unknown())
