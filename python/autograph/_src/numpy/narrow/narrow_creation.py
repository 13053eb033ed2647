"""Functions that make narrow arrays: ``np.zeros(3, np.int16)``, ``np.array([x, 1])``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.registry import CREATORS, unsupported_option
from autograph._src.numpy.creation.conversions import array_by, as_array_by
from autograph._src.numpy.narrow.narrow_dispatch import narrow_overload, promoted
from autograph._src.numpy.narrow.narrow_items import item_of
from autograph._src.numpy.narrow.narrow_ufuncs import as_result, refused
from autograph._src.staging.narrow.carriers import CARRIERS, FLOAT16, is_narrow_dtype
from autograph._src.staging.narrow.narrow_casts import converted, owned
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor, is_narrow
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import reformed
from autograph._src.staging.tensors.tensor import Form, Tensor


def _filled(value: object, shape: object, dtype: DTypeLike | None) -> Tensor:
    """An array filled with one value."""
    wanted = lift(value).dtype if dtype is None else np.dtype(dtype)
    if wanted not in CARRIERS:
        return lift(CREATORS[np.full](shape, converted(value, wanted), wanted))
    held = item_of(value, wanted, is_picked=True)
    return NarrowTensor(lift(CREATORS[np.full](shape, held.part, held.part.dtype)), wanted)


def _of_number(number: int) -> Callable[..., Tensor]:
    def create(
        shape: object, dtype: DTypeLike | None = None, order: object = "C", *, device: object = None
    ) -> Tensor:
        return _filled(np.dtype(dtype).type(number), shape, dtype)

    return create


narrow_overload(np.zeros, np.empty)(_of_number(0))
narrow_overload(np.ones)(_of_number(1))


@narrow_overload(np.full)
def _full(
    shape: object,
    fill_value: object,
    dtype: DTypeLike | None = None,
    order: object = "C",
    *,
    device: object = None,
) -> Tensor:
    return _filled(fill_value, shape, dtype)


def _like(number: int) -> Callable[..., Tensor]:
    def create(
        a: object,
        dtype: DTypeLike | None = None,
        order: object = "K",
        subok: bool = True,
        shape: object = None,
        *,
        device: object = None,
    ) -> Tensor:
        model = lift(a)
        wanted = model.dtype if dtype is None else np.dtype(dtype)
        return _filled(wanted.type(number), model.shape if shape is None else shape, wanted)

    return create


narrow_overload(np.zeros_like, np.empty_like)(_like(0))
narrow_overload(np.ones_like)(_like(1))


@narrow_overload(np.full_like)
def _full_like(
    a: object,
    fill_value: object,
    dtype: DTypeLike | None = None,
    order: object = "K",
    subok: bool = True,
    shape: object = None,
    *,
    device: object = None,
) -> Tensor:
    model = lift(a)
    return _filled(fill_value, model.shape if shape is None else shape, dtype or model.dtype)


@narrow_overload(np.eye)
def _eye(
    N: object,  # noqa: N803
    M: object = None,  # noqa: N803
    k: object = 0,
    dtype: DTypeLike | None = float,
    order: object = "C",
) -> Tensor:
    wanted = np.dtype(dtype)
    if wanted not in CARRIERS or any(map(is_narrow, (N, M, k))):
        raise refused(np.eye, (N, M, k))
    return NarrowTensor(lift(CREATORS[np.eye](N, M, k, CARRIERS[wanted])), wanted)


@narrow_overload(np.identity)
def _identity(n: object, dtype: DTypeLike | None = None) -> Tensor:
    return _eye(n, dtype=dtype)


def _copied(a: object, dtype: DTypeLike | None = None, ndmin: int = 0) -> Tensor:
    is_sequence = isinstance(a, (list, tuple))
    if dtype is not None and np.dtype(dtype) in CARRIERS:
        made: Tensor = item_of(a, np.dtype(dtype), is_picked=True)
    elif is_sequence:
        made = lift(_stacked(a))
        made = made if dtype is None else converted(made, np.dtype(dtype))
    else:
        made = lift(a) if dtype is None else converted(a, np.dtype(dtype))
    made = reformed(owned(made), Form.ARRAY)
    lead = (1,) * max(ndmin - made.ndim, 0)
    return lift(np.reshape(made, (*lead, *made.shape))) if lead else made


def _stacked(values: Any) -> Any:
    """A nested sequence as one array, of the dtype that NumPy promotes its elements to."""
    rows = [_stacked(value) if isinstance(value, (list, tuple)) else lift(value) for value in values]
    if not rows:
        return np.array([])
    dtype = promoted(rows, is_weak=False)
    return np.stack([converted(row, dtype) for row in rows])


_array = narrow_overload(np.array)(array_by(_copied))
_asarray = narrow_overload(np.asarray, np.asanyarray)(as_array_by(_copied))


@narrow_overload(np.ascontiguousarray)
def _ascontiguousarray(a: object, dtype: DTypeLike | None = None, *, like: object = None) -> Tensor:
    array = lift(_asarray(a, dtype, "C"))
    return array if array.shape else lift(np.reshape(array, 1))


@narrow_overload(np.arange)
def _arange(*bounds: object, dtype: DTypeLike | None = None, **options: object) -> Tensor:
    if any(map(is_narrow, bounds)) or any(map(is_narrow_dtype, bounds)) or options:
        raise refused(np.arange, bounds)
    wanted = np.dtype(dtype)
    if any(lift(one).dtype.kind not in "biu" for one in bounds) or wanted == FLOAT16:
        raise unsupported_option(np.arange, "dtype")
    counted = CREATORS[np.arange](*bounds, dtype=np.dtype(np.int64))
    return as_result(converted(counted, CARRIERS[wanted]), wanted)


@narrow_overload(np.linspace)
def _linspace(
    start: object, stop: object, num: object = 50, endpoint: bool = True, retstep: bool = False,
    dtype: DTypeLike | None = None, axis: int = 0,
) -> Tensor:  # fmt: skip
    if any(map(is_narrow, (start, stop, num))) or retstep or dtype is None:
        raise refused(np.linspace, (start, stop, num))
    found = CREATORS[np.linspace](start, stop, num, endpoint, axis=axis)
    wanted = np.dtype(dtype)
    return owned(converted(np.floor(found) if wanted.kind in "iu" else found, wanted))
