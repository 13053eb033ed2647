"""Packs the nodes of a staged function's arguments into arrays, with as few schemas as possible.

A schema says how each field is stored. A call reuses a known schema if one fits, so that its graph depends
on the schema and the number of rows, and not on the shape of the tree.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from autograph._src.staging.objects.columns import (
    SMALLEST,
    SMALLEST_OF_ARRAYS,
    Arrays,
    Packed,
    Values,
    capacity,
    packed,
)
from autograph._src.staging.objects.interned import Interned
from autograph._src.staging.objects.walk import ClassLayout, Unfit, Walk


class Schema:
    """How the fields of some classes are stored. Calls with one schema and size share a graph.

    Attributes:
        kinds: The classes.
        columns: The column of each field.
    """

    def __init__(self, kinds: tuple[type, ...], columns: list[Packed]) -> None:
        self.kinds = kinds
        self.columns = columns
        self._known = frozenset(kinds)
        has_arrays = any(isinstance(one, Values) and one.type.known_shape for one in columns)
        self._smallest = SMALLEST_OF_ARRAYS if has_arrays else SMALLEST

    def rows(self, count: int) -> int:
        """The number of rows of a table for this number of nodes."""
        return capacity(count, self._smallest)

    def pack(self, walk: Walk) -> list[Arrays] | None:
        """The arrays of each column, after those of the node classes; ``None`` if the nodes do not fit."""
        if not self._known.issuperset(walk.kinds):
            return None
        found = {column.name: column for column in walk.columns}
        rows = self.rows(len(walk.nodes))
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
        """The names of the arrays, repeated for the number of arrays in each column."""
        names = ["class", *(column.name for column in self.columns), "objects around the function"]
        return [name for name, size in zip(names, sizes, strict=False) for _ in range(size)]

    def __str__(self) -> str:
        return " | ".join(kind.__name__ for kind in self.kinds)


class Tables:
    """The schemas that a staged function has used, the latest first.

    Attributes:
        plans: How objects are read, for each class whose objects are nodes of tables.
        others: Objects from around the function that nodes are compared with; each table has them.
    """

    def __init__(self) -> None:
        self.plans: dict[type, ClassLayout] = {}
        self._schemas: list[Schema] = []
        self._interned = Interned()
        self.others: list[Any] = []
        self._lock = threading.Lock()  # A walk changes the plans.

    def use(self, kinds: list[type], example: list[Any]) -> None:
        """Makes the objects of these classes nodes of tables from now on."""
        for node in example:
            if type(node) in kinds and type(node) not in self.plans:
                self.plans[type(node)] = ClassLayout(node)

    def forget(self, kinds: set[type]) -> None:
        """Stops treating the objects of these classes as nodes of tables."""
        for kind in kinds:
            self.plans.pop(kind, None)

    def pack(self, roots: list[Any]) -> tuple[Schema, Walk, list[Arrays]]:
        """Packs the nodes that some objects reach.

        Raises:
            Unfit: If no schema can hold them.
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
