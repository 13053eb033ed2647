"""Objects beside numbers and arrays in operators: what NumPy asks them, or makes of them.

Plain objects, containers, classes with operators of their own, and what Python's library has, on both sides
of every operator, of values of one type, of several types, and that may be ``None``.
"""

from __future__ import annotations

import random
import warnings
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal

CLASSES = """\
import array
import collections
import datetime
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np


@dataclass
class Box:
    value: object


class Plain:
    pass


class Asked:
    def _saw(self, name, other):
        return name, other


class Deaf:
    def _saw(self, name, other):
        return NotImplemented


def give_operators(kind):
    names = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
    names = [*names.split(), *(f"r{name}" for name in names.split()), *"eq ne lt le gt ge".split()]
    for name in names:
        setattr(kind, f"__{name}__", lambda self, other, name=name: self._saw(name, other))


give_operators(Asked)
give_operators(Deaf)


class Preferred(Asked):
    __array_priority__ = 1


class Outranked(Asked):
    __array_priority__ = -5


class NoArrays(Asked):
    __array_ufunc__ = None


class Sequence(Asked):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return [1.0, 2.0][index]


class Array(Asked):
    def __array__(self, dtype=None, copy=None):
        return np.array([1.0, 2.0])


class Sub(np.ndarray):
    pass


class Kept(int):
    pass


class Half(Asked):
    def __mul__(self, other):
        return ("int", other) if isinstance(other, int) else NotImplemented


OBJECTS = [
    Box(1.0), Plain(), Asked(), Deaf(), Preferred(), Outranked(), NoArrays(), Sequence(), Array(), Half(),
    {"a": 1.0}, {1.0, 2}, frozenset(), range(2), "ab", b"a", bytearray(b"ab"), memoryview(b"ab"), int, Box,
    len, ..., NotImplemented, slice(1), collections.deque([1.0, 2.0]), array.array("d", [1.0, 2.0]),
    Decimal("1.5"), Fraction(3, 2), datetime.timedelta(1), datetime.date(2020, 1, 1), Path("a"),
    2**70, -(2**70),
    np.matrix([[1.0, 2.0]]), np.ma.array([1.0, 2.0], mask=[False, True]), np.ones(2).view(Sub), np.str_("a"),
    np.datetime64("2020-01-01"), np.array([1.0, None], object), Kept(2),
]


"""
"""The module of the programs."""

MADE = {
    "one type": "",
    "several": "    if c:\n        v = y\n",
    "optional": "    v = None\n    if c:\n        v = x\n",
    "item": "    v = [x, x][k]\n",
}
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "<<", "==", "!=", "<", ">=")
UNASKING = {"%": (str, bytes, bytearray), "**": (Fraction,)}
"""What, on the left, does not ask the staged value: docs/differences.md says so."""
DRAWN = 20
PAIRS: list[tuple[Any, Any]] = [
    *(
        (np.arange(2.0), np.arange(3)),
        (np.float64(1.5), 3),
        (2.5, np.arange(2.0)),
        (np.array(2.0), np.int32(1)),
    ),
    *((np.int64(1), 2.5), (3, np.float32(1)), (np.ones(0), True), (np.bool_(1), 1j), (np.complex128(1j), 2)),
]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return module_of(CLASSES, tmp_path_factory.mktemp("classes"), "objects_as_operands")


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("symbol", OPERATORS)
def test_objects_as_operands(symbol: str, made: str, classes: ModuleType, tmp_path: Path) -> None:
    objects = classes.OBJECTS
    assert len(objects) == 40
    same, different = 0, []
    calls = [
        (place, number, pair, c)
        for place, value in enumerate(objects)
        for number in range(2)
        if not (number and isinstance(value, UNASKING.get(symbol, ())))
        for pair in PAIRS
        for c in (np.bool_(True), np.bool_(False))
    ]
    called = random.Random(symbol + made).sample(calls, DRAWN)
    # A list for each object: the methods of all objects in a list are looked at whenever it is traced.
    programs = [f"from {classes.__name__} import OBJECTS\n"]
    for place, number in sorted({call[:2] for call in called}):
        left, right = (f"held_{place}[0]", "v") if number else ("v", f"held_{place}[0]")
        programs.append(f"held_{place} = [OBJECTS[{place}]]\n")
        head = f"def f{place}_{number}(x, y, c, k):\n    v = x\n{MADE[made]}"
        programs.append(f"{head}    return {left} {symbol} {right}\n")
    name = f"objects_{OPERATORS.index(symbol)}_{made[:3]}"
    module = module_of("\n\n".join(programs), tmp_path, name)
    for place, number, pair, c in called:
        function = getattr(module, f"f{place}_{number}")
        staged = ag.function(function)
        arguments = (*pair, c, np.int64(0))
        want = outcome(function, arguments)
        got, is_refusal = outcome_or_refusal(staged, arguments)
        same += want == got
        if want != got and not is_refusal:
            different.append((objects[place], number, arguments, want, got))
    assert not different
    assert same > DRAWN // 8


class Shifted:
    def __init__(self, value: float, next: Any) -> None:
        self.value, self.next = value, next

    def __lshift__(self, n: int) -> Any:
        return self.value * 2.0**n

    def __rrshift__(self, n: float) -> Any:
        return n - self.value


def total_of_shifts(node: Any) -> Any:
    total = 0.0
    while node is not None:
        total += (node << 2) + (1.0 >> node)
        node = node.next
    return total


def test_nodes_have_all_operators() -> None:
    nodes = None
    for value in (3.0, 2.0, 5.0):
        nodes = Shifted(value, nodes)
    assert ag.function(total_of_shifts)(nodes) == total_of_shifts(nodes) == 33.0
