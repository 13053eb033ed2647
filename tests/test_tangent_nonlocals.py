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
from collections.abc import Iterator

import pytest
from tangent_ways import SECOND, WAYS, Crossing, indented, is_mostly_right

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


def sources() -> Iterator[str]:
    """Programs of an array `x` and a number `s`."""
    for writer, place in itertools.product(WRITERS.values(), PLACES.values()):
        text = AROUND.replace("WRITER\n", indented(writer, 8))
        yield text.replace("PLACE\n", indented(place, 4))


PROGRAMS = Crossing(sources(), "nonlocals")


@pytest.mark.parametrize("way", WAYS)
def test_functions_that_write_variables_are_differentiated(way: str) -> None:
    count = PROGRAMS.in_a_way(way, among=7)
    assert is_mostly_right(count, 2.5), count


def test_values_are_those_of_the_program() -> None:
    count = PROGRAMS.values(among=9)
    assert count["right"] > 30, count


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count = PROGRAMS.twice(way, among=11)
    assert is_mostly_right(count, 0.6), count
