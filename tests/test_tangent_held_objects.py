"""Objects, records, lists and dicts that callees, lists and methods hold: each kind of use in each place.

::

    def put(ys, v, s):
        ys[-1] += v * s

    def program(x, s):
        ys = [x[0] * s, s, x[1] * 1.0]
        for v in x:
            put(ys, v, s)
        return ys[0] * ys[-1]

Each program is held against differences in all modes and motions, its value to the bit, what it leaves of its
arguments against the call, and its second derivatives against differences of the first. It is right, or
refused with its place.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from tangent_ways import SECOND, WAYS, Crossing, indented, is_mostly_right

WRITES = {
    "item": "ys[1] = v * s",
    "last item": "ys[-1] = ys[0] * v",
    "adds": "ys[-1] += v * s",
    "scales": "ys[0] *= v",
    "by an index": "for i in range(len(ys)):\n    ys[i] = ys[i] * v",
    "from the one before": "for i in range(1, len(ys)):\n    ys[i] = ys[i] + ys[i - 1] * v",
    "swaps": "ys[0], ys[2] = ys[2] * s, ys[0]",
    "appends and sets": "ys.append(v)\nys[0] = ys[-1] * s",
    "takes and sets": "last = ys.pop()\nys[0] = last * v\nys.append(last)",
    "removes": "ys.append(v)\nys.remove(ys[-1])\nys[0] = ys[0] * v",
    "branches": "if v > 1:\n    ys[0] = v * s\nelse:\n    ys[1] = v",
    "returns early": "if v > 9:\n    return v\nys[0] = v * ys[1]\nreturn ys[0]",
    "returns it": "ys[0] = v\nreturn ys",
    "alias": "zs = ys\nzs[0] = v * s\nreturn ys[0] * s",
    "callee": "bump(ys, v)\nbump(ys, s)\nreturn ys[0]",
    "recursion": "ys[0] = ys[0] * v\nif v > 0.5:\n    put(ys, v * 0.5, s)",
    "ternary": "ys[0] = v if v > 1 else ys[1] * v",
    "a number": "ys[0] = 2.0\nys[1] = ys[1] * v",
    "reads only": "return ys[0] * v",
}
KEYS = {
    "number": "d[3] = v * s",
    "adds": "d[3] += v * d['a']",
    "pair": "d[(0, 1)] = v * s\nreturn d[0, 1]",
    "computed": "d[len(d)] = v\nreturn d[len(d) - 1] * s",
    "each": "for k in d:\n    d[k] = d[k] * v",
    "items": "for k, w in d.items():\n    d[k] = w + v",
    "memo": "if 'm' in d:\n    return d['m']\nd['m'] = v * s\nreturn d['m'] + v",
    "popitem": "d['z'] = v\nk, w = d.popitem()\nd['a'] = w * s",
    "count": "d[3] = d.get(3, 0.0) + v",
    "tuple of popitem": "d['z'] = v * s\nlast = d.popitem()\nreturn last[1]",
}
PLACES = {
    "once": "r = put(c, x[0], s)",
    "loop": "for v in x:\n    put(c, v, s)",
    "loop of four": "for k in range(4):\n    r = put(c, s * k, x[1])",
    "branch": "if s > 1:\n    put(c, x[0], s)\nelse:\n    put(c, s, s)",
    "twice": "r = put(c, x[0], s)\nput(c, x[1], s)",
    "read before": "b = total(c) * s\nput(c, x[0], s)\nr = b * total(c)",
    "set between": "put(c, x[0], s)\nc[0 if isinstance(c, list) else 'a'] = s\nput(c, x[1], s)",
    "alias": "e = c\nput(c, x[0], s)\nr = total(e)",
    "closure": "def go(v):\n    put(c, v, s)\ngo(x[0])\ngo(s)",
    "in an object": "o = Box(c)\nput(o.c, x[0], s)\nr = total(o.c)",
    "by a method": "o = Box(c)\no.put(x[0], s)\nr = total(o.c)",
    "of its annotation": "put_known(c, x[0], s)",
    "new": "r = put(c.copy(), x[0], s)",
    "parameter": "e = p['PART']\ne[0 if isinstance(e, list) else 'a'] = s\nput_known(e, x[0], s)",
}
AROUND = """
class Box:
    def __init__(self, c):
        self.c = c

    def put(self, v, s):
        put(self.c, v, s)

def bump(ys, v):
    ys[0] += v

