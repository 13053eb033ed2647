"""Determinants, which have derivatives at singular matrices too.

| A  u |
| v  0 |        det(A) is the determinant of this matrix B, times the last element of its inverse

``B`` is regular if ``A`` lacks one rank, and ``u`` and ``v`` span what it lacks. Where ``k`` ranks are
lacking, it is the determinant of a ``k x k`` block of the inverse (Jacobi's complementary minors), which has
no derivatives below the ``k``-th at the point.

Source: Horn and Johnson (2013), Matrix Analysis, section 0.8.4.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.algebra.matrices import decompose, identity, inverse, real_dtype, triangular_factors
from autograph._src.staging.complex.complex_slopes import with_slope, without_slope
from autograph._src.staging.complex.complex_tensor import joined
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import parts_of
from autograph._src.staging.tensors.sizes import positions
from autograph._src.staging.tensors.tensor import Tensor, wrap
from autograph._src.staging.trace.active import require_trace


def determinant(x: Tensor) -> Tensor:
    """The determinants of a stack of matrices.

    Args:
        x: The matrices.
    """
    diagonal, order = triangular_factors(x)
    value = _product(diagonal, order)
    n = x.shape[-1]
    if isinstance(n, Tensor) or None in x.sizes or 0 in x.sizes:
        return value
    sizes = np.absolute(without_slope(lift(diagonal)))
    bound = np.max(sizes, axis=-1, keepdims=True) * (n * float(np.finfo(x.dtype).eps))
    builder = require_trace().builder
    singular = builder.region([], lambda _: _values_of(_of_singular(x)))
    # The factors once more, in the branch: where it is not taken, their infinite derivatives are not used.
    regular = builder.region([], lambda _: _values_of(_product(*triangular_factors(x))))
    test = lift(np.any(sizes <= bound)).read()
    slopes = list(map(wrap, require_trace().locate().if_(test, singular, regular)))
    return with_slope(value, joined(slopes))


def sign_and_logarithm(x: Tensor) -> tuple[Tensor, Tensor]:
    """The signs of determinants, complex ones for complex matrices, and the logarithms of their sizes."""
    diagonal, order = triangular_factors(x)
    # For a singular matrix the second is the logarithm of zero.
    return _product(np.sign(diagonal), order), lift(np.sum(np.log(np.abs(diagonal)), axis=-1))


def _values_of(x: Tensor) -> list[int]:
    return [part.read() for part in parts_of(x)]


def _product(diagonal: Any, order: Any) -> Tensor:
    """The product of numbers, with the sign of the permutation of rows."""
    return lift(np.prod(diagonal, axis=-1) * _parity(order))


def _parity(order: Any) -> Any:
    """The sign of the row permutation: 1 for an even number of exchanges, else -1."""
    n = order.shape[-1]
    places = positions(0, 1, n)
    later = places[:, np.newaxis] < places
    exchanged = (order[..., :, np.newaxis] > order[..., np.newaxis, :]) & later
    odd = np.sum(exchanged.astype(np.int64), axis=(-2, -1)) % 2
    return 1 - 2 * odd.astype(order.dtype)


def _of_singular(x: Tensor) -> Tensor:
    """The determinant by a larger matrix that is regular; exact to third order, whatever rank is lacking."""
    n, number = x.shape[-1], real_dtype(x).type
    is_lacking, left, right = _lacking(x)
    kept = identity(x) * (number(1) - is_lacking)[..., np.newaxis]
    above = np.concatenate([x, left * is_lacking[..., np.newaxis, :]], axis=-1)
    below = np.concatenate([right * is_lacking[..., np.newaxis], kept], axis=-1)
    whole = lift(np.concatenate([above, below], axis=-2))
    inverses, _ = inverse(whole)
    block = inverses[..., n:, n:] * is_lacking[..., np.newaxis] * is_lacking[..., np.newaxis, :]
    minor = _minor(block, np.sum(is_lacking, axis=-1))
    return lift(_product(*triangular_factors(whole)) * minor)


def _lacking(x: Tensor) -> tuple[Any, Any, Any]:
    """Which singular values count as 0, as floats; and the vectors, as long as the matrix is large."""
    n, number = x.shape[-1], real_dtype(x).type
    left, values, right = decompose("svd", without_slope(x), (n, n), (n,), (n, n))
    largest = values[..., :1]
    is_lacking = lift(values <= largest * (n * float(np.finfo(x.dtype).eps))).astype(number)
    # What rounding leaves of a value that is 0 is to be small beside the vectors.
    scale = np.maximum(largest, number(1))[..., np.newaxis]
    return is_lacking, left * scale, right * scale


def _minor(block: Any, count: Any) -> Any:
    """The determinant of the ``count`` rows of a matrix that are not 0, by Newton's identities."""
    square = np.matmul(block, block)
    first, second = (np.trace(power, axis1=-2, axis2=-1) for power in (block, square))
    third = np.trace(np.matmul(square, block), axis1=-2, axis2=-1)
    minors = (
        np.ones_like(first),
        first,
        (first * first - second) / 2,
        (first**3 - 3 * first * second + 2 * third) / 6,
    )
    result = np.zeros_like(first)
    for number, minor in enumerate(minors):
        result = np.where(np.equal(count, number), minor, result)
    return result
