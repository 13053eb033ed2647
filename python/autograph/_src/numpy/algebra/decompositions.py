"""``np.linalg``: solving, determinants, decompositions, and functions computed from them.

A decomposition is one op. For each matrix of a stack it returns all parts in one row of numbers:

    q, r = np.linalg.qr(x)        # row = decompose "qr" x; q, r are slices of it, reshaped

If a matrix has no decomposition, the numbers show it (a zero pivot, NaN). A check in the graph then raises
NumPy's ``LinAlgError`` at the user's line.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from autograph._src.numpy.algebra.determinants import determinant
from autograph._src.numpy.calls.arguments import Size
from autograph._src.numpy.calls.registry import overload, rank_of, unsupported
from autograph._src.numpy.creation.creation import eye
from autograph._src.numpy.elementwise.roots import root_of_sum
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.sizes import (
    as_number,
    broadcast,
    equal,
    is_empty,
    largest,
    least,
    positions,
)
from autograph._src.staging.tensors.slopes import with_slope, without_slope
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import type_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.statements import record_error_unless
from autograph.errors import GraphRuntimeError, ShapeError

# Operands


class StagedLinAlgError(ShapeError, np.linalg.LinAlgError):
    """Recording shows that an array is not a matrix, or not a square one."""


def _refusal(message: str) -> StagedLinAlgError:
    return StagedLinAlgError(message, code="AG102", location=here())


def _matrix(a: object) -> Tensor:
    """A float operand of at least two dimensions; integers become float64."""
    x = lift(a)
    if x.ndim < 2:
        raise _refusal(f"{x.ndim}-dimensional array given. Array must be at least two-dimensional")
    return _floats(x)


def _floats(x: Tensor) -> Tensor:
    return x if x.dtype.kind == "f" else lift(x.astype(np.float64))


def _square(a: object) -> Tensor:
    x = _matrix(a)
    _require_square(x)
    return x


def _require_square(x: Tensor) -> None:
    rows, columns = x.shape[-2:]
    _require_equal(rows, columns, "Last 2 dimensions of the array must be square")


def _require_equal(size: object, other: object, message: str) -> None:
    """Refuses two sizes that differ, now or when the graph runs."""
    are_equal = equal(size, other)
    if isinstance(are_equal, Tensor):
        _require(are_equal, message)
    elif not are_equal:
        raise _refusal(message)


def _parts(kind: str, x: Tensor, *shapes: tuple[Any, ...]) -> list[Any]:
    """The parts of a decomposition; ``shapes`` are the shapes of the parts for a single matrix."""
    row = wrap(emit("decompose", kind, x.read()), Form.ARRAY)
    stack, parts, start = x.shape[:-2], [], 0
    for shape in shapes:
        count = math.prod(shape)
        piece = lift(row[..., start : start + count])
        parts.append(wrap(emit("reshape", piece.read(), [*stack, *shape]), Form.ARRAY))
        start += count
    return parts


def _require(holds: object, message: str) -> None:
    record_error_unless(truth(lift(holds)), np.linalg.LinAlgError, message)


def _require_values(values: Tensor, may_be_nan: Tensor, message: str) -> None:
    """Checks that an iteration has converged: NaN shows that it has not, unless NumPy returns NaN too."""
    _require(np.all(values == values) | may_be_nan, message)


def _transposed(x: Tensor) -> Any:
    return np.swapaxes(x, -1, -2)


def _value(x: object) -> Tensor:
    """A result, as a scalar if it has no dimensions, as in NumPy."""
    tensor = lift(x)
    return tensor if tensor.shape else wrap(tensor.read(), Form.SCALAR)


# Triangular factors


def _lu(x: Tensor) -> tuple[Any, Any, Any]:
    """The packed row of the factors, the diagonal of ``U``, and the order of the rows."""
    n = x.shape[-1]
    row = wrap(emit("decompose", "lu", x.read()), Form.ARRAY)
    diagonal = row if is_empty((n,)) else row[..., : n * n : n + 1]
    return row, diagonal, row[..., n * n :]


@overload(np.linalg.solve)
def _solve(a: object, b: object) -> Tensor:
    x, side = _square(a), _floats(lift(b))
    is_vector = side.ndim == 1
    if side.ndim == 0:
        raise value_mismatch("solve", x, side)
    column = side[:, np.newaxis] if is_vector else side
    fits = equal(column.shape[-2], x.shape[-1])
    if isinstance(fits, Tensor):
        record_error_unless(fits, ValueError, _CORE_MISMATCH)
    elif not fits:
        raise value_mismatch("solve1" if is_vector else "solve", x, side)
    solution = _solved(x, lift(column))
    return solution[..., 0] if is_vector else solution


_CORE_MISMATCH = "solve: Input operand 1 has a mismatch in its core dimension 0"


def value_mismatch(name: str, x: Tensor, side: Tensor) -> ShapeError:
    """The error for a right-hand side whose shape does not fit."""
    signature = "(m,m),(m)->(m)" if name == "solve1" else "(m,m),(m,n)->(m,n)"
    if side.ndim == 0:
        message = (
            f"{name}: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature"
            f" {signature} requires 2)"
        )
    else:
        size = side.shape[-1] if name == "solve1" else side.shape[-2]
        message = (
            f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature"
            f" {signature} (size {size} is different from {x.shape[-1]})"
        )
    return ShapeError(message, code="AG102", location=here())


def _solved(x: Tensor, side: Tensor) -> Tensor:
    dtype = np.result_type(x.dtype, side.dtype)
    x, side = lift(x.astype(dtype)), lift(side.astype(dtype))
    row, diagonal, _ = _lu(x)
    _require(np.all(diagonal != 0), "Singular matrix")
    stack = broadcast(x.shape[:-2], side.shape[:-2])
    row = np.broadcast_to(row, (*stack, row.shape[-1]))
    side = lift(np.broadcast_to(side, (*stack, *side.shape[-2:])))
    return wrap(emit("solve_lu", lift(row).read(), side.read()), Form.ARRAY)


@overload(np.linalg.inv)
def _inv(a: object) -> Tensor:
    x = _square(a)
    return _solved(x, eye(x.shape[-1], dtype=x.dtype))


@overload(np.linalg.det)
def _det(a: object) -> Tensor:
    def factors(x: Tensor) -> tuple[Any, Any, Any]:
        row, diagonal, order = _lu(x)
        return row, diagonal, _parity(order, x.dtype)

    return _value(determinant(_square(a), factors))


@overload(np.linalg.slogdet)
def _slogdet(a: object) -> object:
    x = _square(a)
    _, diagonal, order = _lu(x)
    sign = np.prod(np.sign(diagonal), axis=-1) * _parity(order, x.dtype)
    # For a singular matrix this is the logarithm of zero.
    return _named("SlogdetResult", _value(sign), _value(np.sum(np.log(np.abs(diagonal)), axis=-1)))


def _parity(order: Any, dtype: DTypeLike | None) -> object:
    """The sign of the row permutation: 1 for an even number of exchanges, else -1."""
    n = order.shape[-1]
    places = positions(0, 1, n)
    later = places[:, np.newaxis] < places
    exchanged = (order[..., :, np.newaxis] > order[..., np.newaxis, :]) & later
    odd = np.sum(exchanged.astype(np.int64), axis=(-2, -1)) % 2
    return 1 - 2 * odd.astype(dtype)


@overload(np.linalg.cholesky)
def _cholesky(a: ArrayLike, *, upper: bool = False) -> object:
    x = _square(a)
    n = x.shape[-1]
    (lower,) = _parts("cholesky", lift(_transposed(x)) if upper else x, (n, n))
    diagonal = np.sum(lower, axis=-1) if is_empty((n,)) else _diagonal(lower)
    _require(np.all(np.logical_not(diagonal <= 0)), "Matrix is not positive definite")
    return lift(_transposed(lower)).copy() if upper else lower


def _diagonal(x: Tensor) -> Any:
    n = x.shape[-1]
    return np.reshape(x, (*x.shape[:-2], n * n))[..., :: n + 1]


# Orthogonal factors


@overload(np.linalg.qr)
def _qr(a: object, mode: str = "reduced") -> object:
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ShapeError(f"Unrecognized mode '{mode}'", code="AG102", location=here())
    if mode == "raw":
        raise unsupported(np.linalg.qr)
    x = _matrix(a)
    m, n = x.shape[-2:]
    width = m if mode == "complete" else least(m, n)
    q, r = _parts("complete_qr" if mode == "complete" else "qr", x, (m, width), (width, n))
    return r if mode == "r" else _named("QRResult", q, r)


@overload(np.linalg.svd)
def _svd(a: object, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    if hermitian:
        raise unsupported(np.linalg.svd)
    x = _matrix(a)
    if not compute_uv:
        return _singular_values(x)
    m, n = x.shape[-2:]
    k = least(m, n)
    rows, columns = (m, n) if full_matrices else (k, k)
    u, s, vh = _parts("full_svd" if full_matrices else "svd", x, (m, rows), (k,), (columns, n))
    _require_values(s, np.any(np.isinf(x)) & np.logical_not(np.any(np.isnan(x))), "SVD did not converge")
    (smooth,) = _parts("singular_values", x, (k,))
    return _named("SVDResult", u, with_slope(s, smooth), vh)


def _singular_values(x: Tensor) -> Any:
    (s,) = _parts("singular_values", x, (least(*x.shape[-2:]),))
    _require_values(s, np.any(np.isinf(x)) & np.logical_not(np.any(np.isnan(x))), "SVD did not converge")
    return s


@overload(np.linalg.svdvals)
def _svdvals(x: object, /) -> object:
    return _singular_values(_matrix(x))


@overload(np.linalg.eigh)
def _eigh(a: object, UPLO: str = "L") -> object:  # noqa: N803 - NumPy's name
    x = _triangle(a, UPLO)
    n = x.shape[-1]
    values, vectors = _parts("eigh", x, (n,), (n, n))
    _require_values(values, np.logical_not(np.all(np.isfinite(x))), "Eigenvalues did not converge")
    # The vectors have no derivative where values are equal: who asks for the values alone is not to need it.
    (smooth,) = _parts("eigenvalues", x, (n,))
    return _named("EighResult", with_slope(values, smooth), vectors)


@overload(np.linalg.eigvalsh)
def _eigvalsh(a: object, UPLO: str = "L") -> object:  # noqa: N803 - NumPy's name
    x = _triangle(a, UPLO)
    (values,) = _parts("eigenvalues", x, (x.shape[-1],))
    _require_values(values, np.logical_not(np.all(np.isfinite(x))), "Eigenvalues did not converge")
    return values


def _triangle(a: object, which: str) -> Tensor:
    """The matrix with the triangle that is to be read as the lower one."""
    if which.upper() not in ("L", "U"):
        raise ShapeError("UPLO argument must be 'L' or 'U'", code="AG102", location=here())
    x = _square(a)
    return x if which.upper() == "L" else lift(_transposed(x))


# Functions computed from decompositions


@overload(np.linalg.pinv)
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> object:
    if hermitian:
        raise unsupported(np.linalg.pinv)
    x = _matrix(a)
    m, n = x.shape[-2:]
    if rtol is np._NoValue or rtol is None:
        rtol = rcond
    if rtol is None:
        rtol = as_number(largest(m, n), np.dtype(np.float64)) * float(np.finfo(x.dtype).eps)
    if is_empty(x.shape):
        return np.zeros((*x.shape[:-2], n, m), lift(a).dtype)
    u, s, vh = _svd(x, full_matrices=False)
    cutoff = _along_values(rtol) * np.max(s, axis=-1, keepdims=True)
    is_large = s > cutoff
    inverse = np.where(is_large, 1 / np.where(is_large, s, 1), 0).astype(x.dtype)
    result = lift(np.matmul(_transposed(vh), inverse[..., np.newaxis] * _transposed(u)))
    return with_slope(result, _smooth_pinv(x, result, lift(np.all(is_large, axis=-1))))


def _smooth_pinv(x: Tensor, inverse: Tensor, has_full_rank: Tensor) -> object:
    """A pseudo-inverse that has derivatives where singular values are equal, from the one that is known.

    Of a matrix of full rank it is the inverse of ``x.T @ x``, times ``x.T``, up to the seventh derivative. Of
    others the first derivative is that among matrices of their rank.

    Source: Golub and Pereyra (1973), "The differentiation of pseudo-inverses and nonlinear least squares
    problems whose variables separate", section 4.
    """
    known, turned = without_slope(inverse), _transposed(x)
    known_turned = _transposed(known)
    by_columns = np.matmul(_refined(np.matmul(known, known_turned), np.matmul(turned, x)), turned)
    by_rows = np.matmul(turned, _refined(np.matmul(known_turned, known), np.matmul(x, turned)))
    m, n = x.shape[-2:]
    is_tall = np.greater_equal(m, n)
    if isinstance(is_tall, Tensor):
        usual: Any = np.where(is_tall, by_columns, by_rows)
    else:
        usual = by_columns if is_tall else by_rows
    of_rank = by_columns + by_rows - _refined(known, x)
    return np.where(has_full_rank[..., np.newaxis, np.newaxis], usual, of_rank)


def _refined(inverse: Any, of: Any) -> Any:
    """Newton's iteration for an inverse: each step doubles the order to which its derivatives are right."""
    for _ in range(3):
        inverse = 2 * inverse - np.matmul(np.matmul(inverse, of), inverse)
    return inverse


