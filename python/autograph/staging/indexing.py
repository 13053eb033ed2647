"""Indices of staged arrays: what ``x[i]``, ``x[a:b, ::2]``, ``x[i, rows]`` select, and reading it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.errors import StagedIndexError, StagingError
from autograph.staging.frames import here
from autograph.staging.tensor import Kind, Tensor, emit, lift, wrap
from autograph.staging.trace import staging_error, type_error


class UnknownSizeError(StagingError):
    """A slice that is cut off in some iterations; loops catch it to peel their last iteration."""


@dataclass(frozen=True)
class New:
    """``np.newaxis``: an axis of size 1 that is not one of the array's."""


@dataclass(frozen=True)
class At:
    """One plain integer: the axis is dropped."""

    position: int


@dataclass(frozen=True)
class Span:
    """A slice: ``size`` elements from ``start`` by ``step``, or from a staged start by 1."""

    start: int
    size: int
    step: int
    moving: Tensor | None = None

    def is_whole(self, extent: int) -> bool:
        """Whether it takes the axis as it is."""
        return self.moving is None and self.step == 1 and self.start == 0 and self.size == extent


@dataclass(frozen=True)
class Pick:
    """Integers that pick elements; of rank 0 for a staged integer, which drops the axis."""

    indices: Tensor

    @property
    def rank(self) -> int:
        """How many axes it makes."""
        return self.indices.ndim


Part = New | At | Span | Pick


def get_item(x: Tensor, index: Any) -> Any:
    """``x[index]`` of a staged array."""
    if x.kind is Kind.PYTHON:
        raise type_error(f"'{x.describe()}' object is not subscriptable")
    if is_mask(index):
        raise staging_error(
            "AG115",
            "the size of `x[mask]` depends on data",
            "use `np.where(mask, x, other)`, or reduce it: `np.sum(np.where(mask, x, 0))`",
        )
    parts = parse(x, index)
    value = slice_spans(x.read(), x.shape, parts)
    value = move_spans(value, parts)
    value = pick_elements(value, parts)
    shape = result_shape(parts)
    is_scalar = not shape and Ellipsis not in _as_tuple(index)
    result = wrap(emit_reshape(value, shape), None if is_scalar else Kind.ARRAY)
    if not is_scalar and not any(isinstance(part, Pick) and part.rank for part in parts):
        result.view_of(x)
    return result


def _as_tuple(index: Any) -> list[Any]:
    parts = index if isinstance(index, tuple) else (index,)
    return [part for part in parts if part is Ellipsis]


def is_mask(index: Any) -> bool:
    """Whether an index is an array of bools."""
    dtype = getattr(index, "dtype", None)
    return dtype is not None and dtype.kind == "b"


def _index_error(message: str) -> StagedIndexError:
    return StagedIndexError(message, code="AG116", location=here())


_NOT_AN_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are"
    " valid indices"
)


def parse(x: Tensor, index: Any) -> list[Part]:
    """One part for each axis of ``x`` and for each new axis, in order."""
    given = list(index) if isinstance(index, tuple) else [index]
    if any(is_mask(part) or isinstance(part, (bool, np.bool_)) for part in given):
        raise staging_error("AG115", "a boolean index beside other indices is not supported")
    taken = sum(1 for part in given if part is not None and part is not Ellipsis)
    if taken > x.ndim:
        raise _index_error(
            f"too many indices for array: array is {x.ndim}-dimensional, but {taken} were indexed"
        )
    ellipses = [position for position, part in enumerate(given) if part is Ellipsis]
    if len(ellipses) > 1:
        raise _index_error("an index can only have a single ellipsis ('...')")
    where = ellipses[0] if ellipses else len(given)
    given[where : where + 1] = [slice(None)] * (x.ndim - taken)
    parts: list[Part] = []
    for part in given:
        axis = sum(not isinstance(known, New) for known in parts)
        parts.append(New() if part is None else _parse_part(part, axis, x.shape[axis]))
    if any(isinstance(part, Pick) and part.rank for part in parts):
        parts = [_as_pick(part) for part in parts]
        _check_adjacent(parts)
    return parts


def _parse_part(part: Any, axis: int, extent: int) -> Part:
    if isinstance(part, slice):
        return _parse_slice(part, extent)
    if isinstance(part, (int, np.integer)):
        return At(_in_range(int(part), axis, extent))
    if isinstance(part, (list, tuple)):
        part = lift(part) if len(part) else np.zeros(0, np.int64)
    if isinstance(part, np.ndarray) and part.dtype.kind in "iu":
        for item in part.ravel().tolist():
            _in_range(item, axis, extent)
        return Pick(lift(part.astype(np.int64)))
    if isinstance(part, Tensor) and part.dtype.kind in "iu":
        if part.affine is None or part.affine.bounds()[0] < -extent or part.affine.bounds()[1] >= extent:
            part.recorder.may_raise("IndexError")
        return Pick(part)
    raise _index_error(_NOT_AN_INDEX)


