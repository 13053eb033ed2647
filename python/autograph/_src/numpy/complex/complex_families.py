"""The tables of `complex_dispatch`: for each NumPy function its kind, or its version for complex values.

A few examples:

np.mean(z)        mean of both parts
np.prod(z)        products of pairs, of pairs of pairs, …
np.std(z)         root of the mean of abs(z - mean(z)) ** 2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from autograph._src.numpy.calls.arguments import Axis
from autograph._src.numpy.calls.registry import OVERLOADS, call_function, refuse_options
from autograph._src.numpy.complex.complex_dispatch import (
    EACH,
    GENERIC,
    MOVES,
    PRODUCTS,
    WRITES,
    complex_overload,
    product_of,
)
from autograph._src.numpy.complex.complex_ufuncs import refused
from autograph._src.numpy.elementwise import ufuncs
from autograph._src.numpy.elementwise.comparisons import as_python
from autograph._src.numpy.elementwise.roots import root_of_sum
from autograph._src.numpy.elementwise.ufuncs import store
from autograph._src.numpy.reductions.reductions import normal_axes, normal_axis, reduced_size
from autograph._src.operators.written import FUNCTIONS_THAT_WRITE
from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import value_error

_MOVES = """
    a: reshape ravel transpose swapaxes moveaxis rollaxis squeeze expand_dims repeat take roll resize
    a: copy sum mean cumsum trace diagonal compress around round diff
    m: flip fliplr flipud rot90 tril triu
    v: diag diagflat
    A: tile
    x: nan_to_num unstack matrix_transpose linalg.matrix_transpose linalg.diagonal linalg.trace
    x: fft.fftshift fft.ifftshift cumulative_sum
    y: trapezoid
    tup: vstack hstack dstack column_stack
    ary: split array_split hsplit vsplit dsplit
    arr: delete extract take_along_axis
    arrays: stack concatenate block
    array: broadcast_to
    arys: atleast_1d atleast_2d atleast_3d
    args: broadcast_arrays
    xi: meshgrid
    f: gradient
"""

_SEVERAL = {
    "sum": ("a", "initial"),
    "diff": ("a", "prepend", "append"),
    "where": ("x", "y"),
    "append": ("arr", "values"),
    "insert": ("arr", "values"),
    "select": ("choicelist", "default"),
    "choose": ("choices",),
    "pad": ("array", "constant_values", "end_values"),
    "ediff1d": ("ary", "to_end", "to_begin"),
    "interp": ("fp", "left", "right"),
    "nan_to_num": ("x",),
    "concatenate": ("arrays",),
    "put": ("a", "v"),
    "place": ("arr", "vals"),
    "putmask": ("a", "values"),
    "copyto": ("dst", "src"),
    "fill_diagonal": ("a", "val"),
    "put_along_axis": ("arr", "values"),
}

_PRODUCTS = {
    "dot": ("a", "b"),
    "inner": ("a", "b"),
    "outer": ("a", "b"),
    "tensordot": ("a", "b"),
    "kron": ("a", "b"),
    "cross": ("a", "b"),
    "convolve": ("a", "v"),
    "linalg.matmul": ("x1", "x2"),
    "linalg.outer": ("x1", "x2"),
    "linalg.tensordot": ("x1", "x2"),
    "linalg.cross": ("x1", "x2"),
}

_GENERIC = """
    angle real imag isreal iscomplex isrealobj iscomplexobj common_type apply_along_axis apply_over_axes
    sinc polyval polyadd polysub average
    linalg.matrix_power linalg.multi_dot linalg.solve linalg.inv linalg.tensorsolve linalg.tensorinv
    linalg.cholesky linalg.qr linalg.eigh linalg.eigvalsh linalg.svd linalg.svdvals linalg.det linalg.slogdet
    linalg.pinv linalg.lstsq linalg.matrix_rank linalg.cond linalg.matrix_norm
