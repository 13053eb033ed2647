"""Generators defined in functions and classes, and `itertools` over them: CPython's results."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome_or_refusal

HEAD = """import functools
import itertools
from collections import Counter, deque
from itertools import chain, groupby, islice


def outside(x):
    for v in x:
        if v % 2 == 1:
            yield int(v)


"""

INNER = {
    "nested": "    def items():\n        for v in x:\n            if v % 2 == 1:\n"
    "                yield int(v)\n",
    "with arguments": "    def made(limit):\n        for v in x:\n            if v > limit:\n"
    "                yield int(v)\n"
    "    def items():\n        return made(2)\n",
    "of a class": "    class Items:\n        def __init__(self, values):\n"
    "            self.values = values\n\n"
    "        def __iter__(self):\n            for v in self.values:\n                if v % 2 == 1:\n"
    "                    yield int(v)\n    def items():\n        return Items(x)\n",
    "while": "    def items():\n        k = len(x) * 3\n        while k > 1:\n            yield k\n"
    "            k //= 2\n",
    "early": "    def items():\n        for v in x:\n            if v > 5:\n                return\n"
    "            yield int(v)\n",
    "of another": "    def items():\n        for v in outside(x):\n            if v > 1:\n"
    "                yield v * 2\n",
    "delegating": "    def items():\n        yield 7\n        yield from outside(x)\n",
    "outer variable": "    limit = int(x[0]) if len(x) else 0\n    def items():\n        for v in x:\n"
    "            if v != limit:\n                yield int(v) - limit\n",
    "outside": "    def items():\n        return outside(x)\n",
}
USES = {
    "list": "return list(items()), [*map(str, ())]",
    "sum": "return sum(items()), sum(v * 2 for v in items())",
    "max": "return max(items(), default=-1), min(items(), default=-1)",
    "sorted": "return sorted(items()), sorted(items(), key=lambda v: -v)",
    "any": "return any(v > 4 for v in items()), all(v > 0 for v in items())",
    "loop": "total = 0\n    for v in items():\n        total = total * 3 + v\n    return total",
    "break": "total = 0\n    for v in items():\n        if v > 4:\n            break\n"
    "        total += v\n    return total",
    "enumerate": "return [k * v for k, v in enumerate(items())], dict(enumerate(items()))",
    "set": "made = set(items())\n    return made, len(made)",
    "dict": "return dict((v, v * v) for v in items()), {v: 1 for v in items()}",
    "Counter": "return Counter(items()), Counter(v % 2 for v in items())",
    "deque": "queue = deque(items())\n    return len(queue), queue",
    "reduce": "return functools.reduce(lambda a, b: a * 2 + b, items(), 1)",
    "extend": "out = [0]\n    out.extend(items())\n    out.extend(v + 1 for v in x if v > 2)\n    return out",
    "grows": "out = [2]\n    out.extend(int(v) for v in x if all(v % p for p in out))\n    return out",
    "chain": "return list(chain(items(), [1, 2])), sum(chain([5], items()))",
    "flat": "return list(chain.from_iterable([v] * 2 for v in items()))",
    "islice": "return list(islice(items(), 2))",
}


def compare(text: str, folder: Any) -> None:
    function = module_of(text, folder, "walked").f
    staged, refused = ag.function(function), 0
    first = np.array([3, 1, 4, 1, 5, 9, 2, 6])
    for x in (first, np.array([2, 4]), np.array([], np.int64), np.array([1, 1, 1, 7]), first):
        want, _ = outcome_or_refusal(function, (x,))
        got, is_refused = outcome_or_refusal(staged, (x,))
        refused += is_refused
        assert got == want or is_refused, (got, want)
    assert refused == 0


CASES = [case for number, case in enumerate(product(INNER, USES)) if number % 6 == number // 18 % 6]


@pytest.mark.parametrize(("inner", "use"), CASES)
def test_inner_generators(inner: str, use: str, tmp_path: Any) -> None:
    compare(f"{HEAD}def f(x):\n{INNER[inner]}    {USES[use]}\n", tmp_path)


OF_GROUPS = {
    "a list that gets longer": "xs = [1, 1, 2, 3]\n    out = []\n    for k, g in groupby(xs):\n"
    "        out.append((k, len(list(g))))\n        if k == 1:\n            xs.append(int(x[0]))\n"
    "    return out",
    "a list that is written": "xs = [1, 1, 2, 2, 3]\n    out = []\n    for k, g in groupby(xs):\n"
    "        out.append(k)\n        xs[4] = int(x[0])\n    return out",
    "an array that is written": "y = x + 1\n    out = []\n    for k, g in groupby(y):\n"
    "        out.append(int(k))\n        y[-1] = 9\n    return out",
    "groups of before": "out = []\n    for k, g in groupby([5, 5, 1, 2]):\n        out.append(g)\n"
    "    return [list(one) for one in out], int(x[0])",
    "of the run": "out = []\n    for k, g in groupby(x):\n        out.append((int(k), len(list(g))))\n"
    "    return out",
}


@pytest.mark.parametrize("name", OF_GROUPS)
def test_groups_are_pythons_or_refused(name: str, tmp_path: Any) -> None:
    """A group is read while the loop goes on, and is empty after it: no list of items stands for it."""
    function = module_of(f"{HEAD}def f(x):\n    {OF_GROUPS[name]}\n", tmp_path, "groups").f
    for x in (np.array([3, 1, 4, 1]), np.array([2, 2])):
        want, _ = outcome_or_refusal(function, (x,))
        got, is_refused = outcome_or_refusal(ag.function(function), (x,))
        assert got == want or is_refused, (got, want)


REFUSED = {
    "kept": "gs = list(groupby(x))\n    return [list(g) for _, g in gs]",
    "later": "last = None\n    for k, g in groupby(x):\n        last = g\n    return list(last)",
    "islice": "return list(islice(outside(x), x[0]))",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Any) -> None:
    function = module_of(f"{HEAD}def f(x):\n    {REFUSED[name]}\n", tmp_path, "refused").f
    with pytest.raises(ag.AutographError) as caught:
        ag.function(function)(np.array([3, 1, 4, 1]))
    assert caught.value.location is not None
