"""Programs that a derivative refuses while it runs, for what their values are, and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """
import numpy as np
from autograph import tangent

class Log:
    def __init__(self, items):
        self.items = items

    def add(self, v):
        self.items.append(v)

class Grid:
    def __init__(self, items):
        self.items = items

    def put(self, k, v):
        self.items[k] = v

class Told:
    def __init__(self, items):
        self.items: list = items

    def put(self, k, v):
        self.items[k] = v

class Cell:
    def __init__(self, h):
        self.h = h
        self.c = h

class Pair:
    def __init__(self, one, other):
        self.one = one
        self.other = other

class Vector:
    def __init__(self, ys):
        self.ys = ys

    def __setitem__(self, k, v):
        self.ys[k] = v

    def __getitem__(self, k):
        return self.ys[k]
"""


@dataclass
class Guarded:
    """A program that is refused.

    Attributes:
        name: What it is called.
        text: Its text, after `HEAD`; its function is `f`.
        instead: The text with the remedy.
        argument: An expression: what it is called with.
        way: ``"grad"``, or how else it is differentiated.
    """

    name: str
    text: str
    instead: str
    argument: str = "1.5"
    way: str = "grad"


def body(*lines: str) -> str:
    """The text of `f`."""
    return "def f(x):\n" + "".join(f"    {line}\n" for line in lines)


ARRAY = "np.array([1.5, 0.5, 0.75])"

PROGRAMS = [
    Guarded(
        "array_twice_in_a_list",
        body("y = x * 1.0", "xs = [y, y]", "z = xs[0]", "z[0] = 2.0", "return np.sum(xs[1] * x)"),
        body("y = x * 1.0", "xs = [y, y.copy()]", "z = xs[0]", "z[0] = 2.0", "return np.sum(xs[0] * x)"),
        ARRAY,
    ),
    Guarded(
        "array_given_back",
        "def same(a):\n    return a if a.size else a * 2.0\n\n"
        + body("y = x * 1.0", "z = same(y)", "z[0] = 2.0", "return np.sum(z * y)"),
        "def same(a):\n    return a if a.size else a * 2.0\n\n"
        + body("y = x * 1.0", "z = same(y).copy()", "z[0] = 2.0", "return np.sum(z * y)"),
        ARRAY,
    ),
    Guarded(
        "list_for_an_array",
        "def put(a, v):\n    a[0] = v\n\n"
        + body("g = Grid([1.0, 2.0])", "put(g.items, x * x)", "return g.items[0] * x"),
        "def put(a: list, v):\n    a[0] = v\n\n"
        + body("g = Grid([1.0, 2.0])", "put(g.items, x * x)", "return g.items[0] * x"),
    ),
    Guarded(
        "union_of_dicts",
        body("p, q = {'a': x}, {'b': x * x}", "r = p | q", "return r['a'] * r['b']"),
        body("p, q = {'a': x}, {'b': x * x}", "r = {**p, **q}", "return r['a'] * r['b']"),
    ),
    Guarded(
        "items_of_a_dict",
        body("a, b = x", "return a * x[0] + b * x[1]"),
        body("a, b = list(x)", "return a * x[0] + b * x[1]"),
        "{0: 1.5, 1: 0.5}",
    ),
    Guarded(
        "call_of_what_both_have",
        "def move(a, b):\n    a[1:] += b[:-1]\n\n"
        + body("y = x * 1.0", "move(y, y)", "return np.sum(y * y)"),
        "def move(a, b):\n    a[1:] += b[:-1]\n\n"
        + body("y = x * 1.0", "move(y, y.copy())", "return np.sum(y * y)"),
        ARRAY,
    ),
    Guarded(
        "part_of_what_is_written",
        "def head(a):\n    a[0] = a[1] * 2.0\n    return a[:2]\n\n"
        + body("y = x * 1.0", "z = head(y)", "return np.sum(z * z)"),
        "def head(a):\n    a[0] = a[1] * 2.0\n    return a[:2].copy()\n\n"
        + body("y = x * 1.0", "z = head(y)", "return np.sum(z * z)"),
        ARRAY,
    ),
    Guarded(
        "one_list_of_two_objects",
        body("ys = [1.0]", "one, other = Log(ys), Log(ys)", "other.add(x * x)", "return one.items[-1] * x"),
        body("ys = [1.0]", "one, other = Log(ys), Log(ys)", "other.add(x * x)", "return other.items[-1] * x"),
    ),
    Guarded(
        "object_given_twice",
        "def set_h(a: Cell, b: Cell, v):\n    a.h = v\n    return b.h\n\n"
        + body("c = Cell(x)", "return set_h(c, c, x * x)"),
        "def set_h(a: Cell, v):\n    a.h = v\n    return a.h\n\n"
        + body("c = Cell(x)", "return set_h(c, x * x)"),
    ),
    Guarded(
        "array_that_may_be_in_a_list",
        body("g = Grid([x * 2.0, x])", "y = x * x", "g.put(0, y)", "return np.sum(g.items[0] * y)"),
        body("g = Told([x * 2.0, x])", "y = x * x", "g.put(0, y)", "return np.sum(g.items[0] * y)"),
        ARRAY,
    ),
    Guarded(
        "object_of_another_class",
        "class Deep(Cell):\n    pass\n\ndef f(x, c: Cell = Deep(2.0)):\n    return c.h * x\n",
        "def f(x, c: Cell = Cell(2.0)):\n    return c.h * x\n",
    ),
    Guarded(
        "objects_of_two_classes",
        "class Square:\n    def __init__(self, h):\n        self.h = h\n\n"
        + body(
            "cells = []",
            "for i in range(4):",
            "    cells.append(Cell(x * i) if i % 2 else Square(x))",
            "return sum([cell.h * x for cell in cells])",
        ).replace(
            "        cells.append(Cell(x * i) if i % 2 else Square(x))",
            "        if i % 2:\n            cells.append(Cell(x * i))\n        else:\n"
            "            cells.append(Square(x))",
        ),
        "class Square:\n    def __init__(self, h):\n        self.h = h\n\n"
        + body(
            "cells, squares = [], []",
            "for i in range(4):",
            "    if i % 2:",
            "        cells.append(Cell(x * i))",
            "    else:",
            "        squares.append(Square(x))",
            "return sum([cell.h * x for cell in cells]) + sum([square.h * x for square in squares])",
        ),
    ),
    Guarded(
        "linked_nodes",
        "class Node:\n    def __init__(self, v, after: 'Node' = None):\n        self.v = v\n"
        "        self.after: Node = after\n\n"
        + body(
            "node = Node(x, Node(x * x, Node(x * 2.0)))",
            "s = 0.0",
            "while node is not None:",
            "    s = s + node.v * x",
            "    node = node.after",
            "return s",
        ),
        "class Node:\n    def __init__(self, v):\n        self.v = v\n\n"
        + body(
            "nodes = [Node(x), Node(x * x), Node(x * 2.0)]",
            "s = 0.0",
            "for node in nodes:",
            "    s = s + node.v * x",
            "return s",
        ),
    ),
    Guarded(
        "array_for_a_list",
        body("b = Told(x * 1.0)", "b.items[0] = x[1] * 2.0", "return np.sum(b.items[0] * x)"),
        body("b = Told(list(x))", "b.items[0] = x[1] * 2.0", "return np.sum(b.items[0] * x)"),
        ARRAY,
    ),
    Guarded(
        "slice_of_a_list_written",
        body("b = Log([x, 2.0])", "b.items[0:1] = [x * x, x]", "return b.items[0] * b.items[2]"),
        body("b = Log([x, 2.0])", "b.items = [x * x, x, *b.items[1:]]", "return b.items[0] * b.items[2]"),
    ),
    Guarded(
        "sort_of_an_array",
        body("y = x * 2.0", "y.sort()", "return y[0] * y[1]"),
        body("y = x * 2.0", "y = np.sort(y)", "return y[0] * y[1]"),
        ARRAY,
    ),
    Guarded(
        "list_and_array",
        "V = np.ones(2)\n\n" + body("a = [x[0], x[1]]", "return np.sum(a + V)"),
        "V = np.ones(2)\n\n" + body("a = np.array([x[0], x[1]])", "return np.sum(a * x[0] + V)"),
        ARRAY,
    ),
    Guarded(
        "dict_of_pairs",
        body("r = dict([('a', x)])", "return r['a'] * x"),
        body("r = {key: value for key, value in [('a', x)]}", "return r['a'] * x"),
    ),
    Guarded(
        "append_of_another_class_in_a_try",
        body(
            "log = ROWS if x > 9.0 else Log([1.0])",
            "y = x",
            "try:",
            "    y = x * x",
            "    log.append(y)",
            "except AttributeError:",
            "    y = x",
            "return y * x",
        ),
        body("y = x", "try:", "    y = x * x", "except AttributeError:", "    y = x", "return y * x"),
    ),
    Guarded(
        "store_to_a_class_in_a_try",
        "class Table(dict):\n    def __setitem__(self, key, value):\n"
        "        dict.__setitem__(self, key, value)\n\n"
        "def f(x, d=Table(a=1.0)):\n    y = x\n    try:\n        d['a'] = x * x\n    except KeyError:\n"
        "        y = x * 2.0\n    return d['a'] * y\n",
        body("d = {'a': 1.0}", "y = x", "d['a'] = x * x", "return d['a'] * y"),
    ),
    Guarded(
        "eigenvectors_of_complex_matrices",
        body("w, v = np.linalg.eigh(x * (1.0 + 0.0j))", "return np.sum(w)"),
        body("w, v = np.linalg.eigh(x * 1.0)", "return np.sum(w)"),
        "np.array([[2.0, 0.5], [0.5, 1.0]])",
    ),
    Guarded(
        "complete_qr",
        body("q, r = np.linalg.qr(x, mode='complete')", "return np.sum(r * r)"),
        body("q, r = np.linalg.qr(x, mode='reduced')", "return np.sum(r * r)"),
        "np.array([[2.0, 0.5], [0.5, 1.0], [0.25, 3.0]])",
    ),
    Guarded(
        "full_svd",
        body("u, s, v = np.linalg.svd(x)", "return np.sum(s * s)"),
        body("u, s, v = np.linalg.svd(x, full_matrices=False)", "return np.sum(s * s)"),
        "np.array([[2.0, 0.5], [0.5, 1.0], [0.25, 3.0]])",
    ),
    Guarded(
        "pad_by_the_mean",
        body("return np.sum(np.pad(x, 1, mode='mean') ** 2)"),
        body("return np.sum(np.pad(x, 1, mode='edge') ** 2)"),
        ARRAY,
    ),
    Guarded(
        "pad_by_an_odd_reflection",
        body("return np.sum(np.pad(x, 1, mode='reflect', reflect_type='odd') ** 2)"),
        body("y = np.concatenate([2 * x[0] - x[1:0:-1], x, 2 * x[-1] - x[-2:-1]])", "return np.sum(y ** 2)"),
        ARRAY,
    ),
    Guarded(
        "piecewise_by_functions",
        body("return np.sum(np.piecewise(x, [x > 0.6], [np.sin, np.cos]))"),
        body("return np.sum(np.where(x > 0.6, np.sin(x), np.cos(x)))"),
        ARRAY,
    ),
    Guarded(
        "polynomial_of_a_matrix",
        body("return np.sum(np.poly(x))"),
        body("return np.sum(np.poly(x[0]))"),
        "np.array([[2.0, 0.5], [0.5, 1.0]])",
    ),
    Guarded(
        "jacobian_of_complex_numbers",
        body("return np.sum(x * x) * (1.0 + 1.0j)"),
        body("return np.sum(x * x)"),
        ARRAY,
        "jacobian",
    ),
    Guarded(
        "jacobian_of_random_numbers",
        body("return np.sum(x * np.random.normal())"),
        body("return np.sum(x * 0.5)"),
        ARRAY,
        "forward jacobian",
    ),
    Guarded(
        "iterator_in_a_checkpoint",
        "@tangent.checkpoint\ndef total(x, values):\n"
        "    s = 0.0\n    for v in values:\n        s = s + x * v\n"
        "    return s * x\n\n" + body("return total(x, iter([1.0, 2.0]))"),
        "@tangent.checkpoint\ndef total(x, values):\n"
        "    s = 0.0\n    for v in values:\n        s = s + x * v\n"
        "    return s * x\n\n" + body("return total(x, list(iter([1.0, 2.0])))"),
    ),
]
