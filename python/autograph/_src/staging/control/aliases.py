"""Variables that a staged statement binds to one array, or leaves unbound.

    for i in range(n):
        a[i] = f(i)
        if a[i] > 1:
            return a        # what is returned is `a` itself, or there is no result yet

After the `if` the result is a variable that may be unbound. Where it is bound, it is `a` itself: it is read
from `a`, as a view is. A variable that is one of two arrays is not: `tensors/memory.py` says what is known of
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.complex.complex_tensor import ComplexTensor
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.tensors.view_steps import Steps, are_plain
from autograph._src.staging.tensors.views import follow, steps_to


@dataclass(frozen=True, eq=False)
class Alias:
    """The array that a value is, or is a view of.

    Attributes:
        base: The array.
        steps: The steps to the view.
    """

    base: Tensor
    steps: Steps

    def is_same(self, other: Alias) -> bool:
        """Whether both are one part of one array."""
        if self.base is not other.base:
            return False
        if self.steps is other.steps:
            return True
        return are_plain((*self.steps, *other.steps)) and self.steps == other.steps


UNBOUND = "unbound"
"""Stands for the alias of a variable that has not been bound yet."""

Known = Alias | str | None
"""The alias of a variable, ``UNBOUND``, or ``None`` if it may be one of several arrays."""


def alias_of(value: object, serial: int) -> Known:
    """The alias of a value, if its array is from before a serial number and the steps can be taken there."""
    if isinstance(value, Undefined):
        return UNBOUND
    if not isinstance(value, Tensor) or isinstance(value, ComplexTensor) or value.form is not Form.ARRAY:
        return None
    base, steps = value._array(), steps_to(value)
    if base.serial > serial or (value.serial > serial and not are_plain(steps)):
        return None
    return Alias(base, steps)


def common(aliases: Iterable[Known]) -> Known:
    """The alias of a variable that has one of these."""
    found: Known = UNBOUND
    for one in aliases:
        if one is None or (isinstance(one, Alias) and isinstance(found, Alias) and not found.is_same(one)):
            return None
        if not isinstance(found, Alias):
            found = one
    return found


def note_alias(value: object, alias: Known, serial: int) -> None:
    """Has a new variable be read from its array."""
    if isinstance(alias, Alias) and isinstance(value, Tensor) and value.serial > serial:
        follow(value, alias.base, alias.steps)
