"""Indices of staged lists: negative ones count from the end, what is outside fails as CPython fails.

xs[-1]          # checked when the graph runs: "list index out of range"
xs[i : i + 2]   # cut off at the ends, as `slice.indices` does
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.staging.list_contents import StagedElements
from autograph.staging.list_lengths import Length, unknown
from autograph.staging.python_scalars import both, cast, compare, require
from autograph.staging.tensor import Kind, Tensor, class_text, emit, lift, wrap
from autograph.staging.trace import staging_error

OUT_OF_RANGE = "list index out of range"
"""CPython's words where an element is read; others have words of their own."""


_INDICES = "list indices must be integers or slices, not {}"
COUNTS = "'{}' object cannot be interpreted as an integer"
"""CPython's words for what is no integer: as an index, and as an argument of a method."""


def as_index(index: Any, words: str = _INDICES) -> int | Tensor:
    """A plain or staged int, as ``operator.index`` gives it.

    Args:
        index: The value.
        words: What CPython says of one that is no integer.

    Raises:
        TypeError: If it is no integer.
    """
    from autograph.staging.optionals import required

    index = required(index, words.format("NoneType"), TypeError)
    if not isinstance(index, Tensor):
        if hasattr(type(index), "__index__") and not isinstance(index, np.ndarray):
            return int(index.__index__())
        raise TypeError(words.format(class_text(index)))
    if (
        index.sizes
        or index.dtype.kind not in "iub"
        or (index.dtype.kind == "b" and index.kind is not Kind.PYTHON)
    ):
        # No `TypeError`: the variable may be an integer on the path that is taken.
        raise staging_error("AG116", words.format(class_text(index)), "convert it: `int(i)`")
    return number(index)


def no_factor(factor: Any) -> str:
    """CPython's words for a list times what is no integer."""
    return f"can't multiply sequence by non-int of type '{class_text(factor)}'"


def number(index: Any) -> Tensor:
    """An integer as a staged Python int."""
    found = lift(index)
    return cast(wrap(found.read(), Kind.PYTHON), "int64")


def inside(
    contents: StagedElements, index: Any, message: str = OUT_OF_RANGE, words: str = _INDICES
) -> Tensor:
    """The position of an index, from the front; the run fails where there is no such element."""
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


def from_front(place: int | Tensor, count: int | Tensor) -> Tensor:
    """An index that counts from the front: ``place + count if place < 0 else place``."""
    if isinstance(place, int):
        return lift(place) if place >= 0 else plus(lift(count), lift(place))
    return where(compare("less", place, 0), plus(place, lift(count)), place)


def plus(x: Tensor, y: Tensor) -> Tensor:
    """``x + y`` of two positions: neither is near the end of 64 bits."""
    return wrap(emit("binary", "add", x.read(), y.read()), Kind.PYTHON)


def where(test: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """``x if test else y`` of ints."""
    return wrap(emit("select", test.read(), x.read(), y.read()), Kind.PYTHON)


def smaller(x: Tensor, y: Tensor) -> Tensor:
    """``min(x, y)``."""
    return wrap(emit("binary", "minimum", x.read(), y.read()), Kind.PYTHON)


def larger(x: Tensor, y: Tensor) -> Tensor:
    """``max(x, y)``."""
    return wrap(emit("binary", "maximum", x.read(), y.read()), Kind.PYTHON)


@dataclass(frozen=True)
class Bounds:
    """What a slice selects.

    Attributes:
        start: The first position.
        stop: Where it ends.
        step: The step, a plain int.
        length: How many elements that are.
    """

    start: Tensor
    stop: Tensor
    step: int
    length: Length


def bounds_of(contents: StagedElements, part: slice) -> Bounds:
    """The bounds of a slice, as ``slice.indices`` gives them."""
    step = 1 if part.step is None else as_index(part.step)
    if isinstance(step, Tensor):
        raise staging_error("AG120", "the step of a slice of a staged list must be a plain int")
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


def cut_off(
    start: int | Tensor | None, stop: int | Tensor | None, step: int | Tensor, size: Tensor
) -> tuple[Tensor, Tensor]:
    """The bounds that ``slice(start, stop, step).indices(size)`` gives."""
    if isinstance(step, Tensor):
        rises = compare("greater", step, 0)
        pairs = zip(cut_off(start, stop, 1, size), cut_off(start, stop, -1, size), strict=True)
        first, last = (where(rises, up, down) for up, down in pairs)
        return first, last
    lowest, highest = (lift(0), size) if step > 0 else (lift(-1), plus(size, lift(-1)))
    first = (lowest if step > 0 else highest) if start is None else _clipped(start, size, lowest, highest)
    last = (highest if step > 0 else lowest) if stop is None else _clipped(stop, size, lowest, highest)
    return first, last


def _clipped(bound: int | Tensor, size: Tensor, lowest: Tensor, highest: Tensor) -> Tensor:
    return smaller(larger(from_front(bound, size), lowest), highest)
