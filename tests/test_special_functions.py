"""`scipy.special`'s everyday functions: values are SciPy's, derivatives those of `mpmath` or conventions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from importlib import import_module
from typing import Any

import autograph as ag
import mpmath as mp
import numpy as np
import pytest
from domains import Exact
from test_domains import MODES, exact_at, nested

special: Any = import_module("scipy.special")

SPECIAL = [0.0, -0.0, 0.25, 0.31, 0.5, 0.6, -0.7, 1.0, -1.0, 2.0, -3.0, 40.0, -40.0, 800.0, -800.0]
SPECIAL += [np.inf, -np.inf, np.nan, 1e-300]

OF_ONE = [
    name for name in ("expit", "log_expit", "logit", "softplus", "exp10", "entr") if hasattr(special, name)
]
OF_TWO = ["xlogy", "xlog1py", "rel_entr", "kl_div"]


def xlogy(x: Any, y: Any) -> Any:
    return x * mp.log(y)


EXACT: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "expit": (lambda x: 1 / (1 + mp.exp(-x)), [0.0, -0.0, 0.5, -3.0, 40.0, -40.0]),
    "log_expit": (lambda x: -mp.log(1 + mp.exp(-x)), [0.0, -0.0, 0.5, -3.0, 40.0, -40.0]),
    "logit": (lambda x: mp.log(x / (1 - x)), [0.01, 0.3, 0.31, 0.5, 0.65, 0.999]),
    "exp10": (lambda x: mp.power(10, x), [0.0, 1.5, -3.0]),
    "entr": (lambda x: -xlogy(x, x), [0.25, 1.0, 3.0]),
    "xlogy": (xlogy, [(1.0, 2.0), (-2.0, 0.5), (1e-9, 1.0)]),
    "xlog1py": (lambda x, y: xlogy(x, 1 + y), [(1.0, 2.0), (-2.0, 0.0), (1e-9, -0.5)]),
    "rel_entr": (lambda x, y: xlogy(x, x / y), [(1.0, 1.0), (2.0, 0.5), (0.3, 0.3)]),
    "kl_div": (lambda x, y: xlogy(x, x / y) - x + y, [(1.0, 1.0), (2.0, 0.5), (0.3, 0.3)]),
}

inf, nan = np.inf, np.nan

LIMITS: list[tuple[str, tuple[float, ...], tuple[float, ...]]] = [
    ("expit", (inf,), (0.0,)),
    ("expit", (-800.0,), (0.0,)),
    ("log_expit", (-inf,), (1.0,)),
    ("log_expit", (inf,), (0.0,)),
    ("logit", (0.0,), (inf,)),
    ("logit", (1.0,), (inf,)),
    ("entr", (0.0,), (inf,)),
    ("entr", (-1.0,), (0.0,)),
    ("xlogy", (0.0, 2.0), (np.log(2.0), 0.0)),
    ("xlogy", (0.0, 0.0), (-inf, 0.0)),
    ("xlog1py", (0.0, -1.0), (-inf, 0.0)),
    ("rel_entr", (0.0, 2.0), (-inf, 0.0)),
    ("rel_entr", (0.0, 0.0), (0.0, 0.0)),
    ("rel_entr", (-1.0, 2.0), (0.0, 0.0)),
    ("kl_div", (0.0, 0.0), (-1.0, 1.0)),
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", OF_ONE)
def test_values_are_those_of_scipy(name: str, dtype: Any) -> None:
    function, x = getattr(special, name), np.array(SPECIAL).astype(dtype)
    with np.errstate(all="ignore"):
        found, right = ag.function(lambda x: function(x))(x), function(x)
    assert found.dtype == right.dtype
    np.testing.assert_allclose(found, right, 8 * np.finfo(dtype).eps, 0)


@pytest.mark.parametrize("name", OF_TWO)
def test_values_of_two_are_those_of_scipy(name: str) -> None:
    function = getattr(special, name)
    x, y = (part.ravel() for part in np.meshgrid(SPECIAL, SPECIAL))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(ag.function(lambda x, y: function(x, y))(x, y), function(x, y), 1e-14, 0)


def test_integers_and_numbers() -> None:
    assert ag.function(lambda x: special.expit(x))(np.int64(2)) == pytest.approx(special.expit(2), rel=1e-15)
    assert ag.function(lambda x: special.xlogy(x, 2))(0.0) == 0.0


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("name", [name for name in EXACT if hasattr(special, name)])
def test_derivatives_are_exact(name: str, order: int) -> None:
    exact, points = EXACT[name]
    case = Exact(name, getattr(special, name), exact, points)
    columns = case.columns(np.float64)
    for places in itertools.product(range(len(columns)), repeat=order):
        counts = tuple(places.count(place) for place in range(len(columns)))
        wanted = [exact_at(case, point, counts) for point in zip(*columns, strict=True)]
        for modes in MODES[order]:
            found = nested(case.function, modes, places)(*columns)
            np.testing.assert_allclose(found, wanted, 1e-11, 1e-13, err_msg=f"{name} by {places}, {modes}")


@pytest.mark.parametrize(("name", "point", "wanted"), LIMITS, ids=str)
def test_limits_and_conventions(name: str, point: tuple[float, ...], wanted: tuple[float, ...]) -> None:
    args = [np.array([x]) for x in point]
    for place, right in enumerate(wanted):
        for mode in "fr":
            with np.errstate(all="ignore"):
                found = nested(getattr(special, name), mode, (place,))(*args)
            np.testing.assert_allclose(found, [right], 1e-14)


def test_a_logistic_regression_learns() -> None:
    x, y = np.array([[1.0, 0.2], [-0.5, 1.0], [0.3, -2.0]]), np.array([1.0, 0.0, 1.0])

    def loss(w: Any) -> Any:
        p = special.expit(x @ w)
        return -np.sum(special.xlogy(y, p) + special.xlog1py(1 - y, -p))

    right = x.T @ (special.expit(x @ np.array([0.1, -0.2])) - y)
    np.testing.assert_allclose(ag.grad(loss)(np.array([0.1, -0.2])), right, 1e-13)
