"""Arithmetic of positions along an axis or in a list, plain or staged.

    x[i - 1]        # i - 1 + len(x) if i - 1 is negative
    x[i : i + 2]    # clipped to the ends, as `slice.indices` does

Positions are 64-bit ints that never overflow, so their arithmetic is not checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import cast, compare
from autograph._src.staging.tensors.tensor import Form, Tensor, class_text, emit, wrap
from autograph._src.staging.trace.active import staging_error

INDICES = "list indices must be integers or slices, not {}"


def as_index(index: Any, words: str = INDICES) -> int | Tensor:
    """A plain or staged int, as ``operator.index`` gives it.

    Args:
        index: The value.
        words: CPython's message for a value that is no integer.

    Raises:
        TypeError: If a plain value is no integer.
        StagingError: If a staged value is no integer (AG116).
    """
    if has_own(index, "required"):  # An optional.
        index = index.required(words.format("NoneType"))
    if not isinstance(index, Tensor):
        if hasattr(type(index), "__index__") and not isinstance(index, np.ndarray):
            return int(index.__index__())
        raise TypeError(words.format(class_text(index)))
    if (
        index.sizes
        or index.dtype.kind not in "iub"
        or (index.dtype.kind == "b" and index.form is not Form.PYTHON)
    ):
        # Not a `TypeError`, which the graph would record: the variable may be an integer on the path taken.
        raise staging_error("AG116", words.format(class_text(index)), "convert it: `int(i)`")
    return number(index)


def number(index: object) -> Tensor:
    """An integer as a staged Python int."""
    found = lift(index)
    found = found.ag_number() if has_own(found, "ag_number") else found
    return cast(wrap(found.read(), Form.PYTHON), "int64")


def from_front(place: int | Tensor, count: int | Tensor) -> Tensor:
    """The position of an index: ``place + count if place < 0 else place``."""
    if isinstance(place, int):
        return lift(place) if place >= 0 else plus(lift(count), lift(place))
    return where(compare("less", place, 0), plus(place, lift(count)), place)


def plus(x: Tensor, y: Tensor) -> Tensor:
    """``x + y`` of two positions, without a check for overflow."""
    return wrap(emit("binary", "add", x.read(), y.read()), Form.PYTHON)


def where(test: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """``x if test else y`` of ints."""
    return wrap(emit("select", test.read(), x.read(), y.read()), Form.PYTHON)


def smaller(x: Tensor, y: Tensor) -> Tensor:
    """``min(x, y)``."""
    return wrap(emit("binary", "minimum", x.read(), y.read()), Form.PYTHON)


def larger(x: Tensor, y: Tensor) -> Tensor:
    """``max(x, y)``."""
    return wrap(emit("binary", "maximum", x.read(), y.read()), Form.PYTHON)


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
