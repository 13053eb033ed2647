"""`math.erf` and `scipy.special.erf`: as near to CPython's as the table of ops says, with a derivative."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import autograph as ag
import numpy as np
import pytest

special: Any = import_module("scipy.special")


def test_numbers_are_those_of_cpython() -> None:
    erf = ag.function(lambda x: math.erf(x))
    random = np.random.default_rng(5)
    near, far, small = random.normal(size=300), random.uniform(-7, 7, 300), 10 ** random.uniform(-320, 0, 100)
    for x in [0.0, -0.0, 0.25, 5.9375, math.inf, -math.inf, *near, *far, *small]:
        got, want = erf(float(x)), math.erf(x)
        assert abs(got - want) <= math.ulp(want)
        assert math.copysign(1.0, got) == math.copysign(1.0, want)
    assert math.isnan(erf(math.nan))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint8", "bool"])
def test_arrays_are_those_of_scipy(dtype: str) -> None:
    erf = ag.function(lambda x: special.erf(x))
    x = np.array([[0, 1, 2], [3, 1, 0]], dtype) if dtype[0] != "f" else np.linspace(-4, 4, 12).astype(dtype)
    got, want = erf(x), special.erf(x)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=4 * np.finfo(want.dtype).eps)


def test_arrays_of_any_size_and_none() -> None:
    @ag.function
    def positive(x: Any) -> Any:
        return special.erf(x[x > 0])

    for x in (np.array([-1.0, 0.5, 2.0]), np.array([-1.0])):
        np.testing.assert_allclose(positive(x), special.erf(x[x > 0]), rtol=1e-15)


def test_the_derivative_is_the_bell() -> None:
    def bell(x: Any) -> Any:
        return 2 / math.sqrt(math.pi) * np.exp(-x * x)

    for x in (-1.5, 0.0, 0.7):
        assert ag.grad(lambda x: math.erf(x))(x) == pytest.approx(bell(x), rel=1e-14)
        assert ag.grad(ag.grad(lambda x: math.erf(x)))(x) == pytest.approx(-2 * x * bell(x), rel=1e-13)
    xs = np.linspace(-2, 2, 9)
    np.testing.assert_allclose(ag.grad(lambda xs: np.sum(special.erf(xs)))(xs), bell(xs), rtol=1e-14)


def test_what_is_not_staged_is_refused() -> None:
    with pytest.raises(ag.StagingError):
        ag.function(lambda x: special.erf(x))(np.array([1 + 2j]))
    with pytest.raises(ag.StagingError):
        ag.function(lambda x: special.dawsn(x))(np.array([1.0]))
