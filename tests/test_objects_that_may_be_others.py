"""Objects that may be others: bound by a nest of statements, changed, and read.

    ys = []
    if c:                      # staged: `ys` may be `xs` from here on
        pass
    elif d:
        ys = xs
    xs[1] += 1                 # `ys` has changed, too
    return np.array(ys)

A part of the products of ways to bind, to change and to read is drawn at random: lists, dicts, objects,
arrays, sets, and lists in tuples and in lists. What is not as in CPython is refused.
"""

from __future__ import annotations

import contextlib
import io
import random
from collections import Counter
from pathlib import Path
from textwrap import indent
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of
from whole import drawn

HEAD = """import bisect
import copy
import functools
import heapq
import itertools
import math

import autograph as ag
import numpy as np


def total(*values):
    c = 0.0
    for v in values:
        c += v
    return c


def gen(values):
    for v in values:
        yield v


def keep(values):
    return values


class Box:
    def __init__(self, value):
        self.value = value


def pick(x, y, c):
    if c:
        return x
    return y


def pick2(x, y, c, d):
    if c:
        if d:
            return x
        return y
    return y


def put(d):
    d['p'] = 12.0


def get(p=0.0, **rest):
    return p


def set_value(box):
    box.value = 9.0


def get_value(box):
    return box.value


def set_item(x):
    x[0] = 9.0


def change(values):
    values[0] = 8.0


"""
BINDINGS = {
    "if": "if {c}:\n    ys = xs",
    "else": "if {c}:\n    pass\nelse:\n    ys = xs",
    "elif": "if {c}:\n    pass\nelif {d}:\n    ys = xs",
    "if if": "if {c}:\n    if {d}:\n        ys = xs",
    "else if": "if {c}:\n    ys = zs\nelse:\n    if {d}:\n        ys = xs",
    "three": "if {c}:\n    if {d}:\n        if a > -3:\n            ys = xs",
    "for": "for k in range(n):\n    ys = xs",
    "for if": "for k in range(n):\n    if {c}:\n        ys = xs",
    "if for": "if {c}:\n    for k in range(n):\n        ys = xs",
    "while": "k = 0\nwhile k < n:\n    ys = xs\n    k += 1",
    "while if": "k = 0\nwhile k < n:\n    if {c}:\n        ys = xs\n    k += 1",
    "ternary": "ys = xs if {c} else ys",
    "ternaries": "ys = xs if {c} else (zs if {d} else ys)",
    "ternaries 2": "ys = (xs if {d} else zs) if {c} else ys",
    "call": "ys = pick(xs, ys, {c})",
    "call 2": "ys = pick(pick(xs, zs, {d}), ys, {c})",
    "call nested": "ys = pick2(xs, ys, {c}, {d})",
    "or": "ys = ({c}) and xs or ys",
    "tuple": "ys, zs = (xs, ys) if {c} else (ys, zs)",
    "tuple 2": "p = (ys, 1)\nif {c}:\n    if {d}:\n        p = (xs, 1)\nys = p[0]",
    "dict": "p = {{'y': ys}}\nif {c}:\n    if {d}:\n        p['y'] = xs\nys = p['y']",
    "object": "p = Box(ys)\nif {c}:\n    if {d}:\n        p.value = xs\nys = p.value",
    "list": "p = [ys]\nif {c}:\n    if {d}:\n        p[0] = xs\nys = p[0]",
    "for for": "for k in range(n):\n    for j in range(n):\n        ys = xs",
    "break": "for k in range(n):\n    if {c}:\n        ys = xs\n        break",
    "for swap": "for k in range(n):\n    xs, ys = ys, xs",
    "twice": "if {c}:\n    ys = xs\nif {d}:\n    ys = zs",
    "chain": "ws = ys\nif {c}:\n    ws = xs\nif {d}:\n    ys = ws",
    "chain in": "ws = ys\nif {c}:\n    ws = xs\n    if {d}:\n        ys = ws",
}
"""By name: how `ys` comes to be another object; `{c}` and `{d}` are staged tests."""

