"""Arrays and containers that are written after what reads them: ways to share, to write and to use, crossed.

A derivative keeps values for its backward pass, in functions that it calls as well. What keeps one by
reference shows a write that comes later:

::

    a = x * 1.0
    s = np.sum(a * a)        # or a function of the user's that does this
    a[0] = 7.0
    return s + np.sum(a)
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError
from program_texts import run_text
from tangent_checks import is_guard, is_located


def squares(a: Any) -> Any:
    return np.sum(a * a)


def exponential(a: Any) -> Any:
    return np.exp(a)


def same(a: Any) -> Any:
    return a


def rest(a: Any) -> Any:
    return a[1:]


def pair(a: Any) -> Any:
    return np.exp(a), a * a


def first(p: Any) -> Any:
    return np.sum(p[0] * p[0])


class Box:
    def __init__(self, a: Any) -> None:
        self.a = a

    def squares(self) -> Any:
        return np.sum(self.a * self.a)


ARRAYS = ["x * 1.0", "np.array([1.0, 2.0, 3.0])", "np.ones(3) * x[0]", "[x[0], x[1], 2.0]"]
USES = [
    *("squares(np.array(a)) * 1.0", "squares(a) * 1.0", "squares(a)", "np.sum(exponential(a)) * 1.0"),
    *("np.sum(x * a)", "np.sum(x * a[1:2])", "np.sum(np.exp(a[1:]) * a[1:])", "x[np.array(a) > 1.7].sum()"),
    *("(lambda t: np.sum(t * a))(x)", "np.sum(same(a) * x) * 1.0"),
]
WRITES = ["{}[0] = 7.0", "{}[0] *= 3.0", "{} *= 2.0", "{}[:] = [1.0, 4.0, 2.0]", "{} += {}"]
RESULTS = ["exponential(x)", "same(x * 1.0)", "same(x)", "rest(x * 1.0)", "pair(x)[0]", "x[::-1]", "x.T"]
CONTAINERS = [
    ("[x * 1.0, 2.0]", "first(p) * 1.0", "p[0] = {}", "np.sum(p[0])"),
    ("[x[0], 2.0]", "p[0] * 2", "p[0] = {}", "np.sum(p[0])"),
    ("[x[0], 2.0]", "p[0] * x[1]", "p[0] *= {}", "np.sum(p[0])"),
    ("[x[0], 2.0]", "first(p)", "p[0] -= {}", "np.sum(p[0])"),
    ("{{0: x[0]}}", "first(p) * 1.0", "p[0] = {}", "np.sum(p[0])"),
    ("{{0: x[0]}}", "p[0] * p[0]", "p[1] = {}", "np.sum(p[0] * p[1])"),
    ("Box(x * 1.0)", "p.squares() * 1.0", "p.a = {}", "np.sum(p.a)"),
    ("Box(x[0])", "p.squares()", "p.a *= {}", "p.squares()"),
    ("Box(x[0])", "p.a * x[1]", "p.b = {}", "np.sum(p.b * p.a)"),
]
VALUES = ["x[1]", "np.array([1.0, 2.0]) * x[0]", "3.0", "x"]


def sources() -> Iterator[str]:
    """Bodies of functions of an array `x` of three numbers."""
    for array, use, write in itertools.product(ARRAYS, USES, WRITES):
        if array.startswith("[") and not (use.startswith(("squares(np", "x[np")) and "*" not in write):
            continue  # Lists have no arithmetic.
        yield f"a = {array}\ns = {use}\n{write.format('a', 'a')}\nreturn s + np.sum(np.array(a) * x)"
    for result, write in itertools.product(RESULTS, WRITES):
        if write.startswith("{}[:]") and "rest" in result:
            continue
        yield f"y = {result}\n{write.format('y', 'y')}\nreturn np.sum(y * y)"
        yield f"y = {result}\ns = np.sum(y * y)\n{write.format('y', 'y')}\nreturn s + np.sum(x)"
    for (made, use, write, last), value in itertools.product(CONTAINERS, VALUES):
        yield f"p = {made.format()}\ns = {use}\n{write.format(value)}\nreturn s + {last}"


def compiled(number: int, body: str) -> Callable[..., Any]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    variables = run_text(f"def program(x):\n{lines}", f"<shared memory {number}>", **globals())
    made: Callable[..., Any] = variables["program"]
    return made


def differences(function: Callable[..., Any], x: Any) -> Any:
    steps = 1e-6 * np.eye(len(x))
    return np.array([(function(x + step) - function(x - step)) / 2e-6 for step in steps])


WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "joint": lambda f, x: tangent.grad(f)(x),
    "split": lambda f, x: tangent.autodiff(f, motion="split")(x),
    "raw": lambda f, x: tangent.autodiff(f, optimized=False)(x),
    "forward": lambda f, x: np.array([tangent.jvp(f)(x.copy(), one) for one in np.eye(len(x))]),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_later(way: str) -> None:
    """The gradient is right, or refused at its place or by a guard; most programs are taken."""
    found: Counter[str] = Counter()
    start = np.array([1.5, 2.0, -0.5])
    for number, body in enumerate(sources()):
        program = compiled(number, body)
        try:
            program(start.copy())
        except (TypeError, ValueError):
            continue  # CPython refuses it: arrays of two and of three items.
        given = start.copy()
        try:
            gradient = WAYS[way](program, given)
        except ConversionError as error:
            assert is_located(error), body
            found[error.code] += 1
            continue
        except TypeError as error:
            assert is_guard(error), (body, error)
            found["guard"] += 1
            continue
        wanted = differences(lambda x, program=program: program(x.copy()), start)
        assert np.allclose(gradient, wanted, atol=1e-4), (body, gradient, wanted)
        if way != "forward":
            after = start.copy()
            program(after)
            assert np.array_equal(given, after), body
        found["right"] += 1
    assert found["right"] >= 200 and found.total() - found["right"] <= 60, found
