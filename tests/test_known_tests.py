"""What a branch knows of its test: `if v is None: return` leaves a `v` that is not `None`, and only there."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

VALUES = {
    "a float": "x * 2",
    "a number of NumPy": "np.float32(x)",
    "an int": "int(n) + 1",
    "a bool": "n > 1",
    "a complex number": "x * 1j",
    "an array": "np.ones(2) * x",
    "a matrix": "np.ones((2, 2)) * x",
    "a list of the run": "[x * i for i in range(n)]",
    "a list": "[x, 2.0]",
    "an empty list": "[]",
    "a tuple": "(x, 2)",
    "a grown tuple": "tuple(x * i for i in range(n))",
    "a dict": "{'a': x, 'b': 1.0}",
    "a dict of the run": "{i: x * i for i in range(n)}",
    "a set of the run": "{i * 2 for i in range(n)}",
    "a deque": "deque([x, 1.0])",
    "a string": "'ab'",
    "a text": "f'{x} of {n}'",
    "a member": "Colour.RED",
    "one of two members": "(Colour.RED if n > 1 else Colour.BLUE)",
    "one of two types": "(n if n > 1 else x)",
    "a number or a text": "(x if n > 1 else 'few')",
    "a dataclass": "D(x, [x])",
    "an object": "P(x)",
    "a function": "abs",
}
MAKERS = {
    "assigned": "v = None\n    if x > 0:\n        v = {value}",
    "in a loop": "v = None\n    for i in range(n):\n        if x > i - 1:\n            v = {value}",
    "returned": "v = made(x, n)",
    "by a ternary": "v = {value} if x > 0 else None",
    "of an object": "o = P(None)\n    if x > 0:\n        o.a = {value}\n    v = o.a",
    "in a list": "vs = [None, None]\n    if x > 0:\n        vs[1] = {value}\n    v = vs[1]",
}
GUARDS = {
    "return": "if v is None:\n        return 'none'\n    r = {use}",
    "raise": "if v is None:\n        raise ValueError('none')\n    r = {use}",
    "assert": "assert v is not None, 'none'\n    r = {use}",
    "else": "if v is None:\n        r = 0\n    else:\n        return {use}",
    "not": "r = None\n    if not (v is None):\n        r = {use}\n        print(r)\n        return 1",
    "and": "if v is not None and n >= 0:\n        return {use}\n    r = 0",
    "or": "if v is None or n > 50:\n        return 'none'\n    r = {use}",
    "ternary": "print({use} if v is not None else -1)\n    r = 0",
    "and in an expression": "print(v is not None and {use})\n    r = 0",
    "or in an expression": "print(v is None or {use})\n    r = 0",
    "a kept test": "t = v is None\n    if t:\n        return t\n    r = {use}",
    "a walrus": "if (w := v) is None:\n        return 'none'\n    r = {use}",
    "two variables": "w = v\n    if w is None:\n        return 'none'\n    r = {use}",
    "nested": "if n > 1:\n        if v is None:\n            return 'none'\n        return {use}\n    r = 0",
    "a default": "if v is None:\n        v = {value}\n    r = {use}",
    "a false default": "v = v or {value}\n    r = {use}",
    "truth": "if not v:\n        return 'false'\n    r = {use}",
    "a class": "if not isinstance(v, KINDS):\n        return 'other'\n    r = {use}",
    "the class None": "if isinstance(v, type(None)):\n        return 'none'\n    r = {use}",
    "match": "match v:\n        case None:\n            return 'none'\n    r = {use}",
    "continue": "for k in range(n):\n        if v is None:\n            continue\n        print({use})\n"
    "    r = 0",
    "break": "for k in range(n):\n        if v is None:\n            break\n        print({use})\n    r = 0",
    "a loop": "for k in range(n):\n        if v is not None:\n            print({use})\n    r = 0",
    "while": "while v is None:\n        v = {value}\n    r = {use}",
    "a handler": "try:\n        if v is None:\n            raise ValueError('none')\n        r = {use}\n"
    "    except ValueError as e:\n        return str(e)",
    "finally": "try:\n        if v is None:\n            return 'none'\n        r = {use}\n"
    "    finally:\n        print(v is None)",
    "a callee": "need(v)\n    r = {use}",
    "given back": "v = need(v)\n    r = {use}",
    "a function inside": "def inner():\n        return {use}\n\n    if v is None:\n        return 'none'\n"
    "    r = inner()",
    "a lambda": "if v is None:\n        return 'none'\n    r = (lambda v: {use})(v)",
}
"""What makes known, and `r` is read where it is known."""
LEAKS = {
    "a branch": "if n > 1:\n        if v is None:\n            raise ValueError('none')",
    "a loop": "for k in range(n - 1):\n        if v is None:\n            raise ValueError('none')",
    "a while": "k = 0\n    while k < n - 1:\n        assert v is not None\n        k += 1",
    "a handler": "try:\n        if v is None:\n            raise ValueError('none')\n        print(1)\n"
    "    except ValueError:\n        print(v is None)",
    "an operation": "try:\n        print(v + v)\n    except TypeError:\n        print('no')",
    "an operation of a callee": "try:\n        need(v)\n    except ValueError:\n        print('no')",
    "rebound": "if v is None:\n        return 'none'\n    if n > 2:\n        v = None",
    "a generator": "print([1 for k in range(n - 1) if need(v) is None])",
    "and": "print(n > 1 and v is not None and need(v) is None)",
    "a nested function": "def inner():\n        if v is None:\n            raise ValueError('none')\n\n"
    "    if n > 1:\n        inner()",
    "a break": "for k in range(n):\n        if v is None:\n            break\n    else:\n        print(1)",
    "a suppressed one": "with suppress(ValueError):\n        need(v)\n        print('some')",
}
"""What is known in one place, and not behind it."""
USES = {
    "itself": "v",
    "class": "type(v).__name__",
    "none": "v is None",
    "a list": "isinstance(v, list)",
    "a number": "isinstance(v, (int, float))",
    "truth": "bool(v)",
    "text": "f'{v}'",
    "in a list": "[v, v]",
    "in a tuple": "(v, 1)",
    "given": "given(v)",
    "twice": "v + v",
    "product": "x * v",
    "length": "len(v)",
    "item": "v[0]",
    "equal": "v == 2.0",
    "among": "v in (1, 2)",
    "sum": "np.sum(v)",
    "with an array": "np.array([1.0, 2.0]) + v",
    "joined": "(v if n > 2 else 0)",
    "kept": "P(v).a",
}
PREAMBLE = """
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
import numpy as np


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass
class D:
    a: float
    b: list