def _along_values(tolerance: Any) -> Any:
    """A tolerance for each matrix of a stack, with an axis for its singular values."""
    return np.expand_dims(tolerance, -1) if rank_of(tolerance) else tolerance


@overload(np.linalg.matrix_rank)
def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> object:  # noqa: N803
    if hermitian:
        raise unsupported(np.linalg.matrix_rank)
    x = lift(A)
    if x.ndim < 2:
        is_some = lift(np.logical_not(np.all(x == 0)))
        return wrap(emit("cast", is_some.read(), "int64"), Form.PYTHON)
    x = _matrix(x)
    s = _singular_values(x)
    if tol is None:
        if rtol is None:
            rtol = as_number(largest(*x.shape[-2:]), np.dtype(np.float64)) * float(np.finfo(x.dtype).eps)
        tol = np.max(s, axis=-1, keepdims=True) * _along_values(rtol)
    else:
        tol = _along_values(tol)
    return np.count_nonzero(s > tol, axis=-1)


@overload(np.linalg.cond)
def _cond(x: ArrayLike, p: Any = None) -> Tensor:
    matrix = _matrix(x)
    if is_empty(matrix.shape):
        raise _refusal("cond is not defined on empty arrays")
    if p in (None, 2, -2):
        s = _singular_values(matrix)
        result = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    elif p in ("fro", 1, -1, np.inf, -np.inf):
        result = _norm(_square(matrix), p) * _norm(_inverse_or_nan(matrix), p)
    else:
        raise unsupported(np.linalg.cond)
    has_nan = np.any(np.isnan(matrix), axis=(-2, -1))
    return _value(np.where(np.isnan(result) & np.logical_not(has_nan), np.inf, result).astype(matrix.dtype))