"""


def _named(name: str) -> object:
    found: object = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _fill_tables() -> None:
    for line in _MOVES.strip().splitlines():
        parameter, _, names = line.strip().partition(":")
        for name in names.split():
            if _named(name) is not None:
                MOVES[_named(name)] = (parameter,)
    for table, entries in ((MOVES, _SEVERAL), (PRODUCTS, _PRODUCTS)):
        for name, parameters in entries.items():
            if _named(name) is not None:
                table[_named(name)] = parameters
    WRITES.update(FUNCTIONS_THAT_WRITE)
    EACH.update(map(_named, ("broadcast_arrays", "meshgrid", "atleast_1d", "atleast_2d", "atleast_3d")))
    GENERIC.update(_named(name) for name in _GENERIC.split() if _named(name) is not None)


_fill_tables()


# Sums and products


def _numbers(a: object, dtype: DTypeLike | None, function: object) -> ComplexTensor:
    """The elements in the dtype to compute in, which must be complex."""
    x = lift(a)
    wanted = np.dtype(dtype) if dtype is not None else x.dtype
    if wanted.kind != "c":
        raise refused(function, (a,))
    converted = x if wanted == x.dtype else x.astype(wanted)
    assert isinstance(converted, ComplexTensor)
    return converted


def _known_size(x: Tensor, axis: int, function: object) -> int:
    size = x.sizes[axis]
    if size is None:
        raise refused(function, (x,))
    return size


@complex_overload(np.prod)
def _prod(
    a: object,
    axis: object = None,
    dtype: DTypeLike | None = None,
    out: object = None,
    keepdims: object = False,
    initial: object = np._NoValue,
    where: object = np._NoValue,
) -> object:
    refuse_options(np.prod, {"where": None if where is True else where})
    x = _numbers(a, dtype, np.prod)
    # NumPy starts with a factor of one, which affects the signs of zeros.
    result = over_axes(x, axis, keepdims, _product_of_rows) * x.dtype.type(1)
    return store(result if initial is np._NoValue else result * initial, out)


def over_axes(x: ComplexTensor, axis: object, keepdims: object, along_first: Callable[[Any], Any]) -> object:
    """A reduction of some axes, computed by a function that reduces the first axis."""
    axes = normal_axes(axis, x.ndim)
    kept = [one for one in range(x.ndim) if one not in axes]
    result: Any = np.transpose(x, [*axes, *kept])
    for _ in axes:
        result = along_first(result)
    if keepdims is True:
        sizes = tuple(1 if one in axes else size for one, size in enumerate(x.shape))
        result = np.reshape(result, sizes)
    return result if result.sizes else result[()]


def _product_of_rows(x: Any) -> object:
    if not _known_size(x, 0, np.prod):
        return call_function(np.ones, (x.shape[1:], x.dtype), {})
    return folded(x, np.multiply)


def folded(x: Any, joined: np.ufunc) -> object:
    """The rows combined into one: neighbours in pairs, then the pairs, and so on."""
    count = int(x.sizes[0])
    while count > 1:
        half = count // 2
        pairs = joined(x[: 2 * half : 2], x[1 : 2 * half : 2])
        x = np.concatenate([pairs, x[2 * half :]]) if count % 2 else pairs
        count = half + count % 2
    return x[0]


@complex_overload(np.cumprod)
def _cumprod(a: object, axis: object = None, dtype: DTypeLike | None = None, out: object = None) -> Any:
    x: Any = _numbers(a, dtype, np.cumprod)
    x = np.ravel(x) if axis is None else x
    place = normal_axis(0 if axis is None else axis, x.ndim)
    size, step, lead = _known_size(x, place, np.cumprod), 1, (slice(None),) * place
    result: Any = np.copy(x)
    while step < size:
        # Each element is the product of `step` elements so far; this step doubles their number.
        joined = result[(*lead, slice(None, -step))] * result[(*lead, slice(step, None))]
        result = np.concatenate([result[(*lead, slice(None, step))], joined], axis=place)
        step *= 2
    return store(result, out)


if hasattr(np, "cumulative_prod"):

    @complex_overload(np.cumulative_prod)
    def _cumulative_prod(
        x: Any,
        /,
        *,
        axis: int | None = None,
        dtype: DTypeLike | None = None,
        out: object = None,
        include_initial: bool = False,
    ) -> object:
        if axis is None and lift(x).ndim > 1:
            raise value_error("For arrays which have more than one dimension ``axis`` argument is required.")
        place = normal_axis(0 if axis is None else axis, lift(x).ndim)
        result = _cumprod(x, place, dtype)
        if include_initial:
            sizes = tuple(1 if one == place else size for one, size in enumerate(result.shape))
            result = np.concatenate([call_function(np.ones, (sizes, result.dtype), {}), result], axis=place)
        return store(result, out)


def _spread(function: Callable[..., Any]) -> Callable[..., Any]:
    """The complex version of ``var`` or ``std``, computed from the distances to the complex mean."""

    def spread(
        a: ArrayLike,
        axis: Axis | None = None,
        dtype: DTypeLike | None = None,
        out: object = None,
        ddof: Any = 0,
        keepdims: bool = False,
        **options: object,
    ) -> object:
        refuse_options(function, {"dtype": dtype, **options})
        x: Tensor = lift(a)
        distance = x - np.mean(x, axis=axis, keepdims=True)
        squares = distance.real * distance.real + distance.imag * distance.imag
        total = np.sum(squares, axis=axis, keepdims=keepdims)
        count = reduced_size(x, normal_axes(axis, x.ndim))
        result = total / np.maximum(count - ddof, 0).astype(total.dtype)
        return store(root_of_sum(result) if function is np.std else result, out)

    return spread


complex_overload(np.var)(_spread(np.var))
complex_overload(np.std)(_spread(np.std))


# Products of matrices


def _conjugated_first(function: Callable[..., Any]) -> None:
    """Registers a product that conjugates its first factor."""
    inner = OVERLOADS[function]

    @complex_overload(function)
    def implementation(*args: object, **kwargs: object) -> object:
        first = np.conjugate(lift(args[0]))
        return _linear(inner, first, lift(args[1]), *args[2:], **kwargs)


def _linear(
    inner: Callable[..., Any], a: object, b: object, *args: object, **kwargs: object
) -> ComplexTensor:
    """A product of two factors, computed by the function for real factors."""
    whole = np.result_type(lift(a).dtype, lift(b).dtype)
    return multiplied(inner, [a, b], whole, args, kwargs)


def multiplied(
    inner: Callable[..., Any], factors: list[Any], dtype: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> ComplexTensor:
    """A product of complex factors, computed by the function for real factors."""
    return product_of(
        [as_complex(factor) for factor in factors], lambda parts: inner(*parts, *args, **kwargs), dtype
    )


_conjugated_first(np.vdot)
if hasattr(np.linalg, "vecdot"):
    _conjugated_first(np.linalg.vecdot)


@complex_overload(np.correlate)
def _correlate(a: object, v: object, mode: object = "valid") -> object:
    return _linear(OVERLOADS[np.correlate], a, np.conjugate(lift(v)), mode)


@complex_overload(np.einsum)
def _einsum(
    subscripts: object, *operands: object, out: object = None, optimize: object = False, **options: object
) -> object:
    if not isinstance(subscripts, str):
        raise refused(np.einsum, operands)
    refuse_options(np.einsum, options)
    whole = np.result_type(*(lift(one).dtype for one in operands))
    result = multiplied(
        lambda *parts: OVERLOADS[np.einsum](subscripts, *parts), list(operands), whole, (), {}
    )
    return store(result, out)


def _matrix_ufunc(ufunc: Any, conjugates: str = "") -> None:
    """Registers a ufunc of matrices or vectors; ``conjugates`` tells which operand is conjugated."""

    def implementation(a: object, b: object) -> ComplexTensor:
        first: Any = np.conjugate(lift(a)) if conjugates == "first" else lift(a)
        if not first.sizes or not lift(b).sizes:
            raise value_error(f"{ufunc.__name__}: Input operand does not have enough dimensions")
        return _linear(ufunc, first, b)

    ufuncs.COMPLEX_WHOLE[ufunc] = implementation


for _name, _conjugates in (("matmul", ""), ("vecdot", "first"), ("vecmat", "first"), ("matvec", "")):
    if hasattr(np, _name):
        _matrix_ufunc(getattr(np, _name), _conjugates)


# Tests


def _truth(function: Callable[..., Any]) -> None:
    """Registers a function that only uses which elements are not zero."""
    real_version = OVERLOADS[function]

    @complex_overload(function)
    def implementation(a: object, *args: object, **kwargs: object) -> object:
        return real_version(np.not_equal(lift(a), 0), *args, **kwargs)


for _function in (np.any, np.all, np.nonzero, np.argwhere, np.flatnonzero, np.count_nonzero):
    if _function in OVERLOADS:
        _truth(_function)


@complex_overload(np.isclose)
def _isclose(a: object, b: object, rtol: object = 1e-5, atol: object = 1e-8, equal_nan: bool = False) -> Any:
    x, y = lift(a), lift(b)
    distance, size = np.absolute(x - y), np.absolute(y)
    near = np.less_equal(distance, atol + rtol * size)
    result = np.logical_or(np.logical_and(near, np.isfinite(y)), np.equal(x, y))
    if equal_nan:
        result = np.logical_or(result, np.logical_and(np.isnan(x), np.isnan(y)))
    return result


@complex_overload(np.allclose)
def _allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False
) -> Tensor:
    return as_python(np.all(_isclose(a, b, rtol, atol, equal_nan)))


def _by_parts(function: Callable[..., Any]) -> None:
    """Registers a comparison of two arrays that holds if it holds for both parts."""
    real_version = OVERLOADS[function]

    @complex_overload(function)
    def implementation(a1: object, a2: object, *args: object, **kwargs: object) -> object:
        x, y = as_complex(a1), as_complex(a2)
        answers = [real_version(*pair, *args, **kwargs) for pair in zip(x.parts, y.parts, strict=True)]
        if not any(isinstance(answer, Tensor) for answer in answers):
            return all(answers)
        both = np.logical_and(*answers)
        return as_python(both)


_by_parts(np.array_equal)
_by_parts(np.array_equiv)


# Linear algebra


@complex_overload(np.linalg.norm)
def _norm(x: object, ord: object = None, axis: object = None, keepdims: bool = False) -> Any:
    if ord in ("nuc", 2, -2) and (isinstance(axis, tuple) or (axis is None and lift(x).ndim == 2)):
        return OVERLOADS[np.linalg.norm](x, ord, axis, keepdims)
    return OVERLOADS[np.linalg.norm](np.absolute(lift(x)), ord, axis, keepdims)


if hasattr(np.linalg, "vector_norm"):

    @complex_overload(np.linalg.vector_norm)
    def _vector_norm(x: object, /, *, axis: object = None, keepdims: bool = False, ord: object = 2) -> object:
        return OVERLOADS[np.linalg.vector_norm](np.absolute(lift(x)), axis=axis, keepdims=keepdims, ord=ord)
