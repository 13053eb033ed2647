"""Nested functions that write variables around them: each kind of writer in each place of a call.

::

    def program(x, s):
        total = s * 0.5
        n = 0
        def add(v):
            nonlocal total
            total = total + v * s
        for v in x:
            add(v)
        return total * s

Each program is held against differences in all modes and motions, its value to the bit, what it leaves of its
arguments against the call, and its second derivatives against differences of the first. It is right, or
refused with its place.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from program_texts import run_text
from tangent_checks import is_guard, is_located
from whole import in_turn

WRITERS = {
    "sets": "nonlocal total\ntotal = v * s",
    "adds": "nonlocal total\ntotal = total + v * s",
    "adds in place": "nonlocal total\ntotal += v * s",
    "returns it": "nonlocal total\ntotal = np.tanh(total + v)\nreturn total",
    "returns another": "nonlocal total\ntotal = total * 0.5 + v\nreturn v * s",
    "two variables": "nonlocal total, n\ntotal = total + v\nn += 1\nreturn total / n",
    "two statements": "nonlocal total\nnonlocal n\nn = n + 1\ntotal = total * v + n",
    "swaps": "nonlocal total, other\ntotal, other = other, total * v",
    "branches": "nonlocal total\nif v > 1:\n    total = total * v\n    return total\nreturn v * s",
    "returns early": "nonlocal total\nif v > 9:\n    return\ntotal = total + v * v",
    "loops": "nonlocal total\nfor k in range(4):\n    total = total * 0.5 + v * k",
    "for binds it": "nonlocal total\nfor total in (v, total * s):\n    pass",
    "calls a writer": "nonlocal total\ntotal = total * s\nshift(v)\nshift(v * v)\nreturn total",
    "only calls a writer": "shift(v)\nreturn v * other",
    "calls a reader": "nonlocal total\ntotal = total + v\nreturn both() * v",
    "reads by a reader": "nonlocal other\nother = other + v * s\nreturn both() + level(v)",
    "recursion": "nonlocal total\ntotal = total + v\nif v < 4:\n    add(v * 2.0)\nreturn total",
    "function in it": (
        "nonlocal total\ndef inner(w):\n    nonlocal total\n    total = total + w * s\ninner(v)\ninner(v * v)"
    ),
    "lambda in it": "nonlocal total\ng = lambda w: w * total\ntotal = g(v)\ntotal = total + g(s)",
    "array": "nonlocal total\nrow[0] = row[0] * s\ntotal = total + row[0] * v",
    "list": "nonlocal total\nlog.append(v)\ntotal = total + log[-1] * s",
    "walrus": "nonlocal total\nreturn (total := total + v) * s",
    "reads only": "return total * v",
}
PLACES = {
    "once": "r = add(x[0])",
    "dropped": "add(x[1])",
    "twice": "add(x[0])\nr = add(x[1])\nq = add(s)",
    "loop": "for v in x:\n    add(v)",
    "loop of four": "for k in range(4):\n    r = add(s * k)",
    "while": "k = 0\nwhile k < 3:\n    add(x[k] * s)\n    k += 1",
    "branch": "if s > 1:\n    add(x[0])\nelse:\n    add(s)",
    "other branch": "if s > 9:\n    add(x[0])",
    "test": "if add(x[0]) is None:\n    add(s)",
    "operand": "r = s * total + number(add(x[0])) * total",
    "two in one": "r = [add(x[0]), total * 1.0, add(x[1]), total]\nr = r[1] * r[3]",
    "argument": "r = both(add(x[0]), total)",
    "item": "row[1] = total\nrow[0] = number(add(x[1]))",
    "read before": "b = np.sin(total) * s\nadd(x[0])\nr = b * total",
    "set between": "add(x[0])\ntotal = total * s\nadd(x[1])",
    "another writer": "add(x[0])\nshift(s)\nadd(x[1])\nr = both()",
    "reader": "add(x[0])\nr = level(x[1])\nadd(s)\nr = r * level(s)",
    "while of a reader": "while both() < 3 and n < 4:\n    add(s)\n    n += 1",
    "checkpoint": "for k in tangent.checkpoint(range(3)):\n    add(x[0] * s)",
    "break": "for v in x:\n    add(v)\n    if v < 1:\n        break",
    "given": "r = run(add, x[0])",
    "lambda": "f = lambda v: add(v)\nr = f(x[0])",
    "lambda of a reader": "add(x[0])\nr = run(lambda v: v * total, x[1])\nadd(x[1])",
    "comprehension": "r = [add(v) for v in x]\nr = 0.0",
    "try": "try:\n    add(x[0])\nexcept ValueError:\n    total = s",
}
AROUND = """
def number(v):
    return 0.0 if v is None else v

def run(f, v):
    return f(v) * v

def program(x, s):
    total = s * 0.5
    other = x[0] * s
    n = 0
    row = x * 1.0
    log = [s]
    r = 0.0
    def both(a=1.0, b=0.0):
        return total * other + n
    def level(v):
        return both() * v
    def shift(v):
        nonlocal other
        other = other * s + v + total
    def add(v):
