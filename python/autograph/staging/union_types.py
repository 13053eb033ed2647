"""The types of variables that are of one type or of another: how they join, and how a graph holds them.

    best = 0                    # an int
    for v in values:            # float64 scalars
        if v > best:
            best = v            # which: 0 or 1, slot: f64, in which the int is held as 0.0

A graph holds which alternative it is, and slots. Alternatives share one where it holds all their values to
the bit: an int32 and a float64, an int that is known to be 0 and anything. An int64 and a float64 have one
each. An alternative of one known number that fits nowhere has none.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.staging.constants import Constants, fits, joined, number
from autograph.staging.leaf_types import Alternative, ComplexOf, LeafType, OptionalOf, TupleOf, UnionOf
from autograph.staging.tensor import Kind
from autograph.staging.trace import DTYPES

NumberType = LeafType | ComplexOf

_KINDS = tuple(Kind)


def alternatives_of(leaf: NumberType | UnionOf) -> tuple[Alternative, ...]:
    """What a variable of a type may be."""
    if isinstance(leaf, UnionOf):
        return leaf.alternatives
    if isinstance(leaf, ComplexOf):
        return (Alternative(leaf),)
    return (Alternative(replace(leaf, may_be_unbound=False, constants=None), leaf.constants),)


def real_part(leaf: NumberType) -> LeafType:
    """The type of a number, or of the parts of a complex one."""
    return leaf.real if isinstance(leaf, ComplexOf) else leaf


def identity_of(leaf: NumberType) -> tuple[Any, ...]:
    """What makes it another alternative; sizes do not. It also orders them."""
    part = real_part(leaf)
    order = ("biuf".index(part.dtype.kind), part.dtype.itemsize, _KINDS.index(part.kind), len(part.shape))
    return (isinstance(leaf, ComplexOf), *order)


def join_alternatives(left: NumberType | UnionOf, right: NumberType | UnionOf) -> NumberType | UnionOf:
    """The type of what is of either type."""
    found: dict[tuple[Any, ...], Alternative] = {}
    for one in (*alternatives_of(left), *alternatives_of(right)):
        key = identity_of(one.leaf)
        found[key] = one if key not in found else _both(found[key], one)
    unbound = any(may_be_unbound(one) for one in (left, right))
    if len(found) == 1:
        (only,) = found.values()
        return with_flag(only.leaf, unbound)
    return UnionOf(tuple(found[key] for key in sorted(found)), unbound)


def _both(left: Alternative, right: Alternative) -> Alternative:
    one, two = real_part(left.leaf), real_part(right.leaf)
    # A size that is not the same on both paths is one that only a run knows.
    sizes = tuple(a if a == b else None for a, b in zip(one.shape, two.shape, strict=True))
    part = replace(one, shape=sizes)
    leaf = replace(left.leaf, parts=(part, part)) if isinstance(left.leaf, ComplexOf) else part
    return Alternative(leaf, joined(left.constants, right.constants))


def may_be_unbound(leaf: NumberType | UnionOf) -> bool:
    """Whether a variable of a type carries a flag that says so."""
    return real_part(leaf).may_be_unbound if not isinstance(leaf, UnionOf) else leaf.may_be_unbound


def with_flag(leaf: NumberType, unbound: bool) -> NumberType:
    """The type of a variable that may be unbound, or may not."""
    part = replace(real_part(leaf), may_be_unbound=unbound)
    return replace(leaf, parts=(part, part)) if isinstance(leaf, ComplexOf) else part


def learned(before: UnionOf, after: UnionOf) -> UnionOf:
    """The type that a loop carries, when an iteration gave more: numbers that change are any numbers.

    `n = 0` and `n = n + 1` are 0, then 0 or 1, then 0, 1 or 2: that would have no end.
    """
    known = {identity_of(one.leaf): one.constants for one in before.alternatives}
    alternatives = []
    for one in after.alternatives:
        key = identity_of(one.leaf)
        is_stable = key not in known or known[key] == one.constants
        alternatives.append(one if is_stable else replace(one, constants=None))
    return replace(after, alternatives=tuple(alternatives))


def without(union: NumberType | UnionOf, leaf: NumberType) -> NumberType | UnionOf | None:
    """The alternatives but one; ``None`` if there are no others."""
    rest = [one for one in alternatives_of(union) if identity_of(one.leaf) != identity_of(leaf)]
    if len(rest) > 1:
        return UnionOf(tuple(rest), may_be_unbound(union))
    return replace_constants(rest[0]) if rest else None


def replace_constants(one: Alternative) -> NumberType:
    """The type of one alternative, with the numbers that it is known to be one of."""
    return one.leaf if isinstance(one.leaf, ComplexOf) else replace(one.leaf, constants=one.constants)


def is_renumbered(element: Any) -> bool:
    """Whether a wider type may hold the same graph values to mean something else: another alternative."""
    if isinstance(element, TupleOf):
        return any(map(is_renumbered, element.parts))
    if isinstance(element, OptionalOf):
        return is_renumbered(element.inner)
    return isinstance(element, UnionOf)


def plain_constant(one: Alternative) -> Any:
    """The number that an alternative is known to be."""
    assert isinstance(one.leaf, LeafType) and one.constants is not None
    plain = number(one.constants[0])
    if one.leaf.kind is Kind.PYTHON:
        return {"b": bool, "i": int, "f": float}[one.leaf.dtype.kind](plain)
    return one.leaf.dtype.type(plain)


# Slots


@functools.cache
def slots_of(
    alternatives: tuple[Alternative, ...],
) -> tuple[tuple[NumberType, ...], tuple[int | None, ...]]:
    """The types of the values that a graph holds, and for each alternative the one that it is held in."""
    slots: list[NumberType] = []
    places: dict[int, int | None] = {}
    for position, one in enumerate(alternatives):
        if one.constants is None:
            places[position] = _place(slots, one.leaf)
    for position, one in enumerate(alternatives):
        if one.constants is not None:
            places[position] = _place_of_constants(slots, one.leaf, one.constants)
    return tuple(slots), tuple(places[position] for position in range(len(alternatives)))


def _place(slots: list[NumberType], leaf: NumberType) -> int:
    for place, slot in enumerate(slots):
        shared = _shared(slot, leaf)
        if shared is not None:
            slots[place] = shared
            return place
    slots.append(leaf)
    return len(slots) - 1


def _place_of_constants(slots: list[NumberType], leaf: NumberType, constants: Constants) -> int | None:
    for place, slot in enumerate(slots):
        if _is_scalar(slot) and fits(constants, real_part(slot).dtype):
            return place
    return None if len(constants) == 1 else _place(slots, leaf)


def _is_scalar(leaf: NumberType) -> bool:
    """Whether it is a number of Python's or NumPy's, and not one that can be written in place."""
    return isinstance(leaf, LeafType) and leaf.kind is not Kind.ARRAY


def _shared(slot: NumberType, leaf: NumberType) -> NumberType | None:
    """The type of a slot that holds the values of two types to the bit; none holds that of two arrays."""
    if not (_is_scalar(slot) and _is_scalar(leaf)):
        return None
    assert isinstance(slot, LeafType) and isinstance(leaf, LeafType)
    dtype = np.promote_types(slot.dtype, leaf.dtype)
    of_ints = [one.dtype for one in (slot, leaf) if one.dtype.kind in "iu"]
    is_exact = dtype.kind != "f" or all(one.itemsize < dtype.itemsize for one in of_ints)
    return LeafType(dtype, (), Kind.SCALAR) if dtype in DTYPES and is_exact else None
