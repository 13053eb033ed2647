"""A Metropolis sampler whose steps are accepted or rejected by draws in the graph.

Staged draws are a stream of their own (docs/random.md), so a run is compared with the distribution it samples
and not with NumPy's numbers.

    python examples/programs/metropolis.py
"""

import autograph as ag
import numpy as np


def log_density(x: float) -> float:
    """Of two bumps at -2 and 2, up to a constant."""
    density: float = np.logaddexp(-0.5 * (x - 2) ** 2, -0.5 * (x + 2) ** 2)
    return density


def metropolis(steps: np.int64, width: float, rng: np.random.Generator) -> tuple[float, float, float]:
    """The mean, the mean square, and the share of accepted steps of a chain that begins at 0."""
    x = 0.0
    total = squares = 0.0
    accepted = 0
    for _ in range(steps):
        proposed = x + width * rng.normal()
        if np.log(rng.random()) < log_density(proposed) - log_density(x):
            x = proposed
            accepted += 1
        total += x
        squares += x * x
    return total / steps, squares / steps, accepted / steps


def has_the_moments(result: tuple[float, float, float]) -> bool:
    mean, square, share = result
    return abs(mean) < 0.3 and abs(square - 5) < 0.4 and 0.2 < share < 0.8


PROGRAMS: dict[object, list[tuple[object, ...]]] = {}
CHECKED = {metropolis: (lambda: (np.int64(40_000), 2.5, np.random.default_rng(1)), has_the_moments)}

if __name__ == "__main__":
    mean, square, share = ag.function(metropolis)(np.int64(1_000_000), 2.5, np.random.default_rng(0))
    print(f"mean {mean:.3f}, mean square {square:.3f} (exact 5), {share:.1%} accepted")
