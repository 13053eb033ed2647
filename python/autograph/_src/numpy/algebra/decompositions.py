"""``np.linalg``: solving, determinants, decompositions, and functions computed from them.

Matrices are real or complex; what depends on that stands in `matrices`. If a matrix has no decomposition, the
numbers show it (a zero pivot, NaN). A check in the graph then raises NumPy's ``LinAlgError`` at the user's
line.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.algebra.determinants import determinant, sign_and_logarithm
from autograph._src.numpy.algebra.matrices import (
    adjoint,
    decompose,
    diagonal_of,
    identity,
    inverse,
    real_dtype,
    solution,
    squares,
)
from autograph._src.numpy.calls.arguments import Size
from autograph._src.numpy.calls.registry import overload, rank_of, unsupported
from autograph._src.numpy.elementwise.roots import root_of_sum
from autograph._src.staging.complex.complex_slopes import with_slope, without_slope
from autograph._src.staging.complex.complex_tensor import ComplexTensor, made
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.sizes import (
    as_number,
    equal,
    is_empty,
    largest,
    least,
)
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
    """A float or complex operand of at least two dimensions; integers become float64."""
    x = lift(a)
    if x.ndim < 2:
        raise _refusal(f"{x.ndim}-dimensional array given. Array must be at least two-dimensional")
    return _floats(x)


def _floats(x: Tensor) -> Tensor:
    return x if x.dtype.kind in "fc" else lift(x.astype(np.float64))


def square_matrix(a: object) -> Tensor:
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
        require_matrix(are_equal, message)
    elif not are_equal:
        raise _refusal(message)


def require_matrix(holds: object, message: str) -> None:
    record_error_unless(truth(lift(holds)), np.linalg.LinAlgError, message)


def _require_values(values: Tensor, may_be_nan: Tensor, message: str) -> None:
    """Checks that an iteration has converged: NaN shows that it has not, unless NumPy returns NaN too."""
    require_matrix(np.all(values == values) | may_be_nan, message)


def _value(x: object) -> Tensor:
    """A result, as a scalar if it has no dimensions, as in NumPy."""
    tensor = lift(x)
    if tensor.shape:
        return tensor
    if isinstance(tensor, ComplexTensor):
        return made(*tensor.parts, form=Form.SCALAR)
    return wrap(tensor.read(), Form.SCALAR)


# Triangular factors


@overload(np.linalg.solve)
def _solve(a: object, b: object) -> Any:
    x, side = square_matrix(a), _floats(lift(b))
    is_vector = side.ndim == 1
    if side.ndim == 0:
        raise value_mismatch("solve", x, side)
    column = side[:, np.newaxis] if is_vector else side
    fits = equal(column.shape[-2], x.shape[-1])
    if isinstance(fits, Tensor):
        record_error_unless(fits, ValueError, _CORE_MISMATCH)
    elif not fits:
        raise value_mismatch("solve1" if is_vector else "solve", x, side)
    solved = _solved(x, lift(column))
    return solved[..., 0] if is_vector else solved


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


def _solved(x: Tensor, side: Tensor) -> Any:
    dtype = np.result_type(x.dtype, side.dtype)
    found, diagonal = solution(lift(x.astype(dtype)), lift(side.astype(dtype)))
    _require_regular(diagonal)
    return found


def _require_regular(diagonal: Any) -> None:
    require_matrix(np.all(diagonal != 0), "Singular matrix")


@overload(np.linalg.inv)
def _inv(a: object) -> Any:
    found, diagonal = inverse(square_matrix(a))
    _require_regular(diagonal)
    return found


@overload(np.linalg.det)
def _det(a: object) -> Tensor:
    return _value(determinant(square_matrix(a)))


@overload(np.linalg.slogdet)
def _slogdet(a: object) -> object:
    return named_result("SlogdetResult", *map(_value, sign_and_logarithm(square_matrix(a))))


@overload(np.linalg.cholesky)
def _cholesky(a: ArrayLike, *, upper: bool = False) -> object:
    x = square_matrix(a)
    n = x.shape[-1]
    (lower,) = decompose("cholesky", lift(adjoint(x)) if upper else x, (n, n))
    diagonal = diagonal_of(lower).real
    require_matrix(np.all(np.logical_not(diagonal <= 0)), "Matrix is not positive definite")
    return lift(adjoint(lower)).copy() if upper else lower


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
    q, r = decompose("complete_qr" if mode == "complete" else "qr", x, (m, width), (width, n))
    return r if mode == "r" else named_result("QRResult", q, r)


@overload(np.linalg.svd)
def _svd(a: object, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    if hermitian:
        return _hermitian_svd(square_matrix(a), compute_uv)
    x = _matrix(a)
    if not compute_uv:
        return _singular_values(x)
    m, n = x.shape[-2:]
    k = least(m, n)
    rows, columns = (m, n) if full_matrices else (k, k)
    u, s, vh = decompose("full_svd" if full_matrices else "svd", x, (m, rows), (k,), (columns, n))
    _require_values(s, np.any(np.isinf(x)) & np.logical_not(np.any(np.isnan(x))), "SVD did not converge")
    (smooth,) = decompose("singular_values", x, (k,))
    return named_result("SVDResult", u, with_slope(s, smooth), vh)


def _hermitian_svd(x: Tensor, compute_uv: bool) -> Any:
    """The decomposition by eigenvalues, whose signs are those of the right vectors."""
    if not compute_uv:
        return np.sort(np.absolute(_eigvalsh(x)), axis=-1)[..., ::-1]
    values, vectors = _eigh(x)
    order = np.argsort(np.absolute(values), axis=-1)[..., ::-1]
    values = np.take_along_axis(values, order, -1)
    u = np.take_along_axis(vectors, order[..., np.newaxis, :], -1)
    right = adjoint(lift(u * np.sign(values)[..., np.newaxis, :]))
    return named_result("SVDResult", u, np.absolute(values), right)


def _hermitian(x: Tensor) -> Tensor:
    """The Hermitian matrix of the lower triangle."""
    below = lift(np.tril(x, -1))
    return lift(below + adjoint(below) + identity(x) * x.real)


def _singular_values(x: Tensor) -> Any:
    (s,) = decompose("singular_values", x, (least(*x.shape[-2:]),))
    _require_values(s, np.any(np.isinf(x)) & np.logical_not(np.any(np.isnan(x))), "SVD did not converge")
    return s


@overload(np.linalg.svdvals)
def _svdvals(x: object, /) -> object:
    return _singular_values(_matrix(x))


@overload(np.linalg.eigh)
def _eigh(a: object, UPLO: str = "L") -> Any:  # noqa: N803 - NumPy's name
    x = _triangle(a, UPLO)
    n = x.shape[-1]
    values, vectors = decompose("eigh", x, (n,), (n, n))
    _require_values(values, np.logical_not(np.all(np.isfinite(x))), "Eigenvalues did not converge")
    # The vectors have no derivative where values are equal: who asks for the values alone is not to need it.
    (smooth,) = decompose("eigenvalues", x, (n,))
    if isinstance(x, ComplexTensor) and UPLO.upper() == "U":
        vectors = np.flip(vectors, -2)
    return named_result("EighResult", with_slope(values, smooth), vectors)


@overload(np.linalg.eigvalsh)
def _eigvalsh(a: object, UPLO: str = "L") -> Any:  # noqa: N803 - NumPy's name
    x = _triangle(a, UPLO)
    (values,) = decompose("eigenvalues", x, (x.shape[-1],))
    _require_values(values, np.logical_not(np.all(np.isfinite(x))), "Eigenvalues did not converge")
    return values


def _triangle(a: object, which: str) -> Tensor:
    """The matrix with the triangle that is to be read as the lower one."""
    if which.upper() not in ("L", "U"):
        raise ShapeError("UPLO argument must be 'L' or 'U'", code="AG102", location=here())
    x = square_matrix(a)
    if which.upper() == "L":
        return x
    # As LAPACK does, from the other end: the last elements of the vectors are real then, not the first ones.
    return lift(np.flip(x, (-2, -1)) if isinstance(x, ComplexTensor) else adjoint(x))


# Functions computed from decompositions


@overload(np.linalg.pinv)
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> object:
    x = square_matrix(a) if hermitian else _matrix(a)
    m, n = x.shape[-2:]
    if rtol is np._NoValue or rtol is None:
        rtol = rcond
    if rtol is None:
        rtol = as_number(largest(m, n), np.dtype(np.float64)) * float(np.finfo(x.dtype).eps)
    if is_empty(x.shape):
        return np.zeros((*x.shape[:-2], n, m), lift(a).dtype)
    u, s, vh = _svd(x, full_matrices=False, hermitian=hermitian)
    cutoff = _along_values(rtol) * np.max(s, axis=-1, keepdims=True)
    is_large = s > cutoff
    scales = np.where(is_large, 1 / np.where(is_large, s, 1), 0).astype(s.dtype)
    result = lift(np.matmul(adjoint(vh), scales[..., np.newaxis] * adjoint(u)))
    x = _hermitian(x) if hermitian else x
    return with_slope(result, _smooth_pinv(x, result, lift(np.all(is_large, axis=-1))))


def _smooth_pinv(x: Tensor, known: Tensor, has_full_rank: Tensor) -> object:
    """A pseudo-inverse that has derivatives where singular values are equal, from the one that is known.

    Of a matrix of full rank it is the inverse of ``x.T @ x``, times ``x.T`` (conjugated, if complex), up to
    the seventh derivative. Of others the first derivative is that among matrices of their rank.

    Source: Golub and Pereyra (1973), "The differentiation of pseudo-inverses and nonlinear least squares
    problems whose variables separate", section 4.
    """
    known, turned = without_slope(known), adjoint(x)
    known_turned = adjoint(known)
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


def _refined(known: Any, of: Any) -> Any:
    """Newton's iteration for an inverse: each step doubles the order to which its derivatives are right."""
    for _ in range(3):
        known = 2 * known - np.matmul(np.matmul(known, of), known)
    return known


