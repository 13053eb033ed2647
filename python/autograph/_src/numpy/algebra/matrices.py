"""Stacks of real and complex matrices: their parts in a graph, their factors, and what solves with them.

A decomposition is one op. For each matrix of a stack it returns all parts in one row of numbers:

    q, r = np.linalg.qr(x)        # row = decompose "qr" x; q, r are slices of it, reshaped

A complex matrix is a real one there, with a block for each element. Sums and products of such matrices are
those of the complex ones, and the transpose is the conjugate transpose:

    x + yi        x  -y
                  y   x
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph._src.numpy.creation.creation import eye
from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex, made
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import broadcast, is_empty
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap

_Sizes = tuple[Any, ...]


def adjoint(x: Any) -> Any:
    """The conjugate transposes of a stack of matrices."""
    turned = np.swapaxes(x, -1, -2)
    return np.conjugate(turned) if isinstance(x, ComplexTensor) else turned


def real_dtype(x: Tensor) -> np.dtype[Any]:
    """The dtype of singular values of a matrix."""
    return x.parts[0].dtype if isinstance(x, ComplexTensor) else x.dtype


def squares(x: Any) -> Any:
    """``abs(x) ** 2``."""
    return x.real * x.real + x.imag * x.imag if isinstance(x, ComplexTensor) else x * x


def identity(x: Tensor) -> Any:
    """The real identity matrix of the size of square ones."""
    return eye(x.shape[-1], dtype=real_dtype(x))


def _embedded(x: ComplexTensor) -> Any:
    """Complex matrices as real ones of twice the size."""
    real, imag = x.parts
    *stack, rows, columns = x.shape
    above, below = np.stack([real, np.negative(imag)], axis=-1), np.stack([imag, real], axis=-1)
    return np.reshape(np.stack([above, below], axis=-3), (*stack, 2 * rows, 2 * columns))


def _of_embedded(x: Any, rows: Any, columns: Any) -> ComplexTensor:
    """The complex matrices of real ones, by the first column of each block."""
    blocks = np.reshape(x, (*x.shape[:-2], rows, 2, columns, 2))
    return made(np.copy(blocks[..., 0, :, 0]), np.copy(blocks[..., 1, :, 0]))


def _row_of_parts(kind: str, x: Tensor) -> Tensor:
    """The row of the parts of a decomposition, for each matrix of a stack."""
    if isinstance(x, ComplexTensor):
        return wrap(emit("decompose", f"complex_{kind}", lift(_embedded(x)).read()), Form.ARRAY)
    return wrap(emit("decompose", kind, x.read()), Form.ARRAY)


def decompose(kind: str, x: Tensor, *shapes: _Sizes) -> list[Any]:
    """The parts of a decomposition.

    Args:
        kind: The kind, as for real matrices.
        x: The matrices.
        shapes: The shapes of the parts for a single matrix; those of one axis are of real numbers.
    """
    row, is_complex = _row_of_parts(kind, x), isinstance(x, ComplexTensor)
    stack, parts, start = x.shape[:-2], [], 0
    for shape in shapes:
        sizes = tuple(2 * size for size in shape) if is_complex else shape
        count = math.prod(sizes)
        piece = lift(row[..., start : start + count])
        part = wrap(emit("reshape", piece.read(), [*stack, *sizes]), Form.ARRAY)
        if is_complex:
            part = _of_embedded(part, *shape) if len(shape) == 2 else lift(_of_pairs(part, *shape))
        parts.append(part)
        start += count
    return parts


def _of_pairs(x: Any, count: Any) -> Any:
    """The first of each two numbers."""
    return np.copy(np.reshape(x, (*x.shape[:-1], count, 2))[..., 0])


def triangular_factors(x: Tensor) -> tuple[Any, Any]:
    """The diagonal of the upper of the triangular factors, and numbers in the order of the rows."""
    n = x.shape[-1]
    factors, order = decompose("lu", x, (n, n), (n,))
    return diagonal_of(factors), order


def diagonal_of(x: Any) -> Any:
    """The diagonals of a stack of square matrices."""
    n = x.shape[-1]
    if is_empty((n,)):
        return np.reshape(x, (*x.shape[:-2], n))
    return np.reshape(x, (*x.shape[:-2], n * n))[..., :: n + 1]


def solution(x: Tensor, side: Tensor) -> tuple[Any, Any]:
    """The solutions of stacks of systems, and the diagonals of a factor: a 0 there says that there is none.

    Args:
        x: The matrices.
        side: The right sides, matrices of the same dtype.
    """
    if not isinstance(x, ComplexTensor):
        return _solution(x, side)
    *_, n, columns = side.shape
    # A column of each block: the other one solves for the same numbers.
    pairs = np.stack(as_complex(side).parts, axis=-2)
    rows = lift(np.reshape(pairs, (*side.shape[:-2], 2 * n, columns)))
    found, diagonal = _solution(lift(_embedded(x)), rows)
    blocks: Any = np.reshape(found, (*found.shape[:-2], n, 2, columns))
    return made(np.copy(blocks[..., 0, :]), np.copy(blocks[..., 1, :])), diagonal


def _solution(x: Tensor, side: Tensor) -> tuple[Any, Any]:
    n, row = x.shape[-1], _row_of_parts("lu", x)
    diagonal = row if is_empty((n,)) else row[..., : n * n : n + 1]
    stack = broadcast(row.shape[:-1], side.shape[:-2])
    rows = lift(np.broadcast_to(row, (*stack, row.shape[-1])))
    side = lift(np.broadcast_to(side, (*stack, *side.shape[-2:])))
    return wrap(emit("solve_lu", rows.read(), side.read()), Form.ARRAY), diagonal


def inverse(x: Tensor) -> tuple[Any, Any]:
    """The inverses of a stack of matrices; see :func:`solution`."""
    return solution(x, lift(identity(x).astype(x.dtype)))
