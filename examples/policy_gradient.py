"""Cart-pole by policy gradients: 20 episodes a step, simulation and learning in one graph.

`episode` is the simulation as one would write it, with its `while` and its random actions; the gradient of
the log-likelihoods, weighted by the returns, goes back through it. (Williams 1992; Snek paper, section 7.)

    python examples/policy_gradient.py [--steps N]
"""

from __future__ import annotations

import argparse
import time

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Parameters = tuple[Floats, ...]

GRAVITY, CART, POLE, HALF_LENGTH, FORCE, INTERVAL = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
LONGEST, EPISODES, DISCOUNT = 200, 20, 0.99


def move(state: Floats, action: int) -> Floats:
    """The cart-pole of Barto, Sutton and Anderson (1983), one Euler step."""
    x, speed, angle, turn = state
    force = FORCE if action == 1 else -FORCE
    push = (force + POLE * HALF_LENGTH * turn**2 * np.sin(angle)) / (CART + POLE)
    inertia = HALF_LENGTH * (4.0 / 3.0 - POLE * np.cos(angle) ** 2 / (CART + POLE))
    spin = (GRAVITY * np.sin(angle) - np.cos(angle) * push) / inertia
    pull = push - POLE * HALF_LENGTH * spin * np.cos(angle) / (CART + POLE)
    return np.array(
        [x + INTERVAL * speed, speed + INTERVAL * pull, angle + INTERVAL * turn, turn + INTERVAL * spin]
    )


def scores(parameters: Parameters, state: Floats) -> Floats:
    """Of pushing to the left and to the right."""
    w1, b1, w2, b2 = parameters
    return np.tanh(state @ w1 + b1) @ w2 + b2


def episode(parameters: Parameters, draws: np.random.Generator) -> list[float]:
    """Log-likelihoods of the actions of one episode, until the pole falls or the cart leaves."""
    state = draws.uniform(-0.05, 0.05, 4)
    chosen: list[float] = []
    while len(chosen) < LONGEST and abs(state[0]) < 2.4 and abs(state[2]) < 0.21:
        z = scores(parameters, state)
        z = z - np.log(np.sum(np.exp(z)))
        action = 1 if draws.uniform() < np.exp(z[1]) else 0
        chosen.append(z[action])
        state = move(state, action)
    return chosen


def surrogate(parameters: Parameters, baseline: float, draws: np.random.Generator) -> tuple[float, float]:
    """What has the policy's gradient as its own; and how long the episodes were."""
    total, length = 0.0, 0
    for _ in ag.staged(range(EPISODES)):
        chosen = episode(parameters, draws)
        value = 0.0
        for t in range(len(chosen) - 1, -1, -1):
            value = 1.0 + DISCOUNT * value
            total -= chosen[t] * (value - baseline)
        length += len(chosen)
    return total / EPISODES, length / EPISODES


@ag.function
def learn(
    parameters: Parameters, baseline: float, draws: np.random.Generator, rate: float
) -> tuple[Parameters, float]:
    """One step: 20 episodes, one gradient."""
    (_, length), gradient = ag.value_and_grad(surrogate, has_aux=True)(parameters, baseline, draws)
    norm = np.sqrt(sum(np.sum(g * g) for g in gradient))
    rate = rate / np.maximum(norm, 1.0)
    return tuple(w + -rate * g for w, g in zip(parameters, gradient, strict=True)), length


def main() -> None:
    """Learn until the pole stands."""
    parser = argparse.ArgumentParser(description="Cart-pole by policy gradients.")
    parser.add_argument("--steps", type=int, default=150)
    options = parser.parse_args()
    draws = np.random.default_rng(0)
    hidden = 16
    parameters: Parameters = (
        0.5 * draws.standard_normal((4, hidden)),
        np.zeros(hidden),
        0.5 * draws.standard_normal((hidden, 2)),
        np.zeros(2),
    )
    baseline, started = 0.0, time.perf_counter()
    for step in range(options.steps):
        parameters, length = learn(parameters, baseline, draws, 0.1)
        # What an average move of an episode of this length still earns.
        baseline = 0.9 * baseline + 0.1 * min(float(length), 100.0) * 0.5
        if step % 25 == 0 or step + 1 == options.steps:
            print(f"step {step}: {length:.1f} moves an episode")
    print(f"{options.steps} steps of {EPISODES} episodes in {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
