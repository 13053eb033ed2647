"""The tables of `narrow_dispatch`: for each NumPy function its kind, or its version for narrow values.

A few examples:

np.sum(x)           of int8 in int64, of uint8 and uint16 in uint64, as NumPy chooses
np.diff(x)          differences of the parts, of which the low bits count
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.registry import call_function, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import METHODS, NARROW_METHODS, apply, resolve_any
from autograph._src.numpy.narrow.narrow_dispatch import (
    CONVERTED,
    EACH,
    FITTED,
    GENERIC,
    MOVES,
    NOT_OF_FLOATS,
    PRODUCTS,
    WEAK,
    is_unsigned_64,
    narrow_overload,
    promoted,
    real_version,
)
from autograph._src.numpy.narrow.narrow_items import item_of
from autograph._src.numpy.narrow.narrow_ufuncs import WHOLE, as_result, refused
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.staging.narrow.carriers import CARRIERS, FLOAT16, UINT64
from autograph._src.staging.narrow.narrow_casts import converted, owned, widened
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor, is_narrow
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor

_MOVES = """
    a: reshape ravel transpose swapaxes moveaxis rollaxis squeeze expand_dims repeat take roll resize
    a: copy diagonal compress
    m: flip fliplr flipud rot90 tril triu
    v: diag diagflat
    A: tile
    x: unstack matrix_transpose linalg.matrix_transpose linalg.diagonal fft.fftshift fft.ifftshift
    tup: vstack hstack dstack column_stack
    ary: split array_split hsplit vsplit dsplit
    arr: delete extract take_along_axis
    arrays: stack concatenate block
    array: broadcast_to
    arys: atleast_1d atleast_2d atleast_3d
    args: broadcast_arrays
    xi: meshgrid
"""

_SEVERAL = {
    "where": ("x", "y"),
    "append": ("arr", "values"),
    "insert": ("arr", "values"),
    "select": ("choicelist", "default"),
    "choose": ("choices",),
    "put": ("a", "v"),
    "place": ("arr", "vals"),
    "putmask": ("a", "values"),
    "copyto": ("dst", "src"),
    "fill_diagonal": ("a", "val"),
    "put_along_axis": ("arr", "values"),
}

_FITTED = "insert put place putmask copyto fill_diagonal put_along_axis"

_PRODUCTS = {
    **dict.fromkeys(("dot", "inner", "outer", "tensordot", "kron", "cross", "vdot"), ("a", "b")),
    **dict.fromkeys(("convolve", "correlate"), ("a", "v")),
    **dict.fromkeys(("linalg.matmul", "linalg.outer", "linalg.tensordot", "linalg.cross"), ("x1", "x2")),
}

_IN_FLOAT64 = {"var": ("a",), "std": ("a",), "median": ("a",), "average": ("a", "weights")}

_GENERIC = """
    result_type can_cast min_scalar_type isscalar iterable shape ndim size isrealobj iscomplexobj common_type
    angle real real_if_close iscomplex isneginf isposinf fix asarray_chkfinite apply_along_axis
    apply_over_axes trim_zeros may_share_memory shares_memory diag_indices_from tril_indices_from
    triu_indices_from ravel_multi_index unravel_index digitize packbits vander polyval polyadd polysub
    cumulative_sum cumulative_prod trapezoid gradient corrcoef cov interp nanmax nanmin nanargmax nanargmin
    nansum nanprod nancumsum nancumprod nanmean nanmedian nanvar nanstd linalg.multi_dot linalg.trace
    linalg.vecdot quantile percentile nanquantile nanpercentile histogram histogram_bin_edges
