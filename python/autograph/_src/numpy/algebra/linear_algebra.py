"""Products of arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.registry import overload, unsupported
from autograph._src.numpy.elementwise.ufuncs import COMPOSED, strong
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.numpy.shapes.shapes import promoted, reshape, select, transpose
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import (
    broadcast,
    differ,
    equal,
    largest,
    least,
    positions,
    require_shapes,
    size_of,
)
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, shape_text, wrap
from autograph._src.staging.trace.active import value_error
from autograph._src.staging.trace.frames import here
from autograph.errors import ShapeError

_Axes = tuple[list[int], list[int]]


def product(x: object, y: object, contract: _Axes, batch: _Axes = ([], [])) -> Tensor:
    """The general product: multiplies, sums over the contracted axes, and pairs the batch axes."""
    left, right = promoted([x, y])
    if left.dtype.kind == "b":
        return product(left.astype(np.int64), right.astype(np.int64), contract, batch).astype(bool)  # type: ignore[no-any-return]
    return wrap(emit("dot", left.read(), right.read(), contract, batch))


def matmul(x: object, y: object) -> Any:
    """``x @ y``."""
    left, right = lift(x), lift(y)
    if not left.sizes or not right.sizes:
        raise ShapeError(
            "matmul: Input operand does not have enough dimensions (has 0, gufunc core with signature"
            " (n?,k),(k,m?)->(n?,m?) requires 1)",
            code="AG102",
            location=here(),
        )
    inner = right.sizes[-2] if right.ndim > 1 else right.sizes[0]
    if differ(left.sizes[-1], inner):
        raise ShapeError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature"
            f" (n?,k),(k,m?)->(n?,m?) (size {inner} is different from {left.sizes[-1]})",
            code="AG102",
            location=here(),
        )
    if left.ndim <= 2 and right.ndim <= 2:
        return product(left, right, ([left.ndim - 1], [max(right.ndim - 2, 0)]))
    return _batched(left, right)


def _batched(left: Tensor, right: Tensor) -> object:
    drop_row, drop_column = left.ndim == 1, right.ndim == 1
    x = reshape(left, (1, *left.shape)) if drop_row else left
    y = reshape(right, (*right.shape, 1)) if drop_column else right
    _require_batches(x, y)
    batch = tuple(broadcast(x.shape[:-2], y.shape[:-2]))
    x, y = (np.broadcast_to(side, batch + side.shape[-2:]) for side in (x, y))  # type: ignore[assignment]
    axes = list(range(len(batch)))
    result: Tensor = product(x, y, ([x.ndim - 1], [y.ndim - 2]), (axes, axes))
    shape = list(result.shape)
    if drop_row:
        del shape[-2]
    if drop_column:
        del shape[-1]
    return reshape(result, tuple(shape)) if drop_row or drop_column else result


def _require_batches(x: Tensor, y: Tensor) -> None:
    """Raises what `np.matmul` raises if the axes before the matrices are known, and do not broadcast."""
    if None in (*x.sizes, *y.sizes):
        return
    try:
        np.broadcast_shapes(x.sizes[:-2], y.sizes[:-2])  # type: ignore[arg-type]
    except ValueError:
        try:
            np.matmul(*(np.broadcast_to(0.0, one.sizes) for one in (x, y)))  # type: ignore[arg-type]
        except ValueError as error:
            raise ShapeError(str(error), code="AG102", location=here()) from None


COMPOSED[np.matmul] = matmul


def _tight(x: Tensor) -> str:
    """A shape as the messages of `np.dot` have it: ``(2,3)``."""
    return shape_text(x.sizes).replace(", ", ",")


@overload(np.dot)
def _dot(a: object, b: object, out: object = None) -> object:
    left, right = _factors(a, b)
    if not left.sizes or not right.sizes:
        return _scaled(left, right)
    if differ(left.sizes[-1], right.sizes[max(right.ndim - 2, 0)]):
        raise ShapeError(
            f"shapes {_tight(left)} and {_tight(right)} not aligned: {left.sizes[-1]}"
            f" (dim {left.ndim - 1}) != {right.sizes[max(right.ndim - 2, 0)]} (dim {max(right.ndim - 2, 0)})",
            code="AG102",
            location=here(),
        )
    _require_aligned(np.dot, left, right, max(right.ndim - 2, 0))
    return product(left, right, ([left.ndim - 1], [max(right.ndim - 2, 0)]))


def _require_aligned(function: Callable[..., Any], left: Tensor, right: Tensor, axis: int) -> None:
    """Records a check that the summed axes have equal sizes; a run fails with the function's message."""
    is_aligned = equal(left.shape[-1], right.shape[axis])
    if isinstance(is_aligned, Tensor):
        require_shapes(is_aligned, function, left.shape, right.shape)


