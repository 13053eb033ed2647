"""Walks over the nodes of trees: visits each node once and collects the values of its fields.

The walk is a loop, not a recursion, so chains of 10⁵ nodes are fine, and it stops at cycles. It learns from
the nodes which fields hold nodes, and starts over when it learns something.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Iterable
from operator import attrgetter
from types import NoneType
from typing import Any

from autograph._src.staging.trace.record_classes import (
    field_names,
    is_named_tuple,
    is_record_class,
    names_a_sequence,
    names_own_class,
)


class Holds(enum.Enum):
    """What a field holds."""

    VALUES = "values"
    """Numbers, arrays, strings, and objects that are the same in all nodes."""
    NODES = "nodes"
    """Other nodes, or ``None``."""
    SEQUENCES = "sequences"
    """Lists or tuples of nodes."""
    MIXED = "mixed"
    """Nodes in one object and something else in another; a graph cannot read such a field."""


class Unfit(Exception):
    """Raised if objects cannot be packed into a table.

    Attributes:
        reason: Why, in words.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _LayoutChanged(Exception):
    """Starts the walk over, because a field holds something else than its plan says."""


class ClassLayout:
    """How the objects of one class are read.

    Attributes:
        kind: The class.
        fields: The names of its fields.
        holds: What each field holds.
        children: Gives the values of the fields that hold nodes.
        sequences: The positions of the fields that hold lists of nodes.
        variables: The number of attributes that each object must have; -1 if the class fixes its fields.
    """

    def __init__(self, first: Any) -> None:
        self.kind = type(first)
        self.fields = field_names(first)
        if not self.fields:
            raise Unfit(f"a {self.kind.__name__} has no fields")
        self.children: Callable[[Any], tuple[Any, ...]] = _none
        self.holds = [self._annotated(name) for name in self.fields]
        is_plain = not (dataclasses.is_dataclass(self.kind) or is_named_tuple(self.kind))
        self.variables = len(vars(first)) if is_plain and hasattr(first, "__dict__") else -1
        self._sort()

    def _annotated(self, name: str) -> Holds:
        if not names_own_class(self.kind, name):
            return Holds.VALUES
        return Holds.SEQUENCES if names_a_sequence(self.kind, name) else Holds.NODES

    def _sort(self) -> None:
        links = [name for name, what in zip(self.fields, self.holds, strict=True) if what is Holds.NODES]
        # `attrgetter` with one name does not give a tuple, so a single name is doubled.
        self.children = attrgetter(*(links * 2)[: max(len(links), 2)]) if links else _none
        self.sequences = [place for place, what in enumerate(self.holds) if what is Holds.SEQUENCES]

    def of(self, nodes: list[Any], place: int) -> list[Any]:
        """The values of the field at a position, for all nodes.

        Raises:
            Unfit: If an object does not have the field.
        """
        try:
            return list(map(attrgetter(self.fields[place]), nodes))
        except AttributeError as error:
            raise Unfit(str(error)) from None

    def forget_mixed(self) -> None:
        """Treats mixed fields as fields of nodes again, since the next tree may have only nodes in them."""
        if Holds.MIXED in self.holds:
            self.holds = [Holds.NODES if what is Holds.MIXED else what for what in self.holds]
            self._sort()

    def described(self) -> zip[tuple[str, Holds]]:
        """The fields with what they hold."""
        return zip(self.fields, self.holds, strict=True)

    def learn_of(self, child: object, node: object) -> None:
        """Notes that ``child``, in a field of nodes, is not a node."""
        for place, name in enumerate(self.fields):
            if self.holds[place] is Holds.NODES and getattr(node, name) is child:
                self.learn(place, Holds.SEQUENCES if type(child) in (list, tuple) else Holds.MIXED)

    def learn(self, place: int, what: Holds) -> None:
        """Notes what a field holds, and starts the walk over."""
        self.holds[place] = what
        self._sort()
        raise _LayoutChanged


def _none(node: object) -> tuple[Any, ...]:
    return ()


class Absent:
    """The class of ``ABSENT``, the value of a field that an object's class does not have."""


ABSENT = Absent()


class Column:
    """The values of one field in all nodes.

    Attributes:
        name: The field.
        holds: What the field holds.
        values: The value of each node, ``ABSENT`` if its class has no such field.
        owners: The classes that have the field.
    """

    __slots__ = ("_kinds", "holds", "name", "owners", "values")

    def __init__(self, name: str, holds: Holds, values: list[Any], owners: list[type]) -> None:
        self.name = name
        self.holds = holds
        self.values = values
        self.owners = owners
        self._kinds: set[type] | None = None

    def kinds(self) -> set[type]:
        """The classes of the values."""
        if self._kinds is None:
            self._kinds = set(map(type, self.values))
        return self._kinds


