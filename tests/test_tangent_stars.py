"""`*` and `**` in calls, parameters, displays and targets: derivatives as source against differences.

Functions, ways to hold arguments and ways to give them are crossed. CPython says which programs there are:
those that it runs. The derivative of each is right in four ways, or refused with a message.
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
from whole import in_turn

FUNCTIONS = {
    "two": "def f(a, b):\n    return a * b * b",
    "three": "def f(a, b, c):\n    return a * b + c * c",
    "default": "def f(a, b=0.5, *, by=2.0):\n    return a * b * by",
    "rest": (
        "def f(*xs):\n    s = 0.0\n    for i, v in enumerate(xs):\n        s = s + v * v * (i + 1)\n"
        "    return s"
    ),
    "first and rest": "def f(a, *xs):\n    return a * sum(xs) + len(xs) * a",
    "recursive": "def f(a, *xs):\n    return a * a if not xs else a * a + 0.5 * f(*xs)",
    "options": "def f(a, *, b=3.0, **more):\n    return a * b + sum([more[k] ** 2 for k in more])",
    "everything": (
        "def f(a, b=0.5, *xs, c=2.0, **more):\n"
        "    s = a * b * c\n"
        "    for v in xs:\n        s = s + v ** 3\n"
        "    if 'd' in more:\n        s = s * more['d']\n"
        "    return s"
    ),
    "passed on": "def g(a, b, c=1.5):\n    return a * b * c\ndef f(*xs, **more):\n    return g(*xs, **more)",
    "lambda": "f = lambda *xs: xs[0] * xs[-1]",
    "method": (
        "class M:\n    def __init__(self, *ws):\n        self.ws = ws\n"
        "    def f(self, a, *xs):\n        return a * self.ws[0] + sum(xs) * self.ws[-1]\n"
        "def f(*xs):\n    m = M(*xs)\n    return m.f(*xs)"
    ),
}
HELD = {
    "tuple": "p = (x, y)",
    "list": "p = [x * y, y]",
    "one": "p = [x]",
    "three": "p = (x, y, x * y)",
    "none": "p = ()",
    "array": "p = np.array([x, y]) * 2.0",
    "grown": "p = []\nfor k in range(2):\n    p.append(x * (k + 1))",
    "dict": "p = {'a': x, 'b': y}",
    "other keys": "p = {'b': x, 'd': y * x}",
    "number": "p = [2.0, 3.0]",
}
CALLS = {
    "alone": "f(*p)",
    "after": "f(y, *p)",
    "before": "f(*p, y)",
    "between": "f(x, *p, y)",
    "twice": "f(*p, *p)",
    "display": "f(*(x, y), *[y])",
    "slice": "f(*p[1:], x)",
    "keyword": "f(*p, b=y)",
    "double": "f(**p)",
    "double after": "f(x, **p)",
    "double display": "f(x, **{'b': y, 'd': x})",
    "both": "f(*(x,), **p)",
    "both after": "f(y, *p, **q)",
    "both plain": "f(y, *n, **q, c=x)",
    "plain": "f(x, y)",
    "comprehension": "sum([f(v, *p) for v in (x, y)])",
    "generator": "f(*[v * x for v in p])",
}
OTHERS = "q, n = {'d': x}, (2.0, 3.0)"
DISPLAYS = {
    "list": "q = [*p, x]\nr = q[0] * q[-1]",
    "tuple": "q = (x, *p, *p)\nr = q[0] * q[-1]",
    "first": "a, *q = [*p, y]\nr = a * a + sum(q)",
    "last": "*q, a = [x, *p]\nr = a * a + sum(q)",
    "middle": "a, *q, b = (x, *p, y)\nr = a * b + 2.0 * sum(q)",
    "target": "a, *q = p\nr = a * x + sum(q)",
    "loop": "r = 0.0\nfor a, *q in [(x, *p), (y, x)]:\n    r = r + a * sum(q)",
    "nested": "(a, *q), b = (x, *p), y\nr = a * b + sum(q)",
    "written": "q = [*p]\nq.append(x)\nq[0] = y\nr = q[0] * q[-1] + sum(p)",
    "item": "q = [x, x, x]\nq[0], *q[1:] = (y, *p)\nr = q[0] * sum(q)",
}


def sources() -> Iterator[str]:
    """Programs: definitions, and a function `program` of the numbers `x` and `y`."""
    for function, held, call in itertools.product(FUNCTIONS.values(), HELD.values(), CALLS.values()):
        yield made(function, f"{held}\n{OTHERS}\nr = {call}")
    for held, display in itertools.product(HELD.values(), DISPLAYS.values()):
        yield made("", f"{held}\n{display}")
    # Defined inside, where it takes `y` from around.
    for held, call in itertools.product(HELD.values(), CALLS.values()):
        yield made("", f"def f(a, *xs):\n    return a * y + sum(xs)\n{held}\n{OTHERS}\nr = {call}")


def made(function: str, body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{function}\ndef program(x, y):\n{lines}    return r * 1.0\n"


def compiled(number: int, text: str) -> Callable[..., Any]:
    program: Callable[..., Any] = run_text(text, f"<stars {number}>", np=np, __name__="stars")["program"]
    return program


X, Y, DX, DY = 1.75, 0.6, 0.8, -1.1
WAYS: dict[str, Callable[[Any], Any]] = {
    "joint": lambda f: np.dot(tangent.grad(f, wrt=(0, 1))(X, Y), (DX, DY)),
    "split": lambda f: np.dot(tangent.autodiff(f, wrt=(0, 1), motion="split")(X, Y), (DX, DY)),
    "raw": lambda f: np.dot(tangent.autodiff(f, wrt=(0, 1), optimized=False)(X, Y), (DX, DY)),
    "forward": lambda f: tangent.jvp(f, wrt=(0, 1))(X, Y, dx=DX, dy=DY),
}


def outcome(text: str, program: Callable[..., Any], way: str) -> str:
    """Holds a derivative against differences; gives "right", or how it is refused."""
    ends = [program(X + sign * 1e-6 * DX, Y + sign * 1e-6 * DY) for sign in (1, -1)]
    try:
        found = WAYS[way](program)
    except ag.ConversionError as error:
        assert "help:" in str(error), error
        return "refused"
    except TypeError as error:
        assert "tangent has no rule of" in str(error), f"{text}\n{way}: {error}"
        return "guard"
    assert np.allclose(found, (ends[0] - ends[1]) / 2e-6, rtol=1e-5, atol=1e-6), f"{text}\n{way}"
    return "right"


def test_stars_are_differentiated() -> None:
    count: Counter[str] = Counter()
    for number, text in enumerate(sources()):
        if not in_turn(number, among=7):
            continue
        program = compiled(number, text)
        try:
            program(X, Y)
        except Exception:
            continue
        for way in WAYS:
            count[outcome(text, program, way)] += 1
    assert count["right"] > 9 * (count["refused"] + count["guard"]), count


def test_what_fails_in_python_fails() -> None:
    def two(a: Any, b: Any) -> Any:
        return a * b

    def short(x: Any) -> Any:
        p = [x]
        return two(*p)

    def long(x: Any) -> Any:
        p = {"a": x, "b": x, "c": x}
        return two(**p)

    def few(x: Any) -> Any:
        p = [x]
        a, *_rest, b = p
        return a * b

    for program in (short, long, few):
        with pytest.raises((TypeError, ValueError)):
            program(2.0)
        with pytest.raises((TypeError, ValueError)):
            tangent.grad(program)(2.0)


def test_gradients_of_stars() -> None:
    def weighted(x: Any, *ys: Any, by: Any = 2.0, **more: Any) -> Any:
        total = x * by
        for y in ys:
            total = total + x * y * y
        for key in more:
            total = total * more[key]
        return total

    gradient = tangent.grad(weighted, wrt=("x", "ys", "by", "more"))
    assert gradient(1.0, 2.0, 3.0, k=2.0) == (30.0, (8.0, 12.0), 2.0, {"k": 15.0})
    assert gradient(1.0) == (2.0, (), 1.0, {})
    with pytest.raises(ValueError, match=r"`weighted` has no parameter 1: it has x, by, \*ys, \*\*more"):
        tangent.grad(weighted, wrt=1)


ORDERS = {
    "star": "f(note(x), *[note(y), note(x * y)])",
    "after a star": "f(*listed(x, y), note(x))",
    "keyword": "f(note(x), c=note(y), **keyed(b=x))",
    "keyword after": "f(note(x), **keyed(c=y), b=note(x * y))",
    "defaults": "f(note(x), *listed(y), c=note(x))",
    "display": "sum([note(x), *listed(y, x), note(y)])",
    "rest": "g(note(x), *listed(x, y), note(y), k=note(x), **keyed(m=y))",
}


@pytest.mark.parametrize("call", ORDERS.values(), ids=ORDERS)
@pytest.mark.parametrize("way", ["joint", "split", "raw", "forward"])
def test_arguments_are_evaluated_in_their_order(call: str, way: str) -> None:
    text = (
        "LOG = []\n"
        "def note(v):\n    LOG.append(float(v))\n    return v * 1.0\n"
        "def listed(*vs):\n    LOG.append('listed')\n    return [v * 2.0 for v in vs]\n"
        "def keyed(**vs):\n    LOG.append('keyed')\n    return {k: vs[k] * 3.0 for k in vs}\n"
        "def f(a, b=1.5, c=2.5):\n    return a * b + c * c\n"
        "def g(a, *rest, k=2.0, **more):\n    return a * k + sum(rest) * more['m']\n"
        f"def program(x, y):\n    return {call}\n"
    )
    variables = run_text(text, f"<order {call} {way}>", np=np, __name__="stars")
    program, log = variables["program"], variables["LOG"]
    program(X, Y)
    wanted = log.copy()
    log.clear()
    found = WAYS[way](program)
    assert log == wanted
    ends = [program(X + sign * 1e-6 * DX, Y + sign * 1e-6 * DY) for sign in (1, -1)]
    assert np.allclose(found, (ends[0] - ends[1]) / 2e-6, rtol=1e-5, atol=1e-6)