def _along_values(tolerance: Any) -> Any:
    """A tolerance for each matrix of a stack, with an axis for its singular values."""
    return np.expand_dims(tolerance, -1) if rank_of(tolerance) else tolerance


@overload(np.linalg.matrix_rank)
def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> object:  # noqa: N803
    x = lift(A)
    if x.ndim < 2:
        is_some = lift(np.logical_not(np.all(x == 0)))
        return wrap(emit("cast", is_some.read(), "int64"), Form.PYTHON)
    x = _matrix(x)
    s = _svd(x, compute_uv=False, hermitian=hermitian)
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
    if is_empty(matrix.shape[-2:]):
        raise _refusal("cond is not defined on empty arrays")
    if p in (None, 2, -2):
        s = _singular_values(matrix)
        result = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    elif p in ("fro", 1, -1, np.inf, -np.inf):
        result = _norm(square_matrix(matrix), p) * _norm(_inverse_or_nan(matrix), p)
    else:
        raise unsupported(np.linalg.cond)
    has_nan = np.any(np.isnan(matrix), axis=(-2, -1))
    return _value(
        np.where(np.isnan(result) & np.logical_not(has_nan), np.inf, result).astype(real_dtype(matrix))
    )


def _inverse_or_nan(x: Tensor) -> Tensor:
    found, diagonal = inverse(x)
    is_singular = np.any(diagonal == 0, axis=-1)[..., np.newaxis, np.newaxis]
    return lift(np.where(is_singular, real_dtype(x).type(np.nan), found))