class Walk:
    """The nodes that some objects reach.

    Attributes:
        nodes: The nodes; the index of a node is its row.
        row_of: The row of each node, by identity; -1 for ``None``.
        kinds: The classes of the nodes, in order of first occurrence.
        columns: The values of each field.
    """

    def __init__(self, roots: Iterable[Any], plans: dict[type, ClassLayout]) -> None:
        self._plans = plans
        while True:
            try:
                self._run(roots)
                self.columns = self._columns()
                return
            except _LayoutChanged:
                continue

    def _run(self, roots: Iterable[Any]) -> None:
        row_of: dict[int, int] = {id(None): -1}
        nodes: list[Any] = []
        for root in roots:
            if id(root) not in row_of:
                row_of[id(root)] = len(nodes)
                nodes.append(root)
        plans = self._plans
        kind: object = None
        for node in nodes:
            if type(node) is not kind:
                plan = plans.get(type(node)) or self._new_plan(node)
                kind, children, has_more = plan.kind, plan.children, bool(plan.sequences)
                variables = plan.variables
            if variables >= 0 and len(node.__dict__) != variables:
                raise _other_attributes(plan, node)
            for child in children(node):
                if id(child) not in row_of:
                    if type(child) is not kind and not is_record_class(type(child)):
                        plan.learn_of(child, node)
                    row_of[id(child)] = len(nodes)
                    nodes.append(child)
            if has_more:
                for place in plan.sequences:
                    _add_all(plan, place, getattr(node, plan.fields[place]), row_of, nodes)
        self.nodes, self.row_of = nodes, row_of

    def _new_plan(self, node: object) -> ClassLayout:
        plan = self._plans[type(node)] = ClassLayout(node)
        return plan

    def _columns(self) -> list[Column]:
        """The columns of all nodes; learns which fields hold nodes."""
        self.kinds = list(dict.fromkeys(map(type, self.nodes)))
        if len(self.kinds) == 1:
            return self._of_class(self.kinds[0], self.nodes)
        merged: dict[str, Column] = {}
        rows: dict[type, list[int]] = {kind: [] for kind in self.kinds}
        for row, node in enumerate(self.nodes):
            rows[type(node)].append(row)
        for kind, own in rows.items():
            for column in self._of_class(kind, [self.nodes[row] for row in own]):
                whole = merged.get(column.name)
                if whole is None:
                    absent: list[Any] = [ABSENT] * len(self.nodes)
                    whole = merged[column.name] = Column(column.name, column.holds, absent, [])
                if whole.holds is not column.holds:
                    whole.holds = Holds.MIXED
                whole.owners.append(kind)
                for row, value in zip(own, column.values, strict=True):
                    whole.values[row] = value
        return list(merged.values())

    def _of_class(self, kind: type, nodes: list[Any]) -> list[Column]:
        plan = self._plans[kind]
        columns = [Column(n, what, plan.of(nodes, i), [kind]) for i, (n, what) in enumerate(plan.described())]
        for place, column in enumerate(columns):
            if column.holds is Holds.VALUES:
                _look_for_nodes(plan, place, column)
        return columns


def _add_all(plan: ClassLayout, place: int, children: Any, row_of: dict[int, int], nodes: list[Any]) -> None:
    if children is None:
        return
    if type(children) not in (list, tuple):
        plan.learn(place, Holds.MIXED)
    for child in children:
        if id(child) not in row_of:
            if not is_record_class(type(child)):
                plan.learn(place, Holds.MIXED)
            row_of[id(child)] = len(nodes)
            nodes.append(child)


def _look_for_nodes(plan: ClassLayout, place: int, column: Column) -> None:
    kinds = column.kinds()
    if any(is_record_class(kind) for kind in kinds):
        plan.learn(place, Holds.NODES)
    if kinds <= _SEQUENCES and kinds != {NoneType}:
        parts = [part for one in column.values if one is not None for part in one]
        if all(is_record_class(type(part)) for part in parts):
            plan.learn(place, Holds.SEQUENCES)


_SEQUENCES = frozenset((list, tuple, NoneType))


def _other_attributes(plan: ClassLayout, node: object) -> Unfit:
    other = next((name for name in node.__dict__ if name not in plan.fields), None)
    kind = plan.kind.__name__
    if other is None:
        missing = next((name for name in plan.fields if name not in node.__dict__), "")
        return Unfit(f"one `{kind}` has the attribute `{missing}` and another has not")
    return Unfit(f"a `{kind}` has the attribute `{other}`, which others lack")
