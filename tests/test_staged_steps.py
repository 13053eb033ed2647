"""Ranges whose step only the run knows: its sign decides which end they go to."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome


def items(a, b, s):
    found = []
    for k in range(a, b, s):
        found.append(k)
    return found


def total(a, b, s):
    return len(range(a, b, s)), sum(range(a, b, s)), sum(k * 2 for k in range(a, b, s))


def backwards(a, b, s):
    found = 0
    for k in reversed(range(a, b, s)):
        found = found * 3 + k
    return found


def first(a, b, s):
    return next((k for k in range(a, b, s) if k > 4), None), any(k == 3 for k in range(a, b, s))


def in_a_branch(a, b, s):
    found = 0
    if a < b:
        for k in range(a, b, s):
            if k == 7:
                break
            found += k
    return found


def sieve(a, b, s):
    is_prime = np.ones(b + 1, dtype=bool)
    is_prime[:2] = False
    i = 2
    while i * i <= b:
        if is_prime[i]:
            for j in range(i * i, b + 1, i):
                is_prime[j] = False
        i += s
    return is_prime


BOUNDS = ((0, 10), (10, 0), (3, 3), (-5, 4))
STEPS = (1, 3, -1, -4, 0)


@pytest.mark.parametrize("program", [items, total, backwards, first, in_a_branch])
def test_programs(program: Any) -> None:
    staged = ag.function(program)
    for (a, b), s in product(BOUNDS, STEPS):
        arguments = (np.int64(a), np.int64(b), np.int64(s))
        assert outcome(staged, arguments) == outcome(program, arguments), arguments
    assert outcome(ag.function(program), (2, 9, np.int64(2))) == outcome(program, (2, 9, np.int64(2)))


def test_a_sieve() -> None:
    for n in (30, 5, 2):
        assert outcome(ag.function(sieve), (0, np.int64(n), 1)) == outcome(sieve, (0, np.int64(n), 1))


def test_gradient_over_a_staged_step() -> None:
    def f(x, s):
        return sum(x[k] * x[k] for k in range(0, 6, s))

    got = ag.grad(f)(np.arange(6.0), np.int64(2))
    assert got.tolist() == [0.0, 0.0, 4.0, 0.0, 8.0, 0.0]