@overload(np.vdot)
def _vdot(a: object, b: object) -> object:
    left, right = reshape(a, -1), reshape(b, -1)
    _require_aligned(np.vdot, left, right, 0)
    return _dot(left, right)


@overload(np.inner)
def _inner(a: object, b: object) -> object:
    left, right = _factors(a, b)
    if not left.sizes or not right.sizes:
        return _scaled(left, right)
    _require_aligned(np.inner, left, right, -1)
    return product(left, right, ([left.ndim - 1], [right.ndim - 1]))


def _scaled(left: ArrayLike, right: ArrayLike) -> object:
    """``np.dot(x, 2.0)``. NumPy adds the products of float vectors and matrices to zeros.

    So ``np.dot([0.0, 1.0], -1.0)`` is ``[0.0, -1.0]``, while ``np.array([0.0]) * -1.0`` is ``[-0.0]``.
    """
    result = lift(np.multiply(left, right))
    if result.dtype.kind not in "fc" or result.ndim not in (1, 2):
        return result
    zero = result.dtype.type(0)
    is_one = equal(result.size, 1)
    if isinstance(is_one, Tensor):
        return result + select(is_one, -zero, zero)
    return result if is_one else result + zero


def _factors(a: object, b: object) -> tuple[Any, Any]:
    """Both operands as arrays; an empty list on the right gets the dtype of the left operand."""
    left = strong(a)
    is_empty = type(b) is list and not b
    return left, lift(np.zeros(0, left.dtype)) if is_empty else strong(b)


@overload(np.outer)
def _outer(a: object, b: object, out: object = None) -> object:
    return reshape(a, (-1, 1)) * reshape(b, (1, -1))


