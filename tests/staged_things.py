"""Staged functions and methods of every manner, at the top of a module: what other processes unpickle.

Each is written as a plain program would be. `ag.function` stands above or below what makes a method special.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
from typing import Any

import autograph as ag


@ag.function
def scaled(x: float, rate: float = 0.5, *, times: int = 1) -> float:
    """Scales."""
    for _ in range(times):
        x = x * rate
    return x


def plain(x: float) -> float:
    """Adds one."""
    return x + 1.0


added = ag.function(plain)
added_static = ag.function(plain, static="x", numerics="exact")
partial = ag.function(functools.partial(plain))
slope = ag.grad(plain)
slopes = ag.vmap(ag.grad(plain), in_axes=0, axis_size=2)
both = ag.value_and_grad(scaled, argnums=(0,))
bend = ag.hessian(plain)


@ag.grad
def energy(x: float) -> float:
    """The energy."""
    return x * x


@ag.py_function
def logged(x: float) -> float:
    return x + 0.5


@ag.custom_jvp
def ruled(x: float) -> float:
    return x * 3.0


class Base:
    """Methods of every kind."""

    factor = 2.0

    @ag.function
    def method(self, x: float) -> float:
        """Multiplies."""
        return x * self.factor if x > 0 else x

    @ag.function
    @classmethod
    def class_above(cls, x: float) -> float:
        return x + cls.factor if x > 0 else x

    @classmethod
    @ag.function
    def class_below(cls, x: float) -> float:
        return x - cls.factor if x > 0 else x

    @ag.function
    @staticmethod
    def static_above(x: float) -> float:
        return x * 5.0 if x > 0 else x

    @staticmethod
    @ag.function
    def static_below(x: float) -> float:
        return x * 7.0 if x > 0 else x

    @ag.function
    @property
    def property_above(self) -> float:
        """A property."""
        return self.factor * 3.0

    @property
    @ag.function
    def property_below(self) -> float:
        """A property."""
        return self.factor * 4.0

    @ag.function
    @functools.cached_property
    def cached_above(self) -> float:
        """Kept."""
        return self.factor * 6.0

    @functools.cached_property
    @ag.function
    def cached_below(self) -> float:
        """Kept."""
        return self.factor * 8.0

    partial_above = ag.function(functools.partialmethod(method.__wrapped__, 3.0))
    partial_below = functools.partialmethod(method, 3.0)

    @property
    def written(self) -> float:
        return self.factor

    @ag.function
    @written.setter
    def written(self, value: float) -> None:
        self.factor = value * 2.0


class Derived(Base):
    """Calls what it overrides."""

    factor = 3.0

    @ag.function
    def method(self, x: float) -> float:
        return super().method(x) + 1.0

    @ag.function
    @classmethod
    def class_above(cls, x: float) -> float:
        return super().class_above(x) + 1.0

    @classmethod
    @ag.function
    def class_below(cls, x: float) -> float:
        return super().class_below(x) + 1.0

    @ag.function
    @staticmethod
    def static_above(x: float) -> float:
        return Base.static_above(x) + 1.0

    @ag.function
    @property
    def property_above(self) -> float:
        return super().property_above + 1.0

    @property
    @ag.function
    def property_below(self) -> float:
        return super().property_below + 1.0


class Slotted:
    """Has no `__dict__`."""

    __slots__ = ("factor",)

    def __init__(self) -> None:
        self.factor = 5.0

    @ag.function
    def method(self, x: float) -> float:
        return x * self.factor


@dataclasses.dataclass(frozen=True, slots=True)
class Record:
    """A dataclass, frozen, with slots."""

    factor: float = 4.0

    @ag.function
    def method(self, x: float) -> float:
        return x * self.factor

    @ag.function
    @property
    def doubled(self) -> float:
        return self.factor * 2.0


class Abstract(abc.ABC):
    """Abstract methods, above and below."""

    @abc.abstractmethod
    @ag.function
    def below(self, x: float) -> float: ...

    @ag.function
    @abc.abstractmethod
    def above(self, x: float) -> float: ...

    @ag.function
    @property
    @abc.abstractmethod
    def shown(self) -> float: ...


class Concrete(Abstract):
    """Defines them all."""

    @ag.function
    def below(self, x: float) -> float:
        return x + 1.0

    @ag.function
    def above(self, x: float) -> float:
        return x + 2.0

    @ag.function
    @property
    def shown(self) -> float:
        return 3.0


class Holder:
    """An object that keeps staged functions and bound methods."""

    def __init__(self) -> None:
        self.items: dict[str, Any] = {"f": scaled, "g": added, "m": Derived().method, "c": Base.class_above}
        self.slope = energy
