"""What a dataclass's generated ``__init__`` calls of the program is converted; callables unlike functions."""

from __future__ import annotations

import collections
import functools
from dataclasses import InitVar, dataclass, field
from typing import Any, ClassVar

import autograph as ag
import numpy as np
import pytest
from programs import assert_same


def told(value: Any) -> Any:
    print("told", value)
    return value


@dataclass
class Bounded:
    start: float
    end: float = 1.0

    def __post_init__(self):
        if self.start > 0:
            self.end = self.start * 2
        print("bounded", self.end)


@dataclass
class Longer(Bounded):
    length: float = 0.5

    def __post_init__(self):
        super().__post_init__()
        self.length = self.end - self.start


class OfLonger(Longer):
    pass


@dataclass
class Scaled:
    value: float
    factor: InitVar[float] = 2.0
    made: list = field(default_factory=lambda: told([1.0]))
    inside: float = field(init=False, default=3.0)
    count: ClassVar[int] = 0

    def __post_init__(self, factor):
        print("scaled by", factor)
        self.result = self.value * factor + self.inside


@dataclass(frozen=True)
class Frozen:
    value: float

    def __post_init__(self):
        print("frozen", self.value)
        object.__setattr__(self, "double", self.value * 2)


@dataclass(slots=True)
class Slotted:
    value: float
    double: float = field(init=False, default=0.0)

    def __post_init__(self):
        print("slotted")
        self.double = self.value * 2


@dataclass
class Checked:
    value: float

    def __post_init__(self):
        if self.value < 0:
            raise ValueError("negative")


def bounded(c):
    return Bounded(c).end, Bounded(c, end=c).end


def longer(c):
    return Longer(c).length, OfLonger(c, 2.0).length


def scaled(c):
    one, other = Scaled(c), Scaled(c, 3.0, [2.0])
    one.made.append(c)
    return one.result, one.made, other.result, other.made, one.inside, Scaled.count


def frozen(c):
    return Frozen(c).double


def slotted(c):
    return Slotted(c).double


def checked(c):
    return Checked(c).value


def many(c):
    total = 0.0
    for one in [Bounded(c + i) for i in range(6)]:
        total += one.end
    return total


def with_too_many(c):
    return Bounded(c, 1.0, 2.0)


class Anything:
    """Answers whatever it is asked for."""

    def __init__(self, factor):
        self.factor = factor

    def __getattr__(self, name):
        return 0.0

    def __call__(self, x):
        return x * self.factor + self.missing


ANYTHING = Anything(3.0)


def called_object_of_any_attribute(c):
    return ANYTHING(c)


def compared_by_a_key(c):
    key = functools.cmp_to_key(lambda a, b: b - a)
    xs = [3, 1, 2]
    xs.sort(key=key)
    return xs, sorted([3, 1, 2], key=key), key(1) < key(2), c


PROGRAMS = (
    *(bounded, longer, scaled, frozen, slotted, checked, many, with_too_many),
    *(called_object_of_any_attribute, compared_by_a_key),
)


def outcome(function: Any, argument: Any, capsys: Any) -> Any:
    try:
        result = function(argument)
    except (TypeError, ValueError) as error:
        result = type(error).__name__, str(error)
    return result, capsys.readouterr().out


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_staged_call_does_what_cpython_does(program: Any, capsys: Any) -> None:
    staged = ag.function(program)
    for c in map(np.float64, (1.5, -1.0, 0.0)):
        got, want = outcome(staged, c, capsys), outcome(program, c, capsys)
        assert_same(got, want)


@dataclass
class Holder:
    total: float = 0.0
    seen: dict = field(default_factory=dict)
    names: set = field(default_factory=set)
    queue: collections.deque = field(default_factory=collections.deque)
    rows: list = field(default_factory=list)


def test_containers_of_factories_are_new_ones() -> None:
    def filled(x, k):
        one, other = Holder(), Holder(1.0)
        for i in (1, 2, 1):
            one.seen[i] = one.seen.get(i, 0) + x
            one.names.add(i)
            one.queue.append(i)
            one.rows.append(x)
        if x > 1:
            other.seen[k] = x
            other.queue.append(x)
        return one, other.seen, list(other.queue), len(other.names)

    staged = ag.function(filled, dynamic="k")
    for x, k in ((1.5, 3), (0.5, 3), (2.5, 1)):
        assert repr(staged(x, k)) == repr(filled(x, k))
