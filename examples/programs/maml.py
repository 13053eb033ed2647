"""The inner loop of MAML (Finn, Abbeel and Levine 2017): a network adapts to a task until it fits.

How many gradient steps a task takes depends on the data. The gradient is written out by hand here.

    python examples/programs/maml.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def predict(x: Floats, w: Floats, b: Floats, v: Floats) -> Floats:
    return np.tanh(x[:, None] * w + b) @ v


def adapt(
    x: Floats, y: Floats, w: Floats, b: Floats, v: Floats, rate: float, enough: float, most: int
) -> tuple[Floats, Floats, Floats, np.floating, int]:
    """Gradient steps on one task until the mean square error is below `enough`; gives the weights too."""
    steps = 0
    loss = np.mean((predict(x, w, b, v) - y) ** 2)
    while loss > enough and steps < most:
        hidden = np.tanh(x[:, None] * w + b)
        error = 2 * (hidden @ v - y) / len(x)
        inner = error[:, None] * v * (1 - hidden**2)
        w, b, v = w - rate * (x @ inner), b - rate * inner.sum(axis=0), v - rate * (error @ hidden)
        loss = np.mean((predict(x, w, b, v) - y) ** 2)
        steps += 1
    return w, b, v, loss, steps


def adapt_to_all(
    xs: Floats,
    ys: Floats,
    queries: Floats,
    answers: Floats,
    w: Floats,
    b: Floats,
    v: Floats,
    rate: float,
    enough: float,
    most: int,
) -> tuple[float, Integers]:
    """The mean error on the queries after each task was adapted to, and the steps that took."""
    total = 0.0
    steps = np.zeros(len(xs), dtype=np.int64)
    for task in range(len(xs)):
        w_task, b_task, v_task, _, taken = adapt(xs[task], ys[task], w, b, v, rate, enough, most)
        total += np.mean((predict(queries[task], w_task, b_task, v_task) - answers[task]) ** 2)
        steps[task] = taken
    return total / len(xs), steps


def sine_tasks(count: int, points: int, seed: int) -> tuple[Floats, Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    height, shift = rng.uniform(0.5, 2.0, (count, 1)), rng.uniform(0, np.pi, (count, 1))
    xs, queries = rng.uniform(-3, 3, (2, count, points))
    return xs, height * np.sin(xs + shift), queries, height * np.sin(queries + shift)


def network(hidden: int) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(5)
    return rng.normal(size=hidden), rng.normal(size=hidden), rng.normal(size=hidden) / np.sqrt(hidden)


PROGRAMS = {
    adapt_to_all: [
        (*sine_tasks(3, 6, 0), *network(8), 0.05, 0.1, np.int64(60)),
        (*sine_tasks(1, 4, 1), *network(4), 0.1, 10.0, 20),
    ]
}

if __name__ == "__main__":
    error, steps = ag.function(adapt_to_all)(*sine_tasks(20, 10, 2), *network(40), 0.05, 0.05, 500)
    print(f"mean error {error:.4f} after {steps.tolist()} steps")
