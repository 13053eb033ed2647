"""Derivatives through every program of `examples/programs`, by its float arguments, against differences.

Both modes, at the arguments that the programs are tried with, moved a little; some at others, where
differences say more.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from test_example_programs import FILES, load
from test_gradients_of_programs import (
    ATTEMPTS,
    Point,
    close,
    cotangents_of,
    is_float,
    leaves_of,
    staged_jvp,
    staged_vjp,
)

INTEGERS = "it gives integers"

NONE = {
    "dijkstra.path_length": INTEGERS,
    "game_of_life.life": INTEGERS,
    "greedy_decoder.decode": INTEGERS,
    "trees.lookup": INTEGERS,
    "trees.largest": INTEGERS,
    "root_finding.bisection": "the halves of an interval are the same for all arguments nearby",
}
"""Programs without a derivative that says anything, and why."""


def finite(lengths: Any, *others: Any) -> tuple[Any, ...]:
    """Edges of length 40 instead of none: the difference of infinities is no number."""
    return np.where(np.isinf(lengths), 40.0, lengths), *others


def few_rounds(x: Any, memory: Any, tolerance: Any, _: Any) -> tuple[Any, ...]:
    """At the minimum nothing depends on where it began."""
    return x, memory, tolerance, 5


def coarsely(state: Any, stiffness: Any, end: Any, _: Any) -> tuple[Any, ...]:
    """A tolerance that may be moved as the other arguments are, and no steps that change the path."""
    return state, min(stiffness, 3.0), min(end, 4.0), 0.06


ADAPTED: dict[str, Callable[..., tuple[Any, ...]]] = {
    "adaptive_runge_kutta.integrate": coarsely,
    "dijkstra.dijkstra": finite,
    "l_bfgs.l_bfgs": few_rounds,
    "metropolis.metropolis": lambda steps, width, rng: (np.int64(30), width),
}


def seeded(program: Any) -> Any:
    """A program of draws that are the same in each call, in the graph and in differences."""
    return ag.function(lambda steps, width: program(steps, width, np.random.default_rng(3)))


def calls() -> Iterator[Any]:
    for path in FILES:
        module = load(path)
        made = {program: [make()] for program, (make, _) in getattr(module, "CHECKED", {}).items()}
        for program, given in [*module.PROGRAMS.items(), *made.items()]:
            name = f"{path.stem}.{program.__name__}"
            for number, arguments in enumerate(given):
                adapted = ADAPTED.get(name, lambda *args: args)(*copy.deepcopy(arguments))
                function = seeded(program) if program in made else program
                yield pytest.param(name, function, list(adapted), id=f"{name}-{number}")


def smooth_point(function: Any, arguments: list[Any]) -> Point:
    draws = np.random.default_rng(3)
    for _ in range(ATTEMPTS):
        point = Point(function, arguments, draws)
        if point.is_smooth():
            return point
    raise AssertionError("no point with a derivative")


def derivatives(point: Point) -> tuple[list[Any], Any]:
    """The tangent along the direction, and the gradients by the float arguments."""

    def of_floats(floats: tuple[Any, ...], others: list[Any]) -> Any:
        given = list(others)
        for place, value in zip(point.places, floats, strict=True):
            given[place] = value
        return point.function(*given)

    others = [None if place in point.places else arg for place, arg in enumerate(point.args)]
    want = leaves_of(point.plain(0.0))
    value, tangent = staged_jvp(of_floats)(point.floats, point.direction, others)
    again, pulled = staged_vjp(of_floats)(point.floats, others, cotangents_of(point.plain(0.0)))
    for found in (value, again):
        for leaf, right in zip(leaves_of(found), want, strict=True):
            if is_float(right):
                assert np.allclose(leaf, right, atol=1e-9, rtol=1e-9)
    return leaves_of(tangent), pulled


@pytest.mark.filterwarnings("ignore:.* is retraced for each:UserWarning")
@pytest.mark.parametrize(("name", "function", "arguments"), [*calls()])
def test_derivatives(name: str, function: Any, arguments: list[Any]) -> None:
    if name in NONE:
        assert says_nothing(function, arguments)
        return
    before = copy.deepcopy(arguments)
    point = smooth_point(function, arguments)
    expected = point.differences(1e-5)
    tangent, pulled = derivatives(point)
    for found, right in zip(tangent, expected, strict=True):
        if right is not None:
            assert close(found, right)
    weights = leaves_of(cotangents_of(point.plain(0.0)))
    right = sum(
        float(np.sum(np.asarray(weight) * one))
        for weight, one in zip(weights, expected, strict=True)
        if one is not None
    )
    parts = [np.asarray(one) * step for one, step in zip(pulled, point.direction, strict=True)]
    scale = max(1.0, sum(float(np.sum(np.abs(part))) for part in parts))
    assert abs(sum(float(np.sum(part)) for part in parts) - right) <= 1e-4 * scale
    for one, other in zip(leaves_of(before), leaves_of(arguments), strict=True):
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other)


def says_nothing(function: Any, arguments: list[Any]) -> bool:
    """Whether a program gives no floats, or some whose derivative is 0."""
    floats = [place for place, arg in enumerate(arguments) if is_float(arg)]
    result = function(*copy.deepcopy(arguments))
    if not any(is_float(leaf) for leaf in leaves_of(result)):
        return True
    gradient = ag.grad(lambda *args: function(*args)[0], tuple(floats))(*arguments)
    return all(bool(np.all(np.asarray(one) == 0.0)) for one in gradient)


def test_all_that_have_none_are_there() -> None:
    names = {call.values[0] for call in calls()}
    assert set(NONE) <= names and set(ADAPTED) <= names


def test_the_root_of_newtons_method_has_the_derivative_of_the_equation() -> None:
    """By the theorem of implicit functions, though the derivative goes through the iteration."""
    newton = load(next(path for path in FILES if path.stem == "root_finding")).newton
    eccentricity, mean = np.float64(0.3), np.float64(1.2)
    root = newton(eccentricity, mean, 1e-12)[0]
    found = ag.grad(lambda e, m: newton(e, m, 1e-12)[0], (0, 1))(eccentricity, mean)
    slope = 1 - eccentricity * math.cos(root)
    assert np.allclose(found, (math.sin(root) / slope, 1 / slope), atol=1e-12)
