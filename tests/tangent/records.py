"""Frozen dataclasses and named tuples: adjoints are a dict and a tuple; `replace` keeps the other fields."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from autograph import tangent


@dataclass(frozen=True)
class State:
    h: float
    c: float


class Pair(NamedTuple):
    a: float
    b: float


def f(x, y):
    state = replace(State(x * y, y), c=x * x)
    pair = Pair(state.h, b=state.c)
    return pair.a * pair.b


derivative = tangent.grad(f)

assert derivative(2.0, 3.0) == 3 * 2.0**2 * 3.0
