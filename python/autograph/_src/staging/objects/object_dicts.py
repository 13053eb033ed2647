"""The methods of dicts that are rows of a table: their keys are known, their values are in the graph.

A row of a `defaultdict` has its factory, but no key can be added: all dicts of a table have the same.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from typing import Any, NoReturn

from autograph._src.dict_classes import Defaulting
from autograph._src.staging.objects.object_fields import read_field, write_field
from autograph._src.staging.trace.active import current_trace, staging_error
from autograph._src.staging.trace.record_trees import record_of
from autograph._src.staging.trace.statements import contents_differ


def _keys(self: Any) -> tuple[Any, ...]:
    return self.ag_table.kind.names  # type: ignore[no-any-return]


def _has(self: Any, key: object) -> bool:
    hash(key)  # A list is no key: a TypeError.
    return key in _keys(self)


def _get_item(self: Any, key: object) -> object:
    if not _has(self, key):
        if isinstance(self.ag_table.kind.word, Defaulting) and self.default_factory is not None:
            raise _refusal(self, f"the key {key!r} is added to")
        raise KeyError(key)
    return read_field(self, key)


def _set_item(self: object, key: object, value: object) -> None:
    if not _has(self, key):
        raise _refusal(self, f"the key {key!r} is added to")
    write_field(self, key, value)


def _get(self: Any, key: Any, default: object = None) -> object:
    return self[key] if _has(self, key) else default


def _set_default(self: Any, key: Any, default: object = None) -> object:
    if not _has(self, key):
        raise _refusal(self, f"the key {key!r} is added to")
    return self[key]


def _update(self: Any, *others: Any, **named: Any) -> None:
    for key, value in dict(*others, **named).items():
        self[key] = value


def _update_in_place(self: object, other: object) -> object:
    _update(self, other)
    return self


def _copy(self: Any) -> Any:
    return _made(self, {key: self[key] for key in _keys(self)})


def _made(self: Any, items: dict[Any, Any]) -> Any:
    """A new dict of the same class."""
    made, trace = record_of(self.ag_table.kind.word, items.items()), current_trace()
    return made if trace is None else trace.journal.created(made)


def _iterate(self: object) -> Iterator[Any]:
    return iter(_keys(self))


def _refusal(value: object, what: str) -> Exception:
    contents_differ(value)  # Record again with a dict whose keys only the run knows, if these are numbers.
    return staging_error(
        "AG121",
        f"{what} a dict that a staged list holds, or a variable of a staged statement",
        "give all of them the same keys where they are made",
    )


def _refuse_removal(self: object, *_: object) -> NoReturn:
    raise _refusal(self, "a key is taken out of")


def _refuse_comparison(self: object, other: object) -> NoReturn:
    raise staging_error("AG120", "`==` of a dict in a staged list", "compare its values")


def _refuse_order(self: object, *_: object, **options: object) -> NoReturn:
    raise _refusal(self, "a key is moved in")


def _factory(self: Any) -> Any:
    return self.ag_table.kind.word.factory


_METHODS: dict[str, Any] = {
    "__getitem__": _get_item,
    "__setitem__": _set_item,
    "__delitem__": _refuse_removal,
    "__len__": lambda self: len(_keys(self)),
    "__bool__": lambda self: len(_keys(self)) > 0,
    "__contains__": _has,
    "__iter__": _iterate,
    "__reversed__": lambda self: reversed(_keys(self)),
    "__eq__": _refuse_comparison,
    "__ne__": _refuse_comparison,
    "__or__": lambda self, other: _made(self, {**_copy(self), **other}),
    "__ror__": lambda self, other: _made(self, {**other, **_copy(self)}),
    "__ior__": _update_in_place,
    "__hash__": None,
    "__repr__": lambda self: repr(_copy(self)),
    "keys": lambda self: dict.fromkeys(_keys(self)).keys(),
    "values": lambda self: [self[key] for key in _keys(self)],
    "items": lambda self: [(key, self[key]) for key in _keys(self)],
    "get": _get,
    "setdefault": _set_default,
    "update": _update,
    "copy": _copy,
    "pop": _refuse_removal,
    "popitem": _refuse_removal,
    "clear": _refuse_removal,
}
"""The methods of a dict reference; the underlying `dict` object itself is empty."""


_MORE: dict[type, dict[str, Any]] = {
    OrderedDict: {"move_to_end": _refuse_order},
    defaultdict: {"default_factory": property(_factory), "__missing__": _get_item},
}


def dict_methods(kind: type) -> dict[str, Any]:
    """The methods of a reference to a dict of a class."""
    return _METHODS | _MORE.get(kind, {})
