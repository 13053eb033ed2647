"""Large arrays: what no memory can hold is refused, and what NumPy can do needs no more memory than NumPy."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import autograph as ag
import numpy as np
import pytest

ROWS = 100_000
TOO_BIG = "array is too big"


def made(n):
    return np.zeros(2**61)[0] + n


def made_of_two(n):
    return np.ones((2**31, 2**31, 8))[0, 0, 0] + n


def made_empty(n):
    return np.zeros((0, 2**62, 8)).sum() + n


def broadcast(n):
    return np.broadcast_to(n, (2**40, 2**40))[0, 0]


def outer(x):
    y = x[:, None, None, None, None] * x[:, None, None, None] * x[:, None, None] * x[:, None] * x
    return y[0, 0, 0, 0, 0]


def of_staged_size(n):
    return np.zeros((n, n))


@pytest.mark.parametrize("function", [made, made_of_two, made_empty, broadcast])
def test_refused_where_it_is_made(function):
    with pytest.raises((ValueError, MemoryError), match=TOO_BIG) as caught:
        ag.function(function)(1.0)
    assert caught.value.location.line == function.__code__.co_firstlineno + 1


def test_a_product_of_sizes():
    with pytest.raises((ValueError, MemoryError), match=TOO_BIG):
        ag.function(outer)(np.ones(40_000))


def test_sizes_of_the_run():
    staged = ag.function(of_staged_size, dynamic=["n"])
    assert staged(np.int64(3)).shape == (3, 3)
    with pytest.raises((ValueError, MemoryError)):
        staged(np.int64(2**40))


@pytest.mark.parametrize("size", [2**55, 2**59])
def test_memory_that_is_not_there(size):
    def allocated(n):
        return (np.zeros(size) + n).cumsum()[3]

    staged = ag.function(allocated)
    with pytest.raises(MemoryError, match="Unable to allocate"):
        staged(1.0)
    with pytest.raises(MemoryError, match="Unable to allocate"):
        staged.concrete_function(1.0).interpret([1.0])


def tall(columns: int = 3) -> Any:
    return np.random.default_rng(5).normal(size=(ROWS, columns))


def least_squares(a, b):
    return np.linalg.lstsq(a, b, rcond=None)[0]


def singular(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.matmul(u * s, vh), s


def wide(a):
    u, s, vh = np.linalg.svd(a.T, full_matrices=False)
    return np.matmul(u * s, vh), s


def fitted(x, y):
    return np.polyfit(x, y, 3)


def decomposed(a):
    return tuple(np.linalg.qr(a))


PROGRAMS = {
    "least_squares": lambda: (least_squares, tall(), tall(1)[:, 0]),
    "pinv": lambda: (lambda a: np.linalg.pinv(a), tall()),
    "singular": lambda: (singular, tall()),
    "wide": lambda: (wide, tall()),
    "fitted": lambda: (fitted, np.linspace(-1, 1, ROWS), tall(1)[:, 0]),
    "decomposed": lambda: (decomposed, tall()),
    "values": lambda: (lambda a: np.linalg.svdvals(a), tall()),
    "convolve": lambda: (lambda x, y: np.convolve(x, y), tall(1)[:30_000, 0], tall(1)[-30_000:, 0]),
    "isin": lambda: (lambda x, y: np.isin(x, y), np.arange(ROWS) % 977, np.arange(0, 50_000, 3)),
}


def run(name: str) -> None:
    """Compares a program with NumPy in a process that may have 1 GiB more than it starts with."""
    import resource

    function, *args = PROGRAMS[name]()
    ag.function(lambda x: x + 1)(np.ones(3))
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), resource.RLIM_INFINITY))
    result, expected = ag.function(function)(*args), function(*args)
    for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (result, expected)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_memory_of_numpy(name):
    pytest.importorskip("resource")
    subprocess.run([sys.executable, __file__, name], check=True, timeout=300)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("kind", ["floats", "infinite", "ints"])
def test_long_convolutions(kind, mode):
    random = np.random.default_rng(1)
    x, y = random.integers(-9, 9, (2, 103)), random.integers(-9, 9, 77)
    x, y = (x[0], y) if kind == "ints" else (x[0] / 2, y / 4)
    if kind == "infinite":
        y[40], x[3] = np.inf, np.nan

    def convolved(x, y):
        return np.convolve(x, y, mode), np.correlate(y, x, mode)

    with np.errstate(invalid="ignore"):
        results, expected = ag.function(convolved)(x, y), convolved(x, y)
    for result, one in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, one, rtol=1e-13)
        assert result.dtype == one.dtype


def test_membership():
    x = np.array([0.0, -0.0, 1.5, np.nan, np.inf, 7.0, 1e300])
    known = np.array([*range(20, 40), np.nan, -0.0, 1.5, np.inf])

    def members(x, known):
        return np.isin(x, known), np.isin(x, known, invert=True), np.isin(x.astype(int), known.astype(int))

    with np.errstate(invalid="ignore"):
        for result, one in zip(ag.function(members)(x, known), members(x, known), strict=True):
            np.testing.assert_array_equal(result, one)


if __name__ == "__main__":
    run(sys.argv[1])
