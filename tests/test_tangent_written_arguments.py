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
from collections.abc import Iterator

import pytest
from tangent_ways import SECOND, WAYS, Crossing, is_mostly_right

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


PROGRAMS = Crossing(sources(), "written")


@pytest.mark.parametrize("way", WAYS)
def test_functions_that_write_are_differentiated(way: str) -> None:
    count = PROGRAMS.in_a_way(way, among=11)
    assert is_mostly_right(count, 2.5), count


def test_values_are_those_of_the_program() -> None:
    PROGRAMS.values(among=19)


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count = PROGRAMS.twice(way, among=29)
    assert is_mostly_right(count, 1.5), count


def test_the_same_gradients_as_of_the_graph() -> None:
    count = PROGRAMS.of_the_graph(among=31)
    assert count["right"] >= 5, count
