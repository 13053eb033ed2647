"""Splits values of several types into a tag and slots, widens them, and narrows or promotes them.

    x if c > 0 else 1            # tag: 0 for the int, 1 for the float64 scalar; one slot

What a program can do with such a value is in ``unions.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.kinds.constants import constants_of
from autograph._src.staging.kinds.numbers import Alternative, NumberKind
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.union_slots import slots_of
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import ValueKind, kind_of
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap


def split_union(value: object, alternatives: tuple[Alternative, ...]) -> tuple[Tensor, list[Any]]:
    """The tag of a value among these alternatives, and the contents of the slots.

    Args:
        value: A number, an array or a union, with types among the alternatives; or an unbound variable.
        alternatives: The types.
    """
    slots, places = slots_of(alternatives)
    if isinstance(value, Undefined):
        return constant(0, "int64", Form.PYTHON), [value] * len(slots)
    if type(value) is StagedUnion:
        return _renumbered(value, alternatives)
    found = kind_of(value)
    assert isinstance(found, NumberKind)
    position = _position(found, alternatives)
    contents: list[Any] = [Undefined("")] * len(slots)
    place = places[position]
    if place is not None:
        contents[place] = slots[place].held(value)
    return constant(position, "int64", Form.PYTHON), contents


def _position(kind: NumberKind, alternatives: tuple[Alternative, ...]) -> int:
    return [one.leaf.alternative_key() for one in alternatives].index(kind.alternative_key())


def _renumbered(value: StagedUnion, alternatives: tuple[Alternative, ...]) -> tuple[Tensor, list[Any]]:
    """The tag and slots of a union, for a wider set of alternatives."""
    old_places = slots_of(value.ag_alternatives)[1]
    slots, places = slots_of(alternatives)
    positions = [_position(one.leaf, alternatives) for one in value.ag_alternatives]
    which = value.ag_tag
    if positions != list(range(len(positions))):
        which = _chosen([constant(one, "int64", Form.PYTHON) for one in positions], value.ag_tag)
    contents: list[Any] = [Undefined("")] * len(slots)
    for place, slot in enumerate(slots):
        held = [old for old, new in enumerate(positions) if places[new] == place]
        sources = {old_places[old] for old in held}
        if len(sources) == 1 and None not in sources:
            (source,) = sources
            assert source is not None
            contents[place] = slot.held(value.ag_slots[source])
        elif held:
            contents[place] = _selected(value, held, slot)
    return which, contents


def _selected(value: StagedUnion, held: list[int], slot: NumberKind) -> Tensor:
    """A slot filled from alternatives at ``held``, which had slots of their own or none."""
    result = slot.held(value.ag_at(held[0]))
    for position in held[1:]:
        is_this = compare("equal", value.ag_tag, position).read()
        other = slot.held(value.ag_at(position))
        result = wrap(emit("select", is_this, other.read(), result.read()), slot.part.form)
    return result


def _chosen(numbers: list[Tensor], which: Tensor) -> Tensor:
    """``numbers[which]``."""
    result = numbers[0]
    for position, one in enumerate(numbers[1:], 1):
        is_this = compare("equal", which, position).read()
        result = wrap(emit("select", is_this, one.read(), result.read()), Form.PYTHON)
    return result


def narrowed(value: Any, leaf: ValueKind) -> object:
    """A union as the one type that it is known to have, as after a loop that ran and rebound it."""
    if type(value) is not StagedUnion or value.ag_bound is not None:
        return value
    if isinstance(leaf, NumberKind):
        found = value.ag_at(_position(leaf, value.ag_alternatives))
        if isinstance(found, Tensor):
            found.name = value.ag_name
        return found
    return value


def promoted(value: StagedUnion) -> Tensor | None:
    """A union of real scalars as one number of the dtype that NumPy promotes its types to; else ``None``.

    It is used where one dtype is needed: to stack values, and to differentiate.
    """
    if value.ag_promoted is not None:
        return value.ag_promoted
    leaves = [one.leaf for one in value.ag_alternatives]
    if any(leaf.is_parted or leaf.part.shape for leaf in leaves):
        return None
    of_python = all(leaf.part.form is Form.PYTHON for leaf in leaves)
    dtype = np.result_type(*(_weak(leaf.part) for leaf in leaves))
    target = TensorOf(dtype, (), Form.PYTHON if of_python else Form.SCALAR)
    is_held = len(value.ag_slots) == 1 and None not in slots_of(value.ag_alternatives)[1]
    if is_held and value.ag_slots[0].dtype == dtype:
        found = wrap(value.ag_slots[0].read(), target.form)
    else:
        found = _selected(value, list(range(len(leaves))), target)
    value.ag_promoted = found
    return found


def _weak(leaf: TensorOf) -> Any:
    """An operand for ``np.result_type`` that promotes as values of the type do; Python numbers are weak."""
    if leaf.form is not Form.PYTHON:
        return leaf.dtype
    return {"b": np.dtype(bool), "i": 0, "f": 0.0}[leaf.dtype.kind]


def with_constants(leaf: ValueKind, value: object) -> ValueKind:
    """The kind of a value; for a plain number, with that number as its constant."""
    is_plain = type(value) in (bool, int, float) or isinstance(value, np.generic)
    if not isinstance(leaf, TensorOf) or not is_plain or is_complex(value):
        return leaf
    return replace(leaf, constants=constants_of(value))


def type_of_all(values: Sequence[Any]) -> TensorOf | None:
    """The scalar type that all these values share, so that one array holds them unchanged; else ``None``."""
    if any(isinstance(value, (list, dict, np.ndarray)) for value in values):
        return None
    kinds = [kind_of(value) for value in values]
    numbers = [kind for kind in kinds if isinstance(kind, NumberKind) and kind.has_arrays]
    if len(numbers) < len(kinds) or len({kind.alternative_key() for kind in numbers}) != 1:
        return None
    parts = [kind.part for kind in numbers]
    is_scalar = parts[0].form is not Form.ARRAY and not any(part.may_be_unbound for part in parts)
    return parts[0] if is_scalar else None
