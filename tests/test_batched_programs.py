"""``ag.vmap`` of programs whose control flow depends on data gives what the programs give row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

RNG = np.random.default_rng(0)


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def bisect(a: Any, b: Any) -> Any:
    for _ in range(60):
        middle = (a + b) / 2
        if middle * middle * middle - 2 > 0:
            b = middle
        else:
            a = middle
        if b - a < 1e-9:
            break
    return a


def bubble_sort(x: Any) -> Any:
    x = x.copy()
    for i in range(len(x)):
        for j in range(len(x) - 1 - i):
            if x[j] > x[j + 1]:
                kept = x[j]
                x[j] = x[j + 1]
                x[j + 1] = kept
    return x


def first_above_one(x: Any) -> Any:
    for value in x:
        if value > 1:
            return value
    return x.sum()


def place(x: Any, key: Any) -> Any:
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


def ackermann(m: Any, n: Any) -> Any:
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def with_a_stack(x: Any, limit: Any) -> Any:
    stack = [x]
    total = np.float64(0.0)
    while len(stack) > 0:
        value = stack.pop()
        total = total + value
        if value > limit:
            stack.append(value / 2)
            stack.append(value / 3)
    return total


def solved_or_multiplied(a: Any, b: Any) -> Any:
    if np.trace(a) > 0:
        return np.linalg.solve(a, b)
    return a @ b


def mandelbrot(real: Any, imaginary: Any) -> Any:
    x = y = np.float64(0.0)
    n = 0
    while x * x + y * y <= 4.0 and n < 50:
        x, y = x * x - y * y + real, 2 * x * y + imaginary
        n += 1
    return n


def sum_of_positive(x: Any) -> Any:
    return x[x > 0].sum()


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (collatz, (np.arange(1, 30),)),
    (bisect, (np.zeros(4), np.array([2.0, 3.0, 4.0, 100.0]))),
    (bubble_sort, (RNG.normal(size=(5, 6)),)),
    (first_above_one, (RNG.normal(size=(6, 4)),)),
    (place, (np.sort(RNG.normal(size=(6, 9)), axis=1), RNG.normal(size=6))),
    (ackermann, (np.array([0, 1, 2, 2, 1]), np.array([3, 2, 3, 0, 5]))),
    (with_a_stack, (np.array([1.0, 8.0, 20.0, 0.1]), np.array([1.0, 2.0, 3.0, 0.01]))),
    (solved_or_multiplied, (RNG.normal(size=(5, 3, 3)), RNG.normal(size=(5, 3)))),
    (mandelbrot, (RNG.uniform(-2, 1, 50), RNG.uniform(-1, 1, 50))),
    (sum_of_positive, (RNG.normal(size=(5, 7)),)),
]


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=[program.__name__ for program, _ in PROGRAMS])
def test_rows_get_what_they_get_alone(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    expected = np.array([program(*row) for row in zip(*args, strict=True)])
    got = ag.vmap(program)(*args)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_a_function_that_may_return_nothing_has_to_return_something_for_each_row() -> None:
    def first(x: Any) -> Any:
        for value in x:
            if value > 1:
                return value
        return None

    np.testing.assert_array_equal(ag.vmap(first)(np.array([[0.0, 3.0], [2.0, 0.0]])), [3.0, 2.0])
    with pytest.raises(TypeError, match="a value for each row, and for one row it returned None"):
        ag.vmap(first)(np.array([[0.0, 3.0], [0.5, 0.0]]))


def test_a_batched_function_is_staged_by_itself() -> None:
    staged = ag.function(ag.vmap(collatz))
    np.testing.assert_array_equal(staged(np.arange(1, 9)), [collatz(n) for n in range(1, 9)])
    assert ag.function(ag.grad(lambda x: x * x))(np.float64(3.0)) == 6.0
