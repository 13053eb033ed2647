"""Derivatives where a formula picks a branch or divides 0 by 0: the exact values, to second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

LOG2 = np.log(2.0)


def of_zero_and(x):
    return np.logaddexp(0.0, x)


def of_equal(v):
    return np.logaddexp(v[0], v[1])


def of_equal_powers(v):
    return np.logaddexp2(v[0], v[1])


def softplus_loss(w):
    return np.sum(np.logaddexp(0.0, w * np.array([1.0, -2.0])))


def rest(x):
    return np.modf(x)[0] * 3.0


def variance(v):
    return np.nanvar(v)


def deviation(v):
    return np.nanstd(v)


def on_a_line(x):
    return np.interp(x, np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0, 4.0]))


def between_slopes(x):
    return np.interp(x, np.array([0.0, 1.0, 2.0]), np.array([-0.0, 1.0, 5.0]))


def of_heights(v):
    return np.interp(1.0, np.array([0.0, 1.0, 2.0]), v)


HALF = np.full((2, 2), 0.25) * np.array([[1.0, -1.0], [-1.0, 1.0]])
NAN = np.array([1.0, np.nan, 3.0])

CASES: list[tuple[Callable[..., Any], Any, Any, Any]] = [
    (of_zero_and, 0.0, 0.5, 0.25),
    (of_zero_and, np.float64(-0.0), 0.5, 0.25),
    (of_equal, np.array([3.0, 3.0]), [0.5, 0.5], HALF),
    (of_equal, np.array([3.0, 1.0]), [1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(2.0))], None),
    (of_equal, np.array([np.inf, 1.0]), [1.0, 0.0], np.zeros((2, 2))),
    (of_equal, np.array([-np.inf, 1.0]), [0.0, 1.0], np.zeros((2, 2))),
    (of_equal_powers, np.array([-1.0, -1.0]), [0.5, 0.5], HALF * LOG2),
    (softplus_loss, np.zeros(2), [0.5, -1.0], np.diag([0.25, 1.0])),
    (rest, 0.0, 3.0, 0.0),
    (rest, -0.0, 3.0, 0.0),
    (rest, -2.0, 3.0, 0.0),
    (rest, 2.25, 3.0, 0.0),
    (variance, NAN, [-1.0, 0.0, 1.0], np.array([[0.5, 0, -0.5], [0, 0, 0], [-0.5, 0, 0.5]])),
    (deviation, NAN, [-0.5, 0.0, 0.5], np.zeros((3, 3))),
    (on_a_line, 0.0, 2.0, 0.0),
    (on_a_line, 1.0, 2.0, 0.0),
    (on_a_line, 2.0, 2.0, 0.0),
    (on_a_line, 0.5, 2.0, 0.0),
    (on_a_line, 3.0, 0.0, 0.0),
    (between_slopes, 0.0, 1.0, 0.0),
    (between_slopes, 1.0, 4.0, 0.0),
    (between_slopes, 2.0, 4.0, 0.0),
    (of_heights, np.array([0.0, 1.0, 5.0]), [0.0, 1.0, 0.0], np.zeros((3, 3))),
]


def labels() -> list[str]:
    return [f"{function.__name__} at {np.asarray(point).tolist()}" for function, point, _, _ in CASES]


@pytest.mark.parametrize(("function", "point", "first", "second"), CASES, ids=labels())
def test_the_exact_derivative(function: Any, point: Any, first: Any, second: Any) -> None:
    value = function(point)
    found, gradient = ag.value_and_grad(function)(point)
    assert found == value and np.signbit(found) == np.signbit(value)
    np.testing.assert_allclose(gradient, first, rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(ag.jacfwd(function)(point), first, rtol=1e-14, atol=1e-14)
    if second is not None:
        np.testing.assert_allclose(ag.jacfwd(ag.grad(function))(point), second, rtol=1e-13, atol=1e-14)
        np.testing.assert_allclose(ag.jacrev(ag.grad(function))(point), second, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(("function", "point", "first", "second"), CASES, ids=labels())
def test_rows_of_points(function: Any, point: Any, first: Any, second: Any) -> None:
    rows = np.stack([np.asarray(point, float)] * 3)
    np.testing.assert_allclose(ag.vmap(ag.grad(function))(rows), np.stack([first] * 3), atol=1e-14)


def test_the_values_are_those_of_numpy() -> None:
    special = [0.0, -0.0, 1.0, -1.0, 2.5, -0.3, np.inf, -np.inf, np.nan, 1e300, 1e-320, 700.0, -700.0]
    for dtype in (np.float32, np.float64):
        with np.errstate(all="ignore"):
            x, y = (part.ravel() for part in np.meshgrid(*[np.array(special).astype(dtype)] * 2))
            for function in (of_two, of_two_powers, of_parts):
                for got, want in zip(ag.function(function)(x, y), function(x, y), strict=True):
                    assert got.dtype == want.dtype
                    np.testing.assert_array_max_ulp(got, want, 1)
                    assert np.array_equal(np.signbit(got) | np.isnan(got), np.signbit(want) | np.isnan(want))


def of_two(x, y):
    return [np.logaddexp(x, y)]


def of_two_powers(x, y):
    return [np.logaddexp2(x, y)]


def of_parts(x, y):
    return [*np.modf(x), *np.modf(y)]
