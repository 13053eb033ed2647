"""How a graph holds a value of several types: which alternative it is, then its slots.

x if c > 0 else 1            # which: 0 for the int, 1 for the float64 scalar, and one slot
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.operators.undefined import Undefined
from autograph.staging.complex_tensor import as_complex, is_complex
from autograph.staging.constants import constants_of
from autograph.staging.leaf_types import ComplexOf, LeafKind, LeafType, UnionOf
from autograph.staging.python_scalars import compare
from autograph.staging.tensor import Kind, Tensor, constant, emit, lift, wrap
from autograph.staging.union_types import identity_of, real_part, slots_of
from autograph.staging.unions import StagedUnion

INDEX: tuple[str, Any] = ("int64", [])
"""The graph type of which alternative it is."""


def union_parts(target: UnionOf) -> tuple[LeafKind, ...]:
    """The types of the slots."""
    return slots_of(target.alternatives)[0]


def split_union(value: Any, target: UnionOf) -> tuple[Tensor, list[Any]]:
    """Which alternative of a type a value is, and the contents of its slots.

    Args:
        value: A number, an array, or a value of several types, all among those of the type; or nothing.
        target: The type.
    """
    slots, places = slots_of(target.alternatives)
    if isinstance(value, Undefined):
        return constant(0, "int64", Kind.PYTHON), [value] * len(slots)
    if type(value) is StagedUnion:
        return _renumbered(value, target)
    position = _position_of(value, target)
    contents: list[Any] = [Undefined("")] * len(slots)
    place = places[position]
    if place is not None:
        contents[place] = _as_slot(value, slots[place])
    return constant(position, "int64", Kind.PYTHON), contents


def _position_of(value: Any, target: UnionOf) -> int:
    from autograph.staging.joins import leaf_type

    leaf = leaf_type(value)
    assert isinstance(leaf, (LeafType, ComplexOf))
    return _position(leaf, target)


def _position(leaf: Any, target: UnionOf) -> int:
    identities = [identity_of(one.leaf) for one in target.alternatives]
    return identities.index(identity_of(leaf))


def _as_slot(value: Any, slot: Any) -> Any:
    """A value in the dtype of a slot, which holds it to the bit."""
    if isinstance(slot, ComplexOf):
        return as_complex(value)
    tensor = lift(value)
    if tensor.dtype == slot.dtype:
        return tensor
    return wrap(emit("cast", tensor.read(), slot.dtype.name), slot.kind)


def _renumbered(value: StagedUnion, target: UnionOf) -> tuple[Tensor, list[Any]]:
    """A value of several types as one of more types."""
    old_places = slots_of(value.ag_alternatives)[1]
    slots, places = slots_of(target.alternatives)
    positions = [_position(one.leaf, target) for one in value.ag_alternatives]
    which = value.ag_which
    if positions != list(range(len(positions))):
        which = _chosen([constant(one, "int64", Kind.PYTHON) for one in positions], value.ag_which)
    contents: list[Any] = [Undefined("")] * len(slots)
    for place, slot in enumerate(slots):
        held = [old for old, new in enumerate(positions) if places[new] == place]
        sources = {old_places[old] for old in held}
        if len(sources) == 1 and None not in sources:
            (source,) = sources
            assert source is not None
            contents[place] = _as_slot(value.ag_slots[source], slot)
        elif held:
            contents[place] = _selected(value, held, slot)
    return which, contents


def _selected(value: StagedUnion, held: list[int], slot: Any) -> Tensor:
    """A slot of what alternatives hold that had slots of their own, or none."""
    result: Tensor = _as_slot(value.ag_at(held[0]), slot)
    for position in held[1:]:
        is_this = compare("equal", value.ag_which, position).read()
        other = _as_slot(value.ag_at(position), slot)
        result = wrap(emit("select", is_this, other.read(), result.read()), slot.kind)
    return result


def _chosen(numbers: list[Tensor], which: Tensor) -> Tensor:
    """``numbers[which]``."""
    result = numbers[0]
    for position, one in enumerate(numbers[1:], 1):
        is_this = compare("equal", which, position).read()
        result = wrap(emit("select", is_this, one.read(), result.read()), Kind.PYTHON)
    return result


def narrowed(value: Any, leaf: LeafKind) -> Any:
    """A value of several types that is known to be of fewer: a loop that runs at least once rebinds it."""
    if type(value) is not StagedUnion or value.ag_bound is not None:
        return value
    if isinstance(leaf, (LeafType, ComplexOf)):
        identities = [identity_of(one.leaf) for one in value.ag_alternatives]
        found = value.ag_at(identities.index(identity_of(leaf)))
        if isinstance(found, Tensor):
            found.name = value.ag_name
        return found
    return value


def promoted(value: StagedUnion) -> Tensor | None:
    """The number in the dtype that NumPy gives an array of all; ``None`` where one has dimensions.

    Rows that are put together are of one dtype, and so is what has a derivative.
    """
    if value.ag_promoted is not None:
        return value.ag_promoted
    leaves = [one.leaf for one in value.ag_alternatives]
    if any(isinstance(leaf, ComplexOf) or leaf.shape for leaf in leaves):
        return None
    of_python = all(real_part(leaf).kind is Kind.PYTHON for leaf in leaves)
    dtype = np.result_type(*(_weak(real_part(leaf)) for leaf in leaves))
    target = LeafType(dtype, (), Kind.PYTHON if of_python else Kind.SCALAR)
    is_held = len(value.ag_slots) == 1 and None not in slots_of(value.ag_alternatives)[1]
    if is_held and value.ag_slots[0].dtype == dtype:
        found = wrap(value.ag_slots[0].read(), target.kind)
    else:
        found = _selected(value, list(range(len(leaves))), target)
    value.ag_promoted = found
    return found


def _weak(leaf: LeafType) -> Any:
    """What promotes as the values of a type do: a Python number takes the dtype of what is beside it."""
    if leaf.kind is not Kind.PYTHON:
        return leaf.dtype
    return {"b": np.dtype(bool), "i": 0, "f": 0.0}[leaf.dtype.kind]


def with_constants(leaf: LeafKind, value: Any) -> LeafKind:
    """The type of a value, with the number that it is if that is known."""
    is_plain = type(value) in (bool, int, float) or isinstance(value, np.generic)
    if not isinstance(leaf, LeafType) or not is_plain or is_complex(value):
        return leaf
    return replace(leaf, constants=constants_of(value))


def type_of_all(values: Sequence[Any]) -> LeafType | None:
    """The one type of all these values, if they are numbers; an array of them then holds them as they are."""
    from autograph.staging.joins import leaf_type

    if any(isinstance(value, (list, dict, np.ndarray)) for value in values):
        return None
    leaves = [leaf_type(value) for value in values]
    numbers = [leaf for leaf in leaves if isinstance(leaf, (LeafType, ComplexOf))]
    parts = [real_part(leaf) for leaf in numbers]
    if len(numbers) < len(leaves) or len({identity_of(leaf) for leaf in numbers}) != 1:
        return None
    is_scalar = parts[0].kind is not Kind.ARRAY and not any(part.may_be_unbound for part in parts)
    return parts[0] if is_scalar else None
