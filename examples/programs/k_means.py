"""k-means until no point changes its cluster.

python examples/programs/k_means.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def k_means(points: Floats, centres: Floats) -> tuple[Floats, Integers, int]:
    """Lloyd's algorithm.

    Args:
        points: ``(n, d)``.
        centres: ``(k, d)``, where to begin.

    Returns:
        The centres, each point's cluster, and the number of rounds.
    """
    labels = np.zeros(len(points), dtype=np.int64)
    rounds = 0
    while True:
        distances = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
        nearest = np.argmin(distances, axis=1)
        rounds += 1
        if rounds > 1 and np.all(nearest == labels):
            break
        labels = nearest
        members = labels[:, None] == np.arange(len(centres))[None, :]
        counts = members.sum(axis=0)
        means = members.T.astype(np.float64) @ points / np.maximum(counts, 1)[:, None]
        centres = np.where(counts[:, None] > 0, means, centres)
    return centres, labels, rounds


def clouds(count: int) -> Floats:
    rng = np.random.default_rng(0)
    middles = np.array([[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]])
    return np.concatenate([middle + rng.normal(size=(count, 2)) for middle in middles])


PROGRAMS = {
    k_means: [
        (clouds(40), clouds(40)[[0, 1, 2]]),
        (clouds(7), np.array([[0.0, 0.0], [1.0, 1.0], [90.0, 90.0], [2.0, 2.0]])),
    ]
}

if __name__ == "__main__":
    points = clouds(2000)
    centres, labels, rounds = ag.function(k_means)(points, points[[0, 1, 2]])
    print(f"{rounds} rounds, centres {np.round(centres, 2).tolist()}, sizes {np.bincount(labels).tolist()}")
