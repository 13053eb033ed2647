"""Records: frozen dataclasses and named tuples, whose objects are what they are given."""

from __future__ import annotations

import dataclasses
import inspect
from types import FunctionType
from typing import Any, NamedTuple

from autograph._src.policy import is_user_code
from autograph._src.tangent.instances import Parameters, literal


class Record(NamedTuple):
    """The fields of a record, as parameters.

    Attributes:
        parameters: The fields, in their order.
        is_tuple: Whether it is a named tuple.
    """

    parameters: Parameters
    is_tuple: bool


def is_named_tuple(kind: object) -> bool:
    """Whether a class is one of named tuples that is made as `NamedTuple` makes it."""
    if not (isinstance(kind, type) and issubclass(kind, tuple)) or type(kind) is not type:
        return False
    made = inspect.getattr_static(kind, "__new__")
    made = getattr(made, "__func__", made)
    fields = kind.__dict__.get("_fields") or getattr(kind, "_fields", None)
    hooks = ("__init__", "__getattribute__", "__getattr__", "__getitem__", "__iter__", "__len__", "_replace")
    own = [base for base in kind.__mro__ if base not in (tuple, object)]
    is_plain = all(not is_user_code_of(base.__dict__.get(name)) for base in own for name in hooks)
    return isinstance(fields, tuple) and isinstance(made, FunctionType) and is_plain and not _is_written(made)


def is_user_code_of(value: object) -> bool:
    """Whether a value is a function that a user has written."""
    return isinstance(value, FunctionType) and _is_written(value)


def _is_written(function: FunctionType) -> bool:
    return is_user_code(function.__code__) and not function.__code__.co_filename.startswith("<string>")


def is_frozen(kind: type) -> bool:
    """Whether a class is a frozen dataclass, which refuses that its objects are changed."""
    made = kind.__dict__.get("__dataclass_params__")
    return bool(made is not None and made.frozen)


def record_of(kind: object) -> Record | None:
    """The fields of a class whose objects are what they are given; ``None`` if it is no such class."""
    found = fields_of(kind)
    if found is None or not (found.is_tuple or (isinstance(kind, type) and is_frozen(kind))):
        return None
    return found


def fields_of(kind: object) -> Record | None:
    """The fields of a named tuple or a dataclass, frozen or not, that `replace` makes another of."""
    if is_named_tuple(kind):
        made: Any = kind
        names = made._fields
        optional = tuple((name, literal(value)) for name, value in made._field_defaults.items())
        return Record(Parameters(names, len(names), optional, None, None), True)
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind) or hasattr(kind, "__post_init__"):
        return None
    fields = dataclasses.fields(kind)
    computes = any(one.default_factory is not dataclasses.MISSING or not one.init for one in fields)
    own = inspect.getattr_static(kind, "__init__", None)
    if computes or not isinstance(own, FunctionType) or own.__code__.co_filename != "<string>":
        return None
    fields = tuple(one for one in fields if not one.kw_only) + tuple(one for one in fields if one.kw_only)
    names = tuple(one.name for one in fields)
    defaults = [one for one in fields if one.default is not dataclasses.MISSING]
    optional = tuple((one.name, literal(one.default)) for one in defaults)
    positional = sum(not one.kw_only for one in fields)
    return Record(Parameters(names, positional, optional, None, None), False)
