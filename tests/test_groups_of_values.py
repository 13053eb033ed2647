"""`itertools.groupby` over values that depend on data: CPython's groups, keys and output, or refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome_or_refusal
from whole import IS_WHOLE

HEAD = """from itertools import groupby

import numpy as np


def shown(v):
    print("key of", v)
    return v > 1


def taken_late(x):
    for v in x:
        if v > 1:
            yield v


class Key:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        print("equal", self.v)
        return bool(self.v == other.v)


def taken(g):
    return [v for v in g]


"""
INPUTS = {
    "array": "xs = x",
    "floats": "xs = x * 0.5",
    "turned": "xs = x[::-1]",
    "with nan": "xs = np.where(x > 2, np.nan, x)",
    "sorted": "xs = sorted(x)",
    "list": "xs = [v * 2 for v in x]",
    "grown": "xs = []\n    for v in x:\n        if v != 2:\n            xs.append(v)",
    "tuple": "xs = tuple(v for v in x)",
    "keys": "d = {}\n    for v in x:\n        d[v] = 1\n    xs = sorted(d)",
}
KEYS = {
    "none": "groupby(xs)",
    "None": "groupby(xs, None)",
    "test": "groupby(xs, key=lambda v: v > 1)",
    "branch": "groupby(xs, lambda v: 0 if v > 2 else v)",
    "pair": "groupby(xs, key=lambda v: (v > 1, v > 2))",
    "printing": "groupby(xs, shown)",
}
USES = {
    "count": "return [len(list(g)) for k, g in GROUPS]",
    "keys": "return [k for k, g in GROUPS]",
    "loop": "s = 0\n    for k, g in GROUPS:\n        for v in g:\n            s = s * 3 + v\n    return s",
    "break in a group": "s = []\n    for k, g in GROUPS:\n        for v in g:\n            if v > 2:\n"
    "                break\n            s.append(v)\n        print(k)\n    return s",
    "break": "s = 0\n    for k, g in GROUPS:\n        print(k)\n        s += 1\n        if s > 1:\n"
    "            break\n        s += sum(g)\n    return s",
    "in a branch": "s = []\n    for k, g in GROUPS:\n        if len(s) % 2 == 0:\n"
    "            s.append(sum(g))\n"
    "        else:\n            s.append(-1)\n    return s",
    "rest of a group": "s = []\n    for k, g in GROUPS:\n        s.append(any(v > 1 for v in g))\n"
    "        s.append(sum(g))\n        s.append(sum(g))\n    return s",
    "enumerate": "s = []\n    for k, g in GROUPS:\n        for i, v in enumerate(g):\n"
    "            if i == 1:\n"
    "                break\n            s.append(v)\n    return s",
    "callee": "return [(taken(g), taken(g)) for k, g in GROUPS]",
    "nested": "return [sum(h) for k, g in GROUPS for j, h in groupby(list(g))]",
    "in a loop": "s = 0\n    for i in range(4):\n        for k, g in GROUPS:\n"
    "            s = s * 2 + len(list(g)) + i\n    return s",
    "longest": "return max((len(list(g)) for k, g in GROUPS), default=0)",
    "two walks": "r = GROUPS\n    return [len(list(g)) for k, g in r], [k for k, g in r]",
    "dict of counts": "return {len(list(g)): 1 for k, g in GROUPS}",
}
CASES = [
    case
    for number, case in enumerate(product(INPUTS, KEYS, USES))
    if IS_WHOLE or number % 14 == number // len(USES) % 14
]


def compare(text: str, folder: Any, *, taken: bool) -> None:
    function = module_of(text, folder, "groups").f
    staged, refused = ag.function(function), 0
    first = np.array([1, 1, 2, 3, 3, 3, 1])
    for x in (first, first[::-1].copy(), np.array([2, 2, 2, 5, 1, 1, 0]), np.array([5]), first[:0], first):
        want, _ = outcome_or_refusal(function, (x.copy(),))
        got, is_refused = outcome_or_refusal(staged, (x.copy(),))
        refused += is_refused
        assert got == want or is_refused, (got, want)
    assert not taken or refused == 0


@pytest.mark.parametrize(("values", "key", "use"), CASES)
def test_groups(values: str, key: str, use: str, tmp_path: Any) -> None:
    program = USES[use].replace("GROUPS", KEYS[key])
    compare(f"{HEAD}def f(x):\n    {INPUTS[values]}\n    {program}\n", tmp_path, taken=True)


WRITES = {
    "an array that is written": "y = x * 1\n    s = []\n    for k, g in groupby(y):\n        s.append(k)\n"
    "        y[-1] = 9\n    return s",
    "a list that gets longer": "y = [v for v in x if v > 1]\n    s = []\n    for k, g in groupby(y):\n"
    "        s.append(k)\n        if len(y) < 12:\n            y.append(7)\n    return s",
    "a list that has ended": "y = [v for v in x if v > 1]\n    s = []\n    for k, g in groupby(y):\n"
    "        s.append(sum(g))\n        y.append(7)\n        if len(s) > 9:\n            break\n    return s",
    "a key that fails": "return [k for k, g in groupby(x, lambda v: 6 // int(v - 3))]",
    "pairs": "y = [(v, v * 2) for v in x if v > 1]\n"
    "    return [(k, [b for _, b in g]) for k, g in groupby(y, key=lambda p: p[0])]",
    "rows": "y = x.reshape(-1, 1) * np.ones(2)\n    return [k for k, g in groupby(y, key=lambda r: r[0])]",
}


@pytest.mark.parametrize("name", WRITES)
def test_groups_while_values_change(name: str, tmp_path: Any) -> None:
    compare(f"{HEAD}def f(x):\n    {WRITES[name]}\n", tmp_path, taken=True)


OTHERS = {
    "of a generator": "return [k for k, g in groupby(v for v in x if v > 1)]",
    "of a zip": "return [k for k, g in groupby(zip(x, x))]",
    "of items": "d = {}\n    for v in x:\n        d[v] = 1\n    return [k for k, g in groupby(d.items())]",
    "of a dict": "d = {}\n    for v in x:\n        d[v] = 1\n    return [k for k, g in groupby(d)]",
    "zipped with a dict": "d = {}\n    for v in x:\n        d[v - 1] = 1\n"
    "    return list(zip((v for v in x if v > 1), d)), list(zip(taken_late(x), d))",
    "kept": "gs = list(groupby(x))\n    return [list(g) for _, g in gs]",
    "after the loop": "for k, g in groupby(x):\n        pass\n    return list(g)",
    "of a group": "return [j for k, g in groupby(x, lambda v: v > 1) for j, h in groupby(g)]",
    "zipped": "s = []\n    for k, g in groupby(x):\n        if k > 2:\n"
    "            s.append(list(zip(g, x, x)))\n"
    "        s.append(list(g))\n    return s",
    "zipped outside": "s = []\n    for k, g in groupby(x):\n        s.append(list(zip(g, x, x)))\n"
    "        s.append(list(g))\n    return s",
    "unpacked": "return [[*g] for k, g in groupby(x)]",
    "next": "return [(next(g), next(g, -1)) for k, g in groupby(x)]",
    "goes on": "r = groupby(x)\n    for k, g in r:\n        if k > 1:\n            break\n"
    "    return [k for k, g in r]",
    "objects as keys": "return [sum(g) for k, g in groupby(x, Key)]",
    "counted": "return {i: len(list(g)) for i, (k, g) in enumerate(groupby(x))}",
    "joined": "return [','.join(str(v) for v in g) for k, g in groupby(x)]",
    "ambiguous": "y = x.reshape(-1, 1) * np.ones(2)\n    return [k for k, g in groupby(y)]",
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_pythons_or_refused(name: str, tmp_path: Any) -> None:
    compare(f"{HEAD}def f(x):\n    {OTHERS[name]}\n", tmp_path, taken=False)


def test_gradients_of_groups(tmp_path: Any) -> None:
    text = f"{HEAD}def f(x):\n    s = 0.0\n    for k, g in groupby(x, key=lambda v: v > 1):\n"
    text += "        s = s + sum(g) ** 2\n    return s\n"
    function = module_of(text, tmp_path, "groups").f
    x = np.array([1.0, 0.5, 2.0, 3.0, 0.25])
    np.testing.assert_allclose(ag.grad(function)(x), [3.0, 3.0, 10.0, 10.0, 0.5])


KNOWN = {
    "lists of groups": "return [(k, list(g)) for k, g in groupby([1, 1, 2])], x",
    "lengths of words": "return ''.join(f'{len(list(g))}{k}' for k, g in groupby('aaabb')), x",
    "groups of groups": "r = []\n    for k, g in groupby([(1, 1), (1, 2), (2, 2)], key=lambda p: p[0]):\n"
    "        r += [(k, j, len(list(h)), x[:1]) for j, h in groupby(g, key=lambda p: p[1])]\n    return r",
    "unpacked": "r = []\n    for k, g in groupby([1, 1, 2, 2]):\n        a, b = g\n"
    "        r.append(a * b * x)\n    return r",
    "kept": "gs = [g for k, g in groupby([1, 1, 2])]\n    return [list(g) for g in gs], x",
    "by next": "g = groupby([1, 1, 2])\n    k, h = next(g)\n    return k, list(h), next(g)[0], x",
    "of pairs with values of the run": "return [sum(v for _, v in g) for k, g in"
    " groupby([(0, x), (0, x * 2), (1, x)], key=lambda p: p[0])]",
}


@pytest.mark.parametrize("name", KNOWN)
def test_groups_of_what_is_known(name: str, tmp_path: Any) -> None:
    compare(f"{HEAD}def f(x):\n    {KNOWN[name]}\n", tmp_path, taken=True)


AROUND = {
    "a group of the module": ("AG123", "return list(GROUP), x"),
    "all groups of the module": ("AG123", "return [(k, list(g)) for k, g in GROUPS], x"),
    "a group in a branch": (
        "AG121",
        "r = 0\n    for k, g in groupby([1, 1, 2]):\n        if x.sum() > 9:\n"
        "            r += sum(g)\n    return r",
    ),
}


@pytest.mark.parametrize("name", AROUND)
def test_steps_of_groups_that_a_run_would_not_take(name: str, tmp_path: Any) -> None:
    code, program = AROUND[name]
    text = f"{HEAD}GROUPS = groupby([1, 1, 2])\nGROUP = next(GROUPS)[1]\n\n\ndef f(x):\n    {program}\n"
    with pytest.raises(ag.StagingError) as raised:
        ag.function(module_of(text, tmp_path, "groups_around").f)(np.array([1.0]))
    assert raised.value.code == code


def test_groups_of_a_string_of_the_run_are_refused_by_their_name(tmp_path: Any) -> None:
    text = f"{HEAD}def f(x):\n    return [k for k, g in groupby(str(x[0]))]\n"
    with pytest.raises(ag.StagingError, match="`groupby` of a string with staged values") as raised:
        ag.function(module_of(text, tmp_path, "groups_of_text").f)(np.array([112]))
    assert raised.value.code == "AG101"