class P:
    def __init__(self, a):
        self.a = a

    def __repr__(self):
        return f"P({self.a!r})"


KINDS = (int, float, complex, np.generic, np.ndarray, list, tuple, dict, set, deque, str, Colour, D, P)


def given(v):
    return 0 if v is None else (1, v)


def need(v):
    if v is None:
        raise ValueError("none")
    return v


def made(x, n):
    if x > 0:
        return VALUE
    return None


"""
CALLS = [
    (np.float64(x), np.int64(n)) for x, n in ((1.5, 3), (-1.5, 3), (-2.0, 0), (1.5, 60), (-1.5, 1), (0.5, 2))
]
PLACES = GUARDS | {title: f"{text}\n    r = v is None, {{use}}" for title, text in LEAKS.items()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("number", "value"), [*enumerate(VALUES)], ids=VALUES)
def test_what_is_known(number, value, tmp_path):
    text, calls, titles = PREAMBLE.replace("VALUE", VALUES[value]), {}, {}
    crossed = itertools.product(enumerate(MAKERS), enumerate(PLACES), enumerate(USES))
    for (m, maker), (p, place), (u, use) in crossed:
        if not in_turn(13 * number, 7 * m, 11 * p, 31 * u, among=331):
            continue
        name = f"f{len(calls)}"
        body = PLACES[place].format(use=USES[use], value=VALUES[value])
        made = MAKERS[maker].format(value=VALUES[value])
        text += f"def {name}(x, n):\n    {made}\n    {body}\n    return r\n\n\n"
        calls[name], titles[name] = CALLS, (maker, place, use)
    module = module_of(text, tmp_path, "known_tests")
    same, different, _ = compared(module, calls)
    assert [(titles[one[0]], one) for one in different] == []
    assert same > 0
