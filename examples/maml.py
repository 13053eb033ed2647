"""Model-agnostic meta-learning: the gradient of a training, whose length depends on the data.

A task is a sine of some amplitude and phase. `adapt` trains on a few points of one task until its loss is
small; the meta-gradient goes back through that training, with its inner gradients: reverse mode over
reverse mode through a `while` loop. (Finn, Abbeel and Levine 2017.)

    python examples/maml.py [--steps N]
"""

from __future__ import annotations

import argparse
import time

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Parameters = tuple[Floats | float, ...]
Task = tuple[Floats, Floats, Floats, Floats]


def network(parameters: Parameters, x: Floats) -> Floats:
    """A perceptron with one hidden layer, of one input and one output."""
    w1, b1, w2, b2 = parameters
    return np.tanh(x[:, None] * w1 + b1) @ w2 + b2


def error(parameters: Parameters, x: Floats, y: Floats) -> np.floating:
    """Mean squared error."""
    return np.mean((network(parameters, x) - y) ** 2)


def adapt(
    parameters: Parameters, x: Floats, y: Floats, rate: float, tolerance: float, most: np.int64
) -> tuple[Parameters, int]:
    """Gradient descent on one task until the error is below a tolerance."""
    steps = 0
    while error(parameters, x, y) > tolerance and steps < most:
        gradient = ag.grad(error)(parameters, x, y)
        parameters = tuple(w - rate * g for w, g in zip(parameters, gradient, strict=True))
        steps += 1
    return parameters, steps


def meta_loss(
    parameters: Parameters, tasks: list[Task], rate: float, tolerance: float, most: np.int64
) -> tuple[float | np.floating, int]:
    """The error on held-out points after adapting, over several tasks."""
    total: float | np.floating = 0.0
    steps = 0
    for x, y, x_new, y_new in tasks:
        adapted, taken = adapt(parameters, x, y, rate, tolerance, most)
        total += error(adapted, x_new, y_new)
        steps += taken
    return total / len(tasks), steps


@ag.function
def meta_step(
    parameters: Parameters, tasks: list[Task], rate: float, tolerance: float, most: np.int64, meta_rate: float
) -> tuple[Parameters, float | np.floating, int]:
    """One step of the outer descent."""
    (value, steps), gradient = ag.value_and_grad(meta_loss, has_aux=True)(
        parameters, tasks, rate, tolerance, most
    )
    return tuple(w - meta_rate * g for w, g in zip(parameters, gradient, strict=True)), value, steps


def draw_tasks(draws: np.random.Generator, count: int) -> list[Task]:
    """Points of sines: ten to adapt to, and ten to be judged by."""
    tasks: list[Task] = []
    for _ in range(count):
        amplitude, phase = draws.uniform(0.5, 2.0), draws.uniform(0.0, np.pi)
        x, x_new = draws.uniform(-3.0, 3.0, (2, 10))
        tasks.append((x, amplitude * np.sin(x - phase), x_new, amplitude * np.sin(x_new - phase)))
    return tasks


def main() -> None:
    """Train, and show that adapting became faster and better."""
    parser = argparse.ArgumentParser(description="Model-agnostic meta-learning of sines.")
    parser.add_argument("--steps", type=int, default=3000)
    options = parser.parse_args()
    draws = np.random.default_rng(0)
    hidden = 20
    parameters: Parameters = (
        draws.standard_normal(hidden),
        draws.standard_normal(hidden),
        draws.standard_normal(hidden) / np.sqrt(hidden),
        0.0,
    )
    judged = draw_tasks(np.random.default_rng(1), 20)
    staged = ag.function(meta_loss)
    before, steps = staged(parameters, judged, 0.05, 0.05, np.int64(10))
    print(f"before: error {before:.4f} after adapting, {steps / 20:.1f} inner steps a task")
    started = time.perf_counter()
    for step in range(options.steps):
        tasks = draw_tasks(draws, 4)
        parameters, value, steps = meta_step(parameters, tasks, 0.05, 0.05, np.int64(10), 0.02)
        if step % 1000 == 0:
            print(f"meta-step {step}: error {value:.4f}, {steps / 4:.1f} inner steps a task")
    print(f"{options.steps} meta-steps in {time.perf_counter() - started:.1f} s")
    after, steps = staged(parameters, judged, 0.05, 0.05, np.int64(10))
    print(f"after: error {after:.4f} after adapting, {steps / 20:.1f} inner steps a task")


if __name__ == "__main__":
    main()