LISTS = {
    "xs": "[a, a + 2]",
    "ys": ["[]", "[a, 2.0]", "[a]"],
    "zs": "[3.0, a]",
    "changes": [
        "xs[1] += 1",
        "xs.append(9.0)",
        "xs[0] = 7.0",
        "ys[0] = 7.0",
        "ys.append(9.0)",
        "xs.pop()",
        "xs.sort()",
        "xs.reverse()",
        "xs[:] = [4.0, 5.0]",
        "xs.extend([1.0])",
        "xs += [1.0]",
        "if a > 1:\n    xs[1] += 1",
        "for j in range(n):\n    xs[0] += 1",
        "change(xs)",
        "if a > 0:\n    if n > 1:\n        xs[1] += 1",
        "zs[0] = 7.0",
    ],
    "reads": [
        "return ys",
        "return ys[0]",
        "return len(ys)",
        "return sum(ys)",
        "c = 0.0\nfor i in ys:\n    c = i\nreturn c",
        "return all(ys)",
        "return ys is xs",
        "return ys == xs",
        "c = 0.0\nif a > -5:\n    for i in ys:\n        c += i\nreturn c",
        "return np.array(ys)",
        "return list(ys)",
        "return tuple(ys)",
        "return sorted(ys)",
        "return max([5.0] + ys)",
        "return np.mean([1.0] + ys)",
        "return np.sum(ys)",
        "return np.stack(ys + [1.0])",
        "return np.concatenate([ys, [1.0]])",
        "return np.ones(len(ys)) + ys",
        "return ys + np.ones(len(ys))",
        "return np.array([ys, ys])",
        "p, *q = [0.0, *ys]\nreturn p, q",
        "return total(*ys)",
        "return total(*ys, **{})",
        "return [p for p, q in zip(ys, range(9))]",
        "return [p for _, p in enumerate(ys)]",
        "return list(map(abs, ys))",
        "return list(reversed(ys))",
        "return ys[1:]",
        "return [1.0, 2.0] == ys",
        "return 7.0 in ys",
        "return ys.count(7.0)",
        "return copy.copy(ys)",
        "return math.fsum(ys)",
        "return f'{ys}'",
        "return repr(ys)",
        "return str(ys)",
        "return {'k': ys}",
        "return [ys, 1]",
        "return Box(ys).value",
        "return [i + 1 for i in ys]",
        "return len(set(ys))",
        "return any(ys)",
        "return min(ys, default=0.0)",
        "return 1 if ys else 2",
        "c = 0\nwhile c < len(ys):\n    c += 1\nreturn c",
        "return dict.fromkeys(ys)",
        "return list(itertools.chain(ys, [1.0]))",
        "return functools.reduce(max, ys, 0.0)",
        "return heapq.nsmallest(1, ys)",
        "return bisect.bisect(ys, 3.0)",
        "return ','.join(map(str, ys))",
        "return next(iter(ys), 0.0)",
        "return list(filter(None, ys))",
        "return ys * 2",
        "return ys + [1.0]",
        "return [1.0] + ys",
        "q = [0.0]\nq.extend(ys)\nreturn q",
        "q = [0.0]\nq += ys\nreturn q",
        "q = [0.0]\nq[:] = ys\nreturn q",
        "x = np.zeros(2)\nx[:len(ys)] = ys\nreturn x",
        "return np.where([True] * len(ys), ys, 0.0)",
        "return np.dot(ys, ys)",
        "match ys:\n    case [p, q]:\n        return q\nreturn 0.0",
        "print(ys)\nreturn 0",
        "return ys[-1] if len(ys) > 0 else 0.0",
        "return np.isin(ys, [7.0])",
        "return ag.vmap(lambda t: t + 1)(np.array(ys + [0.0]))",
        "assert len(ys) < 9, ys\nreturn ys",
        "return [i for i in gen(ys)]",
        "return (lambda: ys[0] if ys else 0.0)()",
        "return functools.partial(list, ys)()",
        "return np.copy(ys)",
        "return np.asarray(ys, np.float32)",
        "return np.fromiter(ys, float)",
        "return np.size(ys), np.shape(ys)",
        "return np.array_equal(ys, [a, a + 2])",
        "return np.append(ys, 1.0)",
        "return isinstance(ys, list), type(ys)",
        "return ys.__len__()",
        "return copy.deepcopy(ys)",
        "return sum(ys, 1.0)",
        "return [ys[0]] * 2 if ys else []",
        "raise ValueError(ys)",
        "return keep(ys)",
    ],
}
KINDS: dict[str, dict[str, Any]] = {
    "list": LISTS,
    "dict": {
        "xs": "{'p': a, 'q': a + 2}",
        "ys": ["{'p': 1.0, 'q': a}", "{}", "{'p': a}"],
        "zs": "{'p': 3.0, 'q': a}",
        "changes": [
            "xs['p'] += 1",
            "xs['p'] = 7.0",
            "xs.update({'q': 4.0})",
            "ys['p'] = 7.0",
            "xs.pop('p')",
            "del xs['q']",
            "xs['r'] = 1.0",
            "if a > 1:\n    xs['p'] = 8.0",
            "for j in range(n):\n    xs['p'] += 1",
            "xs |= {'p': 5.0}",
            "xs.clear()",
            "zs['p'] = 2.0",
            "xs.setdefault('s', 1.0)",
            "put(xs)",
        ],
        "reads": [
            "return ys",
            "return ys.get('p')",
            "return len(ys)",
            "return sum(ys.values())",
            "return list(ys.items())",
            "return ys is xs",
            "return ys == xs",
            "return xs, ys, zs",
            "return dict(ys)",
            "return ys.copy()",
            "return {**ys}",
            "return 'p' in ys",
            "return ys | {'w': 1.0}",
            "return [k for k in ys]",
            "return get(**ys)",
            "return sorted(ys)",
            "return list(ys)",
            "match ys:\n    case {'p': v}:\n        return v\nreturn 0.0",
            "return np.array(list(ys.values()))",
            "return repr(ys)",
            "return copy.copy(ys)",
            "return [ys]",
            "c = 0.0\nif a > -5:\n    c = ys.get('q', 1.0)\nreturn c",
        ],
    },
    "object": {
        "xs": "Box(a)",
        "ys": ["Box(1.0)", "Box(a + 1)", "None"],
        "zs": "Box(3.0)",
        "changes": [
            "xs.value += 1",
            "xs.value = 7.0",
            "ys.value = 7.0",
            "if a > 1:\n    xs.value = 8.0",
            "for j in range(n):\n    xs.value += 1",
            "setattr(xs, 'value', 2.0)",
            "zs.value = 2.0",
            "set_value(xs)",
            "xs.other = 1.0",
        ],
        "reads": [
            "return ys",
            "return ys.value",
            "return ys is xs",
            "return xs.value, ys.value, zs.value",
            "return [ys.value]",
            "return vars(ys)",
            "return copy.copy(ys).value",
            "return np.array([ys.value])",
            "c = 0.0\nif a > -5:\n    c = ys.value\nreturn c",
            "return getattr(ys, 'value')",
            "return ys == xs",
            "return get_value(ys)",
            "return hasattr(ys, 'other')",
            "return (lambda: ys.value)()",
        ],
    },
    "array": {
        "xs": "np.array([a, a + 2])",
        "ys": ["np.array([1.0, a])", "np.zeros(2)", "np.ones(3)"],
        "zs": "np.array([3.0, a])",
        "changes": [
            "xs[1] += 1",
            "xs[0] = 7.0",
            "xs += 1",
            "xs *= 2",
            "ys[0] = 7.0",
            "xs.fill(4.0)",
            "if a > 1:\n    xs[1] = 8.0",
            "for j in range(n):\n    xs[0] += 1",
            "np.add(xs, 1, out=xs)",
            "xs.sort()",
            "zs[0] = 2.0",
            "set_item(xs)",
            "xs[:] = 5.0",
            "xs[::-1][0] = 9.0",
        ],
        "reads": [
            "return ys + 0",
            "return ys[0]",
            "return ys.sum()",
            "return float(ys[1])",
            "return np.stack([ys, ys])",
            "return [v for v in ys]",
            "c = 0.0\nfor v in ys:\n    c += v\nreturn c",
            "return ys * xs",
            "return ys @ ys",
            "return ys.tolist()",
            "return np.array(ys)",
            "return ys.copy()",
            "return ys[::-1] * 1",
            "return (lambda: ys[0])()",
            "c = 0.0\nif a > -5:\n    c = ys[1]\nreturn c",
            "return ys is xs",
        ],
    },
    "set": {
        "xs": "{1, 2}",
        "ys": ["{1}", "set()", "{5}"],
        "zs": "{3}",
        "changes": [
            "xs.add(7)",
            "xs.discard(1)",
            "ys.add(7)",
            "xs |= {9}",
            "if a > 1:\n    xs.add(8)",
            "for j in range(n):\n    xs.add(11)",
            "xs.clear()",
        ],
        "reads": [
            "return ys",
            "return len(ys)",
            "return 7 in ys",
            "return sorted(ys)",
            "return ys is xs",
            "return ys == xs",
            "return ys | {0}",
        ],
    },
    "tuple of lists": {
        "xs": "([a, 1.0], 2)",
        "ys": ["([a], 3)", "([], 1)"],
        "zs": "([1.0], 1)",
        "changes": [
            "xs[0].append(7.0)",
            "xs[0][0] = 5.0",
            "ys[0].append(7.0)",
            "if a > 1:\n    xs[0].append(8.0)",
            "for j in range(n):\n    xs[0][0] += 1",
        ],
        "reads": [
            "return ys",
            "return ys[0]",
            "return len(ys[0])",
            "return sum(ys[0])",
            "return ys is xs",
            "return ys == xs",
            "return [*ys[0]]",
        ],
    },
    "list of lists": {
        "xs": "[[a, 1.0], [2.0]]",
        "ys": ["[[a]]", "[]", "[[a], [3.0]]"],
        "zs": "[[1.0]]",
        "changes": [
            "xs[0].append(7.0)",
            "xs[0][0] = 5.0",
            "xs.append([1.0])",
            "ys.append([7.0])",
            "if a > 1:\n    xs[0].append(8.0)",
            "for j in range(n):\n    xs[0][0] += 1",
            "xs[0] = [9.0]",
        ],
        "reads": [
            "return ys",
            "return ys[0] if ys else 1",
            "return len(ys)",
            "return [len(r) for r in ys]",
            "return ys is xs",
            "return ys == xs",
            "return [r[0] for r in ys if r]",
            "return ys + [[0.0]]",
        ],
    },
}
TESTS = ("a > 0", "a < 0", "n > 1", "a", "a > 1", "n > 0", "a > 2")
PROGRAMS = drawn(24, whole=150)
"""Of each kind and part; `make cross` runs the whole number."""
ARGUMENTS = [(np.float64(a), np.int64(n)) for a in (1.5, -1.5, 2.5) for n in (2, 0)]


