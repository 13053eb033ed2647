"""The tables of a staged function: the nodes of its arguments as arrays, by schemas that are few.

A schema says what each field is. The arguments of a call are packed by a schema that is known where one fits,
so that what a graph depends on is the schema and the number of rows, and not the shape of a tree.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from autograph._src.staging.objects.columns import Arrays, Packed, capacity, packed
from autograph._src.staging.objects.interned import Interned
from autograph._src.staging.objects.walk import Plan, Unfit, Walk


class Schema:
    """What the fields of some classes are in a graph. Two calls of one schema and size have one graph.

    Attributes:
        kinds: The classes.
        columns: What each field is.
    """

    def __init__(self, kinds: tuple[type, ...], columns: list[Packed]) -> None:
        self.kinds = kinds
        self.columns = columns
        self._known = frozenset(kinds)

    def pack(self, walk: Walk) -> list[Arrays] | None:
        """The arrays of each column, the classes of the nodes first; ``None`` if they do not fit."""
        if not self._known.issuperset(walk.kinds):
            return None
        found = {column.name: column for column in walk.columns}
        rows = capacity(len(walk.nodes))
        made: list[Arrays] = [self._tags(walk, rows)]
        for column in self.columns:
            values = found.pop(column.name, None)
            if values is None:
                values = column.absent(len(walk.nodes))
            elif not column.owners.issuperset(values.owners):
                return None
            arrays = column.pack(values, walk, rows)
            if arrays is None:
                return None
            made.append(arrays)
        return None if found else made

    def _tags(self, walk: Walk, rows: int) -> Arrays:
        if len(self.kinds) == 1:
            return []
        number = {kind: position for position, kind in enumerate(self.kinds)}
        tags = np.zeros(rows, np.int64)
        tags[: len(walk.nodes)] = [number[type(node)] for node in walk.nodes]
        return [tags]

    def names(self, sizes: list[int]) -> list[str]:
        """What the arrays are called, so many for each column."""
        names = ["class", *(column.name for column in self.columns), "objects around the function"]
        return [name for name, size in zip(names, sizes, strict=False) for _ in range(size)]

    def __str__(self) -> str:
        return " | ".join(kind.__name__ for kind in self.kinds)


class Tables:
    """The schemas that a staged function has met, the last one first.

    Attributes:
        plans: How objects are read, by class; the classes whose objects are nodes of tables.
        others: Objects around the function that nodes are compared with; they are in each table.
    """

    def __init__(self) -> None:
        self.plans: dict[type, Plan] = {}
        self._schemas: list[Schema] = []
        self._interned = Interned()
        self.others: list[Any] = []
        self._lock = threading.Lock()  # A walk learns what fields hold.

    def use(self, kinds: list[type], example: list[Any]) -> None:
        """Has the objects of some classes be nodes of tables from now on."""
        for node in example:
            if type(node) in kinds and type(node) not in self.plans:
                self.plans[type(node)] = Plan(node)

    def forget(self, kinds: set[type]) -> None:
        """Has the objects of some classes be no nodes of tables any more."""
        for kind in kinds:
            self.plans.pop(kind, None)

    def pack(self, roots: list[Any]) -> tuple[Schema, Walk, list[Arrays]]:
        """The tables of the nodes that some objects reach.

        Raises:
            Unfit: If there are no such tables.
        """
        with self._lock:
            return self._packed(roots)

    def _packed(self, roots: list[Any]) -> tuple[Schema, Walk, list[Arrays]]:
        for plan in self.plans.values():
            plan.forget_mixed()
        walk = Walk([*roots, *self.others], self.plans)
        schemas = self._schemas
        for schema in schemas:
            arrays = schema.pack(walk)
            if arrays is not None:
                break
        else:
            schema = self._new_schema(walk)
            arrays = schema.pack(walk)
            if arrays is None:
                raise Unfit("the fields of its nodes are of too many kinds")
        if not schemas or schemas[0] is not schema:
            self._schemas = [schema, *[one for one in schemas if one is not schema]]
        return schema, walk, arrays

    def _new_schema(self, walk: Walk) -> Schema:
        columns = [packed(column, self._interned) for column in walk.columns]
        for column in columns:
            owners = (kind for kind, plan in self.plans.items() if column.name in plan.fields)
            column.owners = frozenset(owners)
        if self._schemas:
            known = {column.name: column for column in self._schemas[0].columns}
            columns = [
                column.merged(known[column.name]) if column.name in known else column for column in columns
            ]
        return Schema(tuple(self.plans), columns)
