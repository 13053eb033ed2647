"""The ``__init__`` that ``dataclass`` generates, with the program's own code in it converted.

    @dataclass
    class Interval:
        start: float
        marks: list = field(default_factory=new_marks)

        def __post_init__(self):
            self.end = self.start * 2 if self.start > 0 else 1.0

Generated code runs as it is. So where it calls functions of the program, its statements are done here:
they are what the documentation of ``dataclasses`` says, in the order of the fields.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

from autograph._src.policy import is_user_function

_Fields = dict[str, "dataclasses.Field[Any]"]


def fields_of_generated(initialise: object, kind: type) -> _Fields | None:
    """The fields of a generated ``__init__`` that calls functions of the program, or makes containers.

    ``None`` for other methods.
    """
    owner = next((base for base in kind.__mro__ if vars(base).get("__init__") is initialise), None)
    fields: _Fields | None = None if owner is None else vars(owner).get("__dataclass_fields__")
    if fields is None:
        return None
    calls = [getattr(kind, "__post_init__", None), *(one.default_factory for one in fields.values())]
    return fields if any(is_user_function(one) or _makes_container(one) for one in calls) else None


def _makes_container(factory: object) -> bool:
    return any(factory is kind for kind in _CONTAINERS)  # The program's objects are not asked for `==`.


_CONTAINERS = (dict, set, OrderedDict, Counter, deque)
"""Containers of which a trace has to know that it has made them."""


def initialise_fields(
    fields: _Fields,
    initialise: Callable[..., Any],
    made: Any,
    given: tuple[tuple[Any, ...], dict[str, Any]],
    call: Callable[..., Any],
) -> None:
    """Does what a generated ``__init__`` does.

    Args:
        fields: What :func:`fields_of_generated` gave.
        initialise: The generated method.
        made: The new object.
        given: The arguments, positional ones and those by keyword.
        call: Calls a function of the program, converted.
    """
    try:
        arguments = inspect.signature(initialise).bind(made, *given[0], **given[1]).arguments
    except TypeError:
        initialise(made, *given[0], **given[1])  # CPython says what is wrong.
        raise
    is_frozen = type(made).__dataclass_params__.frozen
    has_slots = "__slots__" in vars(type(made))
    only_given = []
    for name, one in fields.items():
        role = _role(one)
        if role == "_FIELD_CLASSVAR":
            continue
        if one.init and name in arguments:
            value = arguments[name]
        elif one.default_factory is not dataclasses.MISSING:
            value = call(one.default_factory)
        elif (one.init or has_slots) and one.default is not dataclasses.MISSING:
            value = one.default
        else:
            continue
        if role == "_FIELD_INITVAR":
            only_given.append(value)
        else:
            (object.__setattr__ if is_frozen else setattr)(made, name, value)
    if hasattr(type(made), "__post_init__"):
        call(type(made).__post_init__, made, *only_given)


def _role(one: dataclasses.Field[Any]) -> str:
    """Whether a field is one of the objects, of the class, or an argument of ``__post_init__`` alone."""
    return str(one._field_type.name)  # type: ignore[attr-defined]
