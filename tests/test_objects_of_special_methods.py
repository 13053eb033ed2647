"""Objects that special methods and properties make, while nothing in them is staged, may be changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from reach.judge import Program, judged


class Vector:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x)

    def __neg__(self) -> Vector:
        return Vector(-self.x)

    def __getitem__(self, place: Any) -> Vector:
        return Vector(self.x * place)

    def __iter__(self) -> Iterator[Vector]:
        yield Vector(self.x)
        yield Vector(self.x + 1)

    def __lt__(self, other: Vector) -> Any:
        return self.x < other.x

    @property
    def half(self) -> Vector:
        return Vector(self.x / 2)


@dataclass
class Item:
    name: str
    count: Any = 0

    def __add__(self, other: Item) -> Item:
        return Item(self.name, self.count + other.count)


class Inventory:
    def __init__(self) -> None:
        self.items: dict[str, Item] = {}

    def add(self, name: str, count: Any) -> None:
        if name in self.items:
            self.items[name] = self.items[name] + Item(name, count)
        else:
            self.items[name] = Item(name, count)

    def remove(self, name: str, count: Any) -> bool:
        item = self.items.get(name)
        if item is None or item.count < count:
            return False
        item.count -= count
        return True


def of_a_sum(n: Any) -> Any:
    v = Vector(1) + Vector(2)
    v.x += n
    return v.x


def of_a_sign(n: Any) -> Any:
    v = -Vector(1)
    v.x += 1
    return v.x, n


def of_a_property(n: Any) -> Any:
    v = Vector(1).half
    v.x = n
    return v.x


def of_an_item_and_a_walk(n: Any) -> Any:
    v = Vector(1)[3]
    v.x += n
    for w in Vector(1):
        w.x += n
        v.x *= w.x
    return v.x


def of_the_larger(n: Any) -> Any:
    v, w = max(Vector(1), Vector(2)), min(Vector(4), Vector(3), Vector(5))
    v.x += n
    w.x -= n
    return v.x, w.x


def of_a_class_in_a_dict(n: Any) -> Any:
    inventory = Inventory()
    inventory.add("a", 1)
    inventory.add("a", 2)
    removed = inventory.remove("a", 1), inventory.remove("b", 1), inventory.remove("a", 5)
    return removed, inventory.items["a"].count, n


def of_a_class_in_a_dict_of_the_run(n: Any) -> Any:
    inventory = Inventory()
    for name in "aab":
        inventory.add(name, n)
    return inventory.remove("a", 1), inventory.items["a"].count, inventory.items["b"].count


FUNCTIONS = (
    of_a_sum,
    of_a_sign,
    of_a_property,
    of_an_item_and_a_walk,
    of_the_larger,
    of_a_class_in_a_dict,
    of_a_class_in_a_dict_of_the_run,
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_they_are_as_cpythons(function: Callable[..., Any]) -> None:
    calls = [(5,), (5,), (6,), (np.float64(2.0),), (-0.5,), (0,), (np.int64(3),)]
    verdict = judged(Program("objects of special methods", function, tuple(calls)))
    assert not verdict.differences
    assert verdict.refusal is None
