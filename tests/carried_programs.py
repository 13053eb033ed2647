"""Programs whose loops carry containers: a container, where it comes from, what a loop does, the loop.

def f(given, other, a, b, x, n):
    p, q = given, other                  # a place that it comes from
    for i in range(n):                   # a loop
        p = State(p.v * 0.5 + x, p.w)    # a use, of a container
    return p
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from crossing.program import Case

PREAMBLE = """\
from __future__ import annotations

import copy
import dataclasses
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np
import autograph as ag


class Pair(NamedTuple):
    v: object
    w: object


@dataclass
class State:
    v: object
    w: object


@dataclass(frozen=True)
class Frozen:
    v: object
    w: object


@dataclass
class Layers:
    v: list
    w: object


@dataclass
class Named:
    v: dict
    w: object


@dataclass
class Outer:
    v: State
    w: object


class Cell:
    def __init__(self, v):
        self.v = v


def of_given(a, b):
    return {make}


def step(p, x):
    return {step}


A, B = {leaf}, {leaf} * 2
AROUND, ASIDE = of_given({leaf}, {leaf}), of_given({leaf} * 2, {leaf})
"""


@dataclass(frozen=True)
class Container:
    """A container of two values `a` and `b`.

    Attributes:
        make: An expression that makes it.
        step: What a step makes of one called `p`; `u(…)` stands for a new value of a leaf.
        write: A statement that writes one of its parts; `None` if it has none that can be written.
        inner: A statement that writes a part of its part.
        first: An expression for its first leaf.
        grown: A statement that makes it, or a list in it, longer.
        at: A statement that binds the part at a place of the run anew.
    """

    make: str
    step: str
    write: str | None
    inner: str | None
    first: str
    grown: str | None = None
    at: str | None = None


CONTAINERS = {
    "list": Container(
        "[a, b]", "[u(e) for e in p]", "p[0] = u(p[1])", None, "p[0]",
        "p.append(u(p[-1]))", "p[i % 2] = u(p[0])",
    ),
    "tuple": Container("(a, b)", "(u(p[0]), u(p[1]))", None, None, "p[0]"),
    "dict": Container(
        "{'a': a, 'b': b}", "{k: u(e) for k, e in p.items()}", "p['a'] = u(p['b'])", None, "p['a']"
    ),
    "ordered": Container(
        "OrderedDict(a=a, b=b)",
        "OrderedDict((k, u(e)) for k, e in p.items())",
        "p['a'] = u(p['b'])",
        None,
        "p['a']",
    ),
    "defaulting": Container(
        "defaultdict(float, a=a, b=b)",
        "defaultdict(float, {k: u(e) for k, e in p.items()})",
        "p['a'] = u(p['b'])",
        None,
        "p['a']",
    ),
    "named": Container("Pair(a, b)", "Pair(u(p.v), u(p.w))", "p = p._replace(v=u(p.w))", None, "p.v"),
    "dataclass": Container("State(a, b)", "State(u(p.v), u(p.w))", "p.v = u(p.w)", None, "p.v"),
    "frozen": Container(
        "Frozen(a, b)", "Frozen(u(p.v), u(p.w))", "p = dataclasses.replace(p, v=u(p.w))", None, "p.v"
    ),
    "replaced": Container(
        "State(a, b)", "dataclasses.replace(p, v=u(p.v))", "p = dataclasses.replace(p, v=u(p.w))", None, "p.v"
    ),
    "list of lists": Container(
        "[[a, b], [b]]", "[[u(e) for e in q] for q in p]", "p[0] = [u(e) for e in p[0]]",
        "p[0][1] = u(p[1][0])", "p[0][0]",
        "p[i % 2].append(u(p[1][0]))", "p[i % 2] = [u(e) for e in p[0]]",
    ),
    "list of tuples": Container(
        "[(a, 1), (b, 2)]", "[(u(e), k + 1) for e, k in p]", "p[0] = (u(p[1][0]), p[0][1] + 1)", None,
        "p[0][0]", "p.append((u(p[-1][0]), i))", "p[i % 2] = (u(p[0][0]), i)",
    ),
    "list of dicts": Container(
        "[{'a': a}, {'a': b}]", "[{k: u(e) for k, e in q.items()} for q in p]",
        "p[0] = {'a': u(p[1]['a'])}", "p[0]['a'] = u(p[1]['a'])", "p[0]['a']",
        "p.append({'a': u(p[-1]['a'])})", "p[i % 2] = {'a': u(p[0]['a'])}",
    ),
    "list of dataclasses": Container(
        "[State(a, b), State(b, a)]", "[State(u(q.v), u(q.w)) for q in p]",
        "p[0] = State(u(p[1].v), p[0].w)", "p[0].v = u(p[1].w)", "p[0].v",
        "p.append(State(u(p[-1].v), p[0].w))", "p[i % 2] = State(u(p[0].v), p[1].w)",
    ),
    "tuple of lists": Container(
        "([a, b], [b])", "([u(e) for e in p[0]], [u(e) for e in p[1]])",
        "p = (p[0], [u(e) for e in p[1]])", "p[0][1] = u(p[1][0])", "p[0][0]",
        "p[0].append(u(p[1][0]))",
    ),
    "dict of lists": Container(
        "{'a': [a, b], 'b': [b]}", "{k: [u(e) for e in q] for k, q in p.items()}",
        "p['a'] = [u(e) for e in p['a']]", "p['a'][1] = u(p['b'][0])", "p['a'][0]",
        "p['a'].append(u(p['b'][0]))",
    ),
    "dataclass with list": Container(
        "Layers([a, b], b)", "Layers([u(e) for e in p.v], u(p.w))", "p.v = [u(e) for e in p.v]",
        "p.v[1] = u(p.w)", "p.v[0]", "p.v.append(u(p.w))",
    ),
    "dataclass with dict": Container(
        "Named({'a': a}, b)", "Named({k: u(e) for k, e in p.v.items()}, u(p.w))",
        "p.v = {k: u(e) for k, e in p.v.items()}", "p.v['a'] = u(p.w)", "p.v['a']",
    ),
    "nested dataclass": Container(
        "Outer(State(a, b), b)", "Outer(State(u(p.v.v), u(p.v.w)), u(p.w))", "p.v = State(u(p.w), p.v.w)",
        "p.v.v = u(p.v.w)", "p.v.v",
    ),
}  # fmt: skip

LEAVES = {
    "array": ("np.array([1.0, 2.0])", "np.array([0.25, 0.5, 3.0])", "{0} * 0.5 + x"),
    "float": ("1.5", "0.75", "{0} * 0.5 + x"),
    "int": ("3", "5", "{0} + 1"),
}
"""Two values of a leaf, and what a step makes of one."""

ENTRIES = {
    "made before": "p, q = {make}, {made_of_others}",
    "argument": "p, q = given, other",
    "callee": "p, q = of_given(a, b), of_given(b, a)",
    "global": "p, q = AROUND, ASIDE",
}
"""Where the container `p`, and another one `q`, come from."""

USES = {
    "rebound": ("p = {step}", "return p"),
    "by a callee": ("p = step(p, x)", "return p, q"),
    "written": ("{write}", "return p"),
    "inner written": ("{inner}", "return p, q"),
    "swapped": ("p, q = q, p", "return p, q"),
    "swapped anew": ("p, q = q, {step}", "return p, q"),
    "chosen": ("if i % 2 == 0:\n    p = {step}\nelse:\n    p = q", "return p"),
    "appended": ("out.append({step})", "return out"),
    "carried and appended": ("p = {step}\nout.append(p)", "return out, p"),
    "returned": ("p = {step}\nif i > 4:\n    return p", "return {step}"),
    "in a list": ("p = box[0]\nbox[0] = {step}", "return box"),
    "an attribute": ("p = cell.v\ncell.v = {step}", "return cell.v"),
    "grown": ("{grown}", "return p, q"),
    "at": ("{at}", "return p, q"),
    "compared": ("p = {step}", "return p is q"),
    "read after": ("p = {step}", "return {first}, {first} + x"),
    "written after": ("p = {step}", "{write}\nreturn p, given"),
    "kept": ("best = p\np = {step}", "return p, best"),
}
"""What a loop does with it, and what follows."""

LOOPS = {
    "while": "i, t = 0, 0.5 + 0.0 * x\nwhile t < n:\n{body}    i, t = i + 1, t + 1.0",
    "for": "for i in range(n):\n{body}",
    "break": "for i in range(n):\n{body}    if x * i > 1.5:\n        break",
    "nested": "for j in range(n):\n    for i in range(j):\n{inner_body}",
}

CALLS = ((0.25, 3), (0.5, 0), (0.75, 1), (0.125, 100))
"""The step and the number of rounds of each call; one call more has leaves of another size."""

PROGRAM = """

