"""`scipy.special`'s everyday functions: values are SciPy's, derivatives those of `mpmath` or conventions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from importlib import import_module
from math import factorial
from typing import Any

import autograph as ag
import mpmath as mp
import numpy as np
import pytest
import special_cases as cases
from autograph import _core
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


NAMES = [name for name in cases.OF_ONE if hasattr(special, name)]
EVERYWHERE = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, -2.5, 30.0, -30.5, 171.5, 180.0, 1e-200, -1e-200]
EVERYWHERE += [1e10, -1e10, 1e300, -1e300, np.inf, -np.inf, np.nan]


def ulps(found: Any, exact: Any) -> float:
    wanted = np.asarray(exact, found.dtype)[()]
    if not np.isfinite(wanted):
        return 0.0 if found == wanted else np.inf
    return float(abs(mp.mpf(float(found)) - exact) / mp.mpf(float(np.spacing(abs(wanted)))))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", NAMES)
def test_values_are_exact(name: str, dtype: Any) -> None:
    case = cases.OF_ONE[name]
    spread = np.random.default_rng(3).uniform(0.0, 1.0, 200) ** 2
    numbers = (case.low + spread * (case.high - case.low)).astype(dtype)
    found = ag.function(lambda x: getattr(special, name)(x))(numbers)
    assert found.dtype == dtype
    with mp.workdps(50):
        worst = max(ulps(one, case.exact(mp.mpf(float(x)))) for one, x in zip(found, numbers, strict=True))
    assert worst <= (case.ulps if dtype == np.float64 else 1.5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("name", NAMES)
def test_values_everywhere_are_those_of_scipy(name: str, dtype: Any) -> None:
    function = getattr(special, name)
    numbers = np.array([0, 1, 2, 30, -1, -4, 100]) if dtype == np.int64 else np.array(EVERYWHERE)
    with np.errstate(all="ignore"):
        numbers = numbers.astype(dtype)
        wanted = function(numbers)
        for shaped in (
            numbers,
            numbers[:0],
            numbers[2:3],
            numbers[:6].reshape(2, 3),
            numbers[2:3].reshape(()),
        ):
            found = ag.function(lambda x: function(x))(shaped)
            right = function(shaped)
            assert type(found) is type(right) and found.dtype == right.dtype and found.shape == right.shape
        found = ag.function(lambda x: function(x))(numbers)
        eps = np.finfo(wanted.dtype).eps
        np.testing.assert_allclose(found, wanted, 500 * eps, np.finfo(wanted.dtype).tiny)
        np.testing.assert_array_equal(
            np.signbit(found[~np.isnan(found)]), np.signbit(wanted[~np.isnan(wanted)])
        )


@pytest.mark.parametrize("name", cases.OF_TWO)
def test_values_of_beta_are_exact(name: str) -> None:
    exact, function = cases.OF_TWO[name][0], getattr(special, name)
    random = np.random.default_rng(4)
    x, y = random.uniform(0.01, 20.0, 100), random.uniform(0.01, 20.0, 100)
    found = ag.function(lambda x, y: function(x, y))(x, y)
    with mp.workdps(50):
        wanted = [float(exact(mp.mpf(a), mp.mpf(b))) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(found, wanted, 2e-14)  # `x + y` is rounded: SciPy's, too.
    x, y = (
        part.ravel()
        for part in np.meshgrid([0.0, -1.0, -2.0, 1.0, 2.0, 0.5, -2.5, 200.0, np.nan, np.inf], EVERYWHERE)
    )
    with np.errstate(all="ignore"):
        wanted = function(x, y)
        # SciPy has NaN where one of them is infinite and the other infinite or NaN.
        is_usual = ~(np.isinf(x) | np.isinf(y) | (np.abs(y) > 1e200))
        found = ag.function(lambda x, y: function(x, y))(x, y)
        np.testing.assert_allclose(found[is_usual], wanted[is_usual], 1e-12)


@pytest.mark.parametrize("n", range(5))
def test_polygamma(n: int) -> None:
    numbers = np.array([*np.random.default_rng(5).uniform(0.01, 50.0, 60), *EVERYWHERE, -1e5 - 0.25])
    with np.errstate(all="ignore"):
        wanted = special.polygamma(n, numbers)
        found = ag.function(lambda x: special.polygamma(n, x))(numbers)
    is_near = np.abs(numbers) < 1e12
    np.testing.assert_allclose(found[is_near], wanted[is_near], 2e-14, 1e-13 * factorial(n))
    positive = numbers[:60]
    with mp.workdps(50):
        worst = max(ulps(one, mp.polygamma(n, mp.mpf(x))) for one, x in zip(found, positive, strict=False))
    assert worst <= (4.0 if n else 16.0)
    orders = np.arange(3)[:, np.newaxis]
    for x in (np.float32(2.0), 2.0, 3, positive[:2].astype(np.float32)):
        for order in (n, orders, np.int32(n), float(n)):
            right = special.polygamma(order, x)
            got = ag.function(lambda x: special.polygamma(order, x))(x)
            assert type(got) is type(right) and got.dtype == right.dtype and got.shape == right.shape
            np.testing.assert_allclose(got, right, 1e-14)
    exact = ag.grad(lambda x: np.sum(special.polygamma(n, x)))(positive)
    np.testing.assert_allclose(exact, special.polygamma(n + 1, positive), 2e-14)


def test_an_order_that_is_no_integer_is_refused() -> None:
    for order in (1.5, np.array([1.0, 2.5])):
        with pytest.raises(ag.StagingError, match=r"AG107.*order that is no integer"):
            ag.function(lambda x: special.polygamma(order, x))(2.0)
    with pytest.raises(ag.StagingError, match=r"AG107.*order that is no integer"):
        ag.function(lambda n, x: special.polygamma(n, x))(np.float64(1.0), 2.0)


ALL_EXACT: dict[str, tuple[Any, Any]] = {
    **{name: (case.exact, case.points) for name, case in cases.OF_ONE.items() if hasattr(special, name)},
    **cases.OF_TWO,
}


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ALL_EXACT)
def test_derivatives_of_ops_are_exact(name: str, dtype: Any, order: int) -> None:
    exact, points = ALL_EXACT[name]
    case = Exact(name, getattr(special, name), exact, points)
    columns = case.columns(dtype)
    tolerance = 2e-10 if dtype == np.float64 else 1e-3
    for places in itertools.product(range(len(columns)), repeat=order):
        counts = tuple(places.count(place) for place in range(len(columns)))
        wanted = [exact_at(case, point, counts) for point in zip(*columns, strict=True)]
        for modes in MODES[order]:
            found = nested(case.function, modes, places)(*columns)
            assert found.dtype == dtype
            np.testing.assert_allclose(found, wanted, tolerance, tolerance / 100, err_msg=f"{name}, {modes}")


@pytest.mark.parametrize("name", ALL_EXACT)
def test_staged_and_in_rows(name: str) -> None:
    columns = Exact(name, getattr(special, name), *ALL_EXACT[name]).columns(np.float64)
    gradient = nested(getattr(special, name), "rf", (0, len(columns) - 1))
    plain = gradient(*columns)
    np.testing.assert_array_equal(ag.function(gradient)(*columns), plain)
    rows = ag.vmap(gradient)(*(column[:, np.newaxis] for column in columns))
    np.testing.assert_array_equal(rows[:, 0], plain)


def test_each_op_of_scipy_is_tried() -> None:
    ops = [means.rpartition(".")[2] for _, _, means, *_ in _core.op_table() if means.startswith("scipy.")]
    tried = {*cases.OF_ONE, *cases.OF_TWO, "polygamma", "iv", "ive"}  # `i0` is `iv` of order 0.
    assert ops and set(ops) <= tried


@pytest.mark.parametrize("name", ["gammainc", "jv", "comb", "zeta", "expi", "hyp2f1"])
def test_other_functions_are_refused_by_name(name: str) -> None:
    function = getattr(special, name)
    count = function.nin if isinstance(function, np.ufunc) else 2

    def program(x: Any) -> Any:
        return function(*[x] * count)

    with pytest.raises(ag.StagingError) as refused:
        ag.function(program)(np.array([0.5]))
    shown = f"`scipy.special.{name}` of a staged value is not supported yet"
    assert refused.value.code == "AG107" and shown in str(refused.value)
    location = refused.value.location
    assert location is not None and location.line == program.__code__.co_firstlineno + 1
    np.testing.assert_array_equal(function(*[2.0] * count), ag.function(lambda: function(*[2.0] * count))())


@pytest.mark.parametrize("name", NAMES)
def test_jacobians_are_diagonal(name: str) -> None:
    function, x = getattr(special, name), np.linspace(0.1, 0.9, 5)
    found = ag.jacobian(lambda x: function(x))(x)
    assert len(found.data) == len(x)  # One entry a row: no op is taken for one that mixes elements.
    np.testing.assert_allclose(found.todense(), ag.jacrev(lambda x: function(x))(x), 1e-14)
