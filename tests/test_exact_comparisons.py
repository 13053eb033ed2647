"""An int beside a float is compared exactly by Python, and as doubles by NumPy."""

from __future__ import annotations

import warnings
from typing import Any

import autograph as ag
import numpy as np
import pytest

INTS = [
    0,
    1,
    -1,
    2**53,
    2**53 + 1,
    2**53 - 1,
    -(2**53) - 1,
    2**62 + 1,
    2**63 - 1,
    -(2**63),
    2**63 - 513,
    10**18 + 1,
]
FLOATS = [0.0, -0.0, 0.5, -0.5, 2.0**53, 2.0**53 + 2, -(2.0**53), 2.0**62, 2.0**63, -(2.0**63), 1e18, 1e300]
FLOATS += [float("nan"), float("inf"), -float("inf"), 2.0**63 - 1024]


def comparisons(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


def steps(n, limit):
    k = n
    while k > limit:
        k -= 1
    return k


def pairs(number: int, real: float) -> list[tuple[Any, Any]]:
    given: list[tuple[Any, Any]] = [(number, real), (np.int64(number), real), (number, np.float64(real))]
    given += [(np.int64(number), np.float64(real)), (np.array([number]), real), (number, np.array([real]))]
    return given + [(right, left) for left, right in given]


@pytest.mark.parametrize("number", INTS)
def test_staged(number):
    staged = ag.function(comparisons)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for real in FLOATS:
            for a, b in pairs(number, real):
                expected = comparisons(a, b)
                for one, other in zip(staged(a, b), expected, strict=True):
                    assert type(one) is type(other)
                    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("number", INTS)
@pytest.mark.parametrize("real", FLOATS[::2] + FLOATS[1::2], ids=repr)
def test_beside_a_fixed_number(number, real):
    assert ag.function(lambda a: comparisons(a, real))(number) == comparisons(number, real)
    assert ag.function(lambda b: comparisons(number, b))(real) == comparisons(number, real)


def test_a_loop_that_ends_at_a_float():
    assert ag.function(steps)(2**53 + 3, 2.0**53) == steps(2**53 + 3, 2.0**53) == 2**53
