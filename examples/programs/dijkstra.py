"""Shortest paths from one node: Dijkstra's algorithm on an adjacency matrix.

python examples/programs/dijkstra.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def dijkstra(lengths: Floats, start: np.int64) -> tuple[Floats, Integers]:
    """Distances from `start` and each node's predecessor (-1 for none).

    Args:
        lengths: ``(n, n)``; ``inf`` where there is no edge.
        start: The node.
    """
    count = len(lengths)
    distance = np.full(count, np.inf)
    previous = np.full(count, -1)
    done = np.zeros(count, dtype=bool)
    distance[start] = 0.0
    for _ in range(count):
        node = np.argmin(np.where(done, np.inf, distance))
        if distance[node] == np.inf:
            break
        done[node] = True
        for other in range(count):
            through = distance[node] + lengths[node, other]
            if through < distance[other]:
                distance[other] = through
                previous[other] = node
    return distance, previous


def path_length(lengths: Floats, start: np.int64, end: np.int64) -> int | None:
    """How many edges the shortest path has, or None where there is no path."""
    distance, previous = dijkstra(lengths, start)
    if distance[end] == np.inf:
        return None
    edges = 0
    node = end
    while node != start:
        node = previous[node]
        edges += 1
    return edges


def some_graph(count: int, share: float) -> Floats:
    rng = np.random.default_rng(1)
    lengths = rng.uniform(1, 9, size=(count, count))
    lengths[rng.uniform(size=lengths.shape) > share] = np.inf
    lengths[:, -1] = np.inf
    return lengths


PROGRAMS = {
    dijkstra: [(some_graph(12, 0.3), np.int64(0)), (some_graph(5, 0.2), np.int64(3))],
    path_length: [
        (some_graph(12, 0.3), np.int64(0), np.int64(7)),
        (some_graph(12, 0.3), np.int64(0), np.int64(11)),
    ],
}

if __name__ == "__main__":
    lengths = some_graph(300, 0.02)
    distance, _ = ag.function(dijkstra)(lengths, np.int64(0))
    reached = np.isfinite(distance)
    print(f"{reached.sum()} of {len(distance)} nodes reached, the farthest at {distance[reached].max():.3f}")
