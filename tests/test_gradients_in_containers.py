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
    # A row of a table of lists has elements of one kind.
    ("a list of lists and tuples", "appended"): "AG131",
    ("a list of lists and tuples", "chosen"): "AG131",
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


def by_each_transformation(layer: Any, x: Any, n: Any) -> Any:
    for _ in range(n):
        value, pullback = ag.vjp(loss, layer, x)
        _, tangent = ag.jvp(loss, (layer, x), (layer, x))
        _, push = ag.linearize(lambda one: loss(one, x), layer)
        rows = ag.vmap(lambda one: one.w * 2.0)(layer)
        jacobian = ag.jacrev(lambda one: one.w * one.b)(layer)
        layer = Layer(
            layer.w * 0.5 + pullback(1.0)[0].w + rows,
            layer.b + value + tangent + push(layer) + jacobian.b.sum(),
        )
    return layer


def test_an_object_of_a_loop_is_a_tree_for_each_transformation() -> None:
    x = np.array([0.1, 0.2, 0.3])

    def program(w: Any, n: Any) -> Any:
        return by_each_transformation(Layer(w, w[:1] * 0.5 + np.zeros(3)), x, n)

    for n in (0, 1, 2):
        assert_same(ag.function(program)(W, np.int64(n)), program(W, n))


def made_in_a_loop(layer: Any, n: Any) -> Any:
    made = Layer(layer.w * 1.0, layer.b * 1.0)
    for _ in range(n):
        made = Layer(made.w * 2.0, made.b + 1.0)
    return made


def kept_apart(layer: Any, xs: Any, n: Any) -> Any:
    made = made_in_a_loop(layer, n)
    other = made
    grad = ag.grad(loss)(made, xs[0])
    grad.w = grad.w * 2.0
    other.b = other.b + 1.0
    return grad, made, other.w, other is made


def into_a_list(layer: Any, xs: Any, n: Any) -> Any:
    made = made_in_a_loop(layer, n)
    found = []
    for i in range(n):
        made = ag.grad(loss)(made, xs[i])
        found.append(made)
        made.b = made.b * 0.5
    return found


def of_a_chosen_dict(layer: Any, xs: Any, n: Any) -> Any:
    chosen = {"w": layer.w, "b": layer.b}
    for i in range(n):
        if i > 0:
            chosen = {"w": layer.w * i, "b": layer.b}
        chosen["b"] = chosen["b"] * 0.5
    return ag.grad(loss)(chosen, xs[0])


@pytest.mark.parametrize("program", [kept_apart, into_a_list, of_a_chosen_dict])
def test_objects_of_statements_are_trees_for_gradients(program: Any) -> None:
    xs = np.arange(1.0, 13.0).reshape(4, 3)
    staged = ag.function(program)
    for n in (np.int64(3), np.int64(1)):
        assert_same(staged(Layer(W, B), xs, n), program(Layer(W, B), xs, n))
