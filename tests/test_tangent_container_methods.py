"""Methods of lists and dicts that take items out, put them in or in order: each in each place.

::

    def program(x, s, p):
        c = [x[0] * 1.0, s * s, x[1] + s]
        e = c
        e.insert(0, s * x[2])
        return weighted(c)

Each program is held against differences in all modes and motions, its value to the bit, what it leaves of its
arguments against the call, and its second derivatives against differences of the first. It is right, or
refused with its place.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tangent_ways import SECOND, WAYS, Crossing, indented, is_mostly_right

OF_LISTS = {
    "insert first": "c.insert(0, v * s)",
    "insert last": "c.insert(len(c), v)",
    "insert before the last": "c.insert(-1, v * v)",
    "insert far": "c.insert(99, s)",
    "insert by the length": "c.insert(len(c) - 2, v)",
    "insert what is popped": "c.insert(len(c) - 2, c.pop())",
    "pop by the length": "r = r + np.sum(c.pop(len(c) - 2) * v)",
    "del by the length": "del c[len(c) - 2]\nc.append(v)",
    "insert itself": "c.insert(1, c[0])",
    "reverse": "c.reverse()",
    "sort": "c.sort(key=np.sum)",
    "sort by a key": "c.sort(key=lambda w: -np.sum(w * w), reverse=True)",
    "pop first": "r = r + np.sum(c.pop(0)) * s",
    "pop last": "r = r + np.sum(c.pop(-1))",
    "pop by a name": "k = len(c) - 2\nr = np.sum(c.pop(k) * v)",
    "pop dropped": "c.pop(0)",
    "rotate": "c.append(c.pop(0))",
    "del first": "del c[0]",
    "del last": "del c[-1]",
    "del a slice": "del c[1:]",
    "del every other": "del c[::2]",
    "del two": "del c[0], c[0]",
    "clear": "c.clear()\nc.append(v)",
    "extend": "c.extend([v, s * v])",
    "item": "c[0] = c[0] * v\nc.reverse()",
    "augmented item": "c[-1] = c[-1] * s\nc.insert(0, v)",
    "largest": "r = r + np.sum(max(c, key=np.sum)) * s",
    "smallest": "r = r + np.sum(min(c, key=lambda w: -np.sum(w)))",
    "sorted": "t = sorted(c, key=np.sum, reverse=True)\nr = r + np.sum(t[0]) * s - np.sum(t[1])",
    "reversed": "t = list(reversed(c))\nr = r + np.sum(t[0] * t[1])",
    "with a default": "r = r + np.sum(max([w for w in c if np.sum(w) > 99], default=v, key=np.sum))",
}
OF_DICTS = {
    "update": 'd.update({"a": v * s, "z": v})',
    "update of another": 'q = {"b": v * v}\nd.update(q)\nq["b"] = s',
    "update by keywords": 'd.update(a=d["b"], b=d["a"] * v)',
    "update of both": 'd.update({"a": v}, b=v * s)',
    "update by the length": (
        'd.update({len(d): v, len(d) + 3: s, "a": v})\nr = r + np.sum(d.pop(2) * d.pop(5))'
    ),
    "setdefault": 'd.setdefault("a", v)\nd.setdefault("y", v * s)',
    "setdefault read": 'r = r + np.sum(d.setdefault("y", v * s))',
    "setdefault of a list": (
        'd.setdefault("l", []).append(v)\nr = r + np.sum(d["l"][-1]) * len(d["l"])\ndel d["l"]'
    ),
    "pop": 'r = r + np.sum(d.pop("b")) * s\nd["b"] = v',
    "pop of a default": 'r = r + np.sum(d.pop("nothing", v * s))',
    "pop or a default": 'r = r + np.sum(d.pop("x", v * s))\nd["x"] = v * v',
    "del": 'del d["b"]\nd["b"] = v * s',
    "get": 'r = r + np.sum(d.get("a", s)) * np.sum(d.get("nothing", v))',
    "union": 'e = d | {"a": v}\nr = r + np.sum(e["a"] * e["b"])',
    "union in place": 'd |= {"a": v * d["b"]}',
    "clear": 'w = d["a"] * v\nd.clear()\nd["b"] = w',
    "swap": 'd["a"], d["b"] = d.pop("b"), d["b"] if "q" in d else v',
    "items": "for k, w in d.items():\n    r = r + np.sum(w) * len(k)",
    "by a name": 'for k in ("a", "b"):\n    d[k] = d.pop(k, s) * v',
}
PLACES = {
    "once": "OP",
    "twice": "OP\nv = v * s\nOP",
    "loop": "for v in (s, s * x[0], x[1] * 1.0, s * s):\n    v = v * one\n    if len(c) > 2:\n        OP2",
    "branch": "if s > 1:\n    OP1\nelse:\n    c.append(s)",
    "branch not taken": "if s > 9:\n    OP1",
    "alias": "keep = c\nOP\nr = r + len(keep)\nif len(keep) and len(c):\n    r = r + np.sum(total(keep) * s)",
    "read before": "b = np.sin(total(c))\nOP\nr = r + b * total(c)",
    "in a dict": "h = {'q': c}\nc = h['q']\nOP\nr = r + total(h['q']) * s",
    "in an object": "o = Holder(c, d)\nc = o.c\nd = o.d\nOP\nr = r + total(o.c) + total(o.d)",
    "callee": "r = r + changed(c, d, v, s)",
    "callee in a loop": "for k in range(4):\n    if len(c) > 2:\n        r = r + changed(c, d, v * k, s)",
    "closure": "def change(v):\n    r = 0.0\n    OP1\n    return r\nr = r + change(v)\nr = r + change(s * v)",
    "parameter": "c, d = p['c'], p['d']\nOP\nr = r + total(p['c'])",
}
AROUND = """
class Holder:
    def __init__(self, c, d):
        self.c = c
        self.d = d

