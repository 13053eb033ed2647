"""Results whose sizes only the run knows are made in the returned array, if its sizes were foreseen."""

from __future__ import annotations

import autograph as ag
import numpy as np
import pytest


@ag.function
def chosen(x: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    found = x[x > least]
    return found * 2.0, np.flatnonzero(x > least)


@ag.function
def grown(x: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    ys = []
    for i in range(n):
        x = x + 1.0
        ys.append(x * i)
    return np.stack(ys), x


@ag.function
def failing(x: np.ndarray, least: float) -> np.ndarray:
    found = x[x > least] + 1.0
    if found[0] < 0.0:
        raise ValueError("negative")
    return found


def is_new(array: np.ndarray) -> bool:
    flags = array.flags
    return bool(flags.owndata and array.base is None and flags.writeable and flags.c_contiguous)


@pytest.mark.parametrize("size", [0, 1, 100, 5000, 100_000])
def test_results_of_one_size_and_of_many(size: int) -> None:
    x = np.random.default_rng(3).normal(size=size)
    before = []
    for least in (0.0, 0.0, 0.0, 1.0, 1.0, -9.0, 9.0, 0.0, 0.0, -9.0, -9.0, 0.5):
        got = chosen(x, least)
        want = (x[x > least] * 2.0, np.flatnonzero(x > least))
        for one, other in zip(got, want, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape and is_new(one)
            np.testing.assert_array_equal(one, other)
        before.append((got, want))
    # No later call has written into an earlier one's result.
    for got, want in before:
        np.testing.assert_array_equal(got[0], want[0])
        np.testing.assert_array_equal(got[1], want[1])


def test_a_list_is_grown_in_the_result() -> None:
    x = np.random.default_rng(4).normal(size=(40, 30))
    before = []
    for count in (5, 5, 5, 7, 7, 3, 3, 200, 200, 5):
        got = grown(x, np.int64(count))
        want = grown.__wrapped__(x, count)
        assert got[0].shape == want[0].shape and is_new(got[0])
        before.append((got, want))
    for got, want in before:
        np.testing.assert_array_equal(got[0], want[0])
        np.testing.assert_array_equal(got[1], want[1])


def test_a_run_that_fails_leaves_the_next_one_alone() -> None:
    x = np.arange(-5000.0, 5000.0)
    for least in (0.0, 0.0, -2000.0, 0.0, -2000.0, 0.0):
        if least < 0.0:
            with pytest.raises(ValueError, match="negative"):
                failing(x, least)
        else:
            np.testing.assert_array_equal(failing(x, least), x[x > least] + 1.0)