def _inverse_or_nan(x: Tensor) -> Tensor:
    row, diagonal, _ = _lu(x)
    identity = np.broadcast_to(eye(x.shape[-1], dtype=x.dtype), x.shape)
    inverse = wrap(emit("solve_lu", lift(row).read(), lift(identity).read()), Form.ARRAY)
    is_singular = np.any(diagonal == 0, axis=-1)[..., np.newaxis, np.newaxis]
    return lift(np.where(is_singular, x.dtype.type(np.nan), inverse))


def _norm(x: Tensor, p: Any) -> Any:
    """A norm of each matrix: over all elements, or the extreme sum of a column or a row."""
    if p == "fro":
        return root_of_sum(np.sum(x * x, axis=(-2, -1)))
    sums = np.sum(abs(x), axis=-2 if abs(p) == 1 else -1)
    return np.max(sums, axis=-1) if p > 0 else np.min(sums, axis=-1)


@overload(np.linalg.matrix_power)
def _matrix_power(a: object, n: Size) -> object:
    x = lift(a)
    if x.ndim < 2:
        raise _refusal(f"{x.ndim}-dimensional array given. Array must be at least two-dimensional")
    _require_square(x)
    try:
        power = operator.index(n)
    except TypeError:
        raise type_error("exponent must be an integer") from None
    if power == 0:
        return lift(np.broadcast_to(eye(x.shape[-1], dtype=x.dtype), x.shape)).copy()
    base: Tensor = x if power > 0 else _inv(x)
    return _power(base, abs(power))