def total(c):
    t = 0.0
    k = 1.0
    for w in c.values() if isinstance(c, dict) else c:
        t = t + np.sum(w) * k
        k = k + 0.5
    return t

def changed(c, d, v, s):
    r = 0.0
CALLEE
    return r

KIND = "ONE"

def program(x, s, p):
    one = ONE
    c = [x[0] * one, s * s * one, (x[1] + s) * one, s * 0.3 * one]
    d = {"a": x[2] * one, "b": s * s * one}
    v = s * x[1] * one
    r = 0.0
PLACE
    return r + total_of(c) + total_of_dict(d) * s

def total_of(c):
    t = 0.0
    for i, w in enumerate(c):
        t = t + np.sum(w * w) * (i + 1)
    return t

def total_of_dict(d):
    t = 0.0
    for k, w in d.items():
        t = t + np.sum(w) * len(k)
    return t
"""
ONES = {"numbers": "1.0", "arrays": "np.ones(2)"}


def placed(place: str, operation: str) -> str:
    """The statements of a place, with an operation at its depth."""
    lines = []
    for line in place.split("\n"):
        depth = (len(line) - len(line.lstrip())) // 4
        if line.strip() in ("OP", "OP1", "OP2"):
            lines.append(indented(operation, 4 * depth).rstrip("\n"))
        else:
            lines.append(line)
    return "\n".join(lines)


def sources() -> Iterator[str]:
    """Programs of an array `x`, a number `s` and a dict `p` of a list and a dict."""
    operations = [*OF_LISTS.values(), *OF_DICTS.values()]
    for operation, place, one in itertools.product(operations, PLACES.values(), ONES.values()):
        text = AROUND.replace("CALLEE\n", indented(operation, 4)).replace("ONE", one)
        yield text.replace("PLACE\n", indented(placed(place, operation), 4))


def given(one: str) -> tuple[Any, ...]:
    """A list and a dict, of arrays or of numbers."""
    items = [np.array([0.2, 0.4]), np.array([1.2, -0.4]), np.array([0.7, 0.1]), np.array([0.5, 0.6])]
    items = items if one != "1.0" else [0.2, 1.4, 0.7, 0.5]
    return ({"c": items, "d": {"a": copy.copy(items[0]), "b": copy.copy(items[1])}},)


PROGRAMS = Crossing(sources(), "containers", lambda variables: given(variables["KIND"]))


@pytest.mark.parametrize("way", WAYS)
def test_methods_that_change_containers_are_differentiated(way: str) -> None:
    count = PROGRAMS.in_a_way(way, among=11)
    assert is_mostly_right(count, 2.5), count


def test_values_are_those_of_the_program() -> None:
    PROGRAMS.values(among=17)


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count = PROGRAMS.twice(way, among=23)
    assert is_mostly_right(count, 0.6), count
