"""Lists that objects hold, changed in each way and in each place: items are set, deleted, taken and put in.

::

    class Box:
        def __init__(self, items):
            self.items = items

        def act(self, v):
            self.items.pop(0)
            self.items.append(v)

    def program(x, s):
        b = Box([s, x[0] * s, s * 2.0])
        for i in range(5):
            s = s * 0.9
            b.act(s * x[1])
        return ...

Each program is held against differences in all modes and motions, its value to the bit, its second
derivatives against differences of the first, and its gradient against that of the graph. It is right, or
refused with its place and a remedy.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from tangent_ways import SECOND, WAYS, Crossing, indented, is_mostly_right

ACTS = {
    "sets the first": "LIST[0] = V",
    "sets the last": "LIST[-1] = V",
    "sets where a number says": "LIST[k] = V",
    "sets by itself": "LIST[0] = LIST[0] + V",
    "sets by another": "LIST[1] = LIST[0] * V",
    "adds": "LIST[0] += V",
    "scales": "LIST[-1] *= V",
    "deletes": "del LIST[0]\nLIST.append(V)",
    "deletes the last": "LIST.append(V)\ndel LIST[-2]",
    "queue": "w = LIST.pop(0)\nLIST.append(w * V)",
    "queue that reads": "LIST.append(LIST[0] + V)\ndel LIST[0]",
    "queue of itself": "LIST.append(LIST.pop(0) * V)",
    "stack": "w = LIST.pop()\nLIST.append(w * V)",
    "stack of itself": "LIST.append(LIST.pop() * V)",
    "inserts": "LIST.insert(0, V)",
    "inserts and drops": "LIST.insert(1, V * V)\nLIST.pop()",
    "reverses": "LIST.reverse()\nLIST[0] = LIST[1] * V",
    "extends": "LIST.extend([V, V * V])",
    "clears": "LIST.clear()\nLIST.extend([V, V * 2.0, V])",
    "swaps": "LIST[0], LIST[1] = LIST[1], LIST[0]\nLIST[0] = LIST[0] * V",
    "slice": "LIST[0:1] = [V, V * V]",
    "binds anew": "LIST = [V, LIST[0], LIST[1]]",
    "by a name": "ys = LIST\nys[0] = ys[1] * V\nys.append(V)",
    "branches": "if V.sum() > 0.5:\n    LIST[0] = V\nelse:\n    LIST.append(V)",
}
PLACES = {
    "here": "ACT",
    "method": "b.act(VALUE, 1)",
    "method of a method": "b.outer(VALUE, 1)",
    "function": "act(b, VALUE, 1)",
    "callee of a callee": "outer(b, VALUE, 1)",
    "object in an object": "o.act(VALUE, 1)",
}
CONTEXTS = {
    "once": "ACT",
    "loop of five": "for i in range(5):\n    s = s * 0.9\n    ACT",
    "branch by data": "if s > 1.0:\n    ACT\nelse:\n    s = s * 2.0",
    "branch in a loop": "for i in range(5):\n    s = s * 0.9\n    if s > 0.9:\n        ACT\n    else:\n"
    "        s = s + x[0]",
    "while": "n = 0\nwhile n < 5:\n    n += 1\n    s = s * 0.9\n    ACT",
}
STARTS = {
    "numbers": "[s, x[0] * s, s * 2.0]",
    "arrays": "[x * s, x * x, x + s]",
    "plain numbers": "[0.5, 0.25, 1.0]",
    "plain arrays": "[np.ones(3), np.full(3, 0.5), np.arange(3.0)]",
}
TEXT = """
class Box:
    def __init__(self, items):
        self.items = items

    def act(self, v, k):
METHOD
    def grow(self, v):
        self.items.append(v)

    def outer(self, v, k):
        self.act(v, k)
        self.grow(v * v)

class Outer:
    def __init__(self, box):
        self.box: Box = box

    def act(self, v, k):
        self.box.act(v, k)

def act(box: Box, v, k):
FUNCTION
def outer(box: Box, v, k):
    act(box, v, k)
    act(box, v * v, 0)

def program(x, s):
    b = Box(START)
MORE
CONTEXT
    return np.sum(WHOLE[0] * WHOLE[1] + WHOLE[-1] * s) * x[2] + len(WHOLE)
"""


def act_of(act: str, held: str, value: str) -> str:
    return act.replace("LIST", held).replace("V", value)


def sources() -> Iterator[str]:
    """Programs of an array `x` and a number `s`."""
    every = itertools.product(ACTS.values(), PLACES.items(), CONTEXTS.values(), STARTS.items())
    for act, (place, call), context, (start, items) in every:
        value = "(x * s)" if "arrays" in start else "(s * x[1])"
        call = call.replace("ACT", act_of(act, "b.items", value)).replace("VALUE", value)
        lines = context.replace("[k]", "[1]").split("\n")
        body = "\n".join(
            indented(call.replace("[k]", "[1]"), len(line) - len(line.lstrip())).rstrip("\n")
            if line.strip() == "ACT"
            else line
            for line in lines
        )
        in_object = "object" in place
        text = TEXT.replace("METHOD\n", indented(act_of(act, "self.items", "v"), 8))
        text = text.replace("FUNCTION\n", indented(act_of(act, "box.items", "v"), 4))
        text = text.replace("MORE\n", "    o = Outer(b)\n" if in_object else "")
        text = text.replace("CONTEXT\n", indented(body, 4)).replace("START", items)
        yield text.replace("WHOLE", "o.box.items" if in_object else "b.items")


PROGRAMS = Crossing(sources(), "listed")


@pytest.mark.parametrize("way", WAYS)
def test_lists_in_objects_are_differentiated(way: str) -> None:
    count = PROGRAMS.in_a_way(way, among=37)
    assert is_mostly_right(count, 3), count


def test_values_are_those_of_the_program() -> None:
    count = PROGRAMS.values(among=41)
    assert is_mostly_right(count, 3), count


@pytest.mark.parametrize("way", SECOND)
def test_second_derivatives(way: str) -> None:
    count = PROGRAMS.twice(way, among=43)
    assert is_mostly_right(count, 3), count


def test_the_same_gradients_as_of_the_graph() -> None:
    count = PROGRAMS.of_the_graph(among=47)
    assert count["right"] >= 5, count
