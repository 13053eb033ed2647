"""The kind of numbers and arrays of several types: a tag that says which, then the slots.

    best = 0 if x > 0 else x        # int64[] (the tag), float64[] (the slot)

:func:`join_numbers` also joins two number kinds that are the same up to sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.constants import joined
from autograph._src.staging.kinds.flagged import FLAG, FlaggedKind, flag_of
from autograph._src.staging.kinds.numbers import Alternative, NumberKind, words_for
from autograph._src.staging.kinds.union_slots import slots_of
from autograph._src.staging.kinds.union_values import split_union, with_constants
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, quoted
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Form, shape_text, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes

TAG: GraphType = ("int64", [])
"""The graph type of the tag that says which alternative a value is."""


@dataclass(frozen=True)
class UnionOf(FlaggedKind):
    """The kind of a variable that is a number or array of one of several types; see ``kinds/unions.py``.

    Attributes:
        alternatives: The types, sorted by :meth:`NumberKind.alternative_key`.
        may_be_unbound: Whether the kind has a flag.
    """

    alternatives: tuple[Alternative, ...]
    may_be_unbound: bool = False
    is_parameter = True
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> UnionOf | None:
        """The kind of a staged union; ``None`` for other values."""
        if type(value) is not StagedUnion:
            return None
        return cls(value.ag_alternatives, value.ag_bound is not None)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins numbers and arrays; two arrays must have the same number of dimensions."""
        if not (isinstance(left, (NumberKind, UnionOf)) and isinstance(right, (NumberKind, UnionOf))):
            return None
        parts = [[one.leaf.part for one in kind.alternatives] for kind in (left, right)]
        shapes = [next((part.shape for part in one if part.shape), ()) for one in parts]
        if all(shapes) and len(shapes[0]) != len(shapes[1]):
            texts = [shape_text(shape) for shape in shapes]
            raise staging_error(
                "AG132",
                f"{quoted(name)} has shape {texts[0]} {where[0]} and {texts[1]} {where[1]}",
                "give it as many dimensions on both paths; their sizes may differ",
            )
        return join_numbers(left, right)

    def in_words(self) -> str:
        """All alternatives."""
        return words_for(self.alternatives)

    def graph_types(self) -> list[GraphType]:
        """The tag, the slots, and the flag if there is one."""
        slots = [one for slot in slots_of(self.alternatives)[0] for one in slot.graph_types()]
        return [TAG, *slots, FLAG] if self.may_be_unbound else [TAG, *slots]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The tag, the slots, and the flag if there is one."""
        which, contents = split_union(value, self.alternatives)
        values = [which.read()]
        for content, slot in zip(contents, slots_of(self.alternatives)[0], strict=True):
            values += slot.pack(content, reads)
        if not self.may_be_unbound:
            return values
        if isinstance(value, Undefined):
            return [*values, constant(False, "bool").read()]
        flag = flag_of(value)
        return [*values, (constant(True, "bool") if flag is None else flag).read()]

    def unpack(self, values: list[Value], name: str) -> StagedUnion:
        """The staged union."""
        which = wrap(values.pop(0), Form.PYTHON)
        slots = tuple(slot.unpack(values, name) for slot in slots_of(self.alternatives)[0])
        union = StagedUnion(self.alternatives, which, slots, name)
        if self.may_be_unbound:
            union.ag_bound = wrap(values.pop(0), Form.PYTHON)
        return union

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain elements, each of the type that its tag says."""
        slots, places = slots_of(self.alternatives)
        which = next(columns).tolist()
        held = [slot.plain(columns) for slot in slots]
        if self.may_be_unbound:
            next(columns)  # An element of a list is bound.
        values = []
        for row, position in enumerate(which):
            place = places[position]
            content = None if place is None else held[place][row]
            values.append(self.alternatives[position].plain(content))
        return values

    def array(self, arrays: Arrays) -> Any:
        """The array, if all alternatives have one dtype; otherwise its dtype would depend on the data."""
        slots, places = slots_of(self.alternatives)
        which, given = arrays.next_column(), arrays.as_they_are()
        columns = [slot.array(given) for slot in slots]
        if self.may_be_unbound:
            arrays.next_column()
        dtypes = {one.leaf.part.dtype for one in self.alternatives}
        if len(dtypes) > 1 or any(slot.is_parted or slot.part.shape for slot in slots):
            raise arrays.refusal(
                f"{self}", "NumPy chooses a dtype by those that are there", "convert them: `float(x)`"
            )
        (dtype,) = dtypes
        result: Any = None
        for position, (one, place) in enumerate(zip(self.alternatives, places, strict=True)):
            column = (
                np.full(arrays.count, one.the_number(), dtype) if one.is_one_number() else columns[place or 0]
            )
            result = column if result is None else np.where(which == position, column, result)
        return arrays.converted(result, Form.PYTHON)

    def carried(self, first: ValueKind, found: ValueKind, entry: object) -> ValueKind:
        """The kind that a loop carries for a variable that takes several types.

        After `best = 0` before the loop, assume that the int alternative is always 0. The next recording of
        the body tests the assumption: if an iteration gives another int, :meth:`learned_after` drops it.
        """
        if isinstance(first, UnionOf):
            return self.learned_after(first)
        others = _without(found, first) if isinstance(first, NumberKind) else None
        if others is None:
            return self
        begin = with_constants(first, entry)
        assert isinstance(begin, NumberKind)
        rest = join_numbers(begin, others)
        return replace(rest, may_be_unbound=self.may_be_unbound) if isinstance(rest, UnionOf) else self

    def is_of_numbers(self) -> bool:
        """Always true."""
        return True

    def is_renumbered(self) -> bool:
        """Always: alternative 1 of two may be alternative 2 of three."""
        return True

    def learned_after(self, before: UnionOf) -> UnionOf:
        """The kind to carry next after ``before``: an alternative whose constants grew may be any number.

        Otherwise `n = 0` with `n = n + 1` in the loop would become {0}, {0, 1}, {0, 1, 2} and so on for ever.
        """
        known = {one.leaf.alternative_key(): one.constants for one in before.alternatives}
        alternatives = []
        for one in self.alternatives:
            key = one.leaf.alternative_key()
            is_stable = key not in known or known[key] == one.constants
            alternatives.append(one if is_stable else replace(one, constants=None))
        return replace(self, alternatives=tuple(alternatives))

    def __str__(self) -> str:
        return words_for(self.alternatives)


