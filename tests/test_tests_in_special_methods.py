"""Methods that Python itself calls, with tests of staged values in them: operators, truth, properties.

Each use meets each place and each kind of numbers; the values take every path of the methods.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal

CLASSES = """
import functools
from dataclasses import dataclass


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return Vec(self.x + other.x, self.y + other.y)

    def __radd__(self, other):
        return Vec(other, other) + self if other > 1 else self

    def __mul__(self, k):
        if k > 0:
            return Vec(self.x * k, self.y * k)
        return Vec(0 * k, self.y)

    def __imul__(self, k):
        if k > 1:
            self.x = self.x * k
        return self

    def __neg__(self):
        return Vec(-self.x, -self.y) if self.x > 0 else Vec(self.x, -self.y)

    def __abs__(self):
        return self.x if self.x > self.y else self.y

    def __lt__(self, other):
        if self.x == other.x:
            return self.y < other.y
        return self.x < other.x

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    __hash__ = None

    def __bool__(self):
        return bool(self.x != 0 or self.y > 1)

    def __len__(self):
        return 2 if self.x > 1 else 1

    def __getitem__(self, i):
        if i == 0:
            return self.x
        if i == 1:
            return self.y
        raise IndexError("no part", 3)

    def __contains__(self, v):
        return v == self.x or v == self.y

    def __float__(self):
        return float(self.x) if self.x > 0 else 0.5

    @property
    def size(self):
        print("size")
        if self.x > 0:
            return self.x
        return -self.x


class Short(Vec):
    def __add__(self, other):
        return Vec(self.x, self.y) if other.x > 1 else Vec(other.x, self.y)

    __radd__ = __add__


class Bag:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return int(self.n)


@functools.total_ordering
class Card:
    def __init__(self, rank):
        self.rank = rank

    def __eq__(self, other):
        return self.rank == other.rank

    def __lt__(self, other):
        return self.rank < other.rank


@dataclass(order=True)
class Point:
    x: float
    y: float


"""

USES = {
    "add": "(Vec(a, b) + Vec(b, a)).x",
    "reflected": "(a + Vec(a, b)).y",
    "add_number": "Vec(a, b) + 2",
    "subclass": "(Vec(a, b) + Short(b, a)).x",
    "mul": "(Vec(a, b) * a).x",
    "neg": "(-Vec(a, b)).x",
    "abs": "abs(Vec(a, b))",
    "less": "Vec(a, b) < Vec(b, a)",
    "greater": "Vec(a, b) > Vec(b, a)",
    "equal": "Vec(a, b) == Vec(b, a)",
    "unequal": "Vec(a, b) != Vec(b, a)",
    "chain": "Vec(a, b) < Vec(b, a) < Vec(3, 3)",
    "truth": "bool(Vec(a, b))",
    "not": "not Vec(a, b)",
    "and": "1 if Vec(a, b) and Vec(b, b) else 2",
    "if_exp": "1 if Vec(a, b) else 2",
    "length": "len(Vec(a, b))",
    "empty": "0 if Bag(a) else 1",
    "item": "Vec(a, b)[n]",
    "contains": "a in Vec(2, b)",
    "member": "Vec(a, b) in [Vec(1, 2), Vec(0, b)]",
    "float": "float(Vec(a, b))",
    "property": "Vec(a, b).size + 1",
    "total": "(Card(a) <= Card(b), Card(a) > Card(b), Card(a) >= Card(b))",
    "dataclass": "(Point(a, b) < Point(b, a), Point(a, b) == Point(a, a), Point(a, b) >= Point(b, a))",
    "pair": "(a, b) == (1, 2)",
    "pair_less": "((a, n) < (b, n), (a, b) <= (b, a), (a, 1, 2) > (a, 1))",
    "pair_among": "(a, b) in [(1, 2), (0, 0)]",
    "list": "[a, b] == [b, a]",
}
PLACES = {
    "straight": "return {0}",
    "branch": "r = None\n    if n > 0:\n        r = {0}\n    return r",
    "while": "r = None\n    while n < 2:\n        r = {0}\n        n += 1\n    return r",
    "for": "r = None\n    for _ in range(n):\n        r = {0}\n    return r",
    "callee": "def inner(a):\n        return {0}\n    return inner(a)",
}
KINDS = {
    "float": ((1.0, 2.0), (2.0, 1.0), (0.0, 0.0), (-1.0, 3.0), (1.0, 1.0)),
    "int64": tuple((np.int64(a), np.int64(b)) for a, b in ((1, 2), (0, 0), (-1, 3))),
    "float32": tuple((np.float32(a), np.float32(b)) for a, b in ((1, 2), (0.5, 0.5))),
    "array": tuple((np.array(a), np.array(b)) for a, b in ((1.0, 2.0), (2.0, 1.0))),
}


@pytest.mark.parametrize("place", PLACES)
def test_uses(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CLASSES + "".join(
        f"def of_{use}(a, b, n):\n    {PLACES[place].format(written)}\n\n\n" for use, written in USES.items()
    )
    module = module_of(text, tmp_path, f"special_methods_{place}")
    different, refused, same = [], [], 0
    for use, (kind, values) in product(USES, KINDS.items()):
        function = getattr(module, f"of_{use}")
        staged = ag.function(function)
        for (a, b), n in product(values, (np.int64(1), np.int64(0))):
            capsys.readouterr()
            want = outcome(function, (a, b, n)), capsys.readouterr().out
            got, is_refusal = outcome_or_refusal(staged, (a, b, n))
            out = capsys.readouterr().out
            if is_refusal:
                refused.append((use, kind))
            elif want == (got, out):
                same += 1
            elif " object at 0x" not in repr(want):
                different.append((use, kind, a, b, n, want, got))
    assert not different
    assert same > 20 * len(KINDS)
    assert len(refused) < same / 4, sorted(set(refused))


def test_gradient_of_methods_with_tests(tmp_path: Path) -> None:
    text = CLASSES + "def loss(a, b):\n    v = Vec(a, b) * a + Vec(b, a)\n    return v.size * abs(v)\n"
    loss = module_of(text, tmp_path, "loss_of_methods").loss
    for a, b in ((1.5, 2.0), (-1.0, 0.25)):
        got = ag.grad(loss)(np.float64(a), np.float64(b))
        assert abs(got - (loss(a + 1e-6, b) - loss(a - 1e-6, b)) / 2e-6) < 1e-5


def test_text_has_operators_where_a_method_needs_them(tmp_path: Path) -> None:
    """The text that users see stays as lean as it was."""
    text = CLASSES + "def f(a, b):\n    return Vec(a, b) < Vec(b, a)\n"
    f = module_of(text, tmp_path, "lean_text").f
    staged = ag.function(f)
    assert staged(1.0, 2.0) is True
    assert staged(2.0, 1.0) is False
    assert "operated" not in ag.to_code(f)
