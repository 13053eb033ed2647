"""What `ag.check_grads` says of a wrong derivative: the worst place, the two values and the op's line."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest


@ag.custom_jvp
def wrong_above_two(x: Any) -> Any:
    return x * x


@wrong_above_two.defjvp
def _rule(primals: Any, tangents: Any) -> Any:
    (x,), (dx,) = primals, tangents
    return x * x, 2.0 * x * dx * np.where(x > 2.0, 1.5, 1.0)


@ag.custom_vjp
def wrong_backwards(x: Any) -> Any:
    return x * x


wrong_backwards.defvjp(lambda x: (x * x, x), lambda x, cotangent: (x * cotangent,))


def in_one_line(data: Any, scale: Any) -> Any:
    y = np.sin(data["a"])
    z = wrong_above_two(data["a"] * 2)
    return {"w": y * z * scale, "t": np.sum(y)}


def backwards(data: Any, scale: Any) -> Any:
    y = np.sin(data["a"])
    z = wrong_backwards(y) * scale
    return np.sum(z * y)


def in_a_loop(data: Any, scale: Any) -> Any:
    total = 0.0
    for value in data["a"]:
        total = total + wrong_above_two(value * 2) * scale
    return total


def forgotten(data: Any, scale: Any) -> Any:
    y = data["a"] * scale
    kept = ag.stop_gradient(y)
    return np.sum(kept * np.exp(y))


ARGS = ({"a": np.array([0.3, 1.7, 0.2])}, 2.0)


def failure(program: Callable[..., Any], args: Any = ARGS, order: int = 1, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        ag.check_grads(program, args, order=order, **options)
    return str(caught.value)


def numbers_in(text: str) -> list[float]:
    found = re.search(r"it is (\S+), and differences give ([-+.\de]+)", text)
    assert found is not None, text
    return [float(found[1]), float(found[2])]


def line_of(program: Any, words: str) -> int:
    lines, first = inspect.getsourcelines(program)
    return first + next(number for number, line in enumerate(lines) if words in line)


@pytest.mark.parametrize(
    ("program", "modes", "place", "words"),
    [
        (in_one_line, ("fwd",), "jvp of f: at `value['w'][1]`", "wrong_above_two"),
        (in_one_line, ("rev",), "vjp of f: at `args[0]['a'][1]`", "wrong_above_two"),
        (backwards, ("rev",), "vjp of f: at `args", "wrong_backwards"),
        (in_a_loop, ("fwd",), "jvp of f: at `value`", "for value"),
        (in_a_loop, ("rev",), "vjp of f: at `args[0]['a'][1]`", "for value"),
        (forgotten, ("fwd",), "jvp of f: at `value`", "stop_gradient"),
        (forgotten, ("rev",), "vjp of f: at `args", "stop_gradient"),
    ],
)
def test_a_wrong_derivative_is_named_with_its_line(program: Any, modes: Any, place: str, words: str) -> None:
    text = failure(program, modes=modes)
    assert text.startswith(place)
    line = line_of(program, words)
    assert f"; the first op with a wrong derivative is at {__file__}:{line}:" in text
    assert text.endswith(f" in `{program.__name__}`")


def test_the_two_values_are_those_of_the_worst_place() -> None:
    found, difference = numbers_in(failure(in_one_line, modes=("rev",)))
    x = ARGS[0]["a"][1]  # type: ignore[index]
    assert found != difference
    draws = np.random.default_rng(2)  # As `check_grads` draws: two arguments, then the result.
    draws.normal(size=3), draws.normal()
    weight, sums = draws.normal(size=3)[1], draws.normal()
    slope = weight * 2.0 * (np.cos(x) * 4 * x * x + np.sin(x) * 8 * x) + sums * np.cos(x)
    wrong = weight * 2.0 * (np.cos(x) * 4 * x * x + np.sin(x) * 12 * x) + sums * np.cos(x)
    assert abs(difference - slope) < 1e-5 and abs(found - wrong) < 1e-9


def test_derivatives_of_derivatives_are_named() -> None:
    @ag.custom_jvp
    def cube(x: Any) -> Any:
        return x**3

    @cube.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (x,), (dx,) = primals, tangents
        return x**3, 3.0 * x * ag.stop_gradient(x) * dx

    text = failure(lambda x: cube(x) * 2.0, (1.5,), order=2)
    assert text.startswith("jvp of jvp of f: at `value` it is ")
    found, difference = numbers_in(text)
    assert abs(2 * found - difference) < 1e-4
    ag.check_grads(lambda x: cube(x), (1.5,), order=1)


def test_a_derivative_that_is_not_a_number() -> None:
    text = failure(lambda x: np.sqrt(x * x) * 1.0, (np.array([1.0, 0.0]),), modes=("fwd",))
    assert text.startswith("jvp of f: at `value[1]` it is nan, and differences give")


def test_right_derivatives_pass() -> None:
    ag.check_grads(lambda x: x * x, (3.0,), order=3)
    ag.check_grads(lambda d: {"a": np.sin(d["a"]), "n": 3, "none": None}, ({"a": np.ones(2)},), order=2)
    ag.check_grads(lambda x: np.zeros((0, 2)) * x, (1.0,), order=1)
