"""Writing items of staged arrays: ``x[i] = v``, ``x[a:b] = v``, ``x[rows, columns] = v``, ``x[mask] = v``.

The graph is functional: each write gives a new value of the whole array, and the tensor then stands for that
value. The engine updates in place if the old value is dead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.index_parts import At, Cut, New, Part, Pick, Span
from autograph._src.staging.tensors.indexing import (
    axes_of,
    emit_reshape,
    fits_mask,
    has_ellipsis,
    is_mask,
    parse,
    slice_spans,
    spans,
)
from autograph._src.staging.tensors.item_conversions import as_items, refuse_depth, refuse_sequence
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.overlaps import refuse_overlap
from autograph._src.staging.tensors.sizes import broadcast, differ, positions, require_broadcast, shape_string
from autograph._src.staging.tensors.staged_strings import join_strings
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, shape_text, type_words, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error, type_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.statements import records
from autograph.errors import ShapeError


@records(statements.set_item)
def set_item(x: Tensor, index: Any, value: object) -> None:
    """``x[index] = value`` of a staged array."""
    if x.form is not Form.ARRAY:
        raise type_error(f"'{type_words(x)}' object does not support item assignment")
    parts = None if is_mask(index) else parse(x, index)
    is_picked = parts is None or any(isinstance(part, Pick) and part.rank for part in parts)
    if parts is not None and _is_element(parts, index):
        refuse_sequence(value, x.dtype)
    elif parts is not None and not is_picked:
        refuse_depth(value, sum(isinstance(part, Span | Cut | New) for part in parts))
    source = as_items(value, x.dtype, is_picked)
    if has_own(source, "ag_refusal_of_write"):
        raise source.ag_refusal_of_write()
    if is_mask(index) and len(np.shape(index)) == x.ndim:
        refuse_overlap(x, None, source)
    if is_mask(index) and source.ndim <= x.ndim - len(np.shape(index)):
        x.write(_write_mask(x, index, source))
        return
    parts = parse(x, index) if parts is None else parts
    if not is_picked:
        refuse_overlap(x, parts, source)
    parts = _written(parts, x)
    block = _fit(source, x, _selected_shape(parts, x))
    x.write(_write_parts(x, parts, block))


def _is_element(parts: list[Part], index: object) -> bool:
    """Whether the index consists of integers only, so that one element is written."""
    are_integers = all(isinstance(part, At) or (isinstance(part, Pick) and not part.rank) for part in parts)
    return are_integers and not has_ellipsis(index)


def _write_mask(x: Tensor, mask: object, source: Tensor) -> int:
    """Writes one value or row wherever a mask is true, with a select, so that no size depends on data."""
    test = lift(mask)
    for axis, size in enumerate(test.sizes):
        fits_mask(x, axis, size, test, axis)
    trailing = x.shape[test.ndim :]
    fitted = _fit(source, x, list(trailing))
    return emit("select", emit_reshape(test.read(), [*test.shape, *[1] * len(trailing)]), fitted, x.read())


def _written(parts: list[Part], x: Tensor) -> list[Part]:
    """Replaces slices of unknown size by index arrays, which a scatter can write to.

    ``x[a:b, c:d] = v`` then writes to ``[a, a + 1, …]`` on one axis and ``[c, c + 1, …]`` on the other,
    broadcast against each other.
    """
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
            "AG118", "index arrays beside a slice of unknown size are not supported in a write"
        )
    made: list[Part] = []
    for part, is_range in zip(parts, ranges, strict=True):
        if is_range:
            done = sum(1 for known in made if isinstance(known, Pick) and known.rank)
            made.append(_places_of(part, x, len(axes_of(made)), done, sum(ranges)))
        else:
            made.append(Pick(lift(np.int64(part.position))) if isinstance(part, At) else part)
    return made


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


def _selected_shape(parts: Sequence[Part], x: Tensor) -> list[Any]:
    """The shape of the selection."""
    shape: list[Any] = []
    picks = [part.indices.shape for part in parts if isinstance(part, Pick)]
    axes = iter(x.shape)
    for position, part in enumerate(parts):
        extent = 1 if isinstance(part, New) else next(axes)
        if isinstance(part, New):
            shape.append(1)
        elif isinstance(part, Span):
            shape.append(extent if part.size is None else part.size)
        elif isinstance(part, Pick) and not any(isinstance(known, Pick) for known in parts[:position]):
            shape += broadcast(*picks)
    return shape


def _as_dtype_of(source: Tensor, x: Tensor) -> int:
    return source.read() if source.dtype == x.dtype else emit("cast", source.read(), dtype_name(x.dtype))


def _fit(source: Tensor, x: Tensor, shape: list[Any]) -> int:
    """The value, cast to the array's dtype and broadcast to the shape of the selection."""
    value, given = _as_dtype_of(source, x), list(source.shape)
    while len(given) > len(shape) and isinstance(given[0], int) and given[0] == 1:
        given = given[1:]
    pairs = list(zip(reversed(given), reversed(shape), strict=False))
    fits = len(given) <= len(shape) and not any(differ(one, 1) and differ(one, two) for one, two in pairs)
    if not fits:
        sizes = tuple(None if isinstance(size, Tensor) else size for size in shape)
        given_shape, wanted_shape = shape_text(source.sizes), shape_text(sizes)
        raise ShapeError(
            f"could not broadcast input array from shape {given_shape} into shape {wanted_shape}",
            code="AG102",
            location=here(),
        )
    value = emit_reshape(value, given)
    if all(map(_same, given, shape)) and len(given) == len(shape):
        return value
    require_input(given, shape)
    return emit("broadcast", value, shape)


def require_input(given: list[Any], shape: list[Any]) -> None:
    """Records that the run raises if a value of shape ``given`` does not broadcast to ``shape``."""
    words = ("could not broadcast input array from shape ", shape_string(given), " into shape ")
    require_broadcast(given, shape, join_strings((*words, shape_string(shape))))


def _same(one: object, other: object) -> bool:
    """Whether two sizes are known to be equal."""
    return one is other or (isinstance(one, int) and isinstance(other, int) and one == other)


def _write_parts(x: Tensor, parts: list[Part], block: int) -> int:
    axes = axes_of(parts)
    start, size, step = spans(parts, x.sizes)
    whole = start == [0] * x.ndim and size == list(x.sizes) and step == [1] * x.ndim
    has_staged = any(isinstance(part, Pick) or (isinstance(part, Span) and part.moving) for part in axes)
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
    moving = [(axis, part) for axis, part in enumerate(axes) if isinstance(part, Span) and part.moving]
    shape = list(wrap(inner).shape)
    if len(moving) == 1 and not picks:
        axis, span = moving[0]
        shape[axis] = span.size
        assert span.moving is not None
        return emit("dynamic_update_slice", inner, emit_reshape(block, shape), span.moving.read(), axis)
    places = [axis for axis, _ in picks]
    if moving or places != list(range(places[0], places[-1] + 1)):
        raise staging_error("AG118", "this combination of staged indices is not supported in a write")
    picked = broadcast(*(part.indices.shape for _, part in picks))
    region = [*shape[: places[0]], *picked, *shape[places[-1] + 1 :]]
    value = emit_reshape(block, region)
    return emit("scatter", inner, value, [part.indices.read() for _, part in picks], places[0])
