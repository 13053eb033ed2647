"""Collatz steps of 10,000 starts: a scalar loop inside a loop, against numba."""

from __future__ import annotations

import autograph as ag
import numpy as np
from measure import Comparison, compare


def collatz(starts):
    total = 0
    for n in starts:
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            total += 1
    return total


def run() -> list[Comparison]:
    import numba

    starts = np.arange(1, 10_001)
    staged, peer = ag.function(collatz), numba.njit(collatz)
    assert staged(starts) == peer(starts) == collatz(starts[:100]) + collatz(starts[100:])
    return [compare("Collatz, 10,000 starts", lambda: staged(starts), lambda: peer(starts), "numba", 1.5)]