def total(c):
    t = 0.0
    for w in c.values() if isinstance(c, dict) else c:
        t = t + w * w
    return t

def put(NAME, v, s):
WRITE
def put_known(c: KIND, v, s):
    put(c, v, s)

def program(x, s, p):
    c = START
    r = 0.0
PLACE
    return total(c) * s + (r if isinstance(r, float) else 0.0) * x[2] + total(p["l"]) + total(p["d"])
"""
OBJECTS = {
    "calls": "for l in ls:\n    r = l(r)",
    "methods": "for l in ls:\n    r = r + l.go(r)",
    "attributes": "for l in ls:\n    r = r * l.w + l.b",
    "by index": "r = ls[0].w * ls[-1].go(x[0])",
    "index loop": "for i in range(len(ls)):\n    r = ls[i](r) * ls[i].b",
    "enumerate": "for i, l in enumerate(ls):\n    r = l(r) * (i + 1)",
    "zip": "for l, v in zip(ls, x):\n    r = r + l.go(v)",
    "reversed": "for l in reversed(ls):\n    r = l(r)",
    "comprehension": "r = sum([l.go(v) for l, v in zip(ls, x)])",
    "writes": "for l in ls:\n    l.w = l.w * s\nr = ls[0].w * ls[1].w",
    "writes by index": "ls[0].w = ls[1].w * s\nr = ls[0].go(x[0])",
    "adds in place": "for l in ls:\n    l.w += s\nr = ls[0].w * ls[1].w",
    "stepping methods": "for l in ls:\n    l.step(s)\nr = ls[0].w * ls[1].w",
    "twice": "for k in range(3):\n    for l in ls:\n        r = l(r)",
    "appended": "ls.append(Layer(s, x[2]))\nfor l in ls:\n    r = l(r)",
    "popped": "l = ls.pop()\nr = l.go(s) + ls[0].w",
    "of a function": "r = run(ls, r)",
    "of an object": "r = Net(ls).run(r)",
    "of an object's own": "r = Deep(s, 3).run(r)",
    "in a dict": "d = {'a': ls[0], 'b': ls[1]}\nfor k, l in d.items():\n    r = l(r)",
    "dict made": "d = {'a': Layer(s, s), 'b': Layer(x[0], s)}\nr = d['a'].go(r) * d['b'].w",
    "comprehended": "ms = [Layer(v, s) for v in x]\nfor m in ms:\n    r = m(r)",
    "chosen": "l = ls[0] if s > 1 else ls[1]\nr = l(r)",
    "made by a function": "l = made(s, x[0])\nr = l(r) * l.w",
    "given back": "l = last(ls)\nr = l(r) * l.w",
    "operators": "u = ls[0] + ls[1] * s\nu = -u\nr = u.w * u.b",
    "number times": "u = 2.0 * ls[0]\nu += ls[1]\nr = u.w * u.b",
    "property": "ls[0].level = s * x[0]\nr = ls[0].level * ls[0].w",
    "property adds": "l = ls[0]\nl.level += s\nr = l.level",
    "items": "t = Table([s, x[0], x[1]])\nt[0] = t[1] * s\nt[2] += t[0]\nr = t[0] * t[2]",
    "frozen": "st = State(s, x[0])\nfor v in x:\n    st = State(st.h * v, st.c + v)\nr = st.h * st.c",
    "frozen default": "st = State(h=s)\nr = st.h * st.c + st.both()",
    "frozen replaced": "st = State(s, x[0])\nfor v in x:\n    st = replace(st, h=st.h * v)\nr = st.h * st.c",
    "changing replaced": "q = replace(Plain(s, x[0]), c=s * s)\nq.h = q.h * x[1]\nr = q.h * q.c",
    "named": "st = Pair(s, x[0])\nfor v in x:\n    st = Pair(st.h * v, st.c + v)\nr = st.h * st.c",
    "named replaced": "st = Pair(s, x[0])\nfor v in x:\n    st = st._replace(c=st.c * v)\nr = st.h * st[1]",
    "named unpacked": "h, c = Pair(s, x[0])\nr = h * c",
    "named of a function": "st = advance(Pair(s, x[0]), x[1])\nst = advance(st, s)\nr = st.h * st.both()",
    "records in a list": "ps = [Pair(s, v) for v in x]\nfor p in ps:\n    r = r + p.h * p.c",
    "stored": "a = x[0] * s\nst = State(a, Pair(a, s))\nr = st.h * st.c.h * st.c.c",
}
KINDS = """
from dataclasses import dataclass, replace
from typing import NamedTuple