WRITER
PLACE
    r = r if isinstance(r, (float, np.ndarray)) else 0.0
    return np.sum(r) * s + total * s + other * total + n * s + np.sum(row * row) + len(log)
"""


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.split("\n"))


def sources() -> Iterator[str]:
    """Programs of an array `x` and a number `s`."""
    for writer, place in itertools.product(WRITERS.values(), PLACES.values()):
        text = AROUND.replace("WRITER\n", indented(writer, 8))
        yield text.replace("PLACE\n", indented(place, 4))


X, S = np.array([1.3, 0.7, 0.9]), 1.25
DX, DS = np.array([0.4, -1.1, 0.6]), 0.7


def program_of(number: int, text: str) -> Callable[..., Any] | None:
    """The program, if CPython runs it."""
    name = f"nonlocals_{number}"
    program: Callable[..., Any] = run_text(text, f"<{name}>", np=np, tangent=tangent, __name__=name)[
        "program"
    ]
    try:
        with np.errstate(all="ignore"):
            value = program(X.copy(), S)
    except Exception:
        return None
    return program if np.isfinite(value) else None


def along(function: Callable[..., Any]) -> Any:
    """The derivative in a direction, by differences."""
    ends = [function(X + sign * 1e-6 * DX, S + sign * 1e-6 * DS) for sign in (1, -1)]
    return (ends[0] - ends[1]) / 2e-6


def reverse(derivative: Callable[..., Any]) -> Callable[..., Any]:
    def found(x: Any) -> Any:
        bx, bs = derivative(x, S)
        return np.sum(bx * DX) + bs * DS

    return found


def forward(function: Callable[..., Any]) -> Callable[..., Any]:
    derivative = tangent.jvp(function, wrt=(0, 1))
    return lambda x: derivative(x, S, DX.copy(), DS)


WAYS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "joint": lambda f: reverse(tangent.grad(f, wrt=(0, 1))),
    "split": lambda f: reverse(tangent.autodiff(f, wrt=(0, 1), motion="split")),
    "raw": lambda f: reverse(tangent.autodiff(f, wrt=(0, 1), optimized=False)),
    "forward": forward,
}


def refusal(error: Exception, text: str) -> str:
    """How a program is refused: with its place, or by a guard."""
    if isinstance(error, ag.ConversionError):
        assert is_located(error), text
        assert "help:" in str(error), error
        return "refused"
    assert is_guard(error), f"{text}\n{type(error)} {error}"
    return "guard"


def outcome(text: str, program: Callable[..., Any], way: str) -> str:
    """Holds a derivative against differences; gives "right", or how it is refused."""
    given = X.copy()
    try:
        found = WAYS[way](program)(given)
    except (ag.ConversionError, TypeError) as error:
        return refusal(error, text)
    wanted = along(program)
    assert np.allclose(found, wanted, rtol=1e-5, atol=1e-5), (text, way, found, wanted)
    assert np.array_equal(given, X), (text, way)
    return "right"


@pytest.mark.parametrize("way", WAYS)
def test_functions_that_write_variables_are_differentiated(way: str) -> None:
    count: Counter[str] = Counter()
    for number, text in enumerate(sources()):
        if in_turn(number + list(WAYS).index(way), among=7) and (program := program_of(number, text)):
            count[outcome(text, program, way)] += 1
    assert count["right"] > 2.5 * (count["refused"] + count["guard"]), count


def test_values_are_those_of_the_program() -> None:
    count: Counter[str] = Counter()
    for number, text in enumerate(sources()):
        program = program_of(number, text) if in_turn(number, among=9) else None
        if program is None:
            continue
        try:
            found = tangent.autodiff(program, preserve_result=True)(X.copy(), S)[-1]
        except (ag.ConversionError, TypeError) as error:
            refusal(error, text)
            continue
        assert found == program(X.copy(), S), text
        count["same"] += 1
    assert count["same"] > 30, count


SECOND: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "reverse over reverse": lambda f: tangent.grad(first(tangent.grad(f))),
    "forward over reverse": lambda f: lambda x, s: tangent.hvp(f)(x, s, DX),
    "reverse over forward": lambda f: lambda x, s: tangent.grad(tangent.jvp(f))(x, s, DX.copy()),
}


def first(derivative: Callable[..., Any]) -> Callable[..., Any]:
    def directional(x: Any, s: Any) -> Any:
        return np.sum(derivative(x, s) * DX)

    return directional


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count: Counter[str] = Counter()
    for number, text in enumerate(sources()):
        program = program_of(number, text) if in_turn(number + len(way), among=11) else None
        if program is None:
            continue
        try:
            gradient = tangent.grad(program)
            ends = [gradient(X + sign * 1e-6 * DX, S) for sign in (1, -1)]
        except (ag.ConversionError, TypeError):
            continue
        try:
            found = SECOND[way](program)(X.copy(), S)
        except (ag.ConversionError, TypeError) as error:
            count[refusal(error, text)] += 1
            continue
        assert np.allclose(found, (ends[0] - ends[1]) / 2e-6, rtol=1e-4, atol=1e-4), (text, way, found)
        count["right"] += 1
    assert count["right"] > 0.6 * (count["refused"] + count["guard"]), count