@overload(np.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    left, right = lift(a), lift(b)
    if isinstance(axes, int):
        first, second = list(range(left.ndim - axes, left.ndim)), list(range(axes))
    else:
        first, second = ([one] if isinstance(one, int) else list(one) for one in axes)
    axes = (
        [normal_axis(axis, left.ndim) for axis in first],
        [normal_axis(axis, right.ndim) for axis in second],
    )
    return wrap(product(left, right, axes).read(), Form.ARRAY)


@overload(np.trace)
def _trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> object:
    return np.sum(_diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


def _diagonal_of(k: object) -> Any:
    """The number of a diagonal as a signed integer: one of an unsigned dtype could not be negated."""
    return size_of(int(k) if isinstance(k, bool) else k)


@overload(np.diagonal)
def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    x, offset = lift(a), _diagonal_of(offset)
    if x.ndim < 2:
        raise value_error("diag requires an array of at least two dimensions")
    first, second = normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim)
    if first == second:
        raise value_error("axis1 and axis2 cannot be the same")
    others = [axis for axis in range(x.ndim) if axis not in (first, second)]
    rows, columns = x.shape[first], x.shape[second]
    count = largest(least(rows + min(offset, 0), columns - max(offset, 0)), 0)
    lines = reshape(
        transpose(x, [*others, first, second]), (*(x.shape[axis] for axis in others), rows * columns)
    )
    start = max(offset, 0) + max(-offset, 0) * columns
    # The diagonal has no elements at or beyond this position.
    stop = start + count * (columns + 1)
    return lines[..., start : stop : columns + 1]


@overload(np.diag)
def _diag(v: Any, k: int = 0) -> object:
    x, k = lift(v), _diagonal_of(k)
    if x.ndim == 2:
        return _diagonal(x, k)
    if x.ndim != 1:
        raise value_error("Input must be 1- or 2-d.")
    size = x.shape[0] + abs(k)
    rows = positions(max(-k, 0), 1, x.shape[0])
    result = wrap(emit("broadcast", lift(x.dtype.type(0)).read(), [size, size]))
    result[rows, rows + k] = x
    return result


@overload(np.cross)
def _cross(
    a: object, b: object, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Tensor:
    if axis is not None:
        axisa = axisb = axisc = axis
    left, right = lift(a), lift(b)
    left = np.moveaxis(left, normal_axis(axisa, left.ndim), -1)  # type: ignore[type-var]
    right = np.moveaxis(right, normal_axis(axisb, right.ndim), -1)  # type: ignore[type-var]
    if any(one.sizes[-1] not in (2, 3) for one in (left, right)):
        if None in (left.sizes[-1], right.sizes[-1]):
            raise unsupported(np.cross)
        raise value_error("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    x, y = promoted([left, right])
    stacked = _crossed(x, y)
    if stacked.ndim == max(x.ndim, y.ndim):
        moved: Any = np.moveaxis(stacked, -1, normal_axis(axisc, stacked.ndim))  # type: ignore[type-var]
        stacked = lift(moved)
    return wrap(emit("reshape", stacked.read(), list(stacked.shape)), Form.ARRAY)


def _crossed(x: Any, y: Any) -> Tensor:
    """The products of vectors along the last axes; of vectors of two elements the last element only."""
    last = x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
    sizes = x.sizes[-1], y.sizes[-1]
    if 2 in sizes:
        message = (
            "Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead."
            " (deprecated in NumPy 2.0)"
        )
        warnings.warn(message, DeprecationWarning, stacklevel=2)
    if sizes == (2, 2):
        return lift(last)
    if sizes == (3, 2):
        first, second = -(x[..., 2] * y[..., 1]), x[..., 2] * y[..., 0]
    elif sizes == (2, 3):
        first, second = x[..., 1] * y[..., 2], -(x[..., 0] * y[..., 2])
    else:
        first = x[..., 1] * y[..., 2] - x[..., 2] * y[..., 1]
        second = x[..., 2] * y[..., 0] - x[..., 0] * y[..., 2]
    return np.stack([lift(part) for part in (first, second, last)], axis=-1)  # type: ignore[return-value]


@overload(np.kron)
def _kron(a: object, b: object) -> Tensor:
    x, y = lift(a), lift(b)
    rank = max(x.ndim, y.ndim)
    sizes_x, sizes_y = ((1,) * (rank - one.ndim) + one.shape for one in (x, y))
    wide_x = reshape(x, tuple(size for one in sizes_x for size in (one, 1)))
    wide_y = reshape(y, tuple(size for one in sizes_y for size in (1, one)))
    result = lift(wide_x * wide_y)
    shape = [one * other for one, other in zip(sizes_x, sizes_y, strict=True)]
    return wrap(emit("reshape", result.read(), shape), Form.ARRAY if rank else None)


def _vector_product(name: str) -> Any:
    """``vecdot``, ``matvec`` and ``vecmat``: products over stacks of vectors and matrices."""

    def stacked(x1: object, x2: object) -> Tensor:
        left, right = lift(x1), lift(x2)
        if left.ndim < 1 + (name == "matvec") or right.ndim < 1 + (name == "vecmat"):
            raise value_error(f"{name}: an operand does not have enough dimensions")
        rows = reshape(left, (*left.shape[:-1], 1, left.shape[-1])) if name != "matvec" else left
        columns = reshape(right, (*right.shape, 1)) if name != "vecmat" else right
        result = lift(matmul(rows, columns))
        lead = list(result.shape[:-2])
        ends = {"vecdot": [], "matvec": [result.shape[-2]], "vecmat": [result.shape[-1]]}[name]
        return wrap(emit("reshape", result.read(), lead + ends))

    return stacked


for _name in ("vecdot", "matvec", "vecmat"):
    if hasattr(np, _name):
        COMPOSED[getattr(np, _name)] = _vector_product(_name)