class Layer:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, v):
        return np.tanh(v * self.w + self.b)

    def go(self, v):
        return v * self.w + self.b

    def step(self, v):
        self.w = self.w * v

    @property
    def level(self):
        return self.w + self.b

    @level.setter
    def level(self, v):
        self.b = v * self.w

    def __add__(self, o):
        return Layer(self.w + o.w, self.b + o.b)

    def __mul__(self, k):
        return Layer(self.w * k, self.b * k)

    def __rmul__(self, k):
        return Layer(k * self.w, self.b)

    def __neg__(self):
        return Layer(-self.w, -self.b)

class Net:
    layers: list[Layer]

    def __init__(self, layers):
        self.layers = layers

    def run(self, v):
        for layer in self.layers:
            v = layer(v)
        return v * self.layers[0].b

class Deep:
    def __init__(self, w, n):
        self.layers = [Layer(w * (k + 1), w) for k in range(n)]

    def run(self, v):
        for layer in self.layers:
            layer.w = layer.w * 0.5
            v = layer(v)
        return v * self.layers[-1].w

class Table:
    def __init__(self, ys):
        self.ys = ys

    def __getitem__(self, i):
        return self.ys[i] * 2.0

    def __setitem__(self, i, v):
        self.ys[i] = v + 1.0

@dataclass(frozen=True)
class State:
    h: object
    c: object = 2.0

    def both(self):
        return self.h * self.c

@dataclass
class Plain:
    h: object
    c: object

class Pair(NamedTuple):
    h: float
    c: float

    def both(self):
        return self.h * self.c

def advance(st, v):
    return Pair(np.tanh(st.h * v), st.c + st[0])

def run(layers, v):
    for layer in layers:
        v = layer.go(v)
    return v

def made(w, b):
    return Layer(w, b * w)

def last(layers: list[Layer]) -> Layer:
    return layers[-1]

def program(x, s, p):
    ls = [Layer(s, x[0]), Layer(x[1], s * s)]
    r = x[0] * s
USE
    return r * s + ls[0].w
"""
LISTS, DICTS = "[x[0] * s, s * s, x[1] * 1.0]", '{"a": x[0] * s, "b": s * s, 3: x[1] * 1.0}'
IN_LOOPS = "for turn in range(3):\n    r = r * 0.5\n"
IN_BRANCH = "if s > 1:\n"


def sources() -> Iterator[str]:
    """Programs of an array `x`, a number `s` and a dict `p` of a list and a dict."""
    writes = [("ys", "list", LISTS, one) for one in WRITES.values()]
    writes += [("d", "dict", DICTS, one) for one in KEYS.values()]
    for (name, kind, start, write), place in itertools.product(writes, PLACES.values()):
        text = AROUND.replace("NAME", name).replace("WRITE\n", indented(write, 4)).replace("KIND", kind)
        if "PART" in place and "append" in write:
            continue  # A list that a call makes longer, and that has another name, is not followed.
        place = place.replace("PART", kind[0])
        yield text.replace("START", start).replace("PLACE\n", indented(place, 4))
    for use in OBJECTS.values():
        yield KINDS.replace("USE\n", indented(use, 4))
        yield KINDS.replace("USE\n", indented(IN_LOOPS, 4).rstrip() + "\n" + indented(use, 8))
        yield KINDS.replace("USE\n", indented(IN_BRANCH, 4).rstrip() + "\n" + indented(use, 8))


PROGRAMS = Crossing(
    sources(), "held", lambda variables: ({"l": [0.5, 1.5, 0.25], "d": {"a": 0.5, "b": 0.75, 3: 1.25}},)
)


@pytest.mark.parametrize("way", WAYS)
def test_what_holds_and_is_held_is_differentiated(way: str) -> None:
    count = PROGRAMS.in_a_way(way, among=9)
    assert is_mostly_right(count, 2), count


def test_values_are_those_of_the_program() -> None:
    PROGRAMS.values(among=11)


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count = PROGRAMS.twice(way, among=13)
    assert is_mostly_right(count, 0.6), count


def test_the_same_gradients_as_of_the_graph() -> None:
    count = PROGRAMS.of_the_graph(among=17)
    assert count["right"] >= 5, count
