"""Decompositions of matrices as large as the blocks they are computed in, one more and one less.

With each set of vector instructions: by residuals, orthogonality and NumPy's values. The interpreter and
stacks of matrices give the same bits.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from numpy.typing import NDArray
from test_ill_conditioned import is_near, is_orthonormal

Matrix = NDArray[Any]

SETS = ("base", "avx2", "avx512")
"""Instruction sets; one that the processor lacks is the best that it has."""

BLOCKS = (4, 8, 16, 24, 32, 64, 192, 256)
"""Rows of a tile, of a triangle in registers, of a strip, of panels; terms that are summed in registers."""

SIZES = sorted({size + beside for size in BLOCKS for beside in (-1, 0, 1)})
LONG = ((1, 70), (5, 200), (7, 1000), (24, 25), (33, 100), (65, 193), (100, 33), (3, 780), (257, 40))
DTYPES = ("float64", "float32", "complex128")


def random(rng: np.random.Generator, dtype: str, *sizes: int) -> Matrix:
    made = rng.standard_normal(sizes)
    return (made + 1j * rng.standard_normal(sizes) if "complex" in dtype else made).astype(dtype)


@ag.function
def factors(a):
    return np.linalg.qr(a), np.linalg.qr(a, "complete"), np.linalg.svd(a, False), np.linalg.svdvals(a)


def check_factors(a: Matrix) -> None:
    (q, r), (whole, tall), (u, s, vh), alone = factors(a)
    case = (a.shape, a.dtype)
    assert is_orthonormal(q) and is_near(q @ r, a, a) and np.all(np.tril(r, -1) == 0), case
    assert is_orthonormal(whole) and is_near(whole @ tall, a, a) and np.all(np.tril(tall, -1) == 0), case
    assert is_near(np.abs(r), np.abs(np.linalg.qr(a)[1]), a, 1000.0), case
    assert is_orthonormal(u) and is_orthonormal(vh.conj().T) and is_near(u * s @ vh, a, a), case
    want = np.linalg.svd(a, compute_uv=False)
    assert is_near(s, want, a) and is_near(alone, want, a) and np.all(s[:-1] >= s[1:]), case


@ag.function
def spectra(a):
    return np.linalg.eigh(a), np.linalg.eigvalsh(a)


def check_spectra(a: Matrix) -> None:
    (values, vectors), alone = spectra(np.tril(a) + np.triu(np.full_like(a, np.nan), 1))
    case, a = (a.shape, a.dtype), np.tril(a, -1) + np.tril(a, -1).conj().T + np.diag(np.diag(a).real)
    assert is_orthonormal(vectors) and is_near(vectors * values @ vectors.conj().T, a, a), case
    want = np.linalg.eigvalsh(a)
    assert is_near(values, want, a) and is_near(alone, want, a) and np.all(values[:-1] <= values[1:]), case


@ag.function
def systems(a, b):
    return np.linalg.solve(a, b), np.linalg.solve(a, b[:, 0]), np.linalg.inv(a), np.linalg.slogdet(a)


def check_systems(a: Matrix, b: Matrix) -> None:
    x, one, inverse, (sign, logarithm) = systems(a, b)
    case = (a.shape, a.dtype, b.shape)
    growth = 40.0 * max(1.0, float(np.max(np.abs(x), initial=0.0)))
    assert is_near(a @ x, b, a, growth) and is_near(a @ one, b[:, 0], a, growth), case
    size = 40.0 * max(1.0, float(np.max(np.abs(inverse))))
    assert is_near(a @ inverse, np.eye(len(a), dtype=a.dtype), a, size), case
    wanted, known = np.linalg.slogdet(a)
    assert abs(sign - wanted) < 1e-3 and np.isclose(logarithm, known, rtol=1e-3, atol=1e-2), case


@ag.function
def triangle(a):
    return np.linalg.cholesky(a)


def check_triangle(a: Matrix) -> None:
    lower = triangle(np.tril(a) + np.triu(np.full_like(a, np.nan), 1))
    assert is_near(lower @ lower.conj().T, a, a) and np.all(np.triu(lower, 1) == 0), (a.shape, a.dtype)


def check_all(dtype: str, sizes: Iterator[int] | list[int]) -> None:
    rng = np.random.default_rng(len(dtype))
    for n in sizes:
        a = random(rng, dtype, n, n)
        check_factors(a)
        check_spectra(a)
        check_systems(a, random(rng, dtype, n, int(rng.choice([1, 3, n, n + 1]))))
        check_triangle(a @ a.conj().T + n * np.eye(n, dtype=a.dtype))
    for m, n in LONG if sizes else ():
        check_factors(random(rng, dtype, m, n))
        check_factors(random(rng, dtype, n, m))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("which", SETS)
def test_every_set_of_instructions_factorises(which: str, dtype: str) -> None:
    environment = {**os.environ, "AUTOGRAPH_ISA": which, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, __file__, dtype], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def parts_of(result: Any) -> list[Any]:
    return [one for part in result for one in parts_of(part)] if isinstance(result, tuple) else [result]


def native_and_interpreted(function: Any, *args: Any) -> list[Any]:
    """What the engine gives, which is what the interpreter gives."""
    leaves, concrete = function._specialise(args, {})
    native, interpreted = parts_of(concrete(leaves)), parts_of(concrete.interpret(leaves))
    for number, (one, other) in enumerate(zip(native, interpreted, strict=True)):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes(), number
    return native


@ag.function
def solutions(a, b):
    return np.linalg.solve(a, b), np.linalg.solve(a, b[..., :1]), np.linalg.inv(a)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 8, 9, 33, 65])
def test_stacks_and_the_interpreter_give_the_same_bits(n: int, dtype: str) -> None:
    stack = random(np.random.default_rng(n), dtype, 3, n, n)
    definite = (stack @ np.swapaxes(stack, 1, 2).conj() + n * np.eye(n)).astype(dtype)
    for function, args in (
        (factors, (stack,)),
        (spectra, (stack,)),
        (solutions, (stack, stack)),
        (triangle, (definite,)),
    ):
        native = native_and_interpreted(function, *args)
        for place in range(3):
            alone = native_and_interpreted(function, *(one[place] for one in args))
            for number, (found, other) in enumerate(zip(native, alone, strict=True)):
                assert np.array_equal(found[place], other), (n, number)


@pytest.mark.parametrize("n", [3, 8, 9, 33, 70, 200])
def test_the_first_pivot_that_is_not_positive_is_found(n: int) -> None:
    rng = np.random.default_rng(n)
    for place in {0, n // 2, n - 1}:
        values = np.ones(n)
        values[place] = -1.0
        lower = np.tril(rng.standard_normal((n, n)), -1) / n + np.eye(n)
        with pytest.raises(np.linalg.LinAlgError):
            triangle(lower * values @ lower.T)


@pytest.mark.parametrize("n", [2, 8, 9, 33, 70, 200])
def test_a_column_without_a_pivot_is_found(n: int) -> None:
    for place in {0, n // 2, n - 1}:
        a = np.triu(np.ones((n, n)))
        a[place, place] = 0.0
        a[place + 1 :, place + 1 :] = np.eye(n - place - 1)
        with pytest.raises(np.linalg.LinAlgError):
            np.linalg.solve(a, np.ones(n))
        with pytest.raises(np.linalg.LinAlgError):
            ag.function(lambda a, b: np.linalg.solve(a, b))(a, np.ones(n))
        assert ag.function(lambda a: np.linalg.det(a))(a) == 0.0


if __name__ == "__main__":
    check_all(sys.argv[1], SIZES if sys.argv[1] == "float64" else SIZES[:-6])
