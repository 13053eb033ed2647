"""`np.testing`: what it asserts of staged values is asserted by each run, with NumPy's own text."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome

ASSERTIONS: dict[str, Callable[[Any, Any], None]] = {
    "allclose": lambda x, y: np.testing.assert_allclose(x, y),
    "allclose_with_options": lambda x, y: np.testing.assert_allclose(x, y, rtol=0.5, atol=1.0, err_msg="m"),
    "array_equal": lambda x, y: np.testing.assert_array_equal(x, y),
    "equal": lambda x, y: np.testing.assert_equal(x, y),
    "equal_trees": lambda x, y: np.testing.assert_equal({"a": [x, 1]}, {"a": [y, 1]}),
    "almost": lambda x, y: np.testing.assert_almost_equal(x, y, decimal=3),
    "array_almost": lambda x, y: np.testing.assert_array_almost_equal(x, y),
    "less": lambda x, y: np.testing.assert_array_less(x, y),
    "approx": lambda x, y: np.testing.assert_approx_equal(np.sum(x), np.sum(y)),
    "truth": lambda x, y: np.testing.assert_(np.sum(x) < np.sum(y), "text"),
    "plain": lambda x, y: np.testing.assert_equal([1], [1]),
}
VALUES = [
    (np.array([3.0, 1.0]), np.array([3.0, 1.0])),
    (np.array([3.0, 1.0]), np.array([3.0, 1.5])),
    (np.array([3.0, np.nan]), np.array([3.0, np.nan])),
    (np.array([3, 1]), np.array([3, 2])),
    (np.array([1 + 1j, 2]), np.array([1 + 1j, 2])),
    (np.array([1, 2], np.int8), np.array([1, 3], np.int8)),
    (np.zeros(0), np.zeros(0)),
    (np.float64(2.0), np.float64(2.0)),
    (2, 3),
]


@pytest.mark.parametrize("name", ASSERTIONS)
def test_results_and_texts(name: str) -> None:
    def asserted(x, y):
        ASSERTIONS[name](x, y)
        return x + y

    staged = ag.function(asserted)
    for values in VALUES:
        want = outcome(asserted, copy.deepcopy(values))
        assert outcome(staged, copy.deepcopy(values)) == want
        assert outcome(staged, copy.deepcopy(values)) == want


def test_of_a_list_of_the_run() -> None:
    def f(x, n):
        kept = []
        for i in range(n):
            kept.append(x[i])
        np.testing.assert_array_equal(kept, x[:n])
        np.testing.assert_equal(kept, [1.0, 2.0])
        return kept

    staged = ag.function(f)
    assert staged(np.array([1.0, 2.0, 3.0]), np.int64(2)) == [1.0, 2.0]
    with pytest.raises(AssertionError) as plain:
        f(np.array([1.0, 5.0, 3.0]), np.int64(2))
    with pytest.raises(AssertionError) as caught:
        staged(np.array([1.0, 5.0, 3.0]), np.int64(2))
    assert str(caught.value) == str(plain.value)


def test_in_a_try() -> None:
    def f(x, n):
        count = 0
        for i in range(n):
            try:
                np.testing.assert_allclose(x[i], 1.0)
            except AssertionError:
                count += 1
        return count

    x = np.array([1.0, 2.0, 1.0, 3.0])
    assert ag.function(f)(x, np.int64(4)) == f(x, np.int64(4)) == 2


def test_the_line_is_that_of_the_call() -> None:
    def f(x):
        y = x * 2.0
        np.testing.assert_array_equal(x, y)
        return y

    with pytest.raises(AssertionError) as caught:
        ag.function(f)(np.ones(2))
    place = ag.errors.place_of(caught.value)
    assert place is not None
    assert place.line == f.__code__.co_firstlineno + 2


def test_gradients_pass() -> None:
    def f(x):
        np.testing.assert_array_less(x, 10.0)
        return np.sum(x * x)

    np.testing.assert_array_equal(ag.grad(f)(np.ones(3)), [2.0, 2.0, 2.0])
    with pytest.raises(AssertionError):
        ag.grad(f)(np.full(3, 20.0))
