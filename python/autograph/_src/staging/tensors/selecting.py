"""Reads what the parts of an index select, as ops of the graph."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph._src.staging.tensors.index_parts import At, Cut, New, Part, Pick, Run, Span
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import emit, wrap


def axes_of(parts: Sequence[Part]) -> list[At | Span | Cut | Run | Pick]:
    """The parts that take an axis of the array."""
    return [part for part in parts if not isinstance(part, New)]


def spans(
    parts: Sequence[Part], sizes: tuple[int | None, ...]
) -> tuple[list[int], list[int | None], list[int]]:
    """Start, size and step along each axis of the selection by the plain parts alone."""
    start, size, step = [], [], []
    for part, extent in zip(axes_of(parts), sizes, strict=True):
        taken = Span(0, extent, 1)
        if isinstance(part, At):
            taken = Span(part.position, 1, 1)
        elif isinstance(part, Span) and part.moving is None:
            taken = part
        start.append(taken.start)
        size.append(taken.size)
        step.append(taken.step)
    return start, size, step


def slice_spans(value: int, sizes: tuple[int | None, ...], parts: Sequence[Part]) -> int:
    """Applies plain slices and integers; an integer leaves an axis of size 1."""
    start, size, step = spans(parts, sizes)
    if start == [0] * len(sizes) and size == list(sizes) and step == [1] * len(sizes):
        return value
    return emit("slice", value, start, size, step)


def take_slices(value: int, sizes: tuple[int | None, ...], parts: Sequence[Part]) -> int:
    """Applies all slices and plain integers.

    Of an array whose size only the run knows, a slice of the first axis comes first: its rows are a block of
    memory, and what is left of them for the other axes is small.
    """
    staged = [(axis, part) for axis, part in enumerate(axes_of(parts)) if _is_staged_slice(part)]
    if staged and staged[0][0] == 0 and None in sizes:
        value = _take_staged(value, *staged.pop(0))
        sizes = wrap(value).sizes
    value = slice_spans(value, sizes, parts)
    for axis, part in staged:
        value = _take_staged(value, axis, part)
    return value


def _is_staged_slice(part: Part) -> bool:
    return isinstance(part, Cut) or (isinstance(part, Span) and part.moving is not None)


def _take_staged(value: int, axis: int, part: Part) -> int:
    """Applies a slice with a staged start, of known size or of one that only the run knows."""
    if isinstance(part, Span) and part.moving is not None:
        return emit("dynamic_slice", value, part.moving.read(), axis, part.size)
    assert isinstance(part, Cut)
    return emit("slice_range", value, part.start.read(), part.stop.read(), lift(part.step).read(), axis)


def beside_picks(parts: Sequence[Part]) -> list[Part]:
    """The parts with plain integers beside staged ones as staged ones.

    ``x[i, 0]`` then is one element that is read or written, and not a row or a column first.
    """
    made, axes = list(parts), [place for place, part in enumerate(parts) if not isinstance(part, New)]
    for order in (axes, axes[::-1]):
        for before, place in itertools.pairwise(order):
            part, known = made[place], made[before]
            if isinstance(part, At) and isinstance(known, Pick) and not known.rank:
                made[place] = Pick(lift(np.int64(part.position)))
    return made


def pick_elements(value: int, parts: Sequence[Part]) -> int:
    """Applies staged integers and index arrays."""
    axes = axes_of(parts)
    places = [axis for axis, part in enumerate(axes) if isinstance(part, Pick)]
    picks = [part.indices for part in axes if isinstance(part, Pick)]
    if any(pick.ndim for pick in picks):
        return emit("gather", value, [pick.read() for pick in picks], places[0])
    # One gather for neighbouring axes: `x[i, j]` reads one element, not a row and then an element.
    runs: list[tuple[int, list[int]]] = []
    for axis, pick in zip(places, picks, strict=True):
        if runs and axis == runs[-1][0] + len(runs[-1][1]):
            runs[-1][1].append(pick.read())
        else:
            runs.append((axis, [pick.read()]))
    for axis, indices in reversed(runs):
        value = emit("gather", value, indices, axis)
    return value


def emit_reshape(value: int, shape: list[Any]) -> int:
    """The value in a shape; emits no op if it is known to have that shape already."""
    if all(isinstance(size, int) for size in shape) and wrap(value).sizes == tuple(shape):
        return value
    return emit("reshape", value, shape)


def with_axes(value: int, parts: Sequence[Part]) -> int:
    """The selection without the axes of plain integers, and with the new axes."""
    if not any(isinstance(part, (New, At)) for part in parts):
        return value
    given, shape, axis = wrap(value).shape, [], 0
    rank = max((part.rank for part in parts if isinstance(part, Pick)), default=0)
    for position, part in enumerate(parts):
        if isinstance(part, New):
            shape.append(1)
        elif isinstance(part, (Span, Cut)):
            shape.append(given[axis])
            axis += 1
        elif isinstance(part, At):
            axis += 1
        elif not any(isinstance(known, Pick) for known in parts[:position]):
            shape += given[axis : axis + rank]
            axis += rank
    return emit("reshape", value, shape)
