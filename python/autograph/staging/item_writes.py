"""Writing items of staged arrays: ``x[i] = v``, ``x[a:b] = v``, ``x[rows, columns] = v``, ``x[mask] = v``.

The graph is functional: each write gives the whole array anew, and the tensor then stands for the
new value. The engine updates in place where the old value is dead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import ShapeError
from autograph.staging.frames import here
from autograph.staging.indexing import (
    Part,
    Pick,
    Span,
    axes_of,
    emit_reshape,
    is_mask,
    parse,
    result_shape,
    slice_spans,
    spans,
)
from autograph.staging.tensor import Kind, Tensor, emit, lift, wrap
from autograph.staging.trace import staging_error, type_error


def set_item(x: Tensor, index: Any, value: Any) -> None:
    """``x[index] = value`` of a staged array."""
    if x.kind is not Kind.ARRAY:
        raise type_error(f"'{x.describe()}' object does not support item assignment")
    source = lift(value)
    if is_mask(index):
        x.write(_write_mask(x, index, source))
        return
    parts = parse(x, index)
    block = _fit(source, x, result_shape(parts))
    x.write(_write_parts(x, parts, block))


def _write_mask(x: Tensor, mask: Any, source: Tensor) -> int:
    if mask.shape != x.shape[: len(mask.shape)]:
        raise staging_error("AG116", f"boolean index of shape {mask.shape} does not match {x.shape}")
    if source.size != 1:
        raise staging_error(
            "AG115",
            "how many values `x[mask] = values` takes depends on data",
            "use `x[...] = np.where(mask, values, x)` with values of the shape of x",
        )
    test = lift(mask)
    test_value = emit_reshape(test.read(), [*test.shape, *[1] * (x.ndim - test.ndim)])
    fitted = emit_reshape(_as_dtype_of(source, x), [])
    return emit("select", test_value, fitted, x.read())


def _as_dtype_of(source: Tensor, x: Tensor) -> int:
    return source.read() if source.dtype == x.dtype else emit("cast", source.read(), x.dtype.name)


def _fit(source: Tensor, x: Tensor, shape: list[int]) -> int:
    """The written value in the dtype of the array and the shape of what is selected."""
    value, given = _as_dtype_of(source, x), list(source.shape)
    while len(given) > len(shape) and given[0] == 1:
        given = given[1:]
    try:
        fits = np.broadcast_shapes(tuple(given), tuple(shape)) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ShapeError(
            f"could not broadcast input array from shape {source.shape} into shape {tuple(shape)}",
            code="AG102",
            location=here(),
        )
    value = emit_reshape(value, given)
    return value if given == shape else emit("broadcast", value, shape)


def _write_parts(x: Tensor, parts: list[Part], block: int) -> int:
    axes = axes_of(parts)
    start, size, step = spans(parts, x.shape)
    whole = start == [0] * x.ndim and size == list(x.shape) and step == [1] * x.ndim
    has_staged = any(isinstance(part, Pick) or (isinstance(part, Span) and part.moving) for part in axes)
    if not has_staged:
        shaped = emit_reshape(block, size)
        return shaped if whole else emit("update_slice", x.read(), shaped, start, step)
    inner = slice_spans(x.read(), x.shape, parts)
    updated = _write_staged(inner, parts, block)
    return updated if whole else emit("update_slice", x.read(), updated, start, step)


def _write_staged(inner: int, parts: list[Part], block: int) -> int:
    """Writes where staged integers say, into the region that the plain parts select."""
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
    picked = np.broadcast_shapes(*(part.indices.shape for _, part in picks))
    region = [*shape[: places[0]], *picked, *shape[places[-1] + 1 :]]
    value = emit_reshape(block, region)
    return emit("scatter", inner, value, [part.indices.read() for _, part in picks], places[0])
