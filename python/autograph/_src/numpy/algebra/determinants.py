"""Determinants, which have derivatives at singular matrices too.

| A  u |
| v  0 |        det(A) is the determinant of this matrix B, times the last element of its inverse

``B`` is regular if ``A`` lacks one rank, and ``u`` and ``v`` span what it lacks. Where ``k`` ranks are
lacking, it is the determinant of a ``k x k`` block of the inverse (Jacobi's complementary minors), which has
no derivatives below the ``k``-th at the point.

Source: Horn and Johnson (2013), Matrix Analysis, section 0.8.4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.creation.creation import eye
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.slopes import with_slope, without_slope
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace

Factors = Callable[[Tensor], tuple[Any, Any, Any]]
"""The packed row of triangular factors, the diagonal of the upper one, and the sign of the row exchanges."""


def determinant(x: Tensor, factors: Factors) -> Tensor:
    """The determinants of a stack of matrices.

    Args:
        x: The matrices.
        factors: Gives their triangular factors.
    """
    _, diagonal, sign = factors(x)
    value = _product(diagonal, sign)
    n = x.shape[-1]
    if isinstance(n, Tensor) or None in x.sizes or 0 in x.sizes:
        return value
    sizes = np.absolute(without_slope(lift(diagonal)))
    bound = np.max(sizes, axis=-1, keepdims=True) * (n * float(np.finfo(x.dtype).eps))
    builder = require_trace().builder
    singular = builder.region([], lambda _: [_of_singular(x, factors).read()])
    # The factors once more, in the branch: where it is not taken, their infinite derivatives are not used.
    regular = builder.region([], lambda _: [_product(*factors(x)[1:]).read()])
    test = lift(np.any(sizes <= bound)).read()
    slope = require_trace().locate().if_(test, singular, regular)[0]
    return with_slope(value, wrap(slope))


def _product(diagonal: Tensor, sign: Tensor) -> Tensor:
    return lift(np.prod(diagonal, axis=-1) * sign)


def _of_singular(x: Tensor, factors: Factors) -> Tensor:
    """The determinant by a larger matrix that is regular; exact to third order, whatever rank is lacking."""
    n, number = x.shape[-1], x.dtype.type
    is_lacking, left, right = _lacking(x)
    kept = eye(n, dtype=x.dtype) * (number(1) - is_lacking)[..., np.newaxis]
    above = np.concatenate([x, left * is_lacking[..., np.newaxis, :]], axis=-1)
    below = np.concatenate([right * is_lacking[..., np.newaxis], kept], axis=-1)
    whole = lift(np.concatenate([above, below], axis=-2))
    row, diagonal, sign = factors(whole)
    unit = lift(np.broadcast_to(eye(2 * n, dtype=x.dtype), whole.shape))
    inverse = wrap(emit("solve_lu", lift(row).read(), unit.read()), Form.ARRAY)
    block = inverse[..., n:, n:] * is_lacking[..., np.newaxis] * is_lacking[..., np.newaxis, :]
    minor = _minor(block, np.sum(is_lacking, axis=-1))
    return lift(_product(diagonal, sign) * minor)


def _lacking(x: Tensor) -> tuple[Any, Any, Any]:
    """Which singular values count as 0, as floats; and the vectors, as long as the matrix is large."""
    n = x.shape[-1]
    row = wrap(emit("decompose", "svd", without_slope(x).read()), Form.ARRAY)
    stack = x.shape[:-2]
    left = np.reshape(row[..., : n * n], (*stack, n, n))
    values = row[..., n * n : n * n + n]
    right = np.reshape(row[..., n * n + n :], (*stack, n, n))
    largest = values[..., :1]
    is_lacking = lift(values <= largest * (n * float(np.finfo(x.dtype).eps))).astype(x.dtype)
    # What rounding leaves of a value that is 0 is to be small beside the vectors.
    scale = np.maximum(largest, x.dtype.type(1))[..., np.newaxis]
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
