"""`logsumexp`, `softmax` and `log_softmax` of `scipy.special`: SciPy's values, and exact derivatives."""

from __future__ import annotations

import itertools
import re
from importlib import import_module
from typing import Any

import autograph as ag
import numpy as np
import pytest

special: Any = import_module("scipy.special")

inf, nan = np.inf, np.nan
RANDOM = np.random.default_rng(8)
ARRAYS: list[Any] = [
    RANDOM.normal(size=(2, 3, 4)),
    np.array([[1.0, 1.0, 0.5], [-2.0, 0.0, 0.0]]),
    np.array([[0.0, -40.0, -745.0], [1000.0, 1000.0, 999.0]]),
    np.array([[inf, 1.0, 2.0], [-inf, -inf, -inf], [nan, 0.0, inf], [-inf, 0.5, -3.0]]),
    np.array([[1, 2, 3], [3, -1, 0]]),
    np.array([[True, False]]),
    np.array(0.5),
    np.float64(2.0),
    1.5,
    np.zeros((2, 1)),
]
NAMES = ["logsumexp", "softmax", "log_softmax"]


def same(found: Any, wanted: Any, tolerance: float) -> None:
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other, tolerance)
        return
    assert type(found) is type(wanted) and found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, tolerance, tolerance / 10)


def axes_of(x: Any) -> list[Any]:
    count = np.ndim(x)
    places = range(-count, count)
    pairs = list(itertools.combinations(range(count), 2))
    return [None, *places, *pairs]


@pytest.mark.parametrize("dtype", [None, np.float32])
@pytest.mark.parametrize("number", range(len(ARRAYS)))
@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_scipy(name: str, number: int, dtype: Any) -> None:
    function = getattr(special, name)
    x = ARRAYS[number] if dtype is None else np.asarray(ARRAYS[number]).astype(dtype)[()]
    for axis in axes_of(x):
        with np.errstate(all="ignore"):
            try:
                wanted = function(x, axis=axis)
            except TypeError as error:  # Booleans are not subtracted.
                with pytest.raises(TypeError, match=re.escape(str(error))):
                    ag.function(lambda x: function(x, axis=axis))(x)
                continue
            for _ in range(2):
                found = ag.function(lambda x: function(x, axis=axis))(x)
                same(found, wanted, 2e-15 if dtype is None else 1e-6)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("return_sign", [False, True])
@pytest.mark.parametrize("number", range(len(ARRAYS)))
def test_weights_and_signs(number: int, return_sign: bool, keepdims: bool) -> None:
    a = ARRAYS[number]
    shape = np.shape(a)
    choices = [None, 2.0, -1, np.zeros(shape), RANDOM.normal(size=shape)]
    choices += [
        np.where(RANDOM.uniform(size=shape) < 0.5, 0.0, RANDOM.normal(size=shape)),
        np.ones(shape, int),
    ]
    for b, axis in itertools.product(choices, axes_of(a)):
        options = {"axis": axis, "keepdims": keepdims, "return_sign": return_sign}
        with np.errstate(all="ignore"):
            wanted = special.logsumexp(a, b=b, **options)
            found = ag.function(lambda a, b: special.logsumexp(a, b=b, **options))(a, b)
        same(found, wanted, 2e-14)


def test_an_empty_array() -> None:
    x = np.zeros((0, 3))
    same(ag.function(lambda x: special.logsumexp(x, axis=0))(x), special.logsumexp(x, axis=0), 0)
    for name in ("softmax", "log_softmax"):
        function = getattr(special, name)
        with pytest.raises(ValueError, match="zero-size array"):
            function(x, axis=0)
        with pytest.raises(ValueError, match="zero-size array"):
            ag.function(lambda x: function(x, axis=0))(x)


POINTS = [
    np.array([0.3, -1.0, 2.0]),
    np.array([1.0, 1.0, 0.5]),
    np.array([0.0, 0.0, 0.0]),
    np.array([1000.0, 1000.0, 999.0]),
    np.array([0.0, -40.0, -1e3]),
]


