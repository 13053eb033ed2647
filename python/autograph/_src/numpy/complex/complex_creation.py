"""Functions that make complex arrays: `np.zeros(3, complex)`, `np.array([z, 1.0])`, `np.full(2, 1j)`.

A real value in a complex array gets an imaginary part of zeros. A real dtype for complex elements is refused,
because it would discard their imaginary parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.registry import CREATORS
from autograph._src.numpy.complex.complex_casts import astype_complex
from autograph._src.numpy.complex.complex_dispatch import GENERIC, complex_overload
from autograph._src.numpy.creation.conversions import array_by, as_array_by
from autograph._src.staging.complex.complex_tensor import (
    ComplexTensor,
    as_complex,
    copied,
    is_complex,
    is_complex_dtype,
    made,
    part_dtype,
    refusal,
    zeros_of,
)
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.tensor import Form, Tensor


def _filled(value: object, shape: object, dtype: DTypeLike | None) -> ComplexTensor:
    """A complex array filled with one value."""
    source = lift(value)
    whole = np.dtype(dtype) if dtype is not None else source.dtype
    if whole.kind != "c":
        raise refusal(f"an array of dtype {whole}", source)
    part = part_dtype(whole)
    return made(*(CREATORS[np.full](shape, one, part) for one in as_complex(source, part).parts))


@complex_overload(np.zeros, np.empty)
def _zeros(
    shape: object, dtype: DTypeLike | None = None, order: object = "C", *, device: object = None
) -> ComplexTensor:
    return _filled(0, shape, dtype)


@complex_overload(np.ones)
def _ones(
    shape: object, dtype: DTypeLike | None = None, order: object = "C", *, device: object = None
) -> ComplexTensor:
    return _filled(1, shape, dtype)


@complex_overload(np.full)
def _full(
    shape: object,
    fill_value: object,
    dtype: DTypeLike | None = None,
    order: object = "C",
    *,
    device: object = None,
) -> ComplexTensor:
    return _filled(fill_value, shape, dtype)


def _like(value: object) -> Any:
    def create(
        a: object,
        dtype: DTypeLike | None = None,
        order: object = "K",
        subok: bool = True,
        shape: object = None,
        *,
        device: object = None,
    ) -> object:
        model = lift(a)
        wanted = model.dtype if dtype is None else dtype
        sizes = model.shape if shape is None else shape
        if not is_complex_dtype(wanted):
            return CREATORS[np.full](sizes, value, wanted)
        return _filled(value, sizes, wanted)

    return create


complex_overload(np.zeros_like, np.empty_like)(_like(0))
complex_overload(np.ones_like)(_like(1))


@complex_overload(np.full_like)
def _full_like(
    a: object,
    fill_value: object,
    dtype: DTypeLike | None = None,
    order: object = "K",
    subok: bool = True,
    shape: object = None,
    *,
    device: object = None,
) -> ComplexTensor:
    model = lift(a)
    return _filled(fill_value, model.shape if shape is None else shape, dtype or model.dtype)


@complex_overload(np.eye)
def _eye(
    N: Any,  # noqa: N803
    M: Any = None,  # noqa: N803
    k: int = 0,
    dtype: DTypeLike | None = float,
    order: object = "C",
) -> ComplexTensor:
    part = constant(np.eye(N, M, k), part_dtype(dtype), Form.ARRAY)
    return made(part, zeros_of(part))


@complex_overload(np.identity)
def _identity(n: object, dtype: DTypeLike | None = None) -> ComplexTensor:
    return _eye(n, dtype=dtype)


def _copied(a: object, dtype: DTypeLike | None = None, ndmin: int = 0) -> ComplexTensor:
    source = a if isinstance(a, Tensor) or not isinstance(a, (list, tuple)) else _stacked(a)
    x = lift(source)
    wanted = np.dtype(dtype) if dtype is not None else x.dtype
    if wanted.kind != "c":
        raise refusal(f"an array of dtype {wanted}", x)
    parts = [lift(part) for part in as_complex(x, part_dtype(wanted)).parts]
    lead = (1,) * max(ndmin - x.ndim, 0)
    return made(*(np.reshape(copied(part), (*lead, *part.shape)) for part in parts), form=Form.ARRAY)


def _stacked(values: Any) -> Any:
    """A nested sequence as one array, which is complex if any element is."""
    rows = [_stacked(value) if isinstance(value, (list, tuple)) else lift(value) for value in values]
    return np.stack(rows) if rows else np.array([])


_array = complex_overload(np.array)(array_by(_copied))
_asarray = complex_overload(np.asarray, np.asanyarray)(as_array_by(_copied))


@complex_overload(np.ascontiguousarray)
def _ascontiguousarray(a: object, dtype: DTypeLike | None = None, *, like: object = None) -> object:
    array = lift(_asarray(a, dtype, "C"))
    return array if array.shape else np.reshape(array, 1)


@complex_overload(np.arange)
def _arange(*bounds: Any, dtype: DTypeLike | None = None, **_: object) -> Tensor:
    if any(map(is_complex, bounds)):
        raise refusal("`np.arange` between complex bounds", next(filter(is_complex, bounds)))
    return astype_complex(lift(np.arange(*bounds, dtype=part_dtype(dtype))), dtype)


@complex_overload(np.linspace)
def _linspace(
    start: object,
    stop: object,
    num: int = 50,
    endpoint: bool = True,
    *,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    if dtype is not None and not is_complex_dtype(dtype):
        raise refusal(f"an array of dtype {np.dtype(dtype)}", start)
    whole = np.result_type(_dtype_of(start), _dtype_of(stop), 1.0)
    ends = [as_complex(end, part_dtype(np.result_type(whole, np.complex64))) for end in (start, stop)]
    pairs = zip(ends[0].parts, ends[1].parts, strict=True)
    parts = [CREATORS[np.linspace](first, last, num, endpoint, axis=axis) for first, last in pairs]
    result = made(*parts)
    wanted = np.dtype(dtype) if dtype is not None else np.result_type(whole, np.complex64)
    return result if result.dtype == wanted else astype_complex(result, wanted)


def _dtype_of(value: object) -> complex | np.dtype[Any]:
    x = lift(value)
    return {"c": 1j, "f": 1.0}.get(x.dtype.kind, 1) if x.form is Form.PYTHON else x.dtype


GENERIC.update((np.result_type, np.can_cast, np.min_scalar_type, np.isscalar, np.iterable))
GENERIC.update((np.shape, np.ndim, np.size))
if hasattr(np, "astype"):
    GENERIC.add(np.astype)
