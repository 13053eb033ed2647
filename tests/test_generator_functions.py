"""Generator functions of the program, consumed by statements and builtins: items and order are CPython's."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome_or_refusal
from generator_programs import PROGRAMS, X

GENERATORS = {
    "for": """
def items(xs, t):
    for x in xs:
        if x > t:
            yield x * 2""",
    "all": """
def items(xs, t):
    for x in xs:
        yield x - t""",
    "while": """
def items(xs, t):
    i = 0
    while i < len(xs) and xs[i] < t + 2:
        yield xs[i]
        i += 1""",
    "several": """
def items(xs, t):
    yield t
    for x in xs:
        if x > t:
            yield x
            yield -x
    yield xs[0]""",
    "break": """
def items(xs, t):
    for x in xs:
        if x > t + 1:
            break
        yield x
    else:
        yield t""",
    "return": """
def items(xs, t):
    for x in xs:
        if x > t + 1:
            return x
        yield x""",
    "nested": """
def items(xs, t):
    for x in xs:
        for y in xs:
            if x * y > t:
                yield x + y""",
    "state": """
def items(xs, t):
    a, b = 0.0, 1.0
    for x in xs:
        a, b = b, a + x
        if a > t:
            yield a""",
    "from": """
def others(xs, t):
    for x in xs:
        if x > t:
            yield x


def items(xs, t):
    yield from others(xs, t)
    yield from others(-xs, t)
    yield from [t, t]""",
    "of generator": """
def others(xs, t):
    for x in xs:
        if x > t:
            yield x


def items(xs, t):
    for x in others(xs, t):
        if x < t + 3:
            yield x""",
    "tuples": """
def pairs(xs, t):
    for i in range(len(xs)):
        if xs[i] > t:
            yield i, xs[i]


def items(xs, t):
    for i, x in pairs(xs, t):
        yield x * i""",
    "integers": """
