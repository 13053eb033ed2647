"""Functions and methods that write to objects, dicts and lists: each kind of write in each place of a call.

::

    class Cell:
        def step(self, v):
            self.h = np.tanh(v * self.w + self.h)
            return self.h

    def program(x, s):
        c = Cell(s)
        for v in x:
            c.step(v)
        return c.h

Each program is held against differences in all modes and motions, its value to the bit, what it leaves of its
arguments against the call, and its second derivatives against differences of the first. It is right, or
refused with its place.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator

import pytest
from autograph import tangent
from tangent_ways import SECOND, WAYS, Crossing, S, X, indented, is_mostly_right

CLASSES = """
class Part:
    def __init__(self, g):
        self.g = g

    def grow(self, v):
        self.g = self.g * v + v

class Cell:
    part: Part

    def __init__(self, w):
        self.w = w
        self.h = 0.0
        self.total = 0.0
        self.n = 0
        self.log = []
        self.d = {"k": w}
        self.part = Part(w)

    @property
    def level(self):
        return self.h + self.total

    @property
    def counted(self):
        self.n += 1
        self.h = self.h * 0.5
        return self.h + self.w

    def out(self):
        return self.h * 2.0 + self.total * self.w + self.n + self.part.g + self.d["k"] + len(self.log)

    def inner(self, v):
        self.h = self.h + v * self.w

METHOD
class Sub(Cell):
    def inner(self, v):
        self.total = self.total + v * 3.0
"""
METHODS = {
    "sets": "self.h = v * self.w\nreturn self.h",
    "sets from itself": "self.h = np.tanh(v * self.w + self.h)\nreturn self.h",
    "adds": "self.total = self.total + v",
    "adds in place": "self.total += v * self.w",
    "counts": "self.n += 1\nself.total = self.total + v * self.n",
    "returns another": "self.h = self.h + v\nreturn v * self.w",
    "returns itself": "self.h = self.h + v\nreturn self",
    "returns two": "self.h = v * self.h + v\nreturn self.h, v * 2.0",
    "branches": "if v > 1:\n    self.h = v * v\nelse:\n    self.total = v\nreturn self.w * v",
    "returns early": "if v > 9:\n    return v\nself.h = self.h + v * v\nreturn self.h",
    "loops": "for k in range(3):\n    self.h = self.h * 0.5 + v * k\nreturn self.h",
    "writes and breaks": (
        "for k in range(5):\n    self.h = self.h + v\n    if k == 2:\n        break\nreturn self.h"
    ),
    "new attribute": "self.extra = v * self.w\nself.h = self.h + self.extra",
    "calls another": "self.inner(v)\nself.inner(v * v)\nreturn self.h",
    "calls in an expression": "self.h = v\nreturn self.level * self.w",
    "writes by a property": "r = self.counted\nreturn r * v",
    "nested": "self.part.g = self.part.g + v * self.w",
    "nested by name": "p = self.part\np.g = p.g * v\nreturn p.g",
    "nested method": "self.part.grow(v)\nreturn self.part.g * self.w",
    "rebinds the nested": "self.part = Part(v)\nself.part.grow(self.w)",
    "item of a dict": "self.d['k'] = self.d['k'] + v * self.w",
    "adds to an item": "self.d['k'] += v * v\nreturn self.d['k']",
    "new item": "self.d['z'] = v\nself.h = self.h + self.d['z']",
    "appends": "self.log.append(v)\nself.h = self.h + self.log[-1] * self.w",
    "swaps": "self.h, self.total = self.total + v, self.h * self.w",
    "by an alias": "me = self\nme.h = me.h + v\nreturn self.h",
    "recursion": "if v > 4:\n    return v\nself.h = self.h + v\nreturn self.step(v * 2.0) + self.w",
    "ternary": "self.h = v if v > 1 else self.w * v\nreturn self.h",
    "walrus": "self.h = (t := v * self.w) * 2.0\nreturn t",
    "reads only": "return self.h + v * self.w",
}
PLACES = {
    "once": "r = c.step(x[0])",
    "dropped": "c.step(x[1])",
    "twice": "r = c.step(x[0])\nq = c.step(x[1])\nr = r if q is None else q",
    "loop": "for v in x:\n    c.step(v)",
    "loop of four": "for k in range(4):\n    r = c.step(s * k)",
    "while": "k = 0\nwhile k < 3:\n    c.step(x[k] * s)\n    k += 1",
    "branch": "if s > 1:\n    c.step(x[0])\nelse:\n    c.step(s)",
    "other branch": "if s > 9:\n    c.step(x[0])",
    "two objects": "o = Cell(s * 2.0)\nc.step(x[0])\no.step(x[1])\nc.step(o.h * s)",
    "of a function": "run(c, x[0])",
    "of a function with an annotation": "run_cell(c, x[0])",
    "of a function of a function": "run_twice(c, x[1])",
    "closure": "def go(v):\n    c.step(v)\ngo(x[0])\ngo(s)",
    "read before": "b = c.h\nc.step(x[0])\nr = b * c.h + c.w",
    "kept before": "b = np.sin(c.total) * s\nc.step(x[0])\nc.step(b + x[1])",
    "set between": "c.step(x[0])\nc.h = c.h * s\nc.step(x[1])\nc.w = x[2]\nc.step(s)",
    "another method": "c.step(x[0])\nc.inner(s)\nr = c.level",
    "alias": "o = c\no.step(x[0])\nr = c.h * s",
    "subclass": "o = Sub(s)\no.step(x[0])\nc.step(o.total + o.h)",
    "nested object": "box = Box(c)\nbox.cell.step(x[0])\nr = box.cell.h * s",
    "nested object by a method": "box = Box(c)\nbox.go(x[0])\nbox.go(s)",
    "comprehension": "r = [c.step(v) for v in x]\nr = 0.0",
    "arrays": "c.w = x * 1.0\nc.h = x * s\nc.total = x\nc.step(s)\nr = np.sum(c.h * x)",
    "checkpoint": "for k in tangent.checkpoint(range(3)):\n    c.step(x[0] * s)",
    "parameter": "g.step(x[0])\nr = g.h * s + np.sum(g.out())",
    "parameter in a loop": "for v in x:\n    g.step(v)\nr = np.sum(g.out())",
}
AROUND = """
class Box:
    cell: Cell

    def __init__(self, cell):
        self.cell = cell

    def go(self, v):
        self.cell.step(v * 0.5)

