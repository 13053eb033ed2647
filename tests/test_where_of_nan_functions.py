"""`where=` and `initial=` of the reductions that ignore NaN: NumPy's values, and derivatives."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import autograph as ag
import numpy as np
import pytest

RANDOM = np.random.default_rng(6)
NAMES = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"]
WITH_INITIAL = NAMES[:4]


def with_nan(shape: tuple[int, ...]) -> Any:
    x = RANDOM.normal(size=shape)
    return np.where(RANDOM.uniform(size=shape) < 0.3, np.nan, x)


ARRAYS = [
    with_nan((3, 4)),
    with_nan((2, 3, 2)),
    np.array([[np.nan, np.nan], [1.0, -2.0]]),
    np.array([np.inf, 1.0, -np.inf, np.nan]),
    np.array([[3, -1, 4], [1, -5, 9]]),
    np.array([1, 2, 3], np.int32),
    np.array([True, False, True]),
    np.array(1.5),
    np.array(np.nan),
    np.float64(2.5),
    np.float64(np.nan),
    np.zeros((0, 3)),
]


def masks(x: Any) -> list[Any]:
    shape = np.shape(x)
    found = [True, RANDOM.uniform(size=shape) < 0.6, np.zeros(shape, bool), np.ones(shape[-1:], bool), False]
    return found


def outcome(call: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call()
        except (ValueError, TypeError, OverflowError) as error:
            return type(error), str(error)


def same(found: Any, wanted: Any, tolerance: float) -> None:
    if isinstance(wanted, tuple):
        assert isinstance(found, tuple) and issubclass(found[0], wanted[0])
        # Of known empty arrays the refusal is ours, and located.
        assert found[1] == wanted[1] or "has no identity" in found[1]
        return
    assert type(found) is type(wanted) and found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, tolerance, tolerance)


@pytest.mark.parametrize("dtype", [None, np.float32])
@pytest.mark.parametrize("number", range(len(ARRAYS)))
@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_numpy(name: str, number: int, dtype: Any) -> None:
    function = getattr(np, name)
    x = ARRAYS[number] if dtype is None else np.asarray(ARRAYS[number]).astype(dtype)[()]
    initials = [np._NoValue, *([0.5, -3, np.nan, np.inf] if name in WITH_INITIAL else [])]
    for axis, keepdims in itertools.product([None, *range(np.ndim(x))], [False, True]):
        for where, initial in itertools.product(masks(x), initials):
            options: dict[str, Any] = {"axis": axis, "keepdims": keepdims, "where": where}
            if initial is not np._NoValue:
                options["initial"] = initial
            wanted = outcome(lambda: function(x, **options))
            if isinstance(wanted, tuple) and isinstance(initial, float):
                continue  # An initial float of integers: what NumPy says of it is asked elsewhere.
            found = outcome(lambda: ag.function(lambda x: function(x, **options))(x))
            same(found, wanted, 1e-13 if dtype is None else 1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_masks_and_initial_values_may_be_staged(name: str) -> None:
    function = getattr(np, name)
    initial = {"initial": 0.75} if name in WITH_INITIAL else {}
    x, mask = ARRAYS[0], RANDOM.uniform(size=(3, 4)) < 0.6

    def f(x: Any, mask: Any, initial: Any) -> Any:
        return function(x, axis=1, where=mask, **initial)

    staged = ag.function(f)
    for where in (mask, ~mask, mask):
        same(outcome(lambda: staged(x, where, initial)), outcome(lambda: f(x, where, initial)), 1e-13)


def without(name: str, x: Any, mask: Any) -> Any:
    """The same of the elements that are taken, by functions without `where=`."""
    chosen = x[mask & ~np.isnan(x)]
    return getattr(np, name.removeprefix("nan"))(chosen)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_those_of_the_elements_that_are_taken(name: str) -> None:
    x = np.array([0.5, np.nan, 2.0, -1.25, 3.0, np.nan, 0.75])
    mask = np.array([True, True, True, True, False, False, True])
    function, initial = getattr(np, name), {}
    if name in ("nanmax", "nanmin"):
        initial = {"initial": -np.inf if name == "nanmax" else np.inf}

    def f(x: Any) -> Any:
        return function(x, where=mask, **initial)

    def plain(part: Any) -> Any:
        return getattr(np, name.removeprefix("nan"))(part)

    places = np.flatnonzero(mask & ~np.isnan(x))
    part = x[places]
    gradient = np.zeros_like(x)
    gradient[places] = ag.grad(plain)(part)
    np.testing.assert_allclose(f(x), without(name, x, mask), 1e-14)
    for made in (ag.grad, ag.jacfwd, ag.jacrev):
        np.testing.assert_allclose(made(f)(x), gradient, 1e-13, 1e-15)
    second = np.zeros((len(x), len(x)))
    second[np.ix_(places, places)] = ag.hessian(plain)(part)
    np.testing.assert_allclose(ag.hessian(f)(x), second, 1e-12, 1e-14)
    third = np.zeros((len(x),) * 3)
    third[np.ix_(places, places, places)] = ag.jacfwd(ag.hessian(plain))(part)
    np.testing.assert_allclose(ag.jacfwd(ag.hessian(f))(x), third, 1e-12, 1e-13)
    rows = np.stack([x, x + 1.0])
    np.testing.assert_allclose(ag.vmap(ag.grad(f))(rows)[0], gradient, 1e-13, 1e-15)
