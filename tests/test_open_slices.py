"""Slices of arrays whose sizes only the run knows, read and written, with bounds of data, against NumPy."""

import itertools
import warnings

import autograph as ag
import numpy as np
import pytest

BOUNDS = (None, -7, -3, -1, 0, 1, 2, 5, 9)


def opened(function, *arguments):
    """``function`` staged for arrays of any size."""
    staged = ag.function(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size in (11, 12, 13, 14):
            staged(np.arange(float(size)), *arguments)
    assert "?" in repr(staged.concrete_functions()[-1])
    return staged


def same(function, staged, *arguments):
    """Both give the same, or raise the same."""
    outcomes = []
    for call in (function, staged):
        given = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
        try:
            outcomes.append((call(*given), given[0], None))
        except Exception as error:
            outcomes.append((None, given[0], error))
    (wanted, wanted_x, wanted_error), (result, x, error) = outcomes
    assert (error is None) == (wanted_error is None), (error, wanted_error, arguments)
    if wanted_error is not None:
        assert isinstance(error, type(wanted_error))
        return
    np.testing.assert_array_equal(result, wanted)
    assert np.asarray(result).dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(x, wanted_x)


def read(x, start, stop):
    return x[start:stop] * 2


def write_number(x, start, stop):
    x[start:stop] = 7.0
    return x


def write_sum(x, start, stop):
    x[start:stop] += x.sum()
    return x


def write_read(x, start, stop):
    y = x.copy()
    y[start:stop] = x[start:stop] * 10
    return y


def write_wrong(x, start, stop):
    x[start:stop] = np.ones(3)
    return x


def fill(x, start, stop):
    x[start:stop].fill(3.0)
    return x


def through_view(x, start, stop):
    row = x[start:stop]
    row *= 5
    row[...] = row + 1
    return x


FUNCTIONS = (read, write_number, write_sum, write_read, write_wrong, fill, through_view)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_slices_with_bounds_of_data(function):
    numbers = [bound for bound in BOUNDS if bound is not None]
    staged = ag.function(function)
    for size in (11, 12, 13, 14):
        for bounds in ((0, 3), (1, 4), (2, 5)):
            same(function, staged, np.arange(float(size)), *bounds)
    for size, start, stop in itertools.product((0, 1, 2, 5, 6), numbers, numbers):
        same(function, staged, np.arange(float(size)), start, stop)


@pytest.mark.parametrize("start", BOUNDS)
@pytest.mark.parametrize("stop", (None, -2, 0, 1, 3, 8))
def test_slices_with_known_bounds(start, stop):
    def program(x):
        y = x.copy()
        y[start:stop] = 0.5
        x[start:stop] -= 1
        return y, x[start:stop], x[start:stop:2], x[start:stop:-1]

    staged = opened(program)
    for size in (0, 1, 2, 3, 5, 8, 20):
        x = np.arange(float(size))
        for wanted, result in zip(program(x.copy()), staged(x.copy()), strict=True):
            np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("shift", (-9, -3, -1, 0, 1, 2, 7, 100))
def test_roll(shift):
    staged = opened(lambda x: np.roll(x, shift))
    by_data = ag.function(lambda x, by: np.roll(x, by))
    for size in (0, 1, 2, 3, 5, 8):
        x = np.arange(float(size))
        np.testing.assert_array_equal(staged(x), np.roll(x, shift))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size, by in itertools.product((0, 1, 2, 3, 5), (shift, shift + 1, shift + 2)):
            x = np.arange(float(size))
            np.testing.assert_array_equal(by_data(x, by), np.roll(x, by))


def test_axes():
    def program(x, start):
        x[start:, 1:] = 1.5
        x[1:-1] *= 2
        x[:, start : start + 2] += x[:, :1]
        x[start : start + 1, :] = -x[:1]
        return x, x[1:, start:], x[::2, ::-1], np.roll(x, start, 0), np.roll(x, 1, 1)

    staged = ag.function(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rows, columns, start in itertools.product((3, 4, 5, 6, 1), (4, 5, 6, 7), (0, 1, 2, 3)):
            x = np.arange(float(rows * columns)).reshape(rows, columns)
            outcomes = []
            for call in (program, staged):
                given = x.copy()
                try:
                    outcomes.append((*call(given, start), given))
                except ValueError as error:
                    outcomes.append(error)
            if isinstance(outcomes[0], ValueError):
                assert isinstance(outcomes[1], ValueError), (rows, columns, start)
                continue
            for wanted, result in zip(*outcomes, strict=True):
                np.testing.assert_array_equal(result, wanted)


def relaxed(x, steps):
    for step in range(steps):
        y = x.copy()
        y[1:-1] = 0.5 * (x[:-2] + x[2:])
        if step % 3 == 2:
            y[step % len(y) :] += 1.0
        x = y
    return x


def windows(x, steps):
    out = np.zeros(len(x))
    for i in range(len(x)):
        window = x[max(0, i - 2) : i + 3]
        out[i] = window.mean()
        x[i : i + 1] *= 0.5
    return out


def halves(x, steps):
    while len(x) > 1:
        x = x[: len(x) // 2] + x[len(x) - len(x) // 2 :]
    return x


@pytest.mark.parametrize("function", (relaxed, windows, halves), ids=lambda function: function.__name__)
@pytest.mark.parametrize("steps", (0, 1, 7))
def test_loops(function, steps):
    staged = opened(function, steps)
    for size in (2, 3, 4, 9, 17, 30):
        same(function, staged, np.cos(np.arange(float(size))), steps)


def test_gradients():
    def loss(x, start):
        y = x * 1.0
        y[start:-1] = np.sin(x[start + 1 :]) * x[0]
        return np.sum(np.roll(y, start) * x)

    staged = ag.function(ag.grad(loss))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size, start in itertools.product((6, 7, 8, 9, 10), (0, 1, 2, 3)):
            x = np.linspace(0.3, 1.7, size)
            expected = np.zeros(size)
            for i in range(size):
                step = np.eye(size)[i] * 1e-6
                expected[i] = (loss(x + step, start) - loss(x - step, start)) / 2e-6
            np.testing.assert_allclose(staged(x, start), expected, rtol=1e-6, atol=1e-8)


def test_rows_by_vmap():
    def program(x):
        y = x * 1.0
        y[1:] = x[:-1]
        return np.roll(y, 2)

    staged = ag.function(ag.vmap(program))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rows, size in itertools.product((2, 3, 4, 5), (3, 4, 5, 6)):
            x = np.arange(float(rows * size)).reshape(rows, size)
            np.testing.assert_array_equal(staged(x), np.stack([program(row) for row in x]))
