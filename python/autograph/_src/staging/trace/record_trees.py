"""Dicts, and objects of dataclasses, that are trees: nothing but values by their names.

A staged statement may carry such a record by the values in it, and make another of the same class from them:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class State:
...     weight: float
...     step: int
>>> word = record_word(State(0.5, 1))
>>> record_of(word, [("weight", 0.25), ("step", 2)])
State(weight=0.25, step=2)
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from autograph._src.dict_classes import DictWord, dict_of, dict_word, is_dict_tree
from autograph._src.operators.places import Attribute, Elements
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.trace.record_classes import is_named_tuple, is_record_class, names_own_class
from autograph._src.staging.trace.references import is_reference

RecordWord = DictWord | type
"""The class of a record, and the factory of a `defaultdict`."""

_fields: WeakKeyDictionary[type, tuple[str, ...] | None] = WeakKeyDictionary()


def _field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass whose objects are trees; ``None`` for other classes.

    Objects whose class compares them by identity are none, as another one would not be equal. Nor are those
    that may hold objects of their own class: these are walked over, and have no fixed depth.
    """
    if not dataclasses.is_dataclass(kind):
        return None
    if kind not in _fields:
        names = tuple(field.name for field in dataclasses.fields(kind))
        is_tree = is_record_class(kind) and not is_named_tuple(kind) and kind.__new__ is object.__new__
        is_tree = is_tree and kind.__eq__ is not object.__eq__
        is_tree = is_tree and not any(names_own_class(kind, name) for name in names)
        _fields[kind] = names if is_tree else None
    return _fields[kind]


def is_object_tree(value: object) -> bool:
    """Whether a value is an object of a dataclass that holds its fields and nothing else."""
    names = _field_names(type(value))
    if names is None or is_reference(value):
        return False
    if any(isinstance(Attribute(value, name).read(), Undefined) for name in names):
        return False
    return all(name in names for name in getattr(value, "__dict__", ()))


def is_record_tree(value: object) -> bool:
    """Whether a value is a dict or an object that is a tree."""
    return is_dict_tree(value) or is_object_tree(value)


def record_word(value: Any) -> RecordWord:
    """What two records share besides the names in them."""
    return dict_word(value) if isinstance(value, dict) else type(value)


def is_word_of_dicts(word: RecordWord) -> bool:
    """Whether it is the word of dicts, and not of objects."""
    return not isinstance(word, type) or issubclass(word, dict)


def class_of(word: RecordWord) -> type:
    """The class of the records with a word."""
    return word if isinstance(word, type) else defaultdict


def label_of(word: RecordWord) -> object:
    """What identifies a word in all recordings of a function, each of which makes its classes anew."""
    if isinstance(word, type) and "<locals>" in word.__qualname__:
        return word.__module__, word.__qualname__
    return word


def has_label(value: object) -> bool:
    """Whether the word of a record has a label: a factory that the function makes has none."""
    factory = value.default_factory if type(value) is defaultdict else None
    return "<locals>" not in getattr(factory, "__qualname__", "")


def record_of(word: RecordWord, items: Iterable[tuple[Any, Any]]) -> Any:
    """A new record with these values by their names; no code of the user's class runs."""
    if is_word_of_dicts(word):
        return dict_of(word, items)
    made: object = object.__new__(word)  # type: ignore[arg-type]
    for name, value in items:
        object.__setattr__(made, name, value)
    return made


def record_values(value: Any) -> tuple[Any, ...]:
    """The values in a record."""
    if isinstance(value, dict):
        return tuple(value.values())
    return tuple(Attribute(value, name).read() for name in _field_names(type(value)) or ())


def record_names(value: Any) -> tuple[Any, ...]:
    """The keys of a dict, or the fields of an object."""
    return tuple(value) if isinstance(value, dict) else _field_names(type(value)) or ()


def copy_of(name: str, value: object) -> str:
    """An expression that copies a list or a record, for messages."""
    if isinstance(value, list):
        return f"list({name})"
    if type(value) is dict:
        return f"dict({name})"
    return f"{name}.copy()" if isinstance(value, dict) else f"dataclasses.replace({name})"


def begin_with_copy(name: str, value: Any) -> str:
    """A remedy for a container from outside of the function, where one that the program makes is needed.

    Args:
        name: The variable that is bound to it, or to a container around it: ``p``, ``p[0]``.
        value: The container.
    """
    parts = value if isinstance(value, list) else record_values(value)
    if name.isidentifier() and not any(isinstance(part, list) or is_record_tree(part) for part in parts):
        return f"begin with a copy: `{name} = {copy_of(name, value)}`"
    variable = re.split(r"[.\[ ]", name)[0]
    called = variable if variable.isidentifier() and variable not in ("the", "return_value") else "p"
    return f"begin with a copy: `{called} = copy.deepcopy({called})`"


def record_elements(value: Any) -> Elements:
    """The values in a record, with their names."""
    made = Elements.of(record_values(value), type(value).__name__, record_names(value))
    made.are_attributes = not isinstance(value, dict)
    made.owner = value
    return made
