"""``x[i, :, j] = v``: a slice between indices, of arrays of known and of unknown sizes."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest


def opened(x: Any) -> Any:
    """An array of two blocks of three rows, whose length only the run knows."""
    return np.stack([x[x > -9]] * 6).reshape(2, 3, -1)


def of_unknown_size(x, value):
    a = opened(x)
    a[0, :, 1] = value
    return a


def with_steps(x, value):
    a = opened(x)
    a[1, 0, :] = value
    a[-1, ::2, 2] += value
    a[:, 1, ::2] *= value
    return a


def of_known_size(x, i, j, value):
    a = np.zeros((2, 3, 5)) + x
    a[i, :, j] = value
    a[i, 1:, j] += value
    return a


def with_slices_around(x, i, j, value):
    a = np.zeros((2, 3, 2, 5)) + x
    a[:, i, :, j] = value
    a[1, i, :, j] -= value
    return a


def of_four_dimensions(x, i, value):
    a = opened(x)
    b = np.stack([a, a + 1])
    b[i, :, 1, :] = value
    b[:, i, :, 1] = value + 1
    b[i, :, :, i] = value + 2
    b[i, :, :2, i] = value + 3
    return b


X = np.arange(5.0)
ONE, LAST = np.int64(1), np.int64(-1)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (of_unknown_size, (X, np.float64(7))),
        (of_unknown_size, (X, np.arange(3.0))),
        (with_steps, (X, np.float64(3))),
        (of_known_size, (X, ONE, LAST, np.float64(3))),
        (with_slices_around, (X, ONE, np.int64(2), np.float64(7))),
        (of_four_dimensions, (X, ONE, np.float64(2))),
    ],
)
def test_writes(function: Any, arguments: tuple[Any, ...]) -> None:
    np.testing.assert_array_equal(ag.function(function)(*arguments), function(*arguments))


def test_an_index_out_of_range_fails() -> None:
    with pytest.raises(IndexError):
        ag.function(of_known_size)(X, np.int64(2), ONE, np.float64(1))


def test_a_value_that_does_not_fit_fails() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        ag.function(of_unknown_size)(X, np.arange(4.0))
