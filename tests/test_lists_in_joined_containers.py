"""Lists in lists, tuples and dicts that staged statements bind, under several names.

A container that a statement binds is joined by what it holds. Each program of the table then reads, writes or
compares: the result is CPython's, one list at two places included, or the program is refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from inspect import cleandoc
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

MADE = {
    "if": """
o = [0.0]
if n > 1:
    r = [[x], [x, 2.0]]
else:
    r = [[1.0], [x, 3.0]]
""",
    "if old": """
o = [[x], [x, 2.0]]
r = o
if n > 1:
    r = [[1.0], [x, 3.0]]
""",
    "if inner old": """
o = [x]
if n > 1:
    r = [o, [x, 2.0]]
else:
    r = [[1.0], [x, 3.0]]
""",
    "if inner new": """
o = [0.0]
if n > 1:
    o = [x]
    r = [o, [x, 2.0]]
else:
    r = [[1.0], [x, 3.0]]
""",
    "if twice": """
o = [0.0]
if n > 1:
    o = [x]
    r = [o, o]
else:
    r = [[1.0], [x]]
""",
    "if dict": """
o = [0.0]
if n > 1:
    o = [x]
    r = {0: o, 1: [x, 2.0]}
else:
    r = {0: [1.0], 1: [x, 3.0]}
""",
    "if tuple": """
o = [0.0]
if n > 1:
    o = [x]
    r = ([o], [x, 2.0])
else:
    r = ([[1.0]], [x, 3.0])
""",
    "if tuple2": """
o = [0.0]
if n > 1:
    o = [x]
    r = (o, [x, 2.0])
else:
    r = ([1.0], [x, 3.0])
""",
    "loop": """
r = [[x], [x, 2.0]]
o = r
for i in range(n):
    r = [[x * i], [x, 3.0 * i]]
""",
    "loop inner": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    r = [[x * i], [x, 3.0 * i]]
""",
    "loop keep": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    r = [r[0], [x, 3.0 * i]]
""",
    "loop keep2": """
o = [x]
r = [o, [x]]
for i in range(n):
    r = [r[1], r[0]]
""",
    "loop new shared": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    o = [x * i]
    r = [o, [x, 3.0 * i]]
""",
    "loop opt": """
o = None
r = None
for i in range(n):
    o = [x * i]
    if r is None or i > 1:
        r = [o, [x, 3.0 * i]]
""",
    "loop some": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    if i > 1:
        r = [[x], [x, 3.0 * i]]
""",
    "loop write": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    r[0][0] = x * i
    r = [[x * i], [x, 3.0 * i]]
""",
    "loop write2": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    r = [[x * i], [x, 3.0 * i]]
    r[0][0] = x * 9
""",
    "loop write3": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    o[0] = x * i
    r = [[x * i], r[1]]
""",
    "loop append": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    r[1].append(x)
    r = [r[1], [x, 3.0 * i]]
""",
    "loop arr": """
o = np.ones(2)
r = [[o], [o * 2]]
for i in range(n):
    r = [[o * i], [r[0][0]]]
""",
    "loop tuple": """
o = [x]
r = (o, [x, 2.0])
for i in range(n):
    r = ([x * i], [x, 3.0 * i])
""",
    "loop tuple keep": """
o = [x]
r = (o, [x, 2.0])
for i in range(n):
    r = (r[0], [x, 3.0 * i])
""",
    "loop tuple swap": """
o = [x]
r = (o, [x])
for i in range(n):
    r = (r[1], r[0])
""",
    "loop tuple some": """
o = [x]
r = (o, [x, 2.0])
for i in range(n):
    if i > 1:
        r = ([x], [x, 3.0 * i])
""",
    "grad": """
o = None
r = ag.grad(loss)([[x], [x, 2.0]])
for i in range(n):
    o = r[0]
    r = ag.grad(loss)([[x * i], [x, 2.0 * i]])
""",
    "grad keep": """
o = [x]
r = [o, [x, 2.0]]
for i in range(n):
    r = ag.grad(loss)(r)
""",
}
USES = (
    """
return r, o
""",
    """
r[0][0] = 7.0
return r, o
""",
    """
