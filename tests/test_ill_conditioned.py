"""Decompositions of matrices that are hard on them: by residuals, orthogonality, and NumPy's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from numpy.typing import NDArray

Matrix = NDArray[Any]


def hilbert(n: int) -> Matrix:
    return 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1.0)


def random(n: int, seed: int = 0) -> Matrix:
    return np.random.default_rng(seed).standard_normal((n, n))


def turned(values: Matrix) -> Matrix:
    """A symmetric matrix with these eigenvalues."""
    basis = np.linalg.qr(random(len(values), 1))[0]
    made = basis * values @ basis.T
    return (made + made.T) / 2


def kahan(n: int) -> Matrix:
    sine, cosine = 0.6, 0.8
    return np.diag(sine ** np.arange(n)) @ (np.eye(n) - cosine * np.triu(np.ones((n, n)), 1))


def wilkinson(n: int) -> Matrix:
    beside = np.ones(n - 1)
    return np.diag(np.abs(np.arange(n) - (n - 1) / 2)) + np.diag(beside, 1) + np.diag(beside, -1)


MATRICES: dict[str, Callable[[int], Matrix]] = {
    "random": random,
    "hilbert": hilbert,
    "kahan": kahan,
    "wilkinson": wilkinson,
    "graded": lambda n: turned(10.0 ** -np.linspace(0, 14, n)),
    "repeated": lambda n: turned(np.repeat([3.0, 1.0, -2.0], n)[::3]),
    "near the identity": lambda n: np.eye(n) + 1e-14 * random(n),
    "of one rank": lambda n: np.outer(np.arange(1.0, n + 1), np.ones(n)),
    "zeros": lambda n: np.zeros((n, n)),
    "a nilpotent one": lambda n: np.eye(n, k=1),
    "huge": lambda n: 1e150 * random(n),
    "tiny": lambda n: 1e-150 * random(n),
    "subnormal": lambda n: 1e-310 * random(n),
}

SIZES = (1, 2, 3, 7, 31, 32, 33, 65, 100)
TYPES = ("float64", "float32", "complex128", "complex64")


def cases(kind: str) -> list[Matrix]:
    """The matrices of a kind in each size and dtype; those of less digits leave their range out."""
    found = []
    for n in SIZES:
        real = MATRICES[kind](n)
        for dtype in TYPES:
            if np.dtype(dtype).type in (np.float32, np.complex64) and kind in ("huge", "tiny", "subnormal"):
                continue
            phases = np.exp(1j * np.arange(n)) if "complex" in dtype else np.ones(n)
            made = phases[:, None] * real * phases.conj()
            found.append(np.ascontiguousarray(made.real if "float" in dtype else made).astype(dtype))
    return found


def is_near(got: Matrix, want: Matrix, like: Matrix, times: float = 40.0) -> bool:
    """Whether the largest difference is that of rounding in so many steps, beside the size of `like`."""
    size = np.max(np.abs(like), initial=0.0) * len(like)
    eps = np.finfo(like.dtype).eps
    least = np.finfo(like.dtype).smallest_subnormal
    return bool(np.max(np.abs(got - want), initial=0.0) <= times * (eps * size + least))


def is_orthonormal(columns: Matrix) -> bool:
    return is_near(columns.conj().T @ columns, np.eye(columns.shape[1], dtype=columns.dtype), columns)


@ag.function
def decomposed(a):
    return np.linalg.svd(a), np.linalg.svd(a, compute_uv=False), np.linalg.qr(a)


@pytest.mark.parametrize("kind", MATRICES)
def test_factors_give_the_matrix_back(kind: str) -> None:
    for a in cases(kind):
        (u, s, vh), values, (q, r) = decomposed(a)
        case = (kind, a.shape, a.dtype)
        assert is_orthonormal(u) and is_orthonormal(vh.conj().T), case
        assert is_near(u * s @ vh, a, a), case
        assert np.all(s[:-1] >= s[1:]) and np.all(s >= 0), case
        assert is_near(values, s, a) and is_near(s, np.linalg.svd(a, compute_uv=False), a), case
        assert is_orthonormal(q) and is_near(q @ r, a, a) and np.all(np.tril(r, -1) == 0), case


@ag.function
def spectrum(a):
    return np.linalg.eigh(a), np.linalg.eigvalsh(a)


@pytest.mark.parametrize("kind", MATRICES)
def test_eigenvectors_give_the_matrix_back(kind: str) -> None:
    for one in cases(kind):
        a = (one + one.conj().T) / 2
        (values, vectors), alone = spectrum(a)
        case = (kind, a.shape, a.dtype)
        assert is_orthonormal(vectors), case
        assert is_near(vectors * values @ vectors.conj().T, a, a), case
        assert np.all(values[:-1] <= values[1:]), case
        assert is_near(alone, values, a) and is_near(values, np.linalg.eigvalsh(a), a), case


@ag.function
def triangles(a, b):
    return np.linalg.cholesky(a), np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.slogdet(a)


@pytest.mark.parametrize("kind", ["random", "kahan", "wilkinson", "graded", "repeated", "huge", "tiny"])
def test_systems_are_solved(kind: str) -> None:
    for one in cases(kind):
        n = len(one)
        size = np.max(np.abs(one), initial=0.0) or 1.0
        one = one / size
        a = one @ one.conj().T + np.eye(n, dtype=one.dtype)
        for b in (np.ones(n, one.dtype), np.ones((n, 1), one.dtype), (one @ one).astype(one.dtype)):
            lower, x, inverse, (sign, logarithm) = triangles(a, b)
            case = (kind, a.shape, a.dtype, b.shape)
            assert is_near(lower @ lower.conj().T, a, a) and np.all(np.triu(lower, 1) == 0), case
            assert is_near(a @ x, b, a, 40.0 * max(1.0, float(np.max(np.abs(x), initial=0.0)))), case
            assert is_near(a @ inverse, np.eye(n, dtype=a.dtype), a, 40.0 * n), case
            assert abs(sign - 1) < 1e-5 and np.isclose(logarithm, np.linalg.slogdet(a)[1], rtol=1e-4), case
