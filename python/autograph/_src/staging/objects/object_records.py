"""Objects and dicts that are rows of a table: dataclasses, plain classes and dicts in staged lists.

    ps.append(Particle(x, v))
    ps[-1].x += 1.0          # changes a field of the row for all references
    rows.append({"a": i})

A reference to a row is an object of a generated subclass of the user's class, whose attributes read and write
the table. Methods, properties and `isinstance` work as in the user's class.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from types import FunctionType
from typing import Any, NoReturn

from autograph._src.class_slots import slot_names
from autograph._src.policy import is_generated
from autograph._src.staging.lists.list_searches import equals
from autograph._src.staging.lists.sharing import memories_in
from autograph._src.staging.objects.object_copies import copied_record, deeply_copied_record
from autograph._src.staging.objects.object_dicts import dict_methods
from autograph._src.staging.objects.object_fields import checked_field, field_path, read_field, write_field
from autograph._src.staging.objects.object_rows import REFERENCES
from autograph._src.staging.objects.object_tables import ObjectTable, described, joined_kinds
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.memory import Memory
from autograph._src.staging.tensors.python_scalars import both, compare, either, negate
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.lookers import is_looking
from autograph._src.staging.trace.object_sites import RecordKind, Site, site_here
from autograph._src.staging.trace.record_trees import has_label, record_word
from autograph._src.staging.trace.restarts import begin_again_with_objects
from autograph._src.staging.trace.trace import Trace


def made_object(trace: Trace, value: object, is_referred_to: bool, site: Site | None = None) -> object:
    """Notes an object or dict that the program has just made; gives it, or a reference if it is a row.

    Args:
        trace: The trace.
        value: The object.
        is_referred_to: Whether other references to it exist already, for instance from its `__init__`.
        site: Where it is made; the running site if it is none.
    """
    if issubclass(type(value), BaseException):
        return value  # The graph holds it by its values, see ``exception_of.py``.
    site = site_here() if site is None else site
    table = trace.objects.table_at(site)
    if not has_label(value):
        return value
    if table is None:
        trace.objects.note_made(value, site, is_referred_to)
        return value
    return new_record(table, value)


def is_record(value: object) -> bool:
    """Whether an object that the program made can be a row."""
    return require_trace().objects.site_of(value) is not None


def learn_record(value: object) -> int:
    """Learns the site and field types of an object; gives its table."""
    objects = require_trace().objects
    site = objects.site_of(value)
    assert site is not None
    return objects.sites.learn((site,), kind_of(value), joined_kinds)


def fields_of(value: object) -> dict[Any, Any]:
    """The attributes of an object, or the items of a dict."""
    if isinstance(value, dict):
        return dict(value)
    found = {name: getattr(value, name) for name in slot_names(type(value)) if hasattr(value, name)}
    return {**found, **getattr(value, "__dict__", {})}


def kind_of(value: object) -> RecordKind:
    """The row type of an object; learns the objects in its fields too."""
    state = fields_of(value)
    path = functools.partial(field_path, type(value))
    types = tuple(checked_field(described(part), path(name)) for name, part in state.items())
    return RecordKind.of(record_word(value), tuple(state), types)


def new_record(table: ObjectTable, value: object) -> object:
    """Adds an object that the program makes to a table; gives the reference to the new row."""
    sites = require_trace().objects.sites
    sites.widen(table.number, kind_of(value), joined_kinds)
    begin_again_with_objects()
    table.adopt(record_word(value))
    assert isinstance(table.kind, RecordKind)
    leaves: list[int] = []
    memories: list[Memory] = []
    parts = list(zip(fields_of(value).values(), table.kind.types, strict=True))
    for part, kind in parts:
        leaves += kind.pack(part)
        memories += memories_in(part) if kind.graph_types() else []
    if not leaves:
        leaves = [constant(True, "bool").read()]
    return record_reference(table, table.added(leaves, memories), None)


def record_reference(table: ObjectTable, row: Tensor, name: str | None) -> object:
    """A reference to the object at a row."""
    assert isinstance(table.kind, RecordKind)
    of_class = table.kind.of_class
    made: Any = _reference_class(of_class, table.kind.names)
    new: Any = of_class.__new__ if table.kind.is_of_dicts() else object.__new__
    reference: object = new(made)
    for own, value in (("ag_table", table), ("ag_row", row), ("ag_bound", None), ("ag_name", name)):
        object.__setattr__(reference, own, value)
    return reference


def is_same_record(one: Any, other: Any) -> Any:
    """``one is other``."""
    if getattr(other, "ag_table", None) is not one.ag_table:
        return False
    return compare("equal", one.ag_row, other.ag_row)


REFERENCES[RecordKind] = record_reference

# Classes of references


class Field:
    """A descriptor that reads and writes one field of a reference's row."""

    def __init__(self, name: str, kind: type) -> None:
        self._name = name
        self._kind = kind

    def __get__(self, owner: object, kind: type | None = None) -> Any:
        if owner is None:
            return getattr(self._kind, self._name, self)
        return read_field(owner, self._name)

    def __set__(self, owner: object, value: object) -> None:
        write_field(owner, self._name, value)

    def __delete__(self, owner: object) -> None:
        raise _fixed(owner, f"`{self._name}` is deleted of")