def _power(base: Tensor, power: int) -> object:
    if power <= 3:  # Multiplied in NumPy's order.
        squared = np.matmul(base, base) if power > 1 else base
        return np.matmul(squared, base) if power == 3 else squared if power == 2 else lift(base).copy()
    result = None
    while power:
        if power & 1:
            result = base if result is None else np.matmul(result, base)
        power >>= 1
        if power:
            base = np.matmul(base, base)
    return result


_RANK = "the matrix of `np.linalg.lstsq` has not full rank, and the size of the residuals depends on it"


@overload(np.linalg.lstsq)
def _lstsq(a: Any, b: ArrayLike, rcond: object = None) -> tuple[Any, Any, Tensor, Any]:
    """``np.linalg.lstsq``; a run fails if a tall matrix lacks full rank: NumPy has no residuals then."""
    x, side = lift(a), _floats(lift(b))
    if x.ndim != 2:
        raise _refusal(f"{x.ndim}-dimensional array given. Array must be two-dimensional")
    if side.ndim not in (1, 2):
        raise _refusal(f"{side.ndim}-dimensional array given. Array must be two-dimensional")
    x = _floats(x)
    m, n = x.shape
    _require_equal(side.shape[0], m, "Incompatible dimensions")
    if is_empty((m, n, *side.shape)):
        raise unsupported(np.linalg.lstsq)
    dtype = np.result_type(x.dtype, side.dtype)
    x, side = lift(x.astype(dtype)), lift(side.astype(dtype))
    epsilon = float(np.finfo(dtype).eps)
    cut = as_number(largest(m, n), np.dtype(np.float64)) * epsilon if rcond is None else rcond
    if isinstance(cut, (int, float)) and cut < 0:
        cut = epsilon
    u, s, vh = _svd(x, full_matrices=False)
    is_large = s > lift(cut) * s[0]
    inverse = np.where(is_large, 1 / np.where(is_large, s, 1), 0).astype(dtype)
    column = side[:, np.newaxis] if side.ndim == 1 else side
    solution = lift(np.matmul(vh.T, inverse[:, np.newaxis] * np.matmul(u.T, column)))
    pseudo_inverse = lift(np.matmul(vh.T, inverse[:, np.newaxis] * u.T))
    smooth: Any = _smooth_pinv(x, pseudo_inverse, lift(np.all(is_large, axis=-1)))
    solution = with_slope(solution, np.matmul(smooth, column))
    rank = lift(np.sum(is_large.astype(np.int64))).astype(np.int32)
    is_tall = np.greater(m, n)
    record_error_unless(
        truth(lift(np.all(is_large) | np.logical_not(is_tall))), GraphRuntimeError, _RANK, code="AG201"
    )
    rest = column - np.matmul(x, solution)
    residuals = np.sum(rest * rest, axis=0)
    if isinstance(is_tall, Tensor):
        residuals = residuals[: is_tall * residuals.shape[0]]
    elif not is_tall:
        residuals = np.zeros(0, dtype)
    return (solution[:, 0] if side.ndim == 1 else solution), residuals, _value(rank), s


def _named(name: str, *values: object) -> object:
    """A result in the NamedTuple class that NumPy's function returns."""
    return _RESULTS[name](*values)


def _result_types() -> dict[str, Any]:
    """NumPy's NamedTuple classes by name, found from the results of its functions."""
    one = np.eye(1)
    found: Sequence[Any] = (
        np.linalg.slogdet(one),
        np.linalg.qr(one),
        np.linalg.svd(one),
        np.linalg.eigh(one),
    )
    return {type(value).__name__: type(value) for value in found}


_RESULTS = _result_types()
