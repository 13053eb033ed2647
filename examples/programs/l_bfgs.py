"""L-BFGS with a backtracking line search, on the Rosenbrock function.

python examples/programs/l_bfgs.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rosenbrock(x: Floats) -> float:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def slope(x: Floats) -> Floats:
    inner = x[1:] - x[:-1] ** 2
    left = np.concatenate([-400.0 * x[:-1] * inner - 2 * (1 - x[:-1]), np.zeros(1)])
    gradient: Floats = left + np.concatenate([np.zeros(1), 200.0 * inner])
    return gradient


def direction(gradient: Floats, steps: Floats, changes: Floats, count: int) -> Floats:
    """The two-loop recursion over the last `count` pairs, which are kept in a ring."""
    memory = len(steps)
    weights = np.zeros(memory)
    q = gradient
    known = min(count, memory)
    for back in range(known):
        i = (count - 1 - back) % memory
        weights[i] = steps[i] @ q / (changes[i] @ steps[i])
        q = q - weights[i] * changes[i]
    if count > 0:
        last = (count - 1) % memory
        q = q * (steps[last] @ changes[last]) / (changes[last] @ changes[last])
    for back in range(known):
        i = (count - known + back) % memory
        q = q + (weights[i] - changes[i] @ q / (changes[i] @ steps[i])) * steps[i]
    return -q


def l_bfgs(x: Floats, memory: int, tolerance: float, most: int) -> tuple[Floats, int, int]:
    """Minimises; gives the point, the rounds, and how often the function was evaluated."""
    steps = np.zeros((memory, len(x)))
    changes = np.zeros((memory, len(x)))
    value, gradient = rosenbrock(x), slope(x)
    count = evaluations = rounds = 0
    while np.max(np.abs(gradient)) > tolerance and rounds < most:
        rounds += 1
        p = direction(gradient, steps, changes, count)
        descent = gradient @ p
        if descent >= 0:
            p, descent, count = -gradient, -(gradient @ gradient), 0
        length = 1.0
        while True:
            candidate = x + length * p
            reached = rosenbrock(candidate)
            evaluations += 1
            if reached <= value + 1e-4 * length * descent or length < 1e-10:
                break
            length *= 0.5
        following = slope(candidate)
        step, change = candidate - x, following - gradient
        if step @ change > 1e-12:
            steps[count % memory] = step
            changes[count % memory] = change
            count += 1
        x, value, gradient = candidate, reached, following
    return x, rounds, evaluations


PROGRAMS = {l_bfgs: [(np.array([-1.2, 1.0]), 5, 1e-8, 200), (np.zeros(6), 3, 1e-6, np.int64(300))]}

if __name__ == "__main__":
    x, rounds, evaluations = ag.function(l_bfgs)(np.zeros(50), 10, 1e-8, 1000)
    print(f"{rounds} rounds, {evaluations} evaluations, error {np.abs(x - 1).max():.2e}")