def jacobian_of_softmax(p: Any) -> Any:
    return np.diag(p) - np.outer(p, p)


def third(p: Any) -> Any:
    """The derivative of the Jacobian of `softmax`."""
    delta = np.eye(len(p))
    jacobian = jacobian_of_softmax(p)
    return (
        np.einsum("ij,ik->ijk", delta, jacobian)
        - np.einsum("ik,j->ijk", jacobian, p)
        - np.einsum("jk,i->ijk", jacobian, p)
    )


@pytest.mark.parametrize("x", POINTS, ids=str)
def test_derivatives_are_exact_to_third_order(x: Any) -> None:
    p = special.softmax(x)
    for made in (ag.grad, ag.jacfwd):
        np.testing.assert_allclose(made(lambda x: special.logsumexp(x))(x), p, 1e-13, 1e-300)
    for inner, outer in itertools.product((ag.grad, ag.jacfwd), (ag.jacrev, ag.jacfwd)):
        found = outer(inner(lambda x: special.logsumexp(x)))(x)
        np.testing.assert_allclose(found, jacobian_of_softmax(p), 1e-13, 1e-15)
        found = ag.jacfwd(outer(inner(lambda x: special.logsumexp(x))))(x)
        np.testing.assert_allclose(found, third(p), 1e-13, 1e-15)
    for made in (ag.jacrev, ag.jacfwd):
        np.testing.assert_allclose(
            made(lambda x: special.softmax(x))(x), jacobian_of_softmax(p), 1e-13, 1e-15
        )
        found = made(lambda x: special.log_softmax(x))(x)
        np.testing.assert_allclose(found, np.eye(3) - p, 1e-13, 1e-15)
        found = ag.jacfwd(made(lambda x: special.log_softmax(x)))(x)
        np.testing.assert_allclose(found, -np.stack([jacobian_of_softmax(p)] * 3), 1e-13, 1e-15)


def test_derivatives_by_weights() -> None:
    a, b = np.array([0.3, -1.0, 2.0]), np.array([1.0, 0.0, -0.5])

    def f(a: Any, b: Any) -> Any:
        return special.logsumexp(a, b=b, return_sign=True)[0]

    total = np.sum(b * np.exp(a))
    np.testing.assert_allclose(ag.grad(f, (0, 1))(a, b), [b * np.exp(a) / total, np.exp(a) / total], 1e-14)
    np.testing.assert_allclose(ag.hessian(f, 1)(a, b), -np.outer(np.exp(a), np.exp(a)) / total**2, 1e-13)
    weighted = ag.grad(lambda a: special.logsumexp(a, b=np.array([1.0, 0.0])))
    for other in (inf, nan, 1e300, -inf):
        np.testing.assert_array_equal(weighted(np.array([0.5, other])), [1.0, 0.0])
    sign = ag.grad(lambda a: special.logsumexp(a, b=b, return_sign=True)[1])
    np.testing.assert_array_equal(sign(a), np.zeros(3))


def test_rows_and_infinite_elements() -> None:
    x = np.array([[0.5, -inf, 1.0], [2.0, 2.0, -inf]])
    wanted = special.softmax(x, axis=1)
    np.testing.assert_allclose(ag.vmap(ag.grad(lambda x: special.logsumexp(x)))(x), wanted, 1e-15)
    np.testing.assert_allclose(ag.grad(lambda x: special.logsumexp(x, axis=1).sum())(x), wanted, 1e-15)
    np.testing.assert_allclose(ag.vmap(lambda x: special.softmax(x))(x), wanted, 1e-15)


def test_lists_and_complex_numbers() -> None:
    assert ag.function(lambda x: special.logsumexp([x, 1.0]))(0.5) == special.logsumexp([0.5, 1.0])
    for name in NAMES:
        with pytest.raises(ag.StagingError, match=rf"AG107.*`scipy.special.{name}` of a complex value"):
            ag.function(lambda x: getattr(special, name)(x))(np.array([1.0 + 2.0j]))