o[0] = 7.0
return r, o
""",
    """
r[1][0] = 7.0
return r, o
""",
    """
r[0].append(5.0)
return r, o
""",
    """
o.append(5.0)
return r, o
""",
    """
return r[0] is o
""",
    """
return r is o
""",
    """
return r[0] is r[1]
""",
    """
r[0] += [4.0]
return r, o
""",
    """
s = r
s[1].append(4.0)
return r, s, o
""",
    """
r[0], q = [3.0], r[0]
q[0] = 8.0
return r, q, o
""",
    """
for q in (r[0], r[1]):
    q[0] = q[0] + 1.0
return r, o
""",
    """
j = 0
while j < n:
    r[0][0] = r[0][0] + 1.0
    j += 1
return r, o
""",
    """
j = 0
while j < n:
    r = [r[1], r[0]]
    j += 1
return r, o
""",
    """
return len(r), len(r[0]), r[0] == o
""",
    """
if n > 2:
    r[0][0] = 3.0
return r, o
""",
    """
if n > 2:
    o[0] = 3.0
return r, o
""",
    """
q = r[1]
if n > 2:
    q = r[0]
q[0] = 6.0
return r, o, q
""",
    """
rs = []
for i in range(n):
    rs.append(r[0])
r[0][0] = 4.0
return r, o, rs
""",
)


HEAD = """
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, NamedTuple

import autograph as ag
import numpy as np


@dataclass
class Layer:
    w: Any
    b: Any


class P(NamedTuple):
    w: Any
    b: Any


def loss(p):
    total = 0.0
    for row in p:
        for value in row:
            total = total + value**2
    return total
"""


def function_text(name: str, arguments: str, *statements: str) -> str:
    lines = [line for part in statements for line in cleandoc(part).splitlines()]
    return f"\n\ndef {name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines)


def shape_of(value: Any, seen: dict[int, int]) -> Any:
    """A value with the number of each list and dict, which says what is one object."""
    if isinstance(value, dict):
        return seen.setdefault(id(value), len(seen)), {k: shape_of(part, seen) for k, part in value.items()}
    if isinstance(value, (list, tuple)):
        number = seen.setdefault(id(value), len(seen)) if isinstance(value, list) else None
        return number, type(value), [shape_of(part, seen) for part in value]
    if dataclasses.is_dataclass(value):
        return type(value).__name__, shape_of(vars(value), seen)
    return None if value is None else np.asarray(value).tolist()


@pytest.mark.parametrize("made", MADE)
def test_a_list_in_another_container_is_one_object_or_refused(made: str, tmp_path: Path) -> None:
    texts = [function_text(f"use_{number}", "x, n", MADE[made], use) for number, use in enumerate(USES)]
    module = module_of(HEAD + "".join(texts), tmp_path, f"lists_{made.replace(' ', '_')}")
    works = 0
    for number in range(len(USES)):
        program = getattr(module, f"use_{number}")
        staged = ag.function(program)
        works += sum(is_same_or_refused(program, staged, 1.5, np.int64(n)) for n in (0, 1, 4))
    # A row of a table has no length that is known, as `ag.grad` needs it.
    assert works >= (6 if made == "grad keep" else 2 * len(USES))


def is_same_or_refused(program: Callable[..., Any], staged: Callable[..., Any], *arguments: Any) -> bool:
    try:
        result = staged(*arguments)
    except ag.errors.StagingError as error:
        assert error.code != "AG208" and error.location is not None and error.help, str(error)
        return False
    except (AttributeError, TypeError) as error:  # Of `None`, as in CPython.
        with pytest.raises(type(error)):
            program(*arguments)
        return True
    assert shape_of(result, {}) == shape_of(program(*arguments), {})
    return True


INNER = {
    "an array": "{v}",
    "a list": "[{v}]",
    "lists of two kinds": "[{v}, x[0]]",
    "a tuple": "({v}, 1.0)",
    "a dict": "{{'k': {v}}}",
    "a NamedTuple": "P({v}, 2.0)",
    "an OrderedDict": "OrderedDict(k={v})",
    "an object": "Layer({v}, 2.0)",
}
OUTER = {
    "a list": "[{i}, {j}]",
    "a tuple": "({i}, {j})",
    "a dict": "{{'a': {i}, 'b': {j}}}",
    "a NamedTuple": "P({i}, {j})",
    "an OrderedDict": "OrderedDict(a={i}, b={j})",
    "an object": "Layer({i}, {j})",
}
CHOICES = (
    """
