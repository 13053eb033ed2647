"""Functions that make arrays. In a trace their results are staged, so that the program can write to them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from autograph._src.numpy.calls.options import is_unsigned
from autograph._src.numpy.calls.registry import creator, overload, unsupported_option
from autograph._src.numpy.creation.conversions import array_by, as_array_by
from autograph._src.staging.tensors.item_conversions import as_items
from autograph._src.staging.tensors.item_writes import require_input
from autograph._src.staging.tensors.layouts import order_of
from autograph._src.staging.tensors.lifting import check_dtype, constant, lift
from autograph._src.staging.tensors.memory import C_ORDER
from autograph._src.staging.tensors.sizes import is_known, largest, positions, size_of, sizes_given
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import type_error, value_error
from autograph._src.staging.trace.statements import items_of
from autograph.errors import DtypeError


def _filled(value: object, shape: object, dtype: DTypeLike | None) -> Tensor:
    given = None if dtype is None else np.dtype(dtype)
    sizes = sizes_given(shape)
    source = lift(value)
    wanted = source.dtype if given is None else given
    check_dtype(wanted)
    if source.form is Form.PYTHON and source.dtype.kind == "i":
        source = as_items(value, wanted, is_picked=True)
    require_input(list(source.shape), sizes)
    scalar = source.read() if source.dtype == wanted else emit("cast", source.read(), wanted.name)
    return wrap(emit("broadcast", scalar, sizes), Form.ARRAY)


def _ordered(made: Tensor, order: object) -> Tensor:
    """A new array, noted as one in C order if it is asked for in that."""
    made.memory.order = C_ORDER if order in ("C", None) else None
    return made


@creator(np.zeros, np.empty)
def _zeros(
    shape: object, dtype: DTypeLike | None = float, order: object = "C", *, device: object = None
) -> Tensor:
    return _ordered(_filled(0, shape, dtype if dtype is not None else float), order)


@creator(np.ones)
def _ones(
    shape: object, dtype: DTypeLike | None = None, order: object = "C", *, device: object = None
) -> Tensor:
    return _ordered(_filled(1, shape, dtype if dtype is not None else float), order)


@creator(np.full)
def _full(
    shape: object,
    fill_value: object,
    dtype: DTypeLike | None = None,
    order: object = "C",
    *,
    device: object = None,
) -> Tensor:
    return _ordered(_filled(fill_value, shape, dtype), order)


@overload(np.zeros_like, np.empty_like)
def _zeros_like(
    a: object,
    dtype: DTypeLike | None = None,
    order: object = "K",
    subok: bool = True,
    shape: object = None,
    *,
    device: object = None,
) -> Tensor:
    return _filled_like(a, 0, dtype, shape)


@overload(np.ones_like)
def _ones_like(
    a: object,
    dtype: DTypeLike | None = None,
    order: object = "K",
    subok: bool = True,
    shape: object = None,
    *,
    device: object = None,
) -> Tensor:
    return _filled_like(a, 1, dtype, shape)


def _filled_like(a: object, value: object, dtype: DTypeLike | None, shape: object) -> Tensor:
    like = a if isinstance(a, (np.ndarray, np.generic)) else lift(a)
    return _filled(value, like.shape if shape is None else shape, like.dtype if dtype is None else dtype)


@overload(np.full_like)
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
    return _filled_like(a, fill_value, dtype, shape)


@creator(np.eye)
def eye(N: Any, M: Any = None, k: Any = 0, dtype: DTypeLike | None = float, order: object = "C") -> Tensor:  # noqa: N803
    """``np.eye``; the size may be staged."""
    dtype = np.dtype(dtype)
    sizes = sizes_given([N, N if M is None else M])
    if is_known((*sizes, k)):
        return constant(np.eye(sizes[0], sizes[1], k, dtype), dtype, Form.ARRAY)
    rows, columns = (positions(0, 1, size) for size in sizes)
    return lift((rows[:, np.newaxis] + k == columns).astype(dtype))


@creator(np.identity)
def _identity(n: object, dtype: DTypeLike | None = None) -> Tensor:
    return eye(n, dtype=float if dtype is None else dtype)


@creator(np.ascontiguousarray)
def _ascontiguousarray(a: object, dtype: DTypeLike | None = None, *, like: object = None) -> object:
    array = _asarray(a, dtype, "C")
    return array if array.shape else np.reshape(array, 1)


def _copied(a: object, dtype: DTypeLike | None = None, ndmin: int = 0) -> Tensor:
    source = lift(a) if dtype is None else as_items(a, np.dtype(dtype), is_picked=True)
    wanted = source.dtype if dtype is None else np.dtype(dtype)
    check_dtype(wanted)
    value = source.read() if source.dtype == wanted else emit("cast", source.read(), wanted.name)
    rank = max(ndmin, source.ndim)
    sizes = [1] * (rank - source.ndim) + list(source.shape)
    return wrap(emit("reshape", value, sizes), Form.ARRAY)


_array = creator(np.array)(array_by(_copied))
_asarray = creator(np.asarray, np.asanyarray)(as_array_by(_copied))


@creator(np.fromiter)
def _fromiter(iter: Any, dtype: DTypeLike | None, count: int = -1, *, like: object = None) -> Tensor:
    dtype = np.dtype(dtype)
    is_plain = isinstance(iter, Iterator) and count >= 0
    if isinstance(iter, Tensor) and iter.ndim > 1:
        raise value_error("setting an array element with a sequence.")
    values = items_of(itertools.islice(iter, count) if is_plain else iter)
    if hasattr(type(values), "stacked"):
        if count >= 0:
            raise unsupported_option(np.fromiter, "count")
        return _copied(values, dtype)
    if len(values) < count:
        raise value_error(f"iterator too short: Expected {count} but iterator had only {len(values)} items.")
    taken = values if count < 0 else values[:count]
    return _copied(taken, dtype) if taken else _filled(0, (0,), dtype)


@overload(np.copy)
def _copy(a: object, order: object = "K", subok: bool = False) -> Tensor:
    source = lift(a)
    made = wrap(emit("reshape", source.read(), list(source.shape)), Form.ARRAY)
    made.memory.order = C_ORDER if order == "C" else order_of(source) if order == "K" else None
    return made


@creator(np.tri)
def _tri(N: object, M: object = None, k: object = 0, dtype: DTypeLike | None = float) -> object:  # noqa: N803
    if is_unsigned(N if M is None else M) and not (type(k) is int and k == 0):
        raise _unsigned_diagonal()
    rows, columns = (largest(0, size_of(one)) for one in (N, N if M is None else M))
    return lift(_is_in_triangle(rows, columns, k)).astype(dtype)


def _unsigned_diagonal() -> DtypeError:
    return type_error("NumPy subtracts the diagonal from the columns, and an unsigned number wraps: `int(n)`")


def _is_below(m: Tensor, k: object) -> Any:
    """The mask of ``np.tri`` for the matrices of an array: true on and below the diagonal ``k``."""
    if not m.ndim:
        raise type_error("tri() missing 1 required positional argument: 'N'")
    rows, columns = m.shape[-2:] if m.ndim > 1 else m.shape * 2
    return _is_in_triangle(rows, columns, k)


def _is_in_triangle(rows: Any, columns: Any, k: Any) -> object:
    if is_unsigned(k):
        raise _unsigned_diagonal()
    if is_known((rows, columns, k)):
        return np.tri(rows, columns, k, dtype=bool)
    return positions(0, 1, rows)[:, np.newaxis] + k >= positions(0, 1, columns)


def _triangle(m: Tensor, keep: Any) -> object:
    return np.where(keep, m, m.dtype.type(0))


@overload(np.tril_indices_from)
def _tril_indices_from(arr: Any, k: int = 0) -> object:
    return np.tril_indices(_matrix_rows(arr), k, arr.shape[-1])


@overload(np.triu_indices_from)
def _triu_indices_from(arr: Any, k: int = 0) -> object:
    return np.triu_indices(_matrix_rows(arr), k, arr.shape[-1])


def _matrix_rows(array: Any) -> int:
    if array.ndim != 2:
        raise value_error("input array must be 2-d")
    return int(array.shape[-2])


@creator(np.asarray_chkfinite)
def _asarray_chkfinite(a: Any, dtype: DTypeLike | None = None, order: Any = None) -> object:
    if not isinstance(a, (Tensor, list, tuple)):
        return np.asarray_chkfinite(a, dtype, order)
    array = lift(_asarray(a, dtype))
    is_finite = lift(np.all(np.isfinite(array)))
    emit("check", is_finite.read(), "ValueError", "array must not contain infs or NaNs")
    return array


@overload(np.tril)
def _tril(m: object, k: int = 0) -> object:
    x = lift(m)
    return _triangle(x, _is_below(x, k))


@overload(np.triu)
def _triu(m: ArrayLike, k: int = 0) -> object:
    x = lift(m)
    return _triangle(x, np.logical_not(_is_below(x, k - 1)))
