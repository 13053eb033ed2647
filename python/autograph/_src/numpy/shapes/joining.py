"""Functions that change sizes by known amounts: ``insert``, ``delete``, ``block``, ``meshgrid``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.arguments import Size
from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload, unsupported_option
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.numpy.shapes.shapes import concatenate, ravel
from autograph._src.staging.tensors.indexing import is_mask
from autograph._src.staging.tensors.item_conversions import as_items
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import both, compare
from autograph._src.staging.tensors.sizes import broadcast, is_known, positions, size_of
from autograph._src.staging.tensors.staged_strings import StagedString, join_strings
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import type_error, value_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.statements import record_error_unless
from autograph.errors import StagedIndexError


def _along(arr: object, axis: object) -> tuple[Tensor, int]:
    x = lift(arr)
    if axis is None:
        return (x if x.ndim == 1 else ravel(x)), 0
    return x, normal_axis(axis, x.ndim)


def _plain(function: Callable[..., Any], obj: object) -> Any:
    """The positions to change, which must be plain because the size of the result depends on them."""
    if holds_staged(obj):
        raise unsupported_option(function, "obj")
    return obj


def _is_one_place(obj: object, size: int | None) -> bool:
    """Whether the position is one integer that is staged, or that indexes an axis of unknown size."""
    if isinstance(obj, Tensor):
        return obj.ndim == 0 and obj.dtype.kind in "iu"
    return size is None and isinstance(obj, (int, np.integer)) and not isinstance(obj, bool)


def _position(obj: object, size: object, more: int, axis: int) -> Tensor:
    """A possibly negative index as a position; the axis has ``more`` positions beyond its elements."""
    index, extent = lift(size_of(obj)), lift(size)
    inside = both(compare("greater_equal", index, -extent), compare("less", index, extent + more))
    words = ("index ", StagedString(((index, "s", ""),)), f" is out of bounds for axis {axis} with size ")
    record_error_unless(inside, IndexError, join_strings((*words, StagedString(((size, "s", ""),)))))
    return lift(np.where(index < 0, index + extent, index))


@overload(np.delete)
def _delete(arr: object, obj: Any, axis: int | None = None) -> object:
    x, place = _along(arr, axis)
    if isinstance(obj, list) and holds_staged(obj):
        obj = lift(obj)
    if is_mask(obj) and isinstance(obj, Tensor):
        kept_by = lift(np.logical_not(obj))
        return x[(*(slice(None),) * place, kept_by)]
    if isinstance(obj, Tensor) and obj.ndim and obj.dtype.kind in "iu":
        is_kept = lift(positions(0, 1, x.shape[place]) >= 0)
        is_kept[obj] = False
        return x[(*(slice(None),) * place, is_kept)]
    if _is_one_place(obj, x.sizes[place]):
        size = x.shape[place]
        at = _position(obj, size, 0, place)
        rest = positions(0, 1, size - 1)
        return np.take(x, rest + (rest >= at), axis=place)
    try:
        kept = np.delete(np.arange(x.shape[place]), _plain(np.delete, obj))
    except IndexError as error:
        raise StagedIndexError(str(error), code="AG116", location=here()) from None
    return np.take(x, kept, axis=place)


@overload(np.insert)
def _insert(arr: object, obj: object, values: object, axis: object = None) -> object:
    x, place = _along(arr, axis)
    size = x.shape[place]
    given = lift(as_items(values, x.dtype, is_picked=True)).astype(x.dtype)
    if _is_one_place(obj, x.sizes[place]) and not given.ndim:
        at = _position(obj, size, 1, place)
        every = positions(0, 1, size + 1)
        edge = tuple(1 if one == place else extent for one, extent in enumerate(x.shape))
        block = wrap(emit("broadcast", given.read(), list(edge)), Form.ARRAY)
        order = np.where(every == at, size, every - (every > at))
        return np.take(concatenate([x, block], place), order, axis=place)
    indices = np.asarray(_plain(np.insert, obj)) if not isinstance(obj, slice) else np.arange(size)[obj]
    if indices.dtype.kind == "b" or x.ndim == 0:
        raise unsupported_option(np.insert, "obj")
    if indices.size == 1:
        given = np.reshape(given, (1,) * (x.ndim - given.ndim) + given.shape)
        if indices.ndim == 0:
            given = np.moveaxis(given, 0, place)
        count = given.shape[place]
    else:
        count = indices.size
    try:
        marks = np.arange(size, size + count)
        where = int(indices.ravel()[0]) if indices.size == 1 else indices.astype(np.int64)
        order = np.insert(np.arange(size), where, marks)
    except IndexError as error:
        raise StagedIndexError(str(error), code="AG116", location=here()) from None
    shape = tuple(count if axis_ == place else extent for axis_, extent in enumerate(x.shape))
    block = wrap(emit("broadcast", given.read(), list(shape)), Form.ARRAY)
    return np.take(concatenate([x, block], place), order, axis=place)


@overload(np.broadcast_arrays)
def _broadcast_arrays(*args: object, subok: bool = False) -> tuple[Any, ...]:
    arrays = [lift(array) for array in args]
    shape = tuple(broadcast(*(array.shape for array in arrays)))

    def is_of_shape(array: Tensor) -> bool:
        return is_known((*array.shape, *shape)) and array.sizes == shape and array.form is Form.ARRAY

    return tuple(array if is_of_shape(array) else np.broadcast_to(array, shape) for array in arrays)


@overload(np.ediff1d)
def _ediff1d(ary: object, to_end: object = None, to_begin: object = None) -> object:
    x = lift(np.ravel(lift(ary)))
    if x.dtype.kind == "b":
        raise type_error("numpy boolean subtract, the `-` operator, is not supported")
    parts = [np.diff(x)]
    for given, is_first in ((to_begin, True), (to_end, False)):
        if given is not None:
            end = lift(given)
            if not np.can_cast(end.dtype, x.dtype, "same_kind"):
                raise type_error(
                    "dtype of the ends must be compatible with input `ary` under the `same_kind` rule."
                )
            parts.insert(0 if is_first else len(parts), np.ravel(end.astype(x.dtype)))
    return concatenate(parts) if len(parts) > 1 else parts[0]


@overload(np.meshgrid)
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> object:
    if indexing not in ("xy", "ij"):
        raise value_error("Valid values for `indexing` are 'xy' and 'ij'.")
    if not copy:
        raise unsupported_option(np.meshgrid, "copy")
    count = len(xi)
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = [1, 0]
    grids = [
        np.reshape(lift(x), [lift(x).size if axis == place else 1 for axis in range(count)])
        for x, place in zip(xi, places, strict=True)
    ]
    return tuple(map(np.copy, grids if sparse else _broadcast_arrays(*grids)))


@overload(np.block)
def _block(arrays: ArrayLike) -> object:
    depth = _depth(arrays)
    rank = max([depth, *(lift(leaf).ndim for leaf in _leaves(arrays))])

    def joined(part: object, level: int) -> Any:
        if not isinstance(part, list):
            leaf = lift(part)
            return np.reshape(leaf, (1,) * (rank - leaf.ndim) + leaf.shape)
        return concatenate([joined(one, level - 1) for one in part], rank - level)

    return np.copy(joined(arrays, depth))


def _depth(part: object) -> int:
    if isinstance(part, tuple):
        raise type_error("arrays is a tuple. Only lists can be used to arrange blocks")
    if not isinstance(part, list):
        return 0
    depths = {_depth(one) for one in part}
    if len(depths) != 1:
        raise value_error("List depths are mismatched" if depths else "List at arrays cannot be empty")
    return 1 + depths.pop()


def _leaves(part: object) -> list[Any]:
    return [leaf for one in part for leaf in _leaves(one)] if isinstance(part, list) else [part]


@overload(np.diagflat)
def _diagflat(v: object, k: int = 0) -> object:
    return np.diag(np.ravel(lift(v)), k)


@overload(np.vander)
def _vander(x: ArrayLike, N: Size | None = None, increasing: bool = False) -> object:  # noqa: N803
    vector = lift(x)
    if vector.ndim != 1:
        raise value_error("x must be a one-dimensional array or sequence.")
    count = vector.size if N is None else N
    dtype = np.promote_types(vector.dtype, int)
    column = np.reshape(vector.astype(dtype), (-1, 1))
    ones = np.ones_like(column)
    columns = concatenate([lift(ones)] + [lift(column)] * (count - 1), 1) if count > 1 else lift(ones)
    powers = np.cumprod(columns, axis=1)[:, :count]
    return np.copy(powers if increasing else powers[:, ::-1])