def items(xs, t):
    n = int(xs[0] * 4) + 3
    while n > 1:
        yield n
        n = n // 2""",
    "none": """
def items(xs, t):
    if t > 1000:
        yield t""",
    "endless": """
def items(xs, t):
    x = t + 1.0
    while True:
        yield x
        x = x + 1.0""",
    "method": """
class Holder:
    def __init__(self, xs):
        self.xs = xs

    def walk(self, t):
        for x in self.xs:
            if x > t:
                yield x


def items(xs, t):
    return Holder(xs).walk(t)""",
    "__iter__": """
class Items:
    def __init__(self, xs, t):
        self.xs, self.t = xs, t

    def __iter__(self):
        for x in self.xs:
            if x > self.t:
                yield x


items = Items""",
    "else": """
def items(xs, t):
    for x in xs:
        if x > t:
            yield x
    else:
        return""",
}
CONSUMERS = {
    "sum": "    return sum(items(xs, t))",
    "list": "    return list(items(xs, t))",
    "tuple": "    return len(tuple(items(xs, t)))",
    "sorted": "    return sorted(items(xs, t))",
    "max": "    return max(items(xs, t), default=-1.0)",
    "any": "    return any(v > 2 for v in items(xs, t))",
    "all": "    return all(v > -9 for v in items(xs, t))",
    "next": "    return next(items(xs, t), None)",
    "for": "    s = 0.0\n    for v in items(xs, t):\n        s += v\n    return s",
    "two": "    s, n = 0.0, 0\n    for v in items(xs, t):\n        s, n = s + v, n + 1\n    return s, n",
    "append": "    made = []\n    for v in items(xs, t):\n        made.append(v * 3)\n    return made",
    "break": "    s = 0.0\n    for v in items(xs, t):\n        if v > 2:\n"
    "            break\n        s += v\n    return s",
    "return": "    for v in items(xs, t):\n        if v > 1.5:\n            return v\n    return -1.0",
    "continue": "    s = 0.0\n    for v in items(xs, t):\n        if v < 1:\n"
    "            continue\n        s += v\n    return s",
    "else": "    for v in items(xs, t):\n        if v > 4:\n            s = v\n            break\n    else:\n"
    "        s = 0.5\n    return s",
    "comprehension": "    return [v + 1 for v in items(xs, t) if v > 0]",
    "set": "    return len({int(v) for v in items(xs, t)})",
    "dict": "    return sum({int(v): v for v in items(xs, t)}.values())",
    "array": "    a = np.zeros(3)\n    for v in items(xs, t):\n        a[int(abs(v)) % 3] += v\n    return a",
    "nested": "    s = 0.0\n    for v in items(xs, t):\n        for w in items(xs, v):\n"
    "            s += w * v\n    return s",
    "branch": "    s = 0.0\n    if xs[0] > 0:\n        for v in items(xs, t):\n"
    "            s += v\n    return s",
    "loop": "    s = 0.0\n    for k in range(5):\n        for v in items(xs, t + k):\n"
    "            s += v\n    return s",
    "printed": "    for v in items(xs, t):\n        print(v)\n    return t",
    "attribute": "    o = Bag()\n    for v in items(xs, t):\n        o.n += 1\n"
    "        o.last = v\n    return o.n, o.last",
    "closure": "    s = 0.0\n    def add(v):\n        nonlocal s\n"
    "        s = s + v\n    for v in items(xs, t):\n"
    "        add(v)\n    return s",
    "global": "    global total\n    total = 0.0\n    for v in items(xs, t):\n"
    "        total += v\n    return total",
    "enumerate": "    s = 0.0\n    for i, v in enumerate(items(xs, t)):\n        s += i * v\n    return s",
    "enumerate from": "    return [i * v for i, v in enumerate(items(xs, t), 2)]",
    "zip": "    s = 0.0\n    for v, x in zip(items(xs, t), xs):\n        s += x * v\n    return s",
    "zip after": "    s = 0.0\n    for x, v in zip(xs, items(xs, t)):\n        s += x * v\n    return s",
    "map": "    return sum(map(lambda v: v * v if v > 0 else -v, items(xs, t)))",
    "filter": "    return list(filter(lambda v: v > 1, items(xs, t)))",
    "filter of None": "    return sum(filter(None, items(xs, t)))",
    "takewhile": "    return list(takewhile(lambda v: v < 3, items(xs, t)))",
    "dropwhile": "    return list(dropwhile(lambda v: v < 2, items(xs, t)))",
    "filterfalse": "    s = 0.0\n    for v in filterfalse(lambda v: v < 2, items(xs, t)):\n"
    "        s += v\n    return s",
    "islice": "    s = 0.0\n    for v in islice(items(xs, t), 2):\n        s += v\n    return s",
    "takewhile of data": " "
    "   return sum(takewhile(lambda v: v > t, xs)), list(dropwhile(lambda v: v > t, xs))",
    "grown": "    made = [v for v in items(xs, t)]\n    return list(takewhile(lambda v: v < 2, made))",
    "twice": "    g = items(xs, t)\n    a = sum(g)\n    return a + sum(g)",
    "last": "    v = None\n    for v in items(xs, t):\n        pass\n    return v",
}
ENDLESS = ("break", "return", "any", "next", "zip", "zip after", "takewhile", "islice")
"""What ends although the items do not."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("generator_functions")
    start = "from itertools import dropwhile, filterfalse, islice, takewhile\nimport numpy as np\n\n\n"
    start += "class Bag:\n    def __init__(self):\n        self.n, self.last = 0, 0.0\n\n"
    made = {}
    for number, (name, generator) in enumerate(GENERATORS.items()):
        text = start + generator + "\n"
        for place, consumer in enumerate(CONSUMERS.values()):
            text += f"\n\ndef f_{place}(xs, t):\n{consumer}\n"
        made[name] = module_of(text, folder, f"generator_functions_{number}")
    return made


XS = np.array([0.5, 1.5, -0.5, 2.5, 1.0])


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("generator", GENERATORS)
def test_items(programs: Any, generator: str, consumer: str, capsys: pytest.CaptureFixture[str]) -> None:
    if generator == "endless" and consumer not in ENDLESS:
        return
    program = getattr(programs[generator], f"f_{list(CONSUMERS).index(consumer)}")
    staged = ag.function(program)
    refused = 0
    for xs, t in product((XS, XS[:1], -XS, XS[::-1].copy()), (0.0, -9.0, 9.0)):
        arguments = (xs, np.float64(t))
        capsys.readouterr()
        want, _ = outcome_or_refusal(program, arguments)
        printed = capsys.readouterr().out
        got, is_refused = outcome_or_refusal(staged, arguments)
        refused += is_refused
        if not is_refused:
            assert got == want
            assert capsys.readouterr().out == printed
    # A tuple has a length that is known while tracing.
    assert not refused or consumer == "tuple", got


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_programs(program: Any) -> None:
    staged = ag.function(program)
    for argument in PROGRAMS[program]:
        got, is_refused = outcome_or_refusal(staged, (argument,))
        assert not is_refused
        assert got == outcome_or_refusal(program, (argument,))[0]


def positives(xs: Any, t: Any) -> Any:
    for x in xs:
        if x > t:
            yield x * x


def added_up(xs: Any, t: Any) -> Any:
    return sum(positives(xs, t)) * max(positives(xs, t), default=1.0)


def first_large(xs: Any, t: Any) -> Any:
    for v in positives(xs, t):
        if v > 2:
            return v * 3
    return 0.0 * t


@pytest.mark.parametrize("function", [added_up, first_large])
def test_gradients_and_rows(function: Any) -> None:
    t, step = 0.2, 1e-6
    want = [
        (function(X + step * unit, t) - function(X - step * unit, t)) / (2 * step) for unit in np.eye(len(X))
    ]
    np.testing.assert_allclose(ag.grad(function)(X, t), want, atol=1e-7)
    np.testing.assert_allclose(ag.function(ag.grad(function))(X, np.float64(t)), want, atol=1e-7)
    rows = np.stack([X, -X, X * 2])
    got = ag.vmap(function, in_axes=(0, None))(rows, np.float64(t))
    np.testing.assert_array_equal(got, [function(row, t) for row in rows])
