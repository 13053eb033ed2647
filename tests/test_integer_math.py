"""Functions of ints over staged ones: CPython's results, types and errors, or a run that leaves 64 bits."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from whole import in_turn

ONES = (0, 1, -1, 2, 7, -12, 60, 2**31, 2**61 + 3, -(2**62), 2**63 - 1)
"""Ints of all sizes: squares, halves and products of some have more than 64 bits."""
SMALL = (-1, 0, 1, 2, 5, 20, 61)


def gcd(a, b):
    return math.gcd(a, b)


def lcm(a, b):
    return math.lcm(a, b)


def gcd_of_three(a, b):
    return math.gcd(a, b, 12), math.gcd(a), math.lcm(a, 2, 3)


def comb(a, b):
    return math.comb(a, b)


def perm(a, b):
    return math.perm(a, b)


def isqrt(a):
    return math.isqrt(a)


def factorial(a):
    return math.factorial(a)


def all_of_perm(a):
    return math.perm(a)


def bits(a):
    return a.bit_length(), a.bit_count(), int.bit_length(a)


def power(a, b, m):
    return pow(a, b, m)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        value = function(*args)
    except ag.GraphRuntimeError as error:
        assert error.code == "AG203" and error.location is not None
        return "left 64 bits"
    except Exception as error:
        return type(error).__mro__[-3].__name__, error.args
    return type(value), repr(value)


def holds(function: Callable[..., Any], values: list[tuple[Any, ...]], **options: Any) -> None:
    """Compares calls; what leaves 64 bits may do so only where a result, or what is made of it, has more."""
    staged = ag.function(function, dynamic=[*"abm"][: len(values[0])], **options)
    for args in values:
        want, got = outcome(function, *args), outcome(staged, *args)
        if got == "left 64 bits":
            parts = function(*args)
            parts = parts if isinstance(parts, tuple) else (parts,)
            assert max(map(abs, (*parts, *args))) >= 2**61, (function.__name__, args)
        else:
            assert got == want, (function.__name__, args)


@pytest.mark.parametrize("function", (gcd, lcm, gcd_of_three))
def test_of_two_of_any_size(function: Callable[..., Any]) -> None:
    holds(function, list(itertools.product(ONES, ONES)))


@pytest.mark.parametrize("function", (comb, perm))
def test_of_two_small_ones(function: Callable[..., Any]) -> None:
    holds(function, list(itertools.product((*SMALL, 62, 66), SMALL)))


@pytest.mark.parametrize("function", (isqrt, bits))
def test_of_one_of_any_size(function: Callable[..., Any]) -> None:
    squares = [n * n + d for n in (3, 94906266, 3037000498, 3037000499) for d in (-1, 0, 1)]
    holds(function, [(n,) for n in (*ONES, *squares)])


@pytest.mark.parametrize("function", (factorial, all_of_perm))
def test_of_one_small_one(function: Callable[..., Any]) -> None:
    holds(function, [(n,) for n in (*SMALL[:-1], 21)])


def test_powers_modulo() -> None:
    moduli = (0, 1, -1, 2, 7, -7, 97, 3037000499, 3037000500, 2**62 + 1, 2**63 - 1, -(2**63 - 1))
    bases, exponents = (0, 1, -3, 10, 2**40 + 1, 2**63 - 2), (0, 1, 2, 17, -1, -2, 2**62)
    places = itertools.product(*map(enumerate, (bases, exponents, moduli)))
    holds(power, [(a, b, m) for (i, a), (j, b), (k, m) in places if in_turn(i, j, k, among=3)])


KINDS = (
    np.int64(12),
    np.int32(12),
    np.uint8(12),
    np.True_,
    True,
    np.float64(2.0),
    2.5,
    np.array(12),
    np.array([12, 4]),
)


@pytest.mark.parametrize("function", (gcd, lcm, comb, perm, power))
@pytest.mark.parametrize("value", KINDS, ids=repr)
def test_kinds_of_numbers(function: Callable[..., Any], value: Any) -> None:
    others = (5,) if function is not power else (5, 7)
    staged = ag.function(function, dynamic=["b", *(["m"] if function is power else [])])
    want, got = outcome(function, value, *others), outcome(staged, value, *others)
    assert got == want or got[0] in ("StagingError", "AutographError"), (value, got, want)
    assert got == want or function is power or np.ndim(value) > 0 or type(value) is np.ndarray


def coprime(n, m):
    found = []
    for a in range(1, n):
        if math.gcd(a, m) == 1:
            found.append(pow(a, -1, m))
    return found, sum(math.comb(n, k) for k in range(n + 1)), max(range(n), key=lambda a: math.gcd(a, m))


def smallest_root(n, m):
    while math.isqrt(n) ** 2 != n and n.bit_length() < m:
        n += 1
    return (math.isqrt(n), 0) if n > m else (n, m.bit_count())


@pytest.mark.parametrize("function", (coprime, smallest_root))
def test_places(function: Callable[..., Any]) -> None:
    staged = ag.function(function, dynamic=("n", "m"))
    for n, m in ((9, 7), (5, 12), (2, 3), (17, 30)):
        assert outcome(staged, n, m) == outcome(function, n, m)


def test_comparisons_of_sequences_as_functions() -> None:
    def compared(a, b):
        pairs = sorted([(b, 1), (a, 2), (b, 0)])
        return operator.lt((a, b), (b, a)), operator.eq([a, b], [a, b]), operator.ge((a, 1), (b, 0)), pairs

    staged = ag.function(compared)
    for a, b in ((1.0, 2.0), (2.0, 1.0), (1.0, 1.0)):
        assert outcome(staged, a, b) == outcome(compared, a, b)
