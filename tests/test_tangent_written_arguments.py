"""Functions that write to their arguments: each kind of write in each place of a call.

::

    def w(a, s):
        a *= s

    def program(x, s):
        m = np.outer(x, x)
        for row in m:
            w(row, s)
        return np.sum(m * m)

Each program is held against differences in all modes and motions, its value to the bit and its argument
against what it leaves of it, and its second derivatives against differences of the first. It is right, or
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
from autograph.errors import StagingError
from program_texts import run_text
from tangent_checks import is_guard, is_located
from whole import in_turn

FUNCTIONS = {
    "scales": "def w(a, s):\n    a *= s",
    "stores": "def w(a, s):\n    a[0] = s * s",
    "adds to an item": "def w(a, s):\n    a[-1] += s * a[0]",
    "stores all": "def w(a, s):\n    a[:] = np.sin(a) * s",
    "returns it": "def w(a, s):\n    a -= s\n    return a",
    "returns a value": "def w(a, s):\n    a[1] = s\n    return a[0] * s",
    "returns two": "def w(a, s):\n    a[1] = s * a[0]\n    return s * 2.0, a[0] * s",
    "returns a view": "def w(a, s):\n    a *= s\n    return a[1:]",
    "returns the other": "def w(a, s):\n    a *= s\n    return s",
    "branches": "def w(a, s):\n    if np.sum(s) > 1:\n        a *= s\n    else:\n        a[0] = s",
    "returns early": (
        "def w(a, s):\n    if np.sum(s) > 9:\n        return a\n    a[0] = s * a[1]\n    return a"
    ),
    "ends early": "def w(a, s):\n    a[1] = s\n    if np.sum(s) < 9:\n        return\n    a *= s",
    "either": "def w(a, s):\n    if np.sum(s) > 9:\n        return a * 2.0\n    a *= s\n    return a",
    "loops": "def w(a, s):\n    for i in range(len(a)):\n        a[i] = a[i - 1] * s",
    "leaves a loop": (
        "def w(a, s):\n    for i in range(len(a)):\n        a[i] *= s\n"
        "        if i == 1:\n            return s"
    ),
    "writes to a view": "def w(a, s):\n    b = a[1:]\n    b *= s",
    "writes to an alias": "def w(a, s):\n    b = a\n    b[0] = s\n    return b",
    "binds it later": "def w(a, s):\n    a[0] = s\n    a = a * s\n    a[1] = 7.0\n    return a",
    "binds it first": "def w(a, s):\n    a = a * s\n    a[0] = s\n    return a",
    "binds it maybe": "def w(a, s):\n    if np.sum(s) > 9:\n        a = a * 2.0\n    a *= s\n    return a",
    "calls another": "def v(b, t):\n    b[1] = t * b[0]\ndef w(a, s):\n    v(a, s)\n    v(a[:2], 2.0 * s)",
    "gives it on": "def v(b, t):\n    b *= t\n    return b\ndef w(a, s):\n    return v(v(a, s), s)",
    "calls itself": (
        "def w(a, s, k=2):\n    if k == 0:\n        return s\n    a *= s\n    return w(a, s, k - 1) + a[0]"
    ),
    "both": "def w(a, s):\n    a *= s\n    a[0] = 3.0\n    return np.sum(a) * s",
    "fills": "def w(a, s):\n    a[1:].fill(s)",
    "out": "def w(a, s):\n    np.multiply(a, s, out=a)\n    return a",
    "adds at": "def w(a, s):\n    np.add.at(a, [0, 0, 1], s)",
    "keywords": "def w(a, s, *, k=2.0, **more):\n    a *= s * k\n    return np.sum(a)",
    "defined inside": "def w(a, s):\n    def put(i):\n        a[i] = s * a[i]\n    put(0)\n    put(1)",
    "swaps": "def w(a, s):\n    a[0], a[1] = a[1] * s, a[0]",
    "comprehends": "def w(a, s):\n    a[:] = np.array([v * s for v in a])\n    return a",
}
CALLS = {
    "alone": "w(y, s)",
    "result": "r = w(y, s)",
    "argument": "w(x, s)\ny = x",
    "row": "w(m[1], s)",
    "column": "w(m[:, 1], s)",
    "row by name": "row = m[1]\nr = w(row, s)\nr = np.sum(row) * s",
    "alias": "z = y\nw(z, s)",
    "part": "w(y[:2], s)",
    "in a loop": "for i in range(3):\n    w(m[i], s)",
    "rows in a loop": "for row in m:\n    w(row, s)",
    "while": "k = 0\nwhile k < 2:\n    w(y, s)\n    k += 1",
    "in a branch": "if s > 1:\n    w(y, s)\nelse:\n    w(m[0], s)",
    "new array": "r = w(x * 2.0, s)",
    "keywords": "w(s=s, a=y)",
    "star": "p = (y, s)\nw(*p)",
    "options": "p = {'s': s, 'a': y}\nw(**p)",
    "twice": "w(y, s)\nw(y, x[0])\nw(m[0], y[1])",
    "of a result": "r = w(y, np.sum(w(m[0], s)))",
    "operand": "r = y[0] * s + np.sum(w(y, s)) * y[1]",
    "its own item": "w(y, y[0])",
    "its own item, named": "v = y[2]\nw(y, v)\nr = v * s",
    "item of another": "w(y, m[0, 1])",
    "itself": "w(y, y)",
    "a view of it": "w(y[:2], y[1:])",
    "ternary": "r = w(y, s) if s > 1 else s",
    "lambda": "f = lambda b: w(b, s)\nr = f(y)",
    "closure": "def g(t):\n    w(y, t * s)\ng(x[1])",
    "item of a list": "p = [y, x * 2.0]\nw(p[0], s)\nr = np.sum(p[0] * p[1])",
    "item of a dict": "p = {'u': y}\nw(p['u'], s)\nr = np.sum(p['u'])",
    "checkpoint": "for k in tangent.checkpoint(range(3)):\n    y = y * 0.9\n    w(y, s)",
    "checkpoint around": "for k in tangent.checkpoint(range(3)):\n    w(y, s)",
    "read before": "q = y * s\nw(y, s)\nr = np.sum(q * y)",
    "kept before": "q = np.sin(y)\nt = q * y\nw(y, s)\nw(q, s)\nr = np.sum(t * q)",
    "transposed": "w(m.T[0], s)",
    "integers": "n = np.arange(3)\nw(n, 2)\nr = s * n[0]",
    "without a derivative": "n = np.arange(3.0)\nq = y * n\nw(n, 2.0)\nr = np.sum(q * n)",
    "number": "r = w(x[0], s)\nr = np.sum(r)",
}


def sources() -> Iterator[str]:
    """Programs: a function `w`, and `program` of an array `x` and a number `s`."""
    for function, call in itertools.product(FUNCTIONS.values(), CALLS.values()):
        lines = "".join(f"    {line}\n" for line in call.split("\n"))
        yield (
            f"{function}\ndef program(x, s):\n    y = x * 1.0\n    m = np.outer(x, x)\n    r = 0.0\n{lines}"
            "    return np.sum(y ** 2) + np.sum(np.sin(m) * m) + np.sum(r) * s\n"
        )


def compiled(number: int, text: str) -> Callable[..., Any]:
    variables = run_text(text, f"<written {number}>", np=np, tangent=tangent, __name__="written")
    program: Callable[..., Any] = variables["program"]
    return program


X, S = np.array([1.3, 0.7, 0.9]), 1.25
DX, DS = np.array([0.4, -1.1, 0.6]), 0.7


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
    return lambda x: derivative(x, S, dx=DX.copy(), ds=DS)


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
    assert np.allclose(found, along(program), rtol=1e-5, atol=1e-5), (text, way, found, along(program))
    after = X.copy()
    program(after, S)
    assert np.array_equal(given, after), (text, way)
    return "right"


def program_of(number: int, text: str) -> Callable[..., Any] | None:
    """The program, if CPython runs it."""
    program = compiled(number, text)
    try:
        with np.errstate(all="ignore"):
            value = program(X.copy(), S)
    except Exception:
        return None
    return program if np.isfinite(value) else None


@pytest.mark.parametrize("way", WAYS)
def test_functions_that_write_are_differentiated(way: str) -> None:
    count: Counter[str] = Counter()
    for number, text in enumerate(sources()):
        if in_turn(number + list(WAYS).index(way), among=11) and (program := program_of(number, text)):
            count[outcome(text, program, way)] += 1
    assert count["right"] > 2.5 * (count["refused"] + count["guard"]), count


def test_values_are_those_of_the_program() -> None:
    for number, text in enumerate(sources()):
        program = program_of(number, text) if in_turn(number, among=19) else None
        if program is None:
            continue
        try:
            found = tangent.autodiff(program, preserve_result=True)(X.copy(), S)[-1]
        except (ag.ConversionError, TypeError) as error:
            refusal(error, text)
            continue
        assert found == program(X.copy(), S), text


SECOND: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "reverse over reverse": lambda f: tangent.grad(first(tangent.grad(f))),
    "forward over reverse": lambda f: lambda x, s: tangent.hvp(f)(x, s, dx=DX),
    "reverse over forward": lambda f: tangent.grad(tangent.jvp(f)),
}


def first(derivative: Callable[..., Any]) -> Callable[..., Any]:
    def directional(x: Any, s: Any) -> Any:
        return np.sum(derivative(x, s) * DX)

    return directional


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count: Counter[str] = Counter()
    for number, text in enumerate(sources()):
        program = program_of(number, text) if in_turn(number + len(way), among=29) else None
        if program is None:
            continue
        try:
            gradient = tangent.grad(program)
            ends = [gradient(X + sign * 1e-6 * DX, S) for sign in (1, -1)]
        except (ag.ConversionError, TypeError):
            continue
        more = {"dx": DX.copy()} if way == "reverse over forward" else {}
        try:
            found = SECOND[way](program)(X.copy(), S, **more)
        except (ag.ConversionError, TypeError) as error:
            count[refusal(error, text)] += 1
            continue
        assert np.allclose(found, (ends[0] - ends[1]) / 2e-6, rtol=1e-4, atol=1e-4), (text, way, found)
        count["right"] += 1
    assert count["right"] > 1.5 * (count["refused"] + count["guard"]), count


def test_the_same_gradients_as_of_the_graph() -> None:
    count: Counter[str] = Counter()
    for number, text in enumerate(sources()):
        program = program_of(number, text) if in_turn(number, among=31) else None
        if program is None:
            continue
        try:
            wanted = ag.grad(program)(X.copy(), S)
            found = tangent.grad(program)(X.copy(), S)
        except (ag.ConversionError, StagingError, TypeError):
            continue
        assert np.allclose(found, wanted, rtol=1e-9, atol=1e-12), text
        count["same"] += 1
    assert count["same"] >= 5, count
