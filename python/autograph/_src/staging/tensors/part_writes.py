"""Writes a block of elements where the parts of an index select: ops that give a new value of the array."""

from __future__ import annotations

import numpy as np

from autograph._src.staging.tensors.index_parts import At, Cut, New, Part, Pick, Run, Span
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.selecting import axes_of, beside_picks, emit_reshape, slice_spans, spans
from autograph._src.staging.tensors.sizes import broadcast, positions
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error


def as_written(parts: list[Part], x: Tensor) -> list[Part]:
    """Replaces slices of unknown size by what an op can write to.

    ``x[a:b] = v`` writes to a run of elements. ``x[a:b, c:d] = v`` writes to ``[a, a + 1, …]`` on one axis
    and ``[c, c + 1, …]`` on the other, index arrays that are broadcast against each other.
    """
    parts = beside_picks(parts)
    is_open = None in x.sizes
    extents = iter(x.sizes)
    between = _between_picks(parts, is_open)
    ranges = [
        not isinstance(part, New) and (_is_range(part, next(extents), is_open) or part_is_between)
        for part, part_is_between in zip(parts, between, strict=True)
    ]
    if not any(ranges) and not is_open:
        return parts
    if any(ranges) and any(isinstance(part, Pick) and part.rank for part in parts):
        raise staging_error(
            "AG118",
            "index arrays beside a slice of unknown size are not supported in a write",
            "write them one after the other: `for i in indices: a[i, :n] = value`",
        )
    if sum(ranges) == 1 and not any(
        isinstance(part, Pick) or (is_open and isinstance(part, At)) for part in parts
    ):
        run = _run_of(parts[ranges.index(True)], x, len(axes_of(parts[: ranges.index(True)])))
        if run is not None and not any(map(is_moving, parts)):
            return [run if is_range else part for part, is_range in zip(parts, ranges, strict=True)]
    made: list[Part] = []
    for part, is_range in zip(parts, ranges, strict=True):
        if is_range:
            done = sum(1 for known in made if isinstance(known, Pick) and known.rank)
            made.append(_places_of(part, x, len(axes_of(made)), done, sum(ranges)))
        else:
            made.append(Pick(lift(np.int64(part.position))) if isinstance(part, At) else part)
    return made


def _run_of(part: Part, x: Tensor, axis: int) -> Run | None:
    """The elements of a slice if they follow each other."""
    if (
        isinstance(part, Cut)
        and part.step is not None
        and not isinstance(part.step, Tensor)
        and part.step == 1
    ):
        return Run(part.start, np.maximum(part.stop - part.start, 0))
    if isinstance(part, Span) and part.step == 1:
        return Run(lift(np.int64(part.start)), x.shape[axis] if part.size is None else part.size)
    return None


def _between_picks(parts: list[Part], is_open: bool) -> list[bool]:
    """For each part, whether it is a slice between indices, as in ``x[i, :, j] = v``.

    A scatter needs neighbouring axes, so the slice becomes an index array: ``x[i, [0, 1, …], j] = v``.
    """
    picks = [place for place, part in enumerate(parts) if isinstance(part, Pick | At if is_open else Pick)]
    return [
        isinstance(part, Span) and part.moving is None and bool(picks) and picks[0] < place < picks[-1]
        for place, part in enumerate(parts)
    ]


def _is_range(part: Part, extent: int | None, is_open: bool) -> bool:
    """Whether a part is a slice that has to become an index array."""
    if isinstance(part, Span) and part.moving is None and is_open:
        return part != Span(0, extent, 1)
    return isinstance(part, Cut)


def _places_of(part: Part, x: Tensor, axis: int, place: int, rank: int) -> Pick:
    """The index array of a slice, along axis ``place`` of the ``rank`` axes of all such slices."""
    if isinstance(part, Cut) and isinstance(part.step, int) and part.step > 0:
        # This is len(range(start, stop, step)).
        count = np.maximum((part.stop - part.start + (part.step - 1)) // part.step, 0)
    elif isinstance(part, Cut):
        bounds = [part.start.read(), part.stop.read(), lift(part.step).read()]
        count = wrap(emit("slice_range", x.read(), *bounds, axis)).shape[axis]
    else:
        assert isinstance(part, Span)
        count = x.shape[axis] if part.size is None else part.size
    places = positions(part.start, part.step, count)
    shape = [count if one == place else 1 for one in range(rank)]
    return Pick(wrap(emit_reshape(places.read(), shape), Form.ARRAY))


def is_moving(part: Part) -> bool:
    """Whether a part is a slice of known size from a staged start: `x[i : i + 2]`."""
    return isinstance(part, Span) and part.moving is not None


def write_parts(x: Tensor, parts: list[Part], block: int) -> int:
    axes = axes_of(parts)
    start, size, step = spans(parts, x.sizes)
    whole = start == [0] * x.ndim and size == list(x.sizes) and step == [1] * x.ndim
    has_staged = any(isinstance(part, Pick | Run) or is_moving(part) for part in axes)
    if not has_staged:
        extents = [extent if one is None else one for one, extent in zip(size, x.shape, strict=True)]
        shaped = emit_reshape(block, extents)
        return shaped if whole else emit("update_slice", x.read(), shaped, start, step)
    inner = slice_spans(x.read(), x.sizes, parts)
    updated = _write_staged(inner, parts, block)
    return updated if whole else emit("update_slice", x.read(), updated, start, step)


def _write_staged(inner: int, parts: list[Part], block: int) -> int:
    """Writes at staged indices, within the region that the plain parts select."""
    axes = axes_of(parts)
    picks = [(axis, part) for axis, part in enumerate(axes) if isinstance(part, Pick)]
    moving = [(axis, part) for axis, part in enumerate(axes) if is_moving(part)]
    shape = list(wrap(inner).shape)
    for axis, part in enumerate(axes):
        if isinstance(part, Run):
            shape[axis] = part.count
            block = emit_reshape(block, shape)
            return emit("dynamic_update_slice", inner, block, part.start.read(), axis)
    if moving:
        axis, span = moving[0]
        assert isinstance(span, Span) and span.moving is not None
        start = span.moving.read()
        if len(moving) == 1 and not picks:
            shape[axis] = span.size
            written = emit_reshape(block, shape)
        else:  # `x[i:i+2, j:j+2] = v` writes into the rows, and puts them back.
            rows = emit("dynamic_slice", inner, start, axis, span.size)
            rest = [Span(0, span.size, 1) if part is span else part for part in parts]
            written = _write_staged(rows, rest, block)
        return emit("dynamic_update_slice", inner, written, start, axis)
    places = [axis for axis, _ in picks]
    if places != list(range(places[0], places[-1] + 1)):
        raise staging_error(
            "AG118",
            "this combination of staged indices is not supported in a write",
            "write in a loop, with one index at a time",
        )
    picked = broadcast(*(part.indices.shape for _, part in picks))
    region = [*shape[: places[0]], *picked, *shape[places[-1] + 1 :]]
    value = emit_reshape(block, region)
    return emit("scatter", inner, value, [part.indices.read() for _, part in picks], places[0])