def f(given, other, a, b, x, n):
{head}{loop}{end}"""


def indented(text: str, by: int = 1) -> str:
    return "".join(f"{'    ' * by}{line}\n" for line in text.splitlines())


def written_out(text: str, leaf: str) -> str:
    """A text with `u(…)` replaced by the new value of a leaf."""
    while "u(" in text:
        start = text.index("u(")
        depth, end = 1, start + 2
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[:start] + leaf.format(text[start + 2 : end - 1]) + text[end:]
    return text


def case_of(container: str, entry: str, use: str, loop: str, leaf: str) -> Case | None:
    """A program; `None` where the container has nothing to write."""
    kind = CONTAINERS[container]
    first, second, new = LEAVES[leaf]
    body, end = USES[use]
    for name in ("write", "inner", "grown", "at"):
        if f"{{{name}}}" in body + end and getattr(kind, name) is None:
            return None
    parts = {name: written_out(text or "", new) for name, text in dataclasses.asdict(kind).items()}
    head = ENTRIES[entry].replace("{made_of_others}", "of_given(b, a)").replace("{make}", kind.make)
    for name, text in parts.items():
        body, end = body.replace(f"{{{name}}}", text), end.replace(f"{{{name}}}", text)
    lines = LOOPS[loop].replace("{body}", indented(body)).replace("{inner_body}", indented(body, 2))
    head = f"out, best = [], None\n{head}\nbox, cell = [p], Cell(p)"
    text = PREAMBLE.replace("{make}", parts["make"]).replace("{step}", parts["step"]).replace("{leaf}", first)
    text += PROGRAM.format(head=indented(head), loop=indented(lines), end=indented(end))
    values = f"of_given({first}, {first} * 2), of_given({first} * 3, {first}), {first}, {first} * 4"
    inputs = [f"({values}, np.float64({step}), np.int64({rounds}))" for step, rounds in CALLS]
    larger = values.replace(first, second)
    inputs.append(f"({larger}, np.float64(0.3), np.int64(7))")
    return Case((container, entry, use, f"{loop} {leaf}"), text, tuple(inputs))


def cases() -> Iterator[Case]:
    """All programs; each has leaves of one class, which go round."""
    leaves = itertools.cycle(LEAVES)
    for parts in itertools.product(CONTAINERS, ENTRIES, USES, LOOPS):
        found = case_of(*parts, next(leaves))
        if found is not None:
            yield found
