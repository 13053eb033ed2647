"""Rebuilds the lists and objects of a result from the tables that the result refers to.

A graph cannot return a list of lists. It returns a table of lists as the flat elements of all lists and the
length of each. An object that two places of the result refer to is one object after the call too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from numpy.typing import NDArray

from autograph._src.staging.objects.object_tables import ObjectTable, table_of
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import emit
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.object_sites import ListKind
from autograph._src.staging.trace.record_trees import record_of
from autograph._src.staging.trace.recorder import Value


class Outputs(Iterator[Any]):
    """The outputs of a run, in order.

    Attributes:
        objects: By table, its lists or objects by row.
        errors: The exceptions, by their numbers.
    """

    def __init__(self, arrays: Iterator[NDArray[Any]]) -> None:
        self._arrays = arrays
        self.objects: dict[int, list[Any]] = {}
        self.errors: dict[int, BaseException] = {}
        self._pending: list[Callable[[], None]] | None = []
        self._made: dict[int, tuple[Any, Any]] = {}

    def __next__(self) -> NDArray[Any]:
        return next(self._arrays)

    def part(self, columns: list[NDArray[Any]]) -> Outputs:
        """These columns as outputs, with the same objects."""
        made = Outputs(iter(columns))
        made.objects, made._pending, made._made = self.objects, self._pending, self._made
        made.errors = self.errors
        return made

    def once(self, owner: Any, make: Callable[[], Any], fill: Callable[[Any], None]) -> Any:
        """What is made of a list of a row: one object for each list, filled after all lists are.

        Args:
            owner: The list.
            make: Makes the object, empty.
            fill: Fills it.
        """
        if id(owner) not in self._made:
            made = make()
            self._made[id(owner)] = made, owner
            if self._pending is None:
                fill(made)
            else:
                self._pending.append(partial(fill, made))
        return self._made[id(owner)][0]

    def filled(self) -> None:
        """Fills what waits for that: all lists and objects are there."""
        pending, self._pending = self._pending or [], None
        for fill in pending:
            fill()


class StoredTables:
    """Returns the tables that a result refers to, and makes their objects after a run.

    Attributes:
        outputs: The graph values that the graph has to return for them.
    """

    def __init__(self, numbers: list[int]) -> None:
        self._tables = [table_of(number) for number in _reachable(numbers)]
        self.outputs: list[int] = []
        self._counts: dict[int, int] = {}
        for table in self._tables:
            values = _leaving(table)
            self._counts[table.number] = len(values)
            self.outputs += values

    def load(self, outputs: Outputs) -> None:
        """Makes all objects empty first, then fills them, since they may refer to each other."""
        columns = []
        for table in self._tables:
            taken = [next(outputs) for _ in range(self._counts[table.number])]
            columns.append(taken)
            outputs.objects[table.number] = [_shell(table) for _ in range(len(taken[0]))]
        for table, taken in zip(self._tables, columns, strict=True):
            _fill(table, outputs, taken)
        outputs.filled()


def _reachable(numbers: list[int]) -> list[int]:
    found: list[int] = []
    pending = list(numbers)
    while pending:
        number = pending.pop(0)
        if number not in found:
            found.append(number)
            kind = table_of(number).kind
            types = (table_of(number).element,) if isinstance(kind, ListKind) else kind.types
            pending += [other for one in types for other in one.tables()]
    return sorted(found)


def _leaving(table: ObjectTable) -> list[int]:
    """The graph values that return a table."""
    values = table.values()
    if not isinstance(table.kind, ListKind):
        return [part for one in values for part in leaving(one)]
    inner = [emit("list_flatten", one) for one in values]
    return [_lengths(values[0]), *(part for one in inner for part in leaving(one))]


def leaving(value: int) -> list[int]:
    """A graph list as values that a graph can return; a list of lists as its lengths and flat elements."""
    kind, element = require_trace().builder.type_of(value)
    if kind != "list" or element[0] != "list":
        return [value]
    return [_lengths(value), *leaving(emit("list_flatten", value))]


def _lengths(lists: Value) -> Value:
    """The lengths of the lists in a list of lists, computed by a loop of the graph."""
    trace = require_trace()
    bounds = (lift(0).read(), emit("list_length", lists), lift(1).read())
    kind: tuple[str, Any] = ("int64", [])
    initial = emit("list_make", kind, [])

    def step(params: list[Value]) -> list[Value]:
        index, lengths = params
        return [emit("list_append", lengths, emit("list_length_in", lists, index))]

    region = trace.locate().region([("int64", []), ("list", kind)], step)
    (result,) = trace.locate().for_(bounds, [initial], region)
    return result


def _shell(table: ObjectTable) -> object:
    if isinstance(table.kind, ListKind):
        return []
    return record_of(table.kind.word, ())


def _fill(table: ObjectTable, results: Outputs, columns: list[NDArray[Any]]) -> None:
    outputs, rows = results.part(columns), results.objects[table.number]
    kind = table.kind
    if isinstance(kind, ListKind):
        begin, lengths = 0, next(outputs).tolist()
        values = table.element.plain(outputs)
        for row, length in zip(rows, lengths, strict=True):
            row.extend(values[begin : begin + length])
            begin += length
        return
    for values, row in zip(table.row_type().plain(outputs), rows, strict=True):
        pairs = zip(kind.names, values[len(values) - len(kind.names) :], strict=True)
        if kind.is_of_dicts():
            row.update(pairs)
        else:
            for name, value in pairs:
                object.__setattr__(row, name, value)
