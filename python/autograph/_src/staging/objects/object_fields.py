"""Reading and writing the fields of objects that are rows of a table, and the items of dicts that are."""

from __future__ import annotations

from typing import Any

from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import ValueKind, join
from autograph._src.staging.lists.list_contents import IN_LIST, checked_element
from autograph._src.staging.lists.sharing import memories_in, note_sharing
from autograph._src.staging.objects.object_tables import ObjectTable, described, joined_kinds
from autograph._src.staging.tensors.memory import Role
from autograph._src.staging.tensors.tensor import emit
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.object_sites import RecordKind
from autograph._src.staging.trace.restarts import begin_again_with_objects


def checked_field(found: ValueKind, path: str) -> ValueKind:
    """The kind of a field, which a table can hold; refused otherwise."""
    return checked_element(found, path) if found.graph_types() else found


def field_path(kind: type, name: object) -> str:
    """A field of any object of a class, for messages."""
    return f"{kind.__name__}[{name!r}]" if issubclass(kind, dict) else f"{kind.__name__}.{name}"


def _place(table: ObjectTable, name: object) -> tuple[Any, slice]:
    """The type of a field, and the slice of its leaves among those of a row."""
    assert isinstance(table.kind, RecordKind)
    types = TupleOf(tuple, table.kind.types).graph_types()
    begin = len(table.row_type().graph_types()) - len(types)
    if begin and types:
        begin = 0
    for one, kind in zip(table.kind.names, table.kind.types, strict=True):
        end = begin + len(kind.graph_types())
        if one == name:
            return kind, slice(begin, end)
        begin = end
    raise KeyError(name)


def read_field(reference: Any, name: object) -> object:
    """``reference.name``, or ``reference[name]`` of a dict."""
    table: ObjectTable = reference.ag_table
    kind, place = _place(table, name)
    row = reference.ag_row.read()
    values = [emit("list_get", one, row) for one in table.values()[place]]
    found = kind.unpack(values, _called(reference, name))
    note_sharing(found, [IN_LIST, *(memory for memory, _ in table.contents.shared)], Role.ELEMENT)
    return found


def write_field(reference: Any, name: object, value: object) -> None:
    """``reference.name = value``, or ``reference[name] = value`` of a dict."""
    table: ObjectTable = reference.ag_table
    assert isinstance(table.kind, RecordKind)
    known, place = _place(table, name)
    path = _called(reference, name)
    found = checked_field(described(value), path)
    begin_again_with_objects()
    joined = join(path, known, found, ("before", "in what is written"))
    if joined != known:
        position = table.kind.names.index(name)
        types = (*table.kind.types[:position], joined, *table.kind.types[position + 1 :])
        kind = RecordKind.of(table.kind.word, table.kind.names, types)
        require_trace().objects.sites.widen(table.number, kind, joined_kinds)
        begin_again_with_objects()
    if not known.graph_types():
        return
    leaves, row, values = known.pack(value), reference.ag_row.read(), list(table.values())
    for position, leaf in zip(range(place.start, place.stop), leaves, strict=True):
        values[position] = emit("list_set", values[position], row, leaf)
    table.become(values, memories_in(value), reference.ag_row)


def _called(reference: Any, name: object) -> str:
    """The name of a field in messages, from the variable bound to the object or from its class."""
    frame = user_frame()
    variables = {} if frame is None else frame.f_locals
    owner = next((one for one, value in variables.items() if value is reference), reference.ag_name)
    kind = reference.ag_table.kind.of_class
    if owner is None:
        return field_path(kind, name)
    return f"{owner}[{name!r}]" if issubclass(kind, dict) else f"{owner}.{name}"
