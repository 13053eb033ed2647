"""Loops in loops are recorded as often as there is something to find, not twice as often with each level."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.staging.control import loops

DEPTH = 10


def filled(x):
    row = [0.0] * DEPTH

    def fill(k):
        if k == DEPTH:
            return
        for one in x:
            row[k] = one
            fill(k + 1)

    fill(0)
    return row


def counted(x, n):
    total = 0
    best = 0.0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                for m in range(n):
                    total += 1
                    best = max(best, x[i] * x[j] - x[k] * x[m])
    return total, best


@pytest.mark.parametrize(
    ("function", "args", "most"),
    [(filled, (np.array([1.0, 2.0]),), 120), (counted, (np.array([3.0, 1.0, 2.0]), np.int64(3)), 20)],
)
def test_recordings(function: Any, args: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    recordings = []
    record = loops._record_body

    def counting(*arguments: Any) -> Any:
        recordings.append(None)
        return record(*arguments)

    monkeypatch.setattr(loops, "_record_body", counting)
    want = function(*args)
    got = ag.function(function)(*args)
    np.testing.assert_allclose(got, want)
    assert len(recordings) <= most
