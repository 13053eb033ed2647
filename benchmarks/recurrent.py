"""The gradient of a recurrent network by its weights, against JAX."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
from measure import Comparison, compare

STEPS = 64
UNITS = 256


def loss(w: Any, u: Any, b: Any, xs: Any, target: Any) -> Any:
    """How far the last state is from its target.

    Args:
        w: The weights of the inputs, `float32` of shape (inputs, units).
        u: The weights of the state, (units, units).
        b: The bias, (units,).
        xs: The inputs, (steps, rows, inputs).
        target: The state that is wanted, (rows, units).
    """
    h = np.zeros(target.shape, target.dtype)
    for t in range(len(xs)):
        h = np.tanh(xs[t] @ w + h @ u + b)
    return np.sum((h - target) ** 2)


def inputs(rows: int) -> tuple[Any, ...]:
    draws = np.random.default_rng(0)

    def normal(*shape: int) -> Any:
        return (0.04 * draws.standard_normal(shape)).astype(np.float32)

    return (
        normal(UNITS, UNITS),
        normal(UNITS, UNITS),
        normal(UNITS),
        normal(STEPS, rows, UNITS),
        normal(rows, UNITS),
    )


def with_jax(given: tuple[Any, ...]) -> Callable[[], Any]:
    """The same by JAX, with the loop as a scan.

    Raises:
        ImportError: If it is not installed.
    """
    import jax
    import jax.numpy as jnp
    from jax import lax

    def loss(w, u, b, xs, target):
        def step(h, x):
            return jnp.tanh(x @ w + h @ u + b), None

        h, _ = lax.scan(step, jnp.zeros_like(target), xs)
        return jnp.sum((h - target) ** 2)

    gradient = jax.jit(jax.grad(loss, argnums=(0, 1, 2)))
    given = tuple(map(jnp.asarray, given))
    return lambda: jax.block_until_ready(gradient(*given))


def run() -> Iterator[Comparison]:
    gradient = ag.grad(loss, argnums=(0, 1, 2))
    has_jax = importlib.util.find_spec("jax") is not None
    for rows in (1, 8, 32, 128):
        given = inputs(rows)
        ours = functools.partial(gradient, *given)
        name = f"gradient of a recurrent network, {UNITS} units, {STEPS} steps, rows: {rows}"
        if not has_jax:
            value = functools.partial(ag.function(loss), *given)
            yield compare(name, ours, value, "its value", 4.0)
            continue
        peer = with_jax(given)
        for mine, theirs in zip(ours(), peer(), strict=True):
            np.testing.assert_allclose(mine, np.asarray(theirs), rtol=1e-2, atol=1e-4)
        yield compare(name, ours, peer, "jax.jit", 1.0)
