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
from autograph._src.staging.tensors.index_parts import At, Cut, New, Part, Pick, Run, Span
from autograph._src.staging.tensors.indexing import fits_mask, has_ellipsis, is_mask, parse
from autograph._src.staging.tensors.item_conversions import as_items, refuse_depth, refuse_sequence
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.overlaps import refuse_overlap
from autograph._src.staging.tensors.part_writes import as_written, write_parts
from autograph._src.staging.tensors.selecting import emit_reshape
from autograph._src.staging.tensors.sizes import broadcast, differ, require_broadcast, shape_string
from autograph._src.staging.tensors.staged_strings import join_strings
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, shape_text, type_words
from autograph._src.staging.tensors.views import write_block
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import type_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.statements import records
from autograph.errors import ShapeError


@records(statements.set_item)
def set_item(x: Tensor, index: Any, value: object) -> None:
    """``x[index] = value`` of a staged array."""
    if x.form is not Form.ARRAY:
        raise type_error(f"'{type_words(x)}' object does not support item assignment")
    if has_own(value, "ag_written"):  # Of a dtype that the graph does not have.
        value = value.ag_written(x.dtype)
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
    written = as_written(parts, x)
    block = _fit(source, x, _selected_shape(written, x))
    if is_picked:
        x.write(write_parts(x, written, block))
    else:
        write_block(x, parts, written, block)


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
        elif isinstance(part, Run):
            shape.append(part.count)
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
