"""Gradients with the structure of their parameters: in lists, carried through loops, chosen by branches.

A gradient is a new tree: what a program may do with a list that it has made, it may do with this one.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest


class Pair(NamedTuple):
    w: Any
    b: Any


@dataclasses.dataclass
class Layer:
    w: Any
    b: Any


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in leaves(part)]
    if isinstance(tree, (list, tuple)):
        return [leaf for part in tree for leaf in leaves(part)]
    if dataclasses.is_dataclass(tree):
        return leaves([tree.w, tree.b])
    return [tree]


def loss(params: Any, x: Any) -> Any:
    total = np.float64(0)
    for leaf in leaves(params):
        total = total + np.sum((leaf * x) ** 2)
    return total


def appended(params: Any, xs: Any, n: Any) -> Any:
    grads = []
    i = 0
    while i < n:
        grads.append(ag.grad(loss)(params, xs[i]))
        i += 1
    total = np.float64(0)
    for grad in reversed(grads):
        for leaf in leaves(grad):
            total = total * 0.5 + leaf.sum()
    return total


def last(params: Any, xs: Any, n: Any) -> Any:
    grad = ag.grad(loss)(params, xs[0])
    i = 1
    while i < n:
        grad = ag.grad(loss)(grad, xs[i])
        i += 1
    return grad


def chosen(params: Any, xs: Any, n: Any) -> Any:
    grad = None
    i = 0
    while i < n:
        new = ag.grad(loss)(params, xs[i])
        if grad is None or xs[i].sum() > 10:
            grad = new
        i += 1
    return grad


def in_branch(params: Any, xs: Any, n: Any) -> Any:
    value, grad = ag.value_and_grad(loss)(params, xs[0])
    if n > 1:
        grad = ag.grad(loss)(grad, xs[1])
    return value, grad


def summed(params: Any, xs: Any, n: Any) -> Any:
    total = None
    for i in range(n):
        grad = leaves(ag.grad(loss)(params, xs[i]))
        total = grad if total is None else [u + v for u, v in zip(total, grad, strict=True)]
    return total


USES = {use.__name__: use for use in (appended, last, chosen, in_branch, summed)}
W, B = np.ones(3), np.float64(2)
STRUCTURES = {
    "an array": W,
    "a list": [W, B],
    "a tuple": (W, B),
    "lists": [[W, B], [W, W]],
    "a list of lists and tuples": [[W], (B, [W])],
    "a dict": {"w": W, "b": B},
    "dicts": {"l1": {"w": W}, "l2": {"w": W, "b": B}},
    "a dict of lists": {"w": [W, W], "b": B},
    "a list of dicts": [{"w": W}, {"w": W}],
    "an OrderedDict": OrderedDict(w=W, b=B),
    "a NamedTuple": Pair(W, B),
    "a dataclass": Layer(W, B),
    "dataclasses": [Layer(W, B), Layer(W, B)],
}
REFUSED = {
    # A row of a table of lists has elements of one kind, and no row is an `OrderedDict`.
    ("a list of lists and tuples", "appended"): "AG131",
    ("a list of lists and tuples", "chosen"): "AG131",
    ("an OrderedDict", "appended"): "AG121",
    # An object that a staged statement binds is a row, which is no tree of floats.
    ("a dataclass", "last"): "AG141",
    ("a dataclass", "in_branch"): "AG141",
    ("dataclasses", "last"): "AG141",
    ("dataclasses", "in_branch"): "AG141",
}


def assert_same(result: Any, expected: Any) -> None:
    assert type(result) is type(expected)
    if isinstance(expected, dict):
        assert list(result) == list(expected)
        for key, value in expected.items():
            assert_same(result[key], value)
    elif isinstance(expected, (list, tuple)):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            assert_same(one, other)
    elif dataclasses.is_dataclass(expected):
        assert_same([result.w, result.b], [expected.w, expected.b])
    else:
        np.testing.assert_allclose(result, expected)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_gradients_are_trees_that_the_program_has_made(structure: str, use: str) -> None:
    params, program = STRUCTURES[structure], USES[use]
    xs = np.arange(1.0, 13.0).reshape(4, 3)
    staged = ag.function(program)
    code = REFUSED.get((structure, use))
    for n in (np.int64(4), np.int64(1)):
        if code is not None:
            with pytest.raises(ag.errors.StagingError, match=code):
                staged(params, xs, n)
        else:
            assert_same(staged(params, xs, n), program(params, xs, n))
