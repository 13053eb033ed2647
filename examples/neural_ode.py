"""A neural ordinary differential equation: the gradient goes through a solver that chooses its own steps.

`solve` is Bogacki and Shampine's pair of orders 2 and 3 with error control, as it stands in any textbook: a
`while` loop that rejects steps that are too large. How many there are depends on the data and changes while
the network learns. The data are a damped spiral. (Chen et al. 2018.)

    python examples/neural_ode.py [--steps N]
"""

from __future__ import annotations

import argparse
import time

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Parameters = tuple[Floats, ...]


def field(parameters: Parameters, y: Floats) -> Floats:
    """The velocity that a small network gives at a point."""
    w1, b1, w2, b2 = parameters
    return np.tanh((y**3) @ w1 + b1) @ w2 + b2


def solve(parameters: Parameters, y: Floats, duration: float, tolerance: float) -> tuple[Floats, int]:
    """The point after some time; and how many steps were tried."""
    t, h, tried = 0.0, 0.1, 0
    slope = field(parameters, y)
    while t < duration:
        h = np.minimum(h, duration - t)
        second = field(parameters, y + h / 2 * slope)
        third = field(parameters, y + 3 * h / 4 * second)
        end = y + h * (2 * slope + 3 * second + 4 * third) / 9
        last = field(parameters, end)
        error = h * np.max(np.abs(-5 * slope / 72 + second / 12 + third / 9 - last / 8))
        tried += 1
        if error <= tolerance:
            t, y, slope = t + h, end, last
        # How large a step is, is no part of what is differentiated.
        factor = ag.stop_gradient(0.9 * (tolerance / np.maximum(error, 1e-12)) ** (1 / 3))
        h = h * np.clip(factor, 0.2, 5.0)
    return y, tried


def misfit(
    parameters: Parameters, starts: Floats, ends: Floats, duration: float, tolerance: float
) -> tuple[float, int]:
    """Mean squared distance from where the data go."""
    total, tried = 0.0, 0
    for start, end in zip(starts, ends, strict=True):
        y, steps = solve(parameters, start, duration, tolerance)
        total += np.sum((y - end) ** 2)
        tried += steps
    return total / len(starts), tried


@ag.function
def train(
    parameters: Parameters,
    starts: Floats,
    ends: Floats,
    duration: float,
    tolerance: float,
    rate: float,
    steps: np.int64,
) -> tuple[Parameters, float]:
    """Adam, the whole training in one graph."""
    means = tuple(np.zeros_like(w) for w in parameters)
    squares = tuple(np.zeros_like(w) for w in parameters)
    for step in range(steps):
        (value, tried), gradient = ag.value_and_grad(misfit, has_aux=True)(
            parameters, starts, ends, duration, tolerance
        )
        if step % 100 == 0:
            print("step", step, "misfit", value, "solver steps", tried)
        means = tuple(0.9 * m + 0.1 * g for m, g in zip(means, gradient, strict=True))
        squares = tuple(0.99 * s + 0.01 * g * g for s, g in zip(squares, gradient, strict=True))
        first, second = 1.0 - 0.9 ** (step + 1.0), 1.0 - 0.99 ** (step + 1.0)
        parameters = tuple(
            w - rate * (m / first) / (np.sqrt(s / second) + 1e-8)
            for w, m, s in zip(parameters, means, squares, strict=True)
        )
    return parameters, misfit(parameters, starts, ends, duration, tolerance)[0]


def spiral(points: int, interval: float) -> Floats:
    """The data: dy/dt = A y^3, by small steps."""
    matrix = np.array([[-0.1, 2.0], [-2.0, -0.1]])
    y, path = np.array([2.0, 0.0]), []
    for _ in range(points):
        path.append(y)
        for _ in range(1000):
            y = y + interval / 1000 * (y**3) @ matrix
    return np.array(path)


def main() -> None:
    """Fit the spiral."""
    parser = argparse.ArgumentParser(description="Fits a neural ordinary differential equation to a spiral.")
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    draws = np.random.default_rng(0)
    hidden = 32
    parameters = (
        draws.standard_normal((2, hidden)) * 0.3,
        np.zeros(hidden),
        draws.standard_normal((hidden, 2)) * 0.3,
        np.zeros(2),
    )
    path = spiral(21, 0.1)
    started = time.perf_counter()
    _, value = train(parameters, path[:-1], path[1:], 0.1, 1e-5, 0.01, np.int64(options.steps))
    print(f"misfit after {options.steps} steps: {value:.6f} ({time.perf_counter() - started:.1f} s)")


if __name__ == "__main__":
    main()
