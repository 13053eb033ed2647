"""Gradients of recursions: what all calls are given alike, what they change, and what they write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
import pytest


@dataclass
class Tree:
    left: Tree | None
    right: Tree | None
    word: int


def tree_of(words: list[int]) -> Tree:
    if len(words) == 1:
        return Tree(None, None, words[0])
    middle = (len(words) + 1) // 3 or 1
    return Tree(tree_of(words[:middle]), tree_of(words[middle:]), 0)


TREE = tree_of([2, 0, 3, 3, 1])
DRAWS = np.random.default_rng(5)
TABLE = DRAWS.standard_normal((4, 3))
WEIGHTS = DRAWS.standard_normal((3, 6))


def encoded(tree: Any, table: Any, weights: Any) -> Any:
    if tree.left is None:
        return np.tanh(table[tree.word])
    left = encoded(tree.left, table, weights)
    right = encoded(tree.right, table, weights)
    return np.tanh(weights @ np.concatenate([left, right]))


def of_a_tree(table: Any, weights: Any) -> Any:
    """All calls are given the same table and the same weights."""
    return np.sum(encoded(TREE, table, weights) ** 2)


def of_two_calls(table: Any, weights: Any) -> Any:
    """The weights are not the same in all calls, the table is."""
    first = encoded(TREE, table, weights)
    return np.sum(first * encoded(TREE, table, 0.5 * weights))


def of_calls_in_a_loop(table: Any, weights: Any) -> Any:
    """What is the same in all calls of an iteration is another in the next one."""
    total = 0.0
    for _ in ag.staged(range(3)):
        weights = weights * 0.7
        total = total + np.sum(encoded(TREE, table, weights))
    return total


def depth(table: Any) -> Any:
    """A number that is staged where the table is."""
    return np.sum(table < 100.0) // 3


def power(x: Any, n: Any, scale: Any) -> Any:
    if n == 0:
        return scale
    return x * other_power(x, n - 1, scale)


def other_power(x: Any, n: Any, scale: Any) -> Any:
    if n == 0:
        return scale * scale
    return (x + scale) * power(x, n - 1, scale)


def of_functions_that_call_each_other(table: Any, weights: Any) -> Any:
    return np.sum(power(table[0, 0], depth(table), weights[0, 0]))


def turned(x: Any, y: Any, n: Any) -> Any:
    """Parameters that are handed on in the other order are not the same in all calls."""
    if n == 0:
        return x * 2 + y
    return turned(y, x, n - 1) + x


def of_parameters_that_change_places(table: Any, weights: Any) -> Any:
    return np.sum(turned(table[1], weights[1, :3], depth(table)) ** 3)


def fill(values: Any, n: Any, table: Any) -> None:
    """An array is written on the way down, and on the way back."""
    if n > 0:
        values[n - 1] = values[n - 1] * table[n, 0]
        fill(values, n - 1, table)
        values[n] = values[n - 1] + table[0, 1]


def of_an_array_that_is_written(table: Any, weights: Any) -> Any:
    values = table[:, 2] * 1.0
    fill(values, depth(table) - 1, table)
    return np.sum(values * weights[0, :4])


CASES: list[Callable[[Any, Any], Any]] = [
    of_a_tree,
    of_two_calls,
    of_calls_in_a_loop,
    of_functions_that_call_each_other,
    of_parameters_that_change_places,
    of_an_array_that_is_written,
]


def differences(function: Callable[[Any], Any], x: Any) -> Any:
    """The gradient by central differences."""
    found = np.zeros_like(x)
    for place in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        found[place] = (function(x + step) - function(x - step)) / 2e-6
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_gradients_are_those_of_differences(case: Callable[[Any, Any], Any]) -> None:
    table, weights = TABLE.copy(), WEIGHTS.copy()
    of_table, of_weights = ag.grad(case, argnums=(0, 1))(table, weights)
    np.testing.assert_array_equal((table, weights)[0], TABLE)
    np.testing.assert_allclose(of_table, differences(lambda x: case(x, WEIGHTS), TABLE), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(
        of_weights, differences(lambda x: case(TABLE, x), WEIGHTS), rtol=1e-6, atol=1e-7
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_gradients_of_gradients(case: Callable[[Any, Any], Any]) -> None:
    direction = np.cos(np.arange(TABLE.size)).reshape(TABLE.shape)

    def slope(table: Any, weights: Any) -> Any:
        return np.sum(ag.grad(case)(table, weights) * direction)

    found = ag.grad(slope)(TABLE, WEIGHTS)
    expected = differences(lambda x: np.sum(ag.grad(case)(x, WEIGHTS) * direction), TABLE)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("depth", [150, 400])
def test_a_recursion_that_plain_numbers_end_may_be_deep(depth: int) -> None:
    def scaled(x: Any, n: int) -> Any:
        return x if n == 0 else scaled(x * 1.01, n - 1)

    def chosen(x: Any, n: int) -> Any:
        if n == 0:
            return x
        if x > 0.0:
            x = chosen(x * 1.01, n - 1)
        return x

    wanted = 1.01**depth
    for f in (scaled, chosen):
        for found in (
            ag.grad(f)(2.0, depth),
            ag.grad(lambda x, f=f: f(x, depth))(2.0),
            ag.jacfwd(lambda x, f=f: f(x, depth))(2.0),
            ag.vmap(lambda x, f=f: f(x, depth))(np.ones(2))[1],
        ):
            assert np.allclose(found, wanted, rtol=1e-12)