"""


def _named(name: str) -> object:
    found: object = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _fill_tables() -> None:
    for line in _MOVES.strip().splitlines():
        parameter, _, names = line.strip().partition(":")
        MOVES.update({_named(name): (parameter,) for name in names.split() if _named(name) is not None})
    for table, entries in ((MOVES, _SEVERAL), (PRODUCTS, _PRODUCTS), (CONVERTED, _IN_FLOAT64)):
        table.update({_named(name): names for name, names in entries.items() if _named(name) is not None})
    EACH.update(map(_named, ("broadcast_arrays", "meshgrid", "atleast_1d", "atleast_2d", "atleast_3d")))
    FITTED.update(map(_named, _FITTED.split()))
    WEAK.update((np.where, np.select, np.choose))
    NOT_OF_FLOATS.update((np.cross, _named("linalg.cross")))
    GENERIC.update(found for found in map(_named, _GENERIC.split()) if found is not None)
    if hasattr(np, "astype"):
        GENERIC.add(np.astype)


_fill_tables()


# Sums


def _sum_dtype(x: Tensor, dtype: DTypeLike | None) -> np.dtype[Any]:
    """The dtype to sum in: 64 bits for integers, unless the program says another."""
    if dtype is not None:
        return np.dtype(dtype)
    return {"i": np.dtype(np.int64), "u": UINT64}.get(x.dtype.kind, x.dtype)


def _sums_along(function: Any, joined: np.ufunc, *, is_running: bool) -> None:
    """Registers a sum or product, or its running version; the ufunc joins two of its elements."""

    @narrow_overload(function)
    def implementation(
        a: object,
        axis: Any = None,
        dtype: DTypeLike | None = None,
        out: object = None,
        initial: object = np._NoValue,
        where: object = True,
        **options: object,
    ) -> Any:
        x = lift(a)
        wanted = _sum_dtype(x, dtype)
        if where is not True and where is not np._NoValue:
            x = lift(call_function(np.where, (where, x, x.dtype.type(joined is np.multiply)), {}))
        held = converted(x, wanted)
        if wanted not in CARRIERS:
            options = {"dtype": wanted, **options} | ({} if initial is np._NoValue else {"initial": initial})
            return call_function(function, (held,), {"axis": axis, **options})
        if wanted == FLOAT16 and (is_running or not _is_last(axis, x) or initial is not np._NoValue):
            raise refused(function, (a,))  # NumPy rounds after each step.
        assert isinstance(held, NarrowTensor)
        part = converted(held.part, np.dtype(np.int64)) if wanted.kind in "iu" else held.part
        result = as_result(real_version(function)(part, axis=axis, **options), wanted)
        if initial is np._NoValue:
            return result
        return apply(joined, result, item_of(initial, wanted, is_picked=False))


def _is_last(axis: object, x: Tensor) -> bool:
    return axis is None or (not isinstance(axis, tuple) and normal_axis(axis, x.ndim) == x.ndim - 1)


_sums_along(np.sum, np.add, is_running=False)
_sums_along(np.prod, np.multiply, is_running=False)
_sums_along(np.cumsum, np.add, is_running=True)
_sums_along(np.cumprod, np.multiply, is_running=True)


@narrow_overload(np.trace)
def _trace(
    a: Any,
    offset: Any = 0,
    axis1: Any = 0,
    axis2: Any = 1,
    dtype: DTypeLike | None = None,
    out: object = None,
) -> Any:
    return np.sum(np.diagonal(lift(a), offset, axis1, axis2), axis=-1, dtype=dtype)


@narrow_overload(np.mean)
def _mean(
    a: object, axis: object = None, dtype: DTypeLike | None = None, out: object = None, **options: object
) -> object:
    x = lift(a)
    if dtype is not None and np.dtype(dtype) in CARRIERS:
        raise unsupported_option(np.mean, "dtype")
    if x.dtype == FLOAT16 and dtype is None:  # NumPy sums float16 in float32 here.
        mean = call_function(np.mean, (converted(x, np.dtype(np.float32)),), {"axis": axis, **options})
        return as_result(mean, FLOAT16)
    wide = converted(x, np.dtype(np.float64 if dtype is None else dtype))
    return call_function(np.mean, (wide,), {"axis": axis, **options})


# Others


@narrow_overload(np.round, np.around)
def _round(a: object, decimals: Any = 0, out: object = None) -> Any:
    x = lift(a)
    if x.dtype == FLOAT16 and decimals == 0:
        return apply(np.rint, x)
    if x.dtype == FLOAT16 or decimals < 0:
        raise refused(np.round, (a,))
    return owned(x)


@narrow_overload(np.clip)
def _clip(
    a: object, a_min: object = np._NoValue, a_max: object = np._NoValue, out: object = None, **options: object
) -> object:
    x, low, high = lift(a), options.pop("min", None), options.pop("max", None)
    low, high = (a_min if a_min is not np._NoValue else low), (a_max if a_max is not np._NoValue else high)
    bounds = [one for one in (low, high) if one is not None]
    dtype = promoted([x, *bounds], is_weak=True)
    if options or any(_is_beyond(one, dtype) for one in bounds):
        raise refused(np.clip, (a,))
    found, *ends = (None if one is None else converted(one, dtype) for one in (x, low, high))
    assert found is not None
    if dtype not in CARRIERS:
        return call_function(np.clip, (found, *ends), {})
    for ufunc, bound in zip((np.maximum, np.minimum), ends, strict=True):
        found = found if bound is None else apply(ufunc, found, bound)
    return found if bounds else owned(found)


def _is_beyond(bound: object, dtype: np.dtype[Any]) -> bool:
    """Whether a bound may not fit into the dtype of the result."""
    if isinstance(bound, Tensor) and bound.form.value == "python":
        return True
    if type(bound) is int and dtype.kind in "iu":
        return not np.iinfo(dtype).min <= bound <= np.iinfo(dtype).max
    return False


@narrow_overload(np.diff)
def _diff(
    a: object, n: object = 1, axis: object = -1, prepend: object = np._NoValue, append: object = np._NoValue
) -> object:
    if prepend is not np._NoValue or append is not np._NoValue:
        raise unsupported_option(np.diff, "prepend" if prepend is not np._NoValue else "append")
    x = lift(a)
    if x.dtype == FLOAT16 and n != 1:
        raise refused(np.diff, (a,))
    assert isinstance(x, NarrowTensor)
    return as_result(real_version(np.diff)(x.part, n, axis), x.dtype)


@narrow_overload(np.bincount)
def _bincount(x: object, /, weights: object = None, minlength: object = 0) -> object:
    if is_unsigned_64(x) or is_narrow(weights):
        raise refused(np.bincount, (x, weights))
    counted, least = (widened(one) if is_narrow(one) else one for one in (x, minlength))
    return call_function(np.bincount, (counted, weights, least), {})


@narrow_overload(np.pad)
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    x = lift(array)
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap") or not isinstance(x, NarrowTensor):
        raise refused(np.pad, (array,))
    if options.keys() - {"constant_values"} or not isinstance(options.get("constant_values", 0), int):
        raise unsupported_option(np.pad, next(iter(options)))
    filling = options.get("constant_values", 0)
    if x.dtype.kind in "iu" and not np.iinfo(x.dtype).min <= filling <= np.iinfo(x.dtype).max:
        raise refused(np.pad, (array,))
    return NarrowTensor(real_version(np.pad)(x.part, pad_width, mode, **options), x.dtype)


@narrow_overload(np.einsum)
def _einsum(
    subscripts: object, *operands: object, out: object = None, optimize: object = False, **options: object
) -> object:
    dtype = promoted(list(operands), is_weak=False)
    if options or not isinstance(subscripts, str) or dtype == FLOAT16:
        raise refused(np.einsum, operands)
    held = [converted(one, dtype) for one in operands]
    if dtype not in CARRIERS:
        return call_function(np.einsum, (subscripts, *held), {})
    parts = [one.part for one in held if isinstance(one, NarrowTensor)]
    return as_result(real_version(np.einsum)(subscripts, *parts), dtype)


def _whole(ufunc: Any) -> None:
    """Registers a ufunc of matrices or vectors."""

    def implementation(a: Any, b: Any) -> Any:
        dtype = promoted([a, b], is_weak=False)
        held = [converted(one, dtype) for one in (a, b)]
        if dtype not in CARRIERS:
            return ufunc(*held)
        parts = [one.part for one in held if isinstance(one, NarrowTensor)]
        return as_result(ufunc(*parts), dtype)

    WHOLE[ufunc] = implementation


for _name in ("matmul", "vecdot", "vecmat", "matvec"):
    if hasattr(np, _name):
        _whole(getattr(np, _name))


def _method(ufunc: np.ufunc, function: Callable[..., Any]) -> Callable[..., Any]:
    """``ufunc.reduce`` or ``ufunc.accumulate``, whose default axis is 0, by the function that it is."""

    def method(a: object, axis: object = 0, dtype: DTypeLike | None = None, **options: object) -> object:
        extra = {} if dtype is None else {"dtype": dtype}
        return call_function(function, (lift(a),), {"axis": axis, **extra, **options})

    return method


_METHODS: dict[tuple[np.ufunc, str], Callable[..., Any]] = {
    (np.add, "reduce"): _method(np.add, np.sum),
    (np.multiply, "reduce"): _method(np.multiply, np.prod),
    (np.maximum, "reduce"): _method(np.maximum, np.max),
    (np.minimum, "reduce"): _method(np.minimum, np.min),
    (np.logical_or, "reduce"): _method(np.logical_or, np.any),
    (np.logical_and, "reduce"): _method(np.logical_and, np.all),
    (np.add, "accumulate"): _method(np.add, np.cumsum),
    (np.multiply, "accumulate"): _method(np.multiply, np.cumprod),
}
NARROW_METHODS.update(_METHODS)


def _of_parts(ufunc: np.ufunc, name: str) -> None:
    """Registers a ufunc method that gives elements, or bits of them, as the method of the part does."""
    of_part = METHODS[ufunc, name]

    def method(a: object, axis: object = 0, **options: object) -> Tensor:
        x = lift(a)
        if not isinstance(x, NarrowTensor) or options.keys() - {"keepdims"}:
            raise refused(getattr(ufunc, name), (a,))
        resolve_any(ufunc, (x.dtype, x.dtype))  # Floats have no bits to join.
        return NarrowTensor(lift(of_part(x.part, axis, **options)), x.dtype)

    NARROW_METHODS[ufunc, name] = method


for _ufunc in (np.bitwise_and, np.bitwise_or, np.bitwise_xor):
    _of_parts(_ufunc, "reduce")
    _of_parts(_ufunc, "accumulate")
