"""Dicts keyed by data, heaps, views and an estimator, each against its best peer."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
from measure import Comparison, compare


def counted(keys):
    counts = {}
    for key in keys:
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
    most = 0
    for key in keys:
        most = max(most, counts[key])
    return len(counts), most


def shortest(begins, ends, weights, source, n):
    distance = np.full(n, np.inf)
    distance[source] = 0.0
    frontier = [(0.0, source)]
    while frontier:
        length, node = heapq.heappop(frontier)
        if length > distance[node]:
            continue
        for edge in range(begins[node], begins[node + 1]):
            other = ends[edge]
            longer = length + weights[edge]
            if longer < distance[other]:
                distance[other] = longer
                heapq.heappush(frontier, (longer, other))
    return distance


def centred_by_views(a):
    for i in range(len(a)):
        row = a[i]
        row -= row.mean()
    return a


def centred_by_index(a):
    for i in range(len(a)):
        a[i] = a[i] - a[i].mean()
    return a


class Logistic:
    """Logistic regression by gradient descent."""

    def fit(self, x, y, steps):
        """Fits by so many steps from the beginning."""
        self.coef_ = np.zeros(x.shape[1])
        for _ in range(steps):
            p = 1 / (1 + np.exp(-(x @ self.coef_)))
            self.coef_ = self.coef_ - 0.1 * (x.T @ (p - y)) / len(y)
        return self


def fitted(x, y, steps):
    coef = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(x @ coef)))
        coef = coef - 0.1 * (x.T @ (p - y)) / len(y)
    return coef


def _dicts() -> Iterator[Comparison]:
    rng = np.random.default_rng(0)
    try:
        import numba

        peers = {"numba": (numba.njit(counted), 1.5), "CPython": (counted, 1.0)}
    except ImportError:
        peers = {"CPython": (counted, 1.0)}
    staged = ag.function(counted)
    for most in (1_000, 1_000_000):
        keys = rng.integers(0, most, 1_000_000)
        for name, (peer, target) in peers.items():
            assert staged(keys) == peer(keys)
            yield _pair(f"a dict that counts 10^6 ints below {most:,}", staged, peer, (keys,), name, target)


def _graph(n: int, edges: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(1)
    begins = np.concatenate([[0], np.sort(rng.integers(0, edges, n - 1)), [edges]])
    return begins, rng.integers(0, n, edges), rng.random(edges), np.int64(0), n


def run() -> list[Comparison]:
    graph = _graph(20_000, 100_000)
    dijkstra = ag.function(shortest)
    np.testing.assert_array_equal(dijkstra(*graph), shortest(*graph))
    table = np.random.default_rng(2).random((2_000, 50))
    views, index = ag.function(centred_by_views), ag.function(centred_by_index)
    rng = np.random.default_rng(3)
    data = (rng.standard_normal((1_000, 20)), (rng.random(1_000) > 0.5).astype(float), 100)
    fit, function = ag.function(Logistic.fit), ag.function(fitted)
    model = Logistic()
    np.testing.assert_allclose(fit(model, *data).coef_, function(*data))
    return [
        *_dicts(),
        _pair("Dijkstra by heapq, 10^5 edges", dijkstra, shortest, graph, "CPython", 0.1),
        _pair("2,000 rows written through views", views, index, (table,), "by index", 1.0),
        _pair("fit of an estimator", lambda *args: fit(model, *args), function, data, "a function", 1.0),
    ]


def _pair(
    name: str,
    ours: Callable[..., Any],
    peer: Callable[..., Any],
    arguments: tuple[Any, ...],
    peer_name: str,
    target: float,
) -> Comparison:
    return compare(name, lambda: ours(*arguments), lambda: peer(*arguments), peer_name, target, rounds=7)
