"""``sort``, ``partition`` and their orders. Equal elements keep theirs, as with NumPy's ``kind="stable"``."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import overload, unsupported_option
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import ensure, equal, positions
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import type_error, value_error


@overload(np.argsort)
def argsort(
    a: object, axis: object = -1, kind: object = None, order: object = None, *, stable: object = None
) -> Tensor:
    """``np.argsort``; NaN goes last."""
    if order is not None:
        raise unsupported_option(np.argsort, "order")
    x, axis = _along(a, axis)
    return wrap(emit("arg_sort", x.read(), axis), Form.ARRAY)


@overload(np.sort)
def sort(
    a: object, axis: object = -1, kind: object = None, order: object = None, *, stable: object = None
) -> Tensor:
    """``np.sort``; NaN goes last."""
    if order is not None:
        raise unsupported_option(np.sort, "order")
    x, axis = _along(a, axis)
    return wrap(emit("sort", x.read(), axis), Form.ARRAY)


def _along(a: object, axis: object) -> tuple[Tensor, int]:
    x = lift(a)
    if axis is None:
        return wrap(emit("reshape", x.read(), [x.size]), Form.ARRAY), 0
    return x, normal_axis(axis, x.ndim)


def take_along(x: Tensor, places: Any, axis: int) -> Tensor:
    """The elements at positions along an axis, as by ``np.take_along_axis``; other axes are equal."""
    if x.ndim == 1:
        return wrap(lift(x[places]).read(), Form.ARRAY)
    last = np.moveaxis(x, axis, -1)  # type: ignore[type-var]
    chosen = np.moveaxis(places, axis, -1)
    lines, size = math.prod(last.shape[:-1]), last.shape[-1]
    starts = positions(0, 1, lines)[:, np.newaxis] * size
    flat = np.reshape(last, (lines * size,))[np.reshape(chosen, (lines, chosen.shape[-1])) + starts]
    moved = np.moveaxis(np.reshape(flat, chosen.shape), -1, axis)
    return wrap(emit("reshape", lift(moved).read(), list(moved.shape)), Form.ARRAY)


@overload(np.partition)
def _partition(
    a: object, kth: object, axis: object = -1, kind: object = None, order: object = None
) -> Tensor:
    x, place = _along(a, axis)
    ranks = _ranks(x.shape[place], kth)
    if ranks is None or order is not None:
        return sort(x, place, order=order)
    return partition_at(x, place, ranks)


@overload(np.argpartition)
def _argpartition(
    a: object, kth: object, axis: object = -1, kind: object = None, order: object = None
) -> Tensor:
    x, place = _along(a, axis)
    ranks = _ranks(x.shape[place], kth)
    if ranks is None or order is not None:
        return argsort(x, place, order=order)
    return wrap(emit("arg_partition", x.read(), place, ranks), Form.ARRAY)


_MANY = 16
"""More ranks than this are found by sorting."""


def partition_at(x: Tensor, axis: int, ranks: Iterable[int]) -> Tensor:
    """The array, with the elements at these ranks of an axis where sorting puts them."""
    distinct = sorted(set(ranks))
    if len(distinct) > _MANY:
        return lift(sort(x, axis))
    return wrap(emit("partition", x.read(), axis, distinct), Form.ARRAY)


def _ranks(size: Tensor | int, kth: Any) -> list[int] | None:
    """The ranks that ``kth`` says, ascending; none where only the run knows how many there are."""
    if isinstance(kth, Tensor):
        raise unsupported_option(np.partition, "kth")
    if np.asarray(kth).dtype.kind not in "iu" or np.ndim(kth) > 1:
        raise type_error("Partition index must be integer")
    for one in np.ravel(kth).tolist():
        if isinstance(size, int) and size and not -size <= one < size:
            raise value_error(f"kth(={one}) out of bounds ({size})")
    if not isinstance(size, int):
        return None
    return sorted({one % size for one in np.ravel(kth).tolist()}) if size else []


@overload(np.lexsort)
def _lexsort(keys: Any, axis: int = -1) -> Tensor:
    order: Any = None
    if (not isinstance(keys, (list, tuple)) and lift(keys).shape[:1] in ((), (0,))) or len(keys) == 0:
        raise type_error("need sequence of keys with len > 0 in lexsort")
    arrays = [lift(key) for key in keys]
    for key in arrays:
        for size, wanted in zip(key.shape, arrays[0].shape, strict=False):
            ensure(equal(size, wanted), value_error("all keys need to be the same shape"))
        if key.ndim != arrays[0].ndim:
            raise value_error("all keys need to be the same shape")
        x, place = _along(key, axis)
        if order is None:
            order = argsort(x, place)
        else:
            order = take_along(order, argsort(take_along(x, order, place), place), place)
    return order  # type: ignore[no-any-return]