def program(number: int, draws: random.Random, kind: dict[str, Any]) -> str:
    bind = draws.choice(list(BINDINGS.values())).format(c=draws.choice(TESTS), d=draws.choice(TESTS))
    lines = [
        *(f"xs = {kind['xs']}", f"ys = {draws.choice(kind['ys'])}", f"zs = {kind['zs']}"),
        *(bind, draws.choice(kind["changes"]), draws.choice(kind["reads"])),
    ]
    body = indent("\n".join(lines), "    ")
    return f"def f{number}(a, n):\n{body}\n\n\n"


def shown(value: Any) -> str:
    """A value with the attributes of the objects in it."""
    if type(value).__name__ == "Box":
        return f"Box({shown(vars(value))})"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(shown, value))})"
    if isinstance(value, dict):
        return ", ".join(f"{key!r}: {shown(one)}" for key, one in value.items())
    return repr(value)


def outcome(function: Any, *arguments: Any) -> str:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result = shown(function(*arguments))
    except ag.errors.AutographError:
        return "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return result + printed.getvalue()


@pytest.mark.parametrize("part", range(drawn(1, whole=3)))
@pytest.mark.parametrize("name", KINDS)
def test_as_python(name: str, part: int, tmp_path: Path) -> None:
    draws = random.Random(f"{name} {part}")
    programs = [program(number, draws, KINDS[name]) for number in range(PROGRAMS)]
    module = module_of(HEAD + "".join(programs), tmp_path, f"others_{part}_{name.replace(' ', '_')}")
    counts: Counter[str] = Counter()
    different = []
    for number, text in enumerate(programs):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for arguments in ARGUMENTS:
            want, got = outcome(function, *arguments), outcome(staged, *arguments)
            counts["refused" if got == "refused" else "same"] += 1
            if want != got != "refused":
                different.append((text, arguments, want, got))
    assert not different
    assert counts["same"] >= (0 if name == "set" else PROGRAMS // 10), counts


def test_a_list_that_holds_itself() -> None:
    def f(a: Any) -> Any:
        xs = [a]
        xs.append(xs)
        ones = [1.0]
        return xs == [a], len(ones + xs)

    assert ag.function(f)(np.float64(1.0)) == f(np.float64(1.0)) == (False, 3)
