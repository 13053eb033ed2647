"""``x[a:b:c] = x[d:e:f]``: NumPy's result, or a refusal where NumPy reads what it has just written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph.errors import GraphRuntimeError, StagingError

ROUNDS = 60


def outcomes(function: Callable[..., Any], *args: Any) -> Iterator[Any]:
    """What the engine and the interpreter give; ``None`` for a refusal of an overlap."""
    staged = ag.function(function)
    given = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    for way in ("engine", "interpreter"):
        try:
            if way == "engine":
                yield staged(*given)
            else:
                arrays = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
                yield staged.concrete_function(*arrays).interpret(arrays)
        except (StagingError, GraphRuntimeError) as error:
            assert "overlaps it" in str(error), error
            yield None


def slices(random: np.random.Generator, size: int, count: int) -> slice:
    """A slice of so many elements."""
    step = int(random.choice([-3, -2, -1, 1, 2, 3]))
    while abs(step) * (count - 1) >= size:
        step = 1 if step > 0 else -1
    start = int(random.integers(0, size - abs(step) * (count - 1)))
    if step < 0:
        start += abs(step) * (count - 1)
        stop = start + step * count
        return slice(start, stop if stop >= 0 else None, step)
    return slice(start, start + step * count, step)


def part(random: np.random.Generator, shape: tuple[int, ...], count: int) -> Any:
    """An index of a line of so many elements."""
    axis = int(random.integers(0, len(shape)))
    index = [int(random.integers(-size, size)) for size in shape]
    line = slices(random, shape[axis], count)
    return line if len(shape) == 1 else (*index[:axis], line, *index[axis + 1 :])


def reads_late(shape: tuple[int, ...], to: Any, of: Any) -> bool:
    """Whether an element is read in another step than that in which it is written."""
    places = np.arange(int(np.prod(shape))).reshape(shape)
    written, read = places[to], places[of]
    steps = {int(place): step for step, place in enumerate(written)}
    return any(steps.get(int(place), step) != step for step, place in enumerate(read))


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_line_into_a_line(seed):
    random = np.random.default_rng(seed)
    shape = [(9,), (12,), (5, 5), (4, 7), (3, 4, 5)][seed % 5]
    count = int(random.integers(1, min(shape) + 1))
    to, of = part(random, shape, count), part(random, shape, count)

    def write(x):
        x[to] = x[of]
        return x

    x = np.arange(float(np.prod(shape))).reshape(shape)
    copied = x.copy()
    copied[to] = x[of].copy()
    expected = write(x.copy())
    for result in outcomes(write, x):
        if result is None:
            assert reads_late(shape, to, of), (to, of)
        else:
            np.testing.assert_array_equal(result, expected)
    if not reads_late(shape, to, of):
        np.testing.assert_array_equal(copied, expected)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_an_added_part(seed):
    random = np.random.default_rng(seed)
    shape = [(9,), (5, 5)][seed % 2]
    count = int(random.integers(1, 6))
    to, of = part(random, shape, count), part(random, shape, count)

    def write(x):
        x[to] += x[of]
        return x

    x = np.arange(float(np.prod(shape))).reshape(shape)
    expected = write(x.copy())
    for result in outcomes(write, x):
        np.testing.assert_array_equal(result, expected)


def rows_by_columns(m, i, j):
    m[i] = m[:, j]
    return m


def columns_by_rows(m, i, j):
    m[:, j] = m[i]
    return m


def from_the_end(m, i, j):
    m[i, ::-1] = m[:, j]
    return m


def in_a_loop(m, i, j):
    for k in range(i):
        m[k + j - j] = m[:, k]
    return m


@pytest.mark.parametrize("write", [rows_by_columns, columns_by_rows, from_the_end])
@pytest.mark.parametrize("i", [0, 1, 3, -1])
@pytest.mark.parametrize("j", [0, 2, -1])
@pytest.mark.parametrize("kind", [int, np.int64])
def test_staged_rows_and_columns(write, i, j, kind):
    m = np.arange(16.0).reshape(4, 4)
    copied = m.copy()
    write(copied, i, j)
    is_one_step = i % 4 == j % 4 and write is not from_the_end
    for result in outcomes(write, m, kind(i), kind(j)):
        if result is not None:
            np.testing.assert_array_equal(result, copied)
        assert result is not None or not is_one_step


def test_a_loop_over_rows_and_columns():
    m = np.arange(25.0).reshape(5, 5)
    for result in outcomes(in_a_loop, m, np.int64(4), np.int64(2)):
        np.testing.assert_array_equal(result, in_a_loop(m.copy(), 4, 2))


def reversed_whole(x):
    x[:] = x[::-1]
    return x


def transposed(m):
    m[:] = m.T
    return m


def of_two_dimensions(m):
    m[1:, ::2] = m[:-1, 1:3]
    return m


def rows_reversed(m):
    m[1] = m[1, ::-1]
    m[0] = m[0].T
    return m


def broadcast_row(m):
    m[:] = m[1]
    m[1:] = m[0, 2:3]
    return m


def picked(m):
    m[[2, 0, 1]] = m[:3]
    m[:, [0, 3]] = m[:, 1:3]
    return m


def list_elements(m):
    rows = [m[0].copy(), m[1].copy()]
    rows[0][1:] = rows[0][:-1]
    rows[1][:] = rows[0][::-1]
    return rows[0] + rows[1]


def staged_slices(x, n):
    for i in range(n):
        x[i + 1 : n + 1] = x[i:n]
    return x


def through_a_name(x):
    y = x[2:]
    x[:-2] = y
    return x


@pytest.mark.parametrize(
    "write",
    [transposed, of_two_dimensions, rows_reversed, broadcast_row, picked, list_elements],
)
def test_copied_first(write):
    m = np.arange(16.0).reshape(4, 4)
    for result in outcomes(write, m):
        np.testing.assert_array_equal(result, write(m.copy()))


def test_lines_copied_first():
    x = np.arange(9.0)
    for write, args in [(reversed_whole, ()), (through_a_name, ()), (staged_slices, (np.int64(6),))]:
        for result in outcomes(write, x, *args):
            np.testing.assert_array_equal(result, write(x.copy(), *args))


def masked(x, mask):
    x[mask] = x[:3]
    return x


def masked_by_others(x, mask):
    x[mask] = (x + 0)[:3]
    x[mask] = x[mask][::-1]
    x[mask] = x[4]
    return x


def test_masks():
    x, mask = np.arange(9.0), np.arange(9) % 3 == 1
    assert list(outcomes(masked, x, mask)) == [None, None]
    for result in outcomes(masked_by_others, x, mask):
        np.testing.assert_array_equal(result, masked_by_others(x.copy(), mask))


def test_refused_at_the_line():
    def write(x):
        x[::2] = x[:4]
        return x

    with pytest.raises(StagingError) as caught:
        ag.function(write)(np.arange(8.0))
    assert caught.value.code == "AG139"
    assert caught.value.location.line == write.__code__.co_firstlineno + 1
