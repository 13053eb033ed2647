"""Variables that a staged statement binds to one array, or leaves unbound.

    for i in range(n):
        a[i] = f(i)
        if a[i] > 1:
            return a        # what is returned is `a` itself, or there is no result yet

After the `if` the result is a variable that may be unbound. Where it is bound, it is `a` itself: it is read
from `a`, as a view is. So is a variable that may be `None`, and an element of a tuple: `return a, i`. A
variable that is one of two arrays is not: `tensors/memory.py` says what is known of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optional_of import OptionalOf
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.tuple_of import TupleOf, is_tuple
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.objects.maybe_unbound import MaybeUnbound
from autograph._src.staging.tensors.parted import PartedTensor
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
"""Stands for the alias of a variable that has not been bound yet, or is `None`."""

Known = Alias | str | tuple["Known", ...] | None
"""The alias of a variable, those of a tuple's elements, ``UNBOUND``, or ``None`` if it may be one of several
arrays."""


def alias_of(value: object, serial: int) -> Known:
    """The alias of a value, if its array is from before a serial number and the steps can be taken there."""
    value = _bound(value)
    if value is None or isinstance(value, Undefined):
        return UNBOUND
    if _is_tuple(value):
        return tuple(alias_of(one, serial) for one in value)
    if not isinstance(value, Tensor) or isinstance(value, PartedTensor) or value.form is not Form.ARRAY:
        return None
    base, steps = value._array(), steps_to(value)
    if base.serial > serial or (value.serial > serial and not are_plain(steps)):
        return None
    return Alias(base, steps)


def alias_of_view(value: object, serial: int) -> Known:
    """As :func:`alias_of`, but of views only: another array is carried as what its variable is bound to."""
    inside = _bound(value)
    if _is_tuple(inside):
        return tuple(alias_of_view(one, serial) for one in inside)
    is_view = isinstance(inside, Tensor) and inside._path is not None
    return alias_of(inside, serial) if is_view or inside is None or isinstance(inside, Undefined) else None


def _bound(value: object) -> object:
    """What a variable is where it is bound and not ``None``."""
    while isinstance(value, (MaybeBound, StagedOptional)):
        value = value.value
    return value


def _is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    is_named = isinstance(value, tuple) and hasattr(value, "_fields") and backend_of(value) is None
    return type(value) is tuple or is_named


def common(aliases: Iterable[Known]) -> Known:
    """The alias of a variable that has one of these."""
    found: Known = UNBOUND
    for one in aliases:
        if found is UNBOUND:
            found = one
        elif isinstance(one, tuple) and isinstance(found, tuple) and len(one) == len(found):
            found = tuple(map(common, zip(found, one, strict=True)))
        elif one is not UNBOUND and not are_same(found, one):
            return None
    return found


def are_same(one: Known, other: Known) -> bool:
    """Whether two aliases say the same."""
    if isinstance(one, Alias) and isinstance(other, Alias):
        return one.is_same(other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(are_same, one, other))
    return one is other


def note_alias(value: object, alias: Known, serial: int) -> None:
    """Has a new variable, or the elements of a tuple, be read from their arrays."""
    value = _bound(value)
    if isinstance(alias, tuple) and _is_tuple(value) and len(alias) == len(value):
        for part, one in zip(value, alias, strict=True):
            note_alias(part, one, serial)
    if isinstance(alias, Alias) and isinstance(value, Tensor) and value.serial > serial:
        follow(value, alias.base, alias.steps)


def without_aliases(kind: ValueKind, alias: Known, values: list[int], before: object) -> list[int]:
    """The graph values of a variable, with what they were before in place of those that nothing reads.

    An array that is read from another is not carried anew in each iteration.

    Args:
        kind: The kind of the variable.
        alias: Its alias.
        values: The graph values of its kind.
        before: The variable before.
    """
    before = _bound(before)
    if isinstance(alias, Alias) and isinstance(kind, TensorOf) and isinstance(before, Tensor):
        return [before.value_id, *values[1:]]
    if isinstance(kind, OptionalOf) and kind.inner is not None:
        return [values[0], *without_aliases(kind.inner, alias, values[1:], before)]
    if isinstance(kind, MaybeUnbound):
        return without_aliases(kind.inner, alias, values, before)
    if isinstance(alias, tuple) and is_tuple(kind) and isinstance(kind, TupleOf) and _is_tuple(before):
        found, rest = [], values
        for part, one, old in zip(kind.parts, alias, before, strict=True):
            count = len(part.graph_types())
            found += without_aliases(part, one, rest[:count], old)
            rest = rest[count:]
        return [*found, *rest]
    return values
