"""``round(x, n)`` of staged Python numbers is CPython's, to the bit."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from whole import drawn

DIGITS = (-22, -5, -2, -1, 0, 1, 2, 3, 5, 10, 15, 22)
SPECIAL = (
    0.0,
    -0.0,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    1.7e308,
    2.675,
    0.125,
    1.005,
    2.0**52 + 1,
    2.0**53 + 2,
)


def floats(digits: int) -> Iterator[float]:
    """Numbers of all sizes, ties, neighbours of ties, and numbers as long as a float when scaled."""
    rng = random.Random(digits)
    unit = 10.0**-digits
    yield from SPECIAL
    for _ in range(drawn(40, whole=2000)):
        tie = (rng.randrange(-2000, 2000) + 0.5) * unit
        yield from (
            tie,
            math.nextafter(tie, math.inf),
            math.nextafter(tie, -math.inf),
            rng.uniform(-1e3, 1e3),
        )
        yield rng.uniform(2.0**51, 2.0**54) * unit
        yield struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))[0]


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        value = function(*args)
    except Exception as error:
        return type(error), str(error)
    return type(value), repr(value)


def rounding(digits: int) -> Callable[[Any], Any]:
    def rounded(x):
        return round(x, digits)

    return rounded


@pytest.mark.parametrize("digits", DIGITS)
def test_floats(digits: int) -> None:
    plain = rounding(digits)
    staged = ag.function(plain)
    for x in floats(digits):
        assert outcome(staged, x) == outcome(plain, x), (x, digits)


@pytest.mark.parametrize("digits", (-18, -5, -2, -1, 0, 3))
def test_ints(digits: int) -> None:
    plain = rounding(digits)
    staged = ag.function(plain, dynamic="x")
    rng = random.Random(digits)
    half = 5 * 10 ** max(-digits - 1, 0)
    for _ in range(drawn(60, whole=2000)):
        for n in (rng.randrange(-300, 300), rng.randrange(-(10**7), 10**7), half * rng.randrange(-9, 10)):
            if abs(round(n, digits)) < 2**62:
                assert outcome(staged, n) == outcome(plain, n), (n, digits)


def in_a_branch(x, y):
    return round(x, 1) if x > y else round(y, -1)


def in_a_loop(x, y):
    total = 0.0
    while total < y:
        total = round(total + x, 2)
    return total


def in_containers(x, y):
    return {"both": (round(x, 2), [round(v, 1) for v in (x, y)]), "sum": round(x + y, 3) == round(y + x, 3)}


def in_a_callee(x, y):
    def money(value):
        return round(value, 2)

    return money(x) + money(y), max((x, y), key=lambda v: round(v, 0))


def of_numpy(x, y):
    return round(np.float64(x) * 1, 2), round(np.sum(np.array([x, y])), 1)


@pytest.mark.parametrize("function", (in_a_branch, in_a_loop, in_containers, in_a_callee, of_numpy))
def test_places(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    for x, y in ((2.675, 1.005), (1.005, 24.999), (0.125, 0.125), (1.0, -35.0)):
        assert outcome(staged, x, y) == outcome(function, x, y)


def test_its_gradient_is_that_of_a_step() -> None:
    assert ag.grad(lambda x: x * round(x, 2))(2.675) == 2.67


def test_rows_are_rounded_one_by_one() -> None:
    xs = np.array([2.675, -0.125, 1e300])
    rows = ag.vmap(lambda x: round(float(x), 2) + 0.0)(xs)
    assert rows.tolist() == [round(x, 2) for x in xs.tolist()]


def test_digits_that_only_the_run_knows() -> None:
    def rounded(x, n):
        return round(x, n)

    staged, of_ints = ag.function(rounded, dynamic="n"), ag.function(rounded, dynamic=["x", "n"])
    for x, n in ((2.675, 2), (-1234.5, -2), (1.5, 23), (math.nan, 1)):
        assert outcome(staged, x, n) == outcome(rounded, x, n)
        assert outcome(ag.function(rounded, static="n"), x, n) == outcome(rounded, x, n)
    with pytest.raises(ag.StagingError, match="`round` to a staged number of digits is not supported"):
        of_ints(15, -1)
    with pytest.raises(ag.StagingError, match="`round` of a staged int to -19 digits is not supported"):
        ag.function(rounded, dynamic="x")(15, -19)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        ag.function(rounded, static="n")(1.5, 1.0)