def join_numbers(left: NumberKind | UnionOf, right: NumberKind | UnionOf) -> NumberKind | UnionOf:
    """The kind of a value that may be of either kind."""
    found: dict[tuple[Any, ...], Alternative] = {}
    for one in (*left.alternatives, *right.alternatives):
        key = one.leaf.alternative_key()
        found[key] = one if key not in found else _both(found[key], one)
    unbound = left.may_be_unbound or right.may_be_unbound
    if len(found) == 1:
        (only,) = found.values()
        part = only.leaf.part
        return only.leaf.with_part(replace(part, may_be_unbound=True)) if unbound else only.leaf
    return UnionOf(tuple(found[key] for key in sorted(found)), unbound)


def _without(kind: ValueKind, leaf: NumberKind) -> NumberKind | UnionOf | None:
    """A kind without the alternative of ``leaf``; ``None`` if no other is left, or it has no numbers."""
    if not isinstance(kind, (NumberKind, UnionOf)):
        return None
    key = leaf.alternative_key()
    rest = [one for one in kind.alternatives if one.leaf.alternative_key() != key]
    if len(rest) > 1:
        return UnionOf(tuple(rest), kind.may_be_unbound)
    return rest[0].with_constants() if rest else None


def _both(left: Alternative, right: Alternative) -> Alternative:
    one, two = left.leaf.part, right.leaf.part
    # A size that differs between the paths is known only to the run.
    sizes = tuple(a if a == b else None for a, b in zip(one.shape, two.shape, strict=True))
    leaf = left.leaf if sizes == one.shape else left.leaf.with_part(replace(one, shape=sizes))
    return Alternative(leaf, joined(left.constants, right.constants))