def _in_range(index: int, axis: int, extent: int) -> int:
    if -extent <= index < extent:
        return index % extent
    raise _index_error(f"index {index} is out of bounds for axis {axis} with size {extent}")


def _parse_slice(part: slice, extent: int) -> Span:
    bounds = (part.start, part.stop, part.step)
    if not any(isinstance(bound, Tensor) for bound in bounds):
        start, stop, step = part.indices(extent)
        count = len(range(start, stop, step))
        return Span(start if count else 0, count, step if count else 1)
    low, high = getattr(part.start, "affine", None), getattr(part.stop, "affine", None)
    moves_together = (
        low is not None and high is not None and (low.root, low.factor) == (high.root, high.factor)
    )
    if part.step not in (None, 1) or low is None or high is None or not moves_together:
        raise staging_error(
            "AG117",
            "the size of this slice depends on data",
            "give it a size that does not: `x[i : i + n]` in a loop `for i in range(…)`, `n` a plain int",
        )
    if low.bounds()[0] < 0 or high.bounds()[1] > extent:
        raise UnknownSizeError(
            f"this slice is cut off at the end of the axis (size {extent}) in some iterations",
            code="AG117",
            location=here(),
            help="let the range end before the last, shorter part, and handle that part after the loop",
        )
    return Span(0, max(high.offset - low.offset, 0), 1, part.start)


def _as_pick(part: Part) -> Part:
    """Beside index arrays a plain integer is an index array too."""
    return Pick(lift(np.int64(part.position))) if isinstance(part, At) else part


def _check_adjacent(parts: Sequence[Part]) -> None:
    places = [position for position, part in enumerate(parts) if isinstance(part, Pick)]
    if places != list(range(places[0], places[-1] + 1)):
        raise staging_error("AG118", "index arrays with a slice between them are not supported")


def axes_of(parts: Sequence[Part]) -> list[At | Span | Pick]:
    """The parts that take an axis of the array."""
    return [part for part in parts if not isinstance(part, New)]


def spans(parts: Sequence[Part], shape: tuple[int, ...]) -> tuple[list[int], list[int], list[int]]:
    """Start, size and step along each axis of what is selected without staged integers."""
    start, size, step = [], [], []
    for part, extent in zip(axes_of(parts), shape, strict=True):
        taken = Span(0, extent, 1)
        if isinstance(part, At):
            taken = Span(part.position, 1, 1)
        elif isinstance(part, Span) and part.moving is None:
            taken = part
        start.append(taken.start)
        size.append(taken.size)
        step.append(taken.step)
    return start, size, step


def slice_spans(value: int, shape: tuple[int, ...], parts: Sequence[Part]) -> int:
    """Takes what plain slices and integers select; integers leave an axis of size 1."""
    start, size, step = spans(parts, shape)
    if start == [0] * len(shape) and size == list(shape) and step == [1] * len(shape):
        return value
    return emit("slice", value, start, size, step)


def move_spans(value: int, parts: Sequence[Part]) -> int:
    """Takes the blocks with a staged start."""
    for axis, part in enumerate(axes_of(parts)):
        if isinstance(part, Span) and part.moving is not None:
            value = emit("dynamic_slice", value, part.moving.read(), axis, part.size)
    return value


def pick_elements(value: int, parts: Sequence[Part]) -> int:
    """Takes the elements that staged integers and index arrays pick."""
    axes = axes_of(parts)
    places = [axis for axis, part in enumerate(axes) if isinstance(part, Pick)]
    picks = [part.indices for part in axes if isinstance(part, Pick)]
    if any(pick.ndim for pick in picks):
        return emit("gather", value, [pick.read() for pick in picks], places[0])
    for axis, pick in reversed(list(zip(places, picks, strict=True))):
        value = emit("gather", value, [pick.read()], axis)
    return value


def result_shape(parts: Sequence[Part]) -> list[int]:
    """The shape of what is selected."""
    shape: list[int] = []
    picks = [part.indices.shape for part in parts if isinstance(part, Pick)]
    for position, part in enumerate(parts):
        if isinstance(part, New):
            shape.append(1)
        elif isinstance(part, Span):
            shape.append(part.size)
        elif isinstance(part, Pick) and not any(isinstance(known, Pick) for known in parts[:position]):
            shape += np.broadcast_shapes(*picks)
    return shape


def emit_reshape(value: int, shape: list[int]) -> int:
    """The value in another shape, if it has not that shape already."""
    if wrap(value).shape == tuple(shape):
        return value
    return emit("reshape", value, shape)
