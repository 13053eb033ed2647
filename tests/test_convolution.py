"""Sums of shifted products, against NumPy: every dtype, mode and pair of sizes around the kernel's blocks."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest

MODES = ("full", "same", "valid")
SIZES = [(1, 1), (5, 3), (3, 5), (31, 2), (33, 32), (64, 65), (300, 100), (40, 300), (700, 600)]


def drawn(dtype: str, size: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    low = 0 if dtype in ("bool", "uint8") else -4
    line = rng.integers(low, 9, size)
    return (
        (line + 1j * rng.integers(-3, 3, size)).astype(dtype) if dtype.startswith("c") else line.astype(dtype)
    )


def same(got: Any, want: Any) -> None:
    """Whole numbers, so that floats are exact too."""
    assert type(got) is type(want) and got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int32", "int64", "float32", "float64", "complex64", "complex128"]
)
def test_every_dtype(dtype: str, mode: Any) -> None:
    convolve = ag.function(lambda x, y: np.convolve(x, y, mode))
    correlate = ag.function(lambda x, y: np.correlate(x, y, mode))
    for number, (n, m) in enumerate(SIZES):
        x, y = drawn(dtype, n, number), drawn(dtype, m, number + 50)
        same(convolve(x, y), np.convolve(x, y, mode))
        same(correlate(x, y), np.correlate(x, y, mode))
        same(convolve(x[::-1], y[::2]), np.convolve(x[::-1], y[::2], mode))


def test_rare_booleans() -> None:
    convolve = ag.function(lambda x, y: np.convolve(x, y))
    rng = np.random.default_rng(1)
    for n, m in SIZES:
        for share in (0.01, 0.3, 1.0):
            x, y = rng.random(n) < share, rng.random(m) < share
            same(convolve(x, y), np.convolve(x, y))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_beyond_the_ends_is_not_multiplied(dtype: str) -> None:
    convolve = ag.function(lambda x, y: np.convolve(x, y))
    for n, m in SIZES:
        x, y = drawn(dtype, n, 3), drawn(dtype, m, 4)
        y[m // 2] = np.inf
        x[n // 2] = np.nan
        with np.errstate(invalid="ignore"):
            same(convolve(x, y), np.convolve(x, y))


def test_sums_are_as_near_as_numpys() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.standard_normal(3000), rng.standard_normal(2000)
    exact = np.convolve(x.astype(np.longdouble), y.astype(np.longdouble))
    bound = np.convolve(np.abs(x), np.abs(y)) * 2.0**-53
    got = ag.function(lambda x, y: np.convolve(x, y))(x, y)
    # Parts of 256 products, and a sum of eight parts.
    assert (np.abs(got - exact) <= (256 + 8) * bound).all()


@pytest.mark.parametrize("mode", MODES)
def test_derivatives(mode: Any) -> None:
    rng = np.random.default_rng(6)
    for n, m in ((7, 3), (3, 7), (4, 4)):
        x, y = rng.standard_normal(n), rng.standard_normal(m)
        function = ag.function(lambda x, y: np.convolve(x, y, mode) ** 2)
        ag.check_grads(function, (x, y), order=2)
        want = np.stack([np.convolve(x * k, y, mode) ** 2 for k in (1, 2)])
        np.testing.assert_allclose(ag.vmap(function)(np.stack([x, 2 * x]), np.stack([y, y])), want)
