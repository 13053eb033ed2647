"""Policy gradients on a fake cart-pole (Snek paper, Table 2): ten learning steps of twenty plays, one graph.

As in the paper, the environment is random observations, actions and rewards; a play ends on a flag. The peer
is JAX: the same steps under `jax.jit`, rewritten for it with a `while_loop` over buffers of gradients.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np

STEPS, PLAYS, LONGEST, HIDDEN = 10, 20, 10, 100
DISCOUNT, RATE = np.float32(0.95), np.float32(0.01)


def inputs() -> tuple[Any, ...]:
    """Parameters, observations, actions, rewards, and the flags that end a play."""
    draws = np.random.default_rng(3)
    shape = (STEPS, PLAYS, LONGEST)
    observations = draws.standard_normal((*shape, 4)).astype(np.float32)
    actions = draws.integers(0, 2, shape).astype(np.int32)
    rewards = draws.random(shape, dtype=np.float32)
    ends = np.zeros(shape, bool)
    ends[..., -1] = True
    parameters = (
        (0.5 * draws.standard_normal((4, HIDDEN))).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        (draws.standard_normal((HIDDEN, 2)) / math.sqrt(HIDDEN)).astype(np.float32),
        np.zeros(2, np.float32),
    )
    return parameters, observations, actions, rewards, ends


def surprise(parameters, observation, action):
    """Minus the log-likelihood of an action."""
    w1, b1, w2, b2 = parameters
    z = np.maximum(observation @ w1 + b1, 0) @ w2 + b2
    return np.log(np.sum(np.exp(z))) - z[action]


def surrogate(parameters, observations, actions, rewards, ends):
    """What has the policy's gradient as its own."""
    total = np.float32(0.0)
    moves = 0
    for play in range(len(observations)):
        surprises = []
        earned = []
        t = 0
        is_over = False
        while not is_over:
            surprises.append(surprise(parameters, observations[play, t], actions[play, t]))
            earned.append(rewards[play, t])
            is_over = ends[play, t]
            t += 1
        value = np.float32(0.0)
        for i in range(len(surprises) - 1, -1, -1):
            value = earned[i] + DISCOUNT * value
            total += value * surprises[i]
        moves += t
    return total / np.float32(moves)


@ag.function
def train(parameters, observations, actions, rewards, ends):
    """All learning steps."""
    for step in ag.staged(range(len(observations))):
        gradient = ag.grad(surrogate)(
            parameters, observations[step], actions[step], rewards[step], ends[step]
        )
        parameters = tuple(w - RATE * g for w, g in zip(parameters, gradient, strict=True))
    return parameters


def with_jax(given: tuple[Any, ...]) -> Callable[[], Any]:
    """The same by JAX.

    Raises:
        ImportError: If it is not installed.
    """
    import jax
    import jax.numpy as jnp
    from jax import lax

    def surprise(parameters, observation, action):
        w1, b1, w2, b2 = parameters
        z = jax.nn.relu(observation @ w1 + b1) @ w2 + b2
        return jax.nn.logsumexp(z) - z[action]

    def step(parameters, observations, actions, rewards, ends):
        empty = [jnp.zeros((LONGEST, *w.shape), w.dtype) for w in parameters]

        def play(carry, number):
            totals, moves = carry

            def move(state):
                t, _, kept = state
                found = jax.grad(surprise)(parameters, observations[number, t], actions[number, t])
                kept = [buffer.at[t].set(g) for buffer, g in zip(kept, found, strict=True)]
                return t + 1, ends[number, t], kept

            t, _, kept = lax.while_loop(lambda state: ~state[1], move, (0, False, empty))

            def back(i, state):
                value, sums = state
                value = rewards[number, t - 1 - i] + DISCOUNT * value
                return value, [
                    total + value * buffer[t - 1 - i] for total, buffer in zip(sums, kept, strict=True)
                ]

            _, totals = lax.fori_loop(0, t, back, (jnp.float32(0), totals))
            return (totals, moves + t), None

        start = ([jnp.zeros_like(w) for w in parameters], 0)
        (totals, moves), _ = lax.scan(play, start, jnp.arange(PLAYS))
        return [w - RATE * (g / moves) for w, g in zip(parameters, totals, strict=True)]

    @jax.jit
    def train(parameters, observations, actions, rewards, ends):
        return lax.fori_loop(
            0,
            STEPS,
            lambda s, w: step(w, observations[s], actions[s], rewards[s], ends[s]),
            list(parameters),
        )

    arrays = jax.tree.map(jnp.asarray, given)
    return lambda: jax.block_until_ready(train(*arrays))
