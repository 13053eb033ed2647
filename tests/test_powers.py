"""``x ** 2``, ``x ** 0.5``, ``x ** -1``: bit for bit what NumPy gives, which takes short cuts for them."""

from __future__ import annotations

import warnings
from typing import Any

import autograph as ag
import numpy as np
import pytest

EXPONENTS = [2, 2.0, -1, -1.0, 0.5, 0, 0.0, 1, 1.0, True]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-310, -1e-310, 1e300, -1e300, 5e-324]


def elements(dtype: str) -> Any:
    random = np.random.default_rng(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        special = np.array(SPECIAL).astype(dtype)
        return np.concatenate([random.normal(size=3000).astype(dtype) * 9, special])


def power(x, e):
    return x**e


def power_in_place(x, e):
    x **= e
    return x


def power_function(x, e):
    return np.power(x, e)


def power_of_part(x, e):
    return x[::2] ** e, (x[1:] + 1) ** e


def same(result: Any, expected: Any) -> None:
    one, other = np.asarray(result), np.asarray(expected)
    assert (one.dtype, one.shape) == (other.dtype, other.shape)
    differ = (one != other) | (np.signbit(one) != np.signbit(other))
    differ &= ~(np.isnan(one) & np.isnan(other))
    assert not differ.any(), (one[differ][:5], other[differ][:5])


def check(function: Any, *args: Any, fixed: Any = None) -> None:
    """Compares engine and interpreter with NumPy, with a staged exponent and with a fixed one."""
    copies = lambda: [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]  # noqa: E731
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*copies())

        def with_fixed(x):
            return function(x, args[1])

        staged, constant = ag.function(function), ag.function(with_fixed)
        given = copies()
        results = [
            staged(*copies()),
            staged.concrete_function(*given).interpret(given),
            constant(copies()[0]),
        ]
    for result in results:
        for one, other in zip(
            *(r if isinstance(r, tuple) else (r,) for r in (result, expected)), strict=True
        ):
            same(one, other)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("exponent", EXPONENTS, ids=repr)
@pytest.mark.parametrize("function", [power, power_in_place, power_function, power_of_part])
def test_arrays(function, exponent, dtype):
    check(function, elements(dtype), exponent)


@pytest.mark.parametrize(
    "exponent", [np.float64(2), np.float32(0.5), np.int64(-1), np.array(2.0), np.array([0.5])]
)
def test_other_kinds_of_one_number(exponent):
    check(power, elements("float64"), exponent)
    check(power, elements("float64").reshape(-1, 3, 4), exponent)


@pytest.mark.parametrize("exponent", [2, 2.0, 0.5, -1.0])
def test_scalars_take_none(exponent):
    for value in [np.float64(3.7), np.float64(-0.0), np.float64(-np.inf), np.float64(1.1), np.float32(1.1)]:
        check(power, value, exponent)
        check(power_function, value, exponent)
        check(power, np.array(value), exponent)


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "bool"])
@pytest.mark.parametrize("exponent", [2, 2.0, 0.5, -1.0, 0, 3], ids=repr)
def test_integers(exponent, dtype):
    if (dtype, type(exponent)) != ("bool", int):
        check(power, (np.arange(200) % 90).astype(dtype), exponent)


def test_special_values():
    x = np.array([-0.0, -np.inf])
    check(power, x, 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.signbit(ag.function(power)(x, 0.5)[0])
        assert np.isnan(ag.function(power)(x, 0.5)[1])


@pytest.mark.parametrize("exponent", [2.0, 0.5, -1.0, 1.0, 0.0, 3.0])
def test_gradients(exponent):
    x = np.array([0.3, 1.7, 2.5])

    def total(x, e):
        return np.sum(x**e)

    by_x, by_e = ag.grad(total, (0, 1))(x, exponent)
    np.testing.assert_allclose(by_x, exponent * x ** (exponent - 1.0), rtol=1e-12)
    np.testing.assert_allclose(by_e, np.sum(x**exponent * np.log(x)), rtol=1e-12)

    def fixed(x):
        return np.sum(x**exponent)

    np.testing.assert_allclose(ag.grad(fixed)(x), exponent * x ** (exponent - 1.0), rtol=1e-12)
    seconds = exponent * (exponent - 1) * x ** (exponent - 2.0)
    np.testing.assert_allclose(np.diag(ag.hessian(fixed)(x)), seconds, rtol=1e-12)
