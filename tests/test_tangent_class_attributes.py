"""Numbers and arrays of a class that its methods read through `self`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from autograph import tangent


class Cell:
    gain = 3.0
    order = 2
    scales = np.array([1.0, 2.0])
    bounds = (0.5, (1.5, 2.0))

    def __init__(self, w: Any) -> None:
        self.w = w

    def value(self, x: Any) -> Any:
        return np.sum(self.gain * self.w * x**self.order * self.scales) + self.bounds[1][0] * self.w[0]


class Own(Cell):
    gain = 4.0

    def __init__(self, w: Any) -> None:
        self.w = w
        self.scales = w * 2.0


class Without:
    gain = 0.5

    def __call__(self, x: Any) -> Any:
        return np.sum(x * self.gain)


def made(x: Any, w: Any) -> Any:
    cell = Cell(w)
    return cell.value(x)


def its_own(x: Any, w: Any) -> Any:
    cell = Own(w)
    return cell.value(x)


def set_later(x: Any, w: Any) -> Any:
    cell = Own(w)
    cell.gain = np.sum(w)
    return cell.value(x) + Cell.gain * cell.gain


def in_a_loop(x: Any, w: Any) -> Any:
    cell = Cell(w)
    total = 0.0
    for _ in range(3):
        total = total + cell.value(x)
        x = x * 0.5
    return total


def of_the_caller(x: Any, w: Any) -> Any:
    return np.sum(w * 2.0) + without(x)


without = Without()
PROGRAMS = (made, its_own, set_later, in_a_loop, of_the_caller)
POINT = (np.array([1.0, 2.0]), np.array([2.0, 1.0]))


def difference(function: Any, place: int) -> Any:
    """The derivative by central differences."""
    found = np.zeros(2)
    for k in range(2):
        ends = []
        for step in (1e-6, -1e-6):
            args = [one.copy() for one in POINT]
            args[place][k] += step
            ends.append(function(*args))
        found[k] = (ends[0] - ends[1]) / 2e-6
    return found


@pytest.mark.parametrize("options", [{}, {"motion": "split"}, {"optimized": False}], ids=str)
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Any, options: dict[str, Any]) -> None:
    given = [one.copy() for one in POINT]
    found = tangent.autodiff(program, (0, 1), **options)(*given)
    for place in (0, 1):
        assert np.allclose(found[place], difference(program, place), rtol=1e-6)
    assert np.array_equal(given, POINT)


@pytest.mark.parametrize("program", PROGRAMS)
def test_tangents_and_second_derivatives(program: Any) -> None:
    ones = np.ones(2)
    wanted = difference(program, 0).sum() + difference(program, 1).sum()
    assert np.allclose(tangent.jvp(program, (0, 1))(*POINT, ones, ones), wanted, rtol=1e-6)
    gradient = tangent.grad(program, 1)
    step = 1e-6 * ones
    moved = (gradient(POINT[0] + step, POINT[1]) - gradient(POINT[0] - step, POINT[1])) / 2e-6
    found = tangent.jvp(gradient, 0)(*POINT, dx=ones)
    assert np.allclose(found, moved, rtol=1e-5, atol=1e-8)


def test_an_object_that_is_given() -> None:
    def f(x: Any, cell: Cell) -> Any:
        return cell.value(x)

    found = tangent.grad(f, "cell")(POINT[0], Cell(POINT[1]))
    assert type(found) is Cell and list(vars(found)) == ["w"]
    assert np.allclose(found.w, difference(made, 1), rtol=1e-6)