def _norm(x: Tensor, p: Any) -> Any:
    """A norm of each matrix: over all elements, or the extreme sum of a column or a row."""
    if p == "fro":
        return root_of_sum(np.sum(squares(x), axis=(-2, -1)))
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
        return lift(np.broadcast_to(identity(x).astype(x.dtype), x.shape)).copy()
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
    scales = np.where(is_large, 1 / np.where(is_large, s, 1), 0).astype(s.dtype)[:, np.newaxis]
    column = side[:, np.newaxis] if side.ndim == 1 else side
    found = lift(np.matmul(adjoint(vh), scales * np.matmul(adjoint(u), column)))
    pseudo_inverse = lift(np.matmul(adjoint(vh), scales * adjoint(u)))
    smooth: Any = _smooth_pinv(x, pseudo_inverse, lift(np.all(is_large, axis=-1)))
    found = with_slope(found, np.matmul(smooth, column))
    rank = lift(np.sum(is_large.astype(np.int64))).astype(np.int32)
    is_tall = np.greater(m, n)
    record_error_unless(
        truth(lift(np.all(is_large) | np.logical_not(is_tall))), GraphRuntimeError, _RANK, code="AG201"
    )
    rest = column - np.matmul(x, found)
    residuals = np.sum(squares(rest), axis=0)
    if isinstance(is_tall, Tensor):
        residuals = residuals[: is_tall * residuals.shape[0]]
    elif not is_tall:
        residuals = np.zeros(0, s.dtype)
    return (found[:, 0] if side.ndim == 1 else found), residuals, _value(rank), s


def named_result(name: str, *values: object) -> object:
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
        np.linalg.eig(one),
    )
    return {type(value).__name__: type(value) for value in found}


_RESULTS = _result_types()