def _fixed(owner: Any, what: str) -> Exception:
    kind = owner.ag_table.kind.of_class
    parts = "keys" if issubclass(kind, dict) else "attributes"
    return staging_error(
        "AG121",
        f"{what} a {kind.__name__} that a staged list holds, or a variable of a staged statement",
        f"give all of them the same {parts} where they are made",
    )


_OWN = ("ag_bound", "ag_name", "ag_row", "ag_table")


@functools.cache
def _reference_class(kind: type, names: tuple[Any, ...]) -> type:
    """Generates the class of references to objects of a class with these attributes."""
    members: dict[str, Any] = {
        "__slots__": _OWN,
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__class__": property(lambda self: kind),
        "__reduce_ex__": _refuse_pickle,
        "__deepcopy__": deeply_copied_record,
        "__copy__": copied_record,
        "is_same": is_same_record,
    }
    if issubclass(kind, dict):
        members |= dict_methods(kind)
    else:
        members |= {name: Field(name, kind) for name in names}
        members |= {"__dict__": property(_refuse_attributes)}
        members["__dir__"] = functools.partialmethod(_names, kind, names)
        members["__setattr__"] = functools.partialmethod(_set_attribute, kind, frozenset(names))
        compares: object = inspect.getattr_static(kind, "__eq__")
        if type(compares) is FunctionType and is_generated(compares):
            members |= {"__eq__": _is_equal, "__ne__": _is_unequal}
        if compares is object.__eq__:
            members |= {"__eq__": is_same_record, "__ne__": _is_another, "__hash__": _refuse_hash}
        elif inspect.getattr_static(kind, "__hash__") is object.__hash__:
            members["__hash__"] = _refuse_hash
    return type(kind)(kind.__name__, (kind,), members)


def _refuse_attributes(self: Any) -> NoReturn:
    """Refuses ``vars(x)`` and ``x.__dict__``, which a debugger finds absent."""
    if is_looking():
        raise AttributeError("__dict__")
    name = self.ag_table.kind.of_class.__name__
    raise staging_error(
        "AG120",
        f"the `__dict__` of a {name} that a staged list holds, or a variable of a staged statement",
        "read its attributes one by one: `x.name`",
    )


def _names(self: object, kind: type, names: tuple[Any, ...]) -> list[str]:
    return sorted({*dir(kind), *names})


def _set_attribute(self: Any, kind: Any, names: frozenset[str], name: str, value: Any) -> None:
    found = getattr(kind, "__dataclass_params__", None)
    if found is not None and found.frozen:
        kind.__setattr__(self, name, value)  # Raises `FrozenInstanceError`.
    stored = getattr(kind, name, None)
    if name not in names and not hasattr(type(stored), "__set__"):
        raise _fixed(self, f"`{name}` is a new attribute of")
    object.__setattr__(self, name, value)


def _is_equal(one: Any, other: Any) -> Any:
    """The ``==`` that `dataclass` generates: compares all fields with ``compare=True``."""
    if other.__class__ is not one.__class__:
        return NotImplemented
    names = [part.name for part in dataclasses.fields(one.__class__) if part.compare]
    pairs = ((getattr(one, name), getattr(other, name)) for name in names)
    same = functools.reduce(both, (equals(*pair) for pair in pairs), constant(True, "bool"))
    is_one = is_same_record(one, other)
    return same if is_one is False else either(is_one, same)


def _is_unequal(one: Any, other: Any) -> object:
    same = _is_equal(one, other)
    return same if same is NotImplemented else negate(same)


def _is_another(one: object, other: object) -> object:
    same = is_same_record(one, other)
    return not same if isinstance(same, bool) else negate(same)


def _refuse_hash(self: object) -> NoReturn:
    raise staging_error(
        "AG101", "the `hash` of an object in a staged list is needed while tracing", "compare with `is`"
    )


def _refuse_pickle(self: object, *_: object) -> NoReturn:
    raise staging_error("AG120", "an object in a staged list is pickled", "pickle the result of the call")
