"""The adjoint of a weight that a loop uses is one product after the backward loop, where that pays.

Every step here is tried in every loop, with counts that are known or not, one for no iteration among them:
the gradient by reverse mode is held against forward mode, which has no sums over iterations.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest

SIZE = 12
"""The sum of a product of vectors is large enough here to be worth a stack."""


def vector(w, x):
    return np.tanh(w @ x)


def vector_first(w, x):
    return np.tanh(x @ w)


def transposed(w, x):
    return np.tanh(w.T @ x)


def linear(w, x):
    return w @ x


def outer(w, x):
    return np.tanh((w * np.outer(x, x)) @ x)


def twice(w, x):
    x = np.tanh(w @ x + w.T @ x)
    return x + w @ np.sin(x)


def alias(w, x):
    same = w
    return np.tanh(same @ x) - 0.5 * np.sin(w @ x)


def scaled(w, x):
    return np.tanh((w * 2.0) @ x + w[0])


def of_column(w, x):
    return np.tanh(w @ x.reshape(SIZE, 1))[:, 0]


def by_einsum(w, x):
    return np.tanh(np.einsum("io,i->o", w, x))


def in_a_stack(w, x):
    return np.tanh((w[None] @ x[None, :, None])[0, :, 0])


def in_a_branch(w, x):
    if x[0] > 0.1:
        return np.tanh(w @ x)
    return np.sin(x @ w)


def in_a_loop(w, x):
    for k in range(2):
        x = np.tanh(w @ x) * (k + 1)
    return x


def until_small(w, x):
    while np.sum(x * x) > 0.5:
        x = 0.5 * np.tanh(w @ x)
    return x + w @ x


def called(w, x):
    return vector(w, vector_first(w, x))


def rematerialised(w, x):
    return ag.checkpoint(vector)(w, x)


STEPS = [
    vector, vector_first, transposed, linear, outer, twice, alias, scaled, of_column, by_einsum, in_a_stack,
    in_a_branch, in_a_loop, until_small, called, rematerialised,
]  # fmt: skip


def counted(step, w, x, n):
    for _ in range(n):
        x = step(w, x)
    return x


def with_index(step, w, x, n):
    for k in range(2, 2 + 3 * n, 3):
        x = step(w, x + 0.1 * k)
    return x


def counted_down(step, w, x, n):
    for k in range(n, 0, -1):
        x = step(w, x * k)
    return x


def while_below(step, w, x, n):
    k = 0
    while k < n:
        x = step(w, x)
        k += 1
    return x


def with_break(step, w, x, n):
    for k in range(n + 2):
        if k >= n or x[1] > 5.0:
            break
        x = step(w, x)
    return x


def nested(step, w, x, n):
    for k in range(n):
        for _ in range(k):
            x = step(w, x)
    return x


def into_a_list(step, w, x, n):
    states = []
    for _ in range(n):
        x = step(w, x)
        states.append(x)
    for state in states:
        x = x + 0.5 * (w @ state)
    return x


def over_rows(step, w, x, n):
    rows = np.outer(np.arange(1.0, n + 1.0), x)
    for row in rows:
        x = x + step(w, row)
    return x


LOOPS = [counted, with_index, counted_down, while_below, with_break, nested, into_a_list, over_rows]

Loop = Callable[[Callable[[Any, Any], Any], Any, Any, Any], Any]


def example(kind: type[np.floating[Any]] = np.float64) -> tuple[Any, Any, Any]:
    draws = np.random.default_rng(3)
    weights = (draws.normal(size=(SIZE, SIZE)) * 0.3).astype(kind)
    return weights, draws.normal(size=SIZE).astype(kind), draws.normal(size=(SIZE, SIZE)).astype(kind)


def loss_of(loop: Loop, step: Callable[[Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
    def loss(w, x, n):
        return np.sum(np.sin(loop(step, w, x, n)) * np.arange(1.0, SIZE + 1.0))

    return loss


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_reverse_mode_is_forward_mode(step: Callable[[Any, Any], Any], loop: Loop) -> None:
    w, x, direction = example()
    if loop is over_rows:
        counts: list[Any] = [0, 1, 4]
    else:
        counts = [0, 1, 4, np.int64(0), np.int64(1), np.int64(4)]
    loss = loss_of(loop, step)
    gradient = ag.function(ag.grad(loss))
    for n in counts:
        tangent = ag.jvp(lambda w, n=n: loss(w, x, n), (w,), (direction,))[1]
        found = gradient(w, x, n)
        assert found.shape == w.shape and found.dtype == w.dtype
        np.testing.assert_allclose(np.sum(found * direction), tangent, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
@pytest.mark.parametrize("step", [vector, twice, in_a_stack, in_a_loop], ids=lambda step: step.__name__)
def test_other_ways_to_the_same_gradient(step: Callable[[Any, Any], Any], loop: Loop) -> None:
    """Pulling back, rows of `vmap`, second order both ways: all through the products of stacks."""
    w, x, direction = example()
    n: Any = 3 if loop is over_rows else np.int64(3)
    loss = loss_of(loop, step)
    gradient = ag.grad(loss)
    expected = ag.function(gradient)(w, x, n)
    np.testing.assert_allclose(ag.vjp(lambda w: loss(w, x, n), w)[1](1.0)[0], expected, rtol=1e-12)
    starts = np.stack([x, -0.5 * x])
    rows = ag.vmap(lambda x: gradient(w, x, n))(starts)
    np.testing.assert_allclose(rows, [gradient(w, start, n) for start in starts], rtol=1e-10, atol=1e-12)
    of_rows = ag.grad(lambda w: np.sum(ag.vmap(lambda x: loss(w, x, n))(starts)))(w)
    np.testing.assert_allclose(of_rows, np.sum(rows, axis=0), rtol=1e-10, atol=1e-12)
    width = 1e-5
    ends = [gradient(w + sign * width * direction, x, n) for sign in (1, -1)]
    slope = (ends[0] - ends[1]) / (2 * width)
    forward = ag.jvp(lambda w: gradient(w, x, n), (w,), (direction,))[1]
    scale = np.max(np.abs(slope))
    np.testing.assert_allclose(forward, slope, rtol=0.0, atol=1e-5 * scale)
    reverse = ag.grad(lambda w: np.sum(gradient(w, x, n) * direction))(w)
    np.testing.assert_allclose(reverse, forward, rtol=0.0, atol=1e-10 * scale)


def test_float32_stays_float32() -> None:
    w, x, direction = example(np.float32)

    def loss(w, x, n):
        for _ in range(n):
            x = np.tanh(w @ x)
        return np.sum(x)

    for n in (4, np.int64(4)):
        found = ag.function(ag.grad(loss))(w, x, n)
        assert found.dtype == np.float32
        tangent = ag.jvp(lambda w, n=n: loss(w, x, n), (w,), (direction,))[1]
        np.testing.assert_allclose(np.sum(found * direction), tangent, rtol=1e-4)


def lines_of(function: Callable[..., Any], *args: Any) -> list[str]:
    return ag.function(ag.grad(function)).concrete_function(*args).graph.text().splitlines()


def unindented_products(lines: list[str]) -> list[str]:
    """The products outside of loops."""
    return [line for line in lines if line.startswith("  %") and "= dot " in line]


def recurrent(w, x):
    for _ in range(5):
        x = np.tanh(w @ x)
    return np.sum(x)


def test_the_graph_has_one_product_after_the_loop() -> None:
    w, x, _ = example()
    lines = lines_of(recurrent, w, x)
    [product] = unindented_products(lines)
    assert f"f64[{SIZE}, {SIZE}] = dot" in product and "left_contract=[0]" in product
    # One for the value, one for the adjoint of `x`.
    assert len([line for line in lines if "= dot " in line]) == 3
    assert any(f"f64[5, {SIZE}] = dynamic_update_slice" in line for line in lines)


def test_a_small_sum_stays_in_the_loop() -> None:
    lines = lines_of(recurrent, np.eye(3), np.ones(3))
    assert unindented_products(lines) == []
    assert not any("dynamic_update_slice" in line for line in lines)


def test_many_rows_stay_in_the_loop() -> None:
    """A product with as many rows as columns does not wait for reading and writing its sum."""
    lines = lines_of(recurrent, np.eye(SIZE), np.ones((SIZE, 4 * SIZE)))
    assert unindented_products(lines) == []


@pytest.mark.parametrize("limit", [None, 4000])
def test_nothing_is_stacked_where_less_memory_was_asked_for(limit: int | None) -> None:
    def spared(w, x):
        def step(x):
            return np.tanh(w @ x)

        if limit is None:
            for _ in range(5):
                x = ag.checkpoint(step)(x)
            return np.sum(x)

        def steps(x):
            for _ in range(100):
                x = step(x)
            return x

        return np.sum(ag.checkpoint(steps, memory_limit=limit)(x))

    w, x, _ = example()
    assert not any("dynamic_update_slice" in line for line in lines_of(spared, w, x))


@pytest.mark.parametrize("tests", ["test_gradients_of_examples", "test_gradients_of_recursions"])
def test_small_sums_are_the_same_when_they_are_stacked_too(tests: str) -> None:
    """The arrays of these programs are too small for stacks, unless all are asked for."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"{tests}.py"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        env={**os.environ, "AUTOGRAPH_STACK": "1"},
        check=False,
    )
    assert run.returncode == 0, run.stdout
