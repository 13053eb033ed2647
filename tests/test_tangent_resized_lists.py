"""Lists that have two names and get longer, shorter or another order by one of them, in callees or not."""
# mypy: ignore-errors

from __future__ import annotations

import linecache
import re
import textwrap

import autograph as ag
import numpy as np
import pytest
from autograph import tangent

AROUND = """
class Holder:
    def __init__(self, held):
        self.held = held

def total(items):
    s = 0.0
    for a in items:
        s = s * 0.5 + a * a
    return s

def put(e: list, v):
WRITE

def put_twice(e: list, v):
    put(e, v)
    put(e, v * v)

def program(x):
BODY
    return s
"""

MADE = {
    "dict": ("p = {'l': [x * 1.0, x * x, x + 1.0]}", "p['l']"),
    "list": ("p = [[x * 1.0, x * x, x + 1.0], [x]]", "p[0]"),
    "dict in a dict": ("p = {'q': {'l': [x * 1.0, x * x, x + 1.0]}}", "p['q']['l']"),
    "object": ("p = Holder([x * 1.0, x * x, x + 1.0])", "p.held"),
    "name": ("p = [x * 1.0, x * x, x + 1.0]", "p"),
}
WRITES = {
    "append and item": "e.append(v * 2.0)\ne[0] = v * 3.0",
    "append": "e.append(v * 2.0)",
    "item": "e[0] = v * 3.0",
    "pop": "e.pop()",
    "pop the first": "e.pop(0)",
    "extend": "e.extend([v, v * v])",
    "insert": "e.insert(1, v * v)",
    "del": "del e[0]",
    "append and pop": "e.append(v)\ne.pop(0)",
    "branch": "if v > 0:\n    e.append(v * 3.0)\nelse:\n    e[0] = v",
    "loop": "for i in range(4):\n    e.append(v * i)\n    e[i] = e[i] * v",
    "reverse": "e.reverse()\ne.append(v)",
    "add": "e += [v, v * v]",
}
PLACES = {
    "callee": "put(e, x * x * x)",
    "twice": "put(e, x * x * x)\nput(HELD, x)",
    "callee of a callee": "put_twice(e, x)",
    "loop": "for k in range(4):\n    put(e, x * k)",
    "branch": "if x > 0:\n    put(e, x)",
    "after it was read": "t = HELD[0] * e[1]\nput(e, t)\nput(e, e[0] * HELD[0])",
    "here": "WRITE",
}
READ = {
    "items": "s = HELD[0] * HELD[-1] + e[0]",
    "loop": "s = 0.0\nfor a in HELD:\n    s = s * 1.5 + a * a",
    "length": "s = 0.0\nfor i in range(len(HELD)):\n    s = s * 1.5 + HELD[i] * x + e[i]",
    "given": "s = total(HELD) + total(e)",
}
IS_KEPT = (
    "the result of a function is changed in place",
    "a call writes into what `held_p` holds",
    "which is read later, may be the same",
)
"""An object that holds a list, of which the function does not know that it holds no arrays."""


def program(made: str, write: str, place: str, read: str):
    """The program of these four; none if Python fails."""
    first, held = MADE[made]
    here = re.sub(r"\bv\b", "(x * x)", WRITES[write])
    body = [first, f"e = {held}", PLACES[place].replace("WRITE", here), READ[read]]
    text = AROUND.replace("WRITE", textwrap.indent(WRITES[write], "    "))
    text = text.replace("BODY", textwrap.indent("\n".join(body), "    ").replace("HELD", held))
    name = f"<resized {made} {write} {place} {read}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict = {"__name__": "resized"}
    exec(compile(text, name, "exec"), space)
    try:
        space["program"](1.3)
    except IndexError:
        return None
    return space["program"]


def found_by(make, x: float, is_refused: bool):
    """A derivative; none if it is refused, where that may be."""
    try:
        return make()(x)
    except ag.ConversionError:
        if is_refused:
            return None
        raise
    except TypeError as error:
        if is_refused and any(words in str(error) for words in IS_KEPT):
            return None
        raise


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("made", MADE)
def test_both_names_have_the_list_as_it_is(made: str, place: str) -> None:
    x, step, count = 1.3, 1e-6, 0
    for write in WRITES:
        for read in READ:
            f = program(made, write, place, read)
            if f is None:
                continue
            wanted = (f(x + step) - f(x - step)) / (2 * step)
            is_refused = made == "object" or (write == "add" and place != "here")
            found = found_by(lambda f=f: tangent.grad(f), x, is_refused)
            forward = found_by(lambda f=f: lambda x, d=tangent.jvp(f): d(x, 1.0), x, is_refused)
            for one in (found, forward):
                if one is not None:
                    count += 1
                    np.testing.assert_allclose(one, wanted, rtol=1e-6, err_msg=f"{write} {read}")
    assert count >= (40 if made == "object" else 70), count


@pytest.mark.parametrize("place", ["callee", "twice", "branch"])
@pytest.mark.parametrize("made", MADE)
def test_twice(made: str, place: str) -> None:
    x, step, count = 1.3, 1e-6, 0
    for write in WRITES:
        f = program(made, write, place, "loop")
        if f is None:
            continue
        if found_by(lambda f=f: tangent.grad(f), x, True) is None:
            continue
        first = tangent.grad(f)
        wanted = (first(x + step) - first(x - step)) / (2 * step)
        is_refused = made in ("object", "list", "dict in a dict")
        second = found_by(lambda d=first: tangent.grad(d), x, is_refused)
        if second is not None:
            count += 1
            np.testing.assert_allclose(second, wanted, rtol=1e-5, err_msg=write)
    assert count >= 4 or made == "object", count


def part_of_an_array_in_a_list(x):
    a = np.ones((2, 2)) * x
    d = [a, a * x]
    row = a[0]
    row[1] = x * x
    s = np.sum(d[0] * d[0])
    d.reverse()
    return s + np.sum(d[0])


def test_a_part_of_an_array_in_a_list_that_changes_has_zeros_and_no_none() -> None:
    x, step = 1.3, 1e-6
    wanted = (part_of_an_array_in_a_list(x + step) - part_of_an_array_in_a_list(x - step)) / (2 * step)
    np.testing.assert_allclose(tangent.grad(part_of_an_array_in_a_list)(x), wanted, rtol=1e-6)
