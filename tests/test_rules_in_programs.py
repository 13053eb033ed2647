"""A rule that is the derivative of its function changes nothing: in any mode and order, in rows and loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

Unary = Callable[[Any], Any]


def plain(x: Any) -> Any:
    return np.sin(x)


@ag.custom_vjp
def by_vjp(x: Any) -> Any:
    return np.sin(x)


by_vjp.defvjp(lambda x: (by_vjp(x), x), lambda x, cotangent: (np.cos(x) * cotangent,))


@ag.custom_vjp
def by_own_vjp(x: Any) -> Any:
    return np.sin(x)


by_own_vjp.defvjp(lambda x: (np.sin(x), (np.cos(x),)), lambda cos, cotangent: (cos[0] * cotangent,))


@ag.custom_jvp
def by_jvp(x: Any) -> Any:
    return np.sin(x)


by_jvp.defjvp(lambda x, dx: (by_jvp(x[0]), np.cos(x[0]) * dx[0]))


@ag.custom_jvp
def by_loop(x: Any) -> Any:
    return np.sin(x)


@by_loop.defjvp
def _rule(primals: Any, tangents: Any) -> Any:
    (x,), (tangent,) = primals, tangents
    if np.sum(x) > 0.2:
        factor = np.cos(x)
    else:
        factor = np.sin(x + np.pi / 2.0)
    total = tangent * 0.0
    for _ in ag.staged(range(2)):
        total = total + 0.5 * factor * tangent
    return np.sin(x), total


def loop(sin: Unary) -> Unary:
    def run(x: Any) -> Any:
        i = 0
        while np.sum(x) < 4.0 and i < 5:
            x = x + sin(x) * x
            i += 1
        return np.sum(x)

    return run


def limited(sin: Unary) -> Unary:
    def run(x: Any) -> Any:
        for _ in ag.staged(range(7)):
            ag.set_loop_options(memory_limit=100)
            x = sin(x) * 1.5
        return np.sum(x)

    return run


def checkpointed(sin: Unary) -> Unary:
    step = ag.checkpoint(lambda x: sin(x) * x if x[0] > 0.0 else sin(2.0 * x))

    def run(x: Any) -> Any:
        for _ in ag.staged(range(3)):
            x = step(x)
        return np.sum(x)

    return run


def saved(sin: Unary) -> Unary:
    policy = ag.checkpoint_policies.save_anything_except_these_names()
    return lambda x: np.sum(ag.checkpoint(lambda x: sin(sin(x) * x), policy=policy)(x))


def recursion(sin: Unary) -> Unary:
    def down(x: Any, n: Any) -> Any:
        if n == 0:
            return x
        return down(sin(x) + 0.1 * x, n - 1) * x

    return lambda x: np.sum(down(x, np.int64(3)) + down(2.0 * ag.stop_gradient(x), np.int64(2)))


def in_a_list(sin: Unary) -> Unary:
    def run(x: Any) -> Any:
        values = []
        for row in x:
            values.append(sin(row))
            values.append(sin(values[-1]) if row > 0.5 else row)
        total = 0.0
        for value in values:
            total += value * value
        return total

    return run


def nested(sin: Unary) -> Unary:
    return lambda x: np.sum(ag.grad(lambda y: np.sum(sin(y * x) * y))(x) * sin(x))


def pulled(sin: Unary) -> Unary:
    def run(x: Any) -> Any:
        value, pull = ag.vjp(lambda y: sin(y) * y, x)
        total = np.sum(value)
        for _ in ag.staged(range(2)):
            total = total + np.sum(pull(x)[0] * pull(value)[0])
        return total

    return run


def by_rows(sin: Unary) -> Unary:
    return lambda x: np.sum(ag.vmap(lambda row: sin(row) if row > 0.4 else sin(row) * row)(x))


PROGRAMS = [loop, limited, checkpointed, saved, recursion, in_a_list, nested, pulled, by_rows]
RULES = [by_vjp, by_own_vjp, by_jvp, by_loop]
X = np.array([0.3, 0.7, 0.5])
ROWS = np.stack([X, -X, 0.2 * X])


def reverse(f: Unary) -> list[Any]:
    found = [ag.value_and_grad(f)(X), ag.function(lambda x: ag.grad(f)(x))(X)]
    return [*found, ag.grad(lambda x: np.sum(ag.grad(f)(x) ** 2))(X), ag.vmap(ag.grad(f))(ROWS)]


def forward(f: Unary) -> list[Any]:
    found = [ag.jvp(f, (X,), (X,)), ag.jacfwd(f)(X), ag.hessian(f)(X), ag.vmap(ag.hessian(f))(ROWS)]
    return [*found, ag.linearize(f, X)[1](X), ag.function(lambda x: ag.linearize(f, x)[1](x))(X)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_rule_that_is_the_derivative_changes_nothing(program: Callable[[Unary], Unary], rule: Any) -> None:
    modes = [reverse] if isinstance(rule, ag.custom_vjp) else [reverse, forward]
    for mode in modes:
        for found, wanted in zip(mode(program(rule)), mode(program(plain)), strict=True):
            pairs = zip(found, wanted, strict=True) if type(found) is tuple else [(found, wanted)]
            for one, other in pairs:
                assert np.allclose(one, other, rtol=1e-9, atol=1e-12), mode