def run(cell, v):
    cell.step(v)
    cell.h = cell.h + v

def run_cell(cell: Cell, v):
    cell.step(v)
    return cell.h * v

def run_twice(cell, v):
    run(cell, v)
    run(cell, v * v)

def program(x, s, g: Cell):
    c = Cell(s)
    r = 0.0
PLACE
    return np.sum(c.out()) + np.sum(r if isinstance(r, (float, np.ndarray)) else 0.0) * s
"""


def sources() -> Iterator[str]:
    """Programs of an array `x`, a number `s` and an object `g`."""
    for method, place in itertools.product(METHODS.values(), PLACES.values()):
        step = f"    def step(self, v):\n{indented(method, 8)}"
        yield CLASSES.replace("METHOD\n", step) + AROUND.replace("PLACE\n", indented(place, 4))


PROGRAMS = Crossing(sources(), "objects", lambda variables: (variables["Cell"](0.75),))


@pytest.mark.parametrize("way", WAYS)
def test_methods_that_write_are_differentiated(way: str) -> None:
    count = PROGRAMS.in_a_way(way, among=7)
    assert is_mostly_right(count, 2.5), count


def test_values_are_those_of_the_program() -> None:
    PROGRAMS.values(among=11)


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count = PROGRAMS.twice(way, among=17)
    assert is_mostly_right(count, 0.6), count


def test_the_same_gradients_as_of_the_graph() -> None:
    count = PROGRAMS.of_the_graph(among=19)
    assert count["right"] >= 5, count


def test_an_object_of_the_caller_keeps_its_identity() -> None:
    made = PROGRAMS.made(0)
    assert made is not None
    (g,) = made.more()
    part = g.part
    tangent.grad(made.program)(X, S, g)
    assert g.part is part
    assert copy.copy(g).part is part
