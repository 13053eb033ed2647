"""The slots of a union: the graph values that hold its alternatives.

    best = 0                    # an int
    for v in values:            # float64 scalars
        if v > best:
            best = v            # tag: 0 or 1; slot: float64, which holds the int as 0.0

A union is a tag and its slots. Alternatives share a slot whose dtype holds all their values exactly: an
int32 and a float64 do, and an int known to be 0 shares any. An int64 and a float64 have one slot each. An
alternative that is one known number and fits no slot needs none.
"""

from __future__ import annotations

import functools

import numpy as np

from autograph._src.staging.kinds.constants import Constants, fits
from autograph._src.staging.kinds.numbers import Alternative, NumberKind
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace.trace import DTYPES


@functools.cache
def slots_of(
    alternatives: tuple[Alternative, ...],
) -> tuple[tuple[NumberKind, ...], tuple[int | None, ...]]:
    """The types of the slots, and for each alternative the index of its slot, or ``None`` if it has none."""
    slots: list[NumberKind] = []
    places: dict[int, int | None] = {}
    for position, one in enumerate(alternatives):
        if one.constants is None:
            places[position] = _place(slots, one.leaf)
    for position, one in enumerate(alternatives):
        if one.constants is not None:
            places[position] = _place_of_constants(slots, one.leaf, one.constants)
    return tuple(slots), tuple(places[position] for position in range(len(alternatives)))


def _place(slots: list[NumberKind], leaf: NumberKind) -> int:
    for place, slot in enumerate(slots):
        shared = _shared(slot, leaf)
        if shared is not None:
            slots[place] = shared
            return place
    slots.append(leaf)
    return len(slots) - 1


def _place_of_constants(slots: list[NumberKind], leaf: NumberKind, constants: Constants) -> int | None:
    for place, slot in enumerate(slots):
        if slot.is_scalar() and fits(constants, slot.part.dtype):
            return place
    return None if len(constants) == 1 else _place(slots, leaf)


def _shared(slot: NumberKind, leaf: NumberKind) -> NumberKind | None:
    """The type of a slot that holds the values of both types exactly; ``None`` for arrays or if none does."""
    if not (slot.is_scalar() and leaf.is_scalar()):
        return None
    dtypes = [one.part.dtype for one in (slot, leaf)]
    dtype = np.promote_types(*dtypes)
    of_ints = [one for one in dtypes if one.kind in "iu"]
    is_exact = dtype.kind != "f" or all(one.itemsize < dtype.itemsize for one in of_ints)
    return TensorOf(dtype, (), Form.SCALAR) if dtype in DTYPES and is_exact else None
