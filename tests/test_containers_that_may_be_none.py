"""Lists, dicts, tuples and other values that may be `None`, in every use: `for v in found or []`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

VALUES = {
    "a list of the run": "[x * i for i in range(n)]",
    "a list": "[x, 2.0]",
    "a list of constants": "[1, 2]",
    "an empty list": "[]",
    "a list of lists": "[[x], [x, x]]",
    "a tuple": "(x, 2)",
    "a grown tuple": "tuple(x * i for i in range(n))",
    "a dict": "{'a': x, 'b': 1.0}",
    "a dict of the run": "{i: x * i for i in range(n)}",
    "a set": "{1, 2}",
    "a set of the run": "{i * 2 for i in range(n)}",
    "a deque": "deque([x, 1.0])",
    "a counter": "Counter([1, 1, 2])",
    "a string": "'ab'",
    "a text": "f'{x} of {n}'",
    "an array": "np.ones(2) * x",
    "a row": "np.arange(3.0)[1:] * x",
    "a float": "x * 2",
    "an int": "int(n) + 1",
    "a bool": "n > 1",
    "a dataclass": "D(x, [x])",
    "an object": "P(x)",
    "a range": "range(n)",
    "a function": "abs",
}
MAKERS = {
    "returned": "v = made(x, n)",
    "assigned": "v = None\n    if x > 0:\n        v = {value}",
    "in a loop": "v = None\n    for i in range(n):\n        if x > i - 1:\n            v = {value}",
    "by a ternary": "v = {value} if x > 0 else None",
    "in a dict": "v = {{'k': {value} if x > 0 else None}}.get('k')",
}
TESTS = {
    "not None": "if v is None:\n        return 'none'\n    {use}",
    "true": "if v:\n        {use}\n    return 'other', v is None",
    "not tested": "{use}",
    "or": "v = v or {empty}\n    {use}",
}
USES = {
    "walk": "return [y for y in v]",
    "loop": "for y in v:\n        print(y)\n    return 1",
    "length": "return len(v)",
    "item": "return v[0]",
    "last": "return v[-1]",
    "slice": "return v[1:]",
    "unpack": "a, b = v\n    return a, b",
    "star": "return [*v, 1]",
    "arguments": "return max(*v)",
    "in": "return 1 in v, 1.0 not in v",
    "list": "return list(v), tuple(v)",
    "sorted": "return sorted(v)",
    "sum": "return sum(v)",
    "enumerate": "return [(i, y) for i, y in enumerate(v)]",
    "zip": "return list(zip(v, v))",
    "map": "return list(map(str, v))",
    "any": "return any(v), all(v)",
    "reversed": "return list(reversed(v))",
    "filter": "return [y for y in v if y]",
    "generator": "return sum(1 for y in v if y)",
    "append": "v.append(x)\n    return v",
    "items": "return [(k, y) for k, y in v.items()]",
    "get": "return v.get('a', 0)",
    "set item": "v[0] = x\n    return v",
    "plus": "return v + v",
    "times": "return v * 2",
    "grow": "v += v\n    return v",
    "equal": "return v == v, v != 1, v == None",
    "copy": "w = copy.deepcopy(v)\n    return w, w is v",
    "truth": "return bool(v), not v, 1 if v else 2",
    "kind": "return type(v).__name__, isinstance(v, (list, tuple))",
    "text": "return f'{v}', str(v)",
    "print": "print(v)\n    return v",
    "in a list": "w = [v, v]\n    return w, w[0] is v",
    "field": "return v.a",
    "of NumPy": "return np.sum(v), np.asarray(v).shape",
    "call": "return v(x)",
    "argument": "return given(v)",
    "rebound": "v = v\n    w = None if n > 2 else v\n    return w is None, w",
}
PREAMBLE = """
import copy
from collections import Counter, deque
from dataclasses import dataclass
import numpy as np


@dataclass
class D:
    a: float
    b: list


class P:
    def __init__(self, a):
        self.a = a

    def __repr__(self):
        return f"P({self.a!r})"


def given(v):
    return 0 if v is None else (1, v)


def made(x, n):
    if x > 0:
        return VALUE
    return None


"""
EMPTY = {"a dict": "{}", "a dict of the run": "{}", "a string": "''", "a text": "''"}
EMPTY["an array"] = "np.zeros(2)"
MEANINGLESS = {
    ("a list of lists", "of NumPy"),  # The error of rows of two lengths, with other words.
    # Errors with other words.
    *itertools.product(("a dataclass", "an object"), ("unpack", "arguments", "sum")),
}
"""Operations that no such value has: both raise, not always the same."""
CASES = [
    pytest.param(value, maker, id=f"{value}, {maker}")
    for (v, value), (m, maker) in itertools.product(enumerate(VALUES), enumerate(MAKERS))
    if in_turn(v, m, among=7)
]
CALLS = [(np.float64(x), np.int64(n)) for x, n in ((1.5, 3), (-1.5, 3), (2.0, 0), (1.5, 3))]


def _indented(text: str) -> str:
    return text.replace("\n    ", "\n        ")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("value", "maker"), CASES)
def test_a_use(value, maker, tmp_path):
    text, calls = PREAMBLE.replace("VALUE", VALUES[value]), {}
    for number, (test, (title, use)) in enumerate(itertools.product(TESTS, USES.items())):
        if (value, title) in MEANINGLESS:
            continue
        name = f"f{number}"
        use = _indented(use) if test == "true" else use
        body = TESTS[test].format(use=use, empty=EMPTY.get(value, "[]"))
        text += f"def {name}(x, n):\n    {MAKERS[maker].format(value=VALUES[value])}\n    {body}\n\n\n"
        calls[name] = CALLS
    module = module_of(text, tmp_path, "containers_that_may_be_none")
    same, different, _ = compared(module, calls)
    assert different == []
    assert same > 0
