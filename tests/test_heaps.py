"""``heapq`` and ``bisect`` over staged values give CPython's results, and the same lists afterwards."""

from __future__ import annotations

import bisect
import heapq
from itertools import product
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal

TEXT = """
import bisect
import heapq


"""
LISTS = {
    "plain": "xs = [x[0], x[1], x[2]]",
    "of_array": "xs = list(x)",
    "grown": "xs = []\n    for v in x:\n        xs.append(v * 2)",
    "filtered": "xs = [v for v in x if v > 0]",
    "pairs": "xs = [(v, i) for i, v in enumerate(x)]",
    "grown_pairs": "xs = []\n    for i in range(len(x)):\n        xs.append((x[i], i))",
    "empty": "xs = []",
}
ITEMS = {"pairs": "(x[0], 9)", "grown_pairs": "(x[0], 9)"}
USES = {
    "heapify": "heapq.heapify(xs)\n    return xs",
    "push": "heapq.heapify(xs)\n    heapq.heappush(xs, ITEM)\n    heapq.heappush(xs, ITEM)\n    return xs",
    "pop": "heapq.heapify(xs)\n    return heapq.heappop(xs), xs",
    "replace": "heapq.heapify(xs)\n    return heapq.heapreplace(xs, ITEM), heapq.heappushpop(xs, ITEM), xs",
    "sorted_by_heap": (
        "heapq.heapify(xs)\n    out = []\n    while len(xs) > 0:\n        out.append(heapq.heappop(xs))\n"
        "    return out"
    ),
    "in_a_branch": (
        "heapq.heapify(xs)\n    if x[0] > 1:\n        heapq.heappush(xs, ITEM)\n    else:\n"
        "        heapq.heappop(xs)\n    return xs"
    ),
    "few": "return heapq.nsmallest(2, xs), heapq.nlargest(2, xs), heapq.nsmallest(9, xs)",
    "bisect": "xs.sort()\n    return bisect.bisect(xs, ITEM), bisect.bisect_left(xs, ITEM)",
    "bisect_part": "xs.sort()\n    return bisect.bisect_left(xs, ITEM, 1), bisect.bisect(xs, ITEM, 0, 2)",
    "unsorted": "return bisect.bisect_left(xs, ITEM)",
    "insort": "xs.sort()\n    bisect.insort(xs, ITEM)\n    bisect.insort_left(xs, ITEM)\n    return xs",
}
VALUES = [
    np.array([1.5, -2.0, 3.0]),
    np.array([3, 1, 2, 0, 5, 1]),
    np.array([2.0, 2.0, 2.0, -1.0], np.float32),
    np.arange(40.0)[::-1].copy(),
    np.array([-1.0, -2.0, -3.0]),
]


@pytest.mark.parametrize("use", USES)
def test_results(use: str, tmp_path: Path) -> None:
    text = TEXT + "".join(
        f"def of_{name}(x):\n    {made}\n    {USES[use].replace('ITEM', ITEMS.get(name, 'x[0]'))}\n\n\n"
        for name, made in LISTS.items()
    )
    module = module_of(text, tmp_path, f"heaps_{use}")
    different, same = [], 0
    for name in LISTS:
        function = getattr(module, f"of_{name}")
        staged = ag.function(function)
        for x in VALUES:
            want = outcome(function, (x,))
            got, is_refusal = outcome_or_refusal(staged, (x,))
            same += want == got
            if want != got and not is_refusal:
                different.append((name, x, want, got))
    assert not different
    assert same > 25


def shortest_paths(weights: Any, start: Any) -> Any:
    count = weights.shape[0]
    distances = np.full(count, np.inf)
    distances[start] = 0.0
    frontier = [(0.0, start)]
    while frontier:
        distance, place = heapq.heappop(frontier)
        if distance > distances[place]:
            continue
        for other in range(count):
            if weights[place, other] > 0 and distance + weights[place, other] < distances[other]:
                distances[other] = distance + weights[place, other]
                heapq.heappush(frontier, (distances[other], other))
    return distances


def test_programs() -> None:
    staged = ag.function(shortest_paths)
    for seed in range(4):
        draws = np.random.default_rng(seed)
        weights = draws.random((20, 20)) * (draws.random((20, 20)) < 0.2)
        np.testing.assert_array_equal(staged(weights, seed), shortest_paths(weights, seed))


def by_distance(x: Any, y: Any) -> Any:
    xs = sorted(x, key=abs)
    return bisect.bisect_left(xs, abs(y), key=abs), heapq.nsmallest(2, x, key=lambda v: -v)


def test_keys() -> None:
    staged = ag.function(by_distance)
    for x, y in product((np.array([3.0, -1.0, 2.0]), np.array([0.5, -0.25, 4.0])), (-1.0, 2.5)):
        assert outcome(staged, (x, y)) == outcome(by_distance, (x, y))


def test_gradient_through_a_heap() -> None:
    def smallest_twice(x: Any) -> Any:
        heap = [x[0], x[1] * x[1], x[2]]
        heapq.heapify(heap)
        return heapq.heappop(heap) * 3 + heapq.heappop(heap)

    np.testing.assert_array_equal(ag.grad(smallest_twice)(np.array([4.0, 1.5, -1.0])), [0.0, 3.0, 3.0])
    np.testing.assert_array_equal(ag.grad(smallest_twice)(np.array([1.0, 3.0, 2.0])), [3.0, 0.0, 1.0])
