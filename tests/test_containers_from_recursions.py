"""Containers that a function of the graph gives back: which of those that it was given only the run knows.

What CPython changes is changed, or the program is refused, and nothing has changed.
"""

from __future__ import annotations

import copy
import itertools

import autograph as ag
import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

KINDS = {
    "list": ("[1, 2]", "[3]"),
    "list of both": ("[1.5, 2]", "[3.0]"),
    "list of lists": ("[[1]]", "[[0]]"),
    "list of arrays": ("[np.ones(2)]", "[np.zeros(2)]"),
    "dict": ("{'a': 1, 'b': 2.0}", "{'a': 5, 'b': 1.0}"),
    "dict of lists": ("{'a': [1]}", "{'a': [5]}"),
    "dict of arrays": ("{'a': np.ones(2)}", "{'a': np.zeros(2)}"),
    "dataclass": ("P(1.0)", "P(2.0)"),
    "dataclass of lists": ("P([1.0])", "P([2.0])"),
    "object": ("Q(1.0)", "Q(2.0)"),
    "object of lists": ("Q([1.0])", "Q([2.0])"),
    "tuple of lists": ("([1], 2)", "([3], 4)"),
    "tuple of arrays": ("(np.ones(2), 2)", "(np.zeros(2), 4)"),
    "array": ("np.ones(2)", "np.zeros(2)"),
    "set": ("{1, 2}", "{3}"),
}
CHANGES = (
    *("append(3)", "pop()", "sort()", "clear()", "update(a=9)", "add(7)", "extend(range(2))"),
    *(" += [7]", "[0] = 7", "['a'] = 7", "['z'] = 7", ".a = 7.0", " += 1.0", "[:] = range(2)"),
    *("['a'].append(7)", "['a'][0] = 7.0", ".a.append(7.0)", "[0].append(7)", "[0][0] = 7.0", "[-1:] = []"),
)
MAKERS = {
    "one of two": "v = walk(x, y, n)",
    "the first": "v = first(x, y, n)",
    "bound anew": "v = deep(x, y, n)",
    "in a tuple": "v, _ = tupled(x, y, n)",
    "by a closure": "v = inner(x, y, n)",
    "in a list given": "v = kept(x, [y], n)[0]",
    "in a list made": "v = inlist(x, y, n)[0]",
    "in a dict made": "v = indict(x, y, n)['v']",
    "one argument": "v = one(x, n)",
    "a new one": "v = fresh(x, y, n)",
    "one of two in a loop": "v = x\n    for _ in range(3):\n        v = walk(v, y, n)",
    "an argument after a call": "v = after(x, y, n)",
}
PREAMBLE = """
from dataclasses import dataclass
import copy
import numpy as np


@dataclass
class P:
    a: object


class Q:
    def __init__(self, a):
        self.a = a

    def __repr__(self):
        return f"Q({self.a!r})"


def walk(x, y, n):
    if n <= 0:
        return x
    if n == 1:
        return y
    return walk(y, x, n - 2)


def first(x, y, n):
    if n <= 0:
        return x
    return first(x, y, n - 1)


def one(x, n):
    if n <= 0:
        return x
    return one(x, n - 1)


def deep(x, y, n):
    if n <= 0:
        return x
    v = deep(x, y, n - 1)
    if n > 1:
        v = y
    return v


def tupled(x, y, n):
    if n <= 0:
        return x, 0
    v, k = tupled(y, x, n - 1)
    return v, k + 1


def inner(x, y, n):
    def go(k):
        if k <= 0:
            return x
        return go(k - 1) if k % 2 else y

    return go(n)


def kept(x, ys, n):
    if n <= 0:
        return ys
    return kept(ys[0], [x], n - 1)


def inlist(x, y, n):
    if n <= 0:
        return [x]
    return inlist(y, x, n - 1)


def indict(x, y, n):
    if n <= 0:
        return {"v": x, "n": n}
    return indict(y, x, n - 1)


def after(x, y, n):
    if n <= 0:
        return copy.deepcopy(y)
    after(x, y, n - 1)
    return x


def fresh(x, y, n):
    if n <= 0:
        return copy.deepcopy(x)
    v = fresh(y, x, n - 1)
    return v
"""
CALLS = [(np.int64(n),) for n in (0, 1, 2, 5)]
CASES = [
    pytest.param(kind, maker, is_local, id=f"{kind}, {maker}, {'made inside' if is_local else 'given'}")
    for (k, kind), (m, maker), is_local in itertools.product(enumerate(KINDS), enumerate(MAKERS), (0, 1))
    if in_turn(k, m, is_local, among=13)
]


def _programs(kind: str, maker: str, is_local: int) -> tuple[str, dict[str, list[tuple[object, ...]]]]:
    x, y = KINDS[kind]
    text, calls = PREAMBLE, {}
    for number, (change, changed) in enumerate(itertools.product(CHANGES, "vxy")):
        name = f"f{number}"
        dot = "" if change[0] in " [." else "."
        made = f"x, y = {x}, {y}\n    " if is_local else ""
        body = f"{made}{MAKERS[maker]}\n    {changed}{dot}{change}\n    return v, x, y\n"
        text += f"\n\ndef {name}(n, x, y):\n    {body}"
        scope = {"np": np}
        exec(PREAMBLE, scope)
        calls[name] = [(*call, eval(x, scope), eval(y, scope)) for call in CALLS]
    return text, calls


def _runs(module: object, name: str, calls: list[tuple[object, ...]]) -> bool:
    """Whether CPython runs a program: one that raises says nothing of what is changed."""
    try:
        for call in calls:
            getattr(module, name)(*copy.deepcopy(call))
    except (TypeError, AttributeError, KeyError, IndexError, ValueError):
        return False
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "maker", "is_local"), CASES)
def test_what_is_changed(kind, maker, is_local, tmp_path):
    text, calls = _programs(kind, maker, is_local)
    module = module_of(text, tmp_path, "containers_from_recursions")
    running = {name: given for name, given in calls.items() if _runs(module, name, given)}
    assert running
    same, different, _ = compared(module, running)
    assert different == []
    assert same or maker != "a new one" or kind == "set"


def test_a_new_one_may_be_changed():
    def scores(xs, n):
        if n == 0:
            return {"total": 0.0, "seen": []}
        found = scores(xs, n - 1)
        found["total"] += xs[n - 1]
        found["seen"].append(n)
        return found

    def f(xs, n):
        found = scores(xs, n)
        found["seen"].append(0)
        found["total"] += 1.0
        return found

    xs = np.array([1.0, 2.5, 4.0])
    staged = ag.function(f)
    for n in (3, 1, 2):
        assert staged(xs, np.int64(n)) == f(xs, n)