r = MADE(x)
if n > 1:
    r = MADE(x + n)
return r
""",
    """
r = MADE(x)
for i in range(n):
    r = MADE(x * i)
return r
""",
    """
r = None
for i in range(n):
    new = MADE(x * i)
    if r is None or i > 1:
        r = new
return r
""",
    """
r, i = MADE(x), 0
while i < n:
    new = MADE(x * i)
    if i > 1:
        r = new
    i += 1
return r
""",
    """
r = p
for i in range(n):
    new = MADE(x * i)
    if i > 1:
        r = new
return r
""",
    """
r = p
for i in range(n):
    r = MADE(x * i)
return r
""",
    """
r, s = None, MADE(x)
for i in range(n):
    s = r if i > 2 else s
    r = MADE(x * i)
return r, s
""",
    """
rs = []
for i in range(n):
    new = MADE(x * i)
    if i != 1:
        rs.append(new)
return rs
""",
)


LEAST = {("an OrderedDict", "an object"): 0}
"""How many of the 24 calls are staged at least: a row of a table holds no `OrderedDict`."""


def made(outer: str, inner: str, value: str) -> str:
    parts = [INNER[inner].format(v=one) for one in (value, f"({value}) * 2")]
    return OUTER[outer].format(i=parts[0], j=parts[1])


def with_displays(choice: str, outer: str, inner: str) -> str:
    values = ("x * i", "x + n", "x")
    for value in values:
        choice = choice.replace(f"MADE({value})", made(outer, inner, value))
    return choice


@pytest.mark.parametrize("outer", OUTER)
@pytest.mark.parametrize("inner", INNER)
def test_each_container_in_each_is_chosen(inner: str, outer: str, tmp_path: Path) -> None:
    texts = [
        function_text(f"choice_{number}", "p, x, n", with_displays(choice, outer, inner))
        for number, choice in enumerate(CHOICES)
    ]
    text = HEAD + "".join(texts) + function_text("first", "x", f"return {made(outer, inner, 'x')}")
    module = module_of(text, tmp_path, f"chosen_{list(INNER).index(inner)}_{list(OUTER).index(outer)}")
    works = 0
    for number in range(len(CHOICES)):
        program = getattr(module, f"choice_{number}")
        staged = ag.function(program)
        x = np.array([1.0, 2.0])
        works += sum(is_same_or_refused(program, staged, module.first(x), x, np.int64(n)) for n in (0, 1, 4))
    assert works >= LEAST.get((inner, outer), 12 if "an OrderedDict" in (inner, outer) else 18)


def with_a_function(x, n):
    found = None
    for i in range(n):
        new = (i, partial(np.add, x * i))
        if found is None or i > 1:
            found = new
    return found


def with_a_function_in_a_branch(x, n):
    found = None
    if n > 1:
        found = (n, partial(np.add, x * n))
    return found is None


@pytest.mark.parametrize("program", [with_a_function, with_a_function_in_a_branch])
def test_what_cannot_leave_its_block_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(ag.errors.StagingError, match="cannot leave it") as caught:
        ag.function(program)(1.5, np.int64(3))
    assert caught.value.code == "AG133" and caught.value.location is not None
    assert caught.value.location.file == __file__


def by_transformations(x, n):
    found = None
    for i in range(n):
        rows = ag.vmap(lambda a: [a, a * 2.0])(x * i)
        new = (x, rows, ag.jvp(lambda a: [a * a], (x,), (x,))[1], ag.jacrev(lambda a: {"k": a[0] * 2.0})([x]))
        if found is None or i > 1:
            found = new
    return found


def test_results_of_transformations_are_containers_of_the_program() -> None:
    x = np.array([1.0, 2.0])
    for n in (0, 1, 4):
        expected = shape_of(by_transformations(x, n), {})
        assert shape_of(ag.function(by_transformations)(x, np.int64(n)), {}) == expected
