"""Attributes and fields of the program may have any names, also those that staged values have."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest
from programs import assert_same

# fmt: off
NAMES = (
    "memory", "stacked", "unless_none", "holds_truth", "current", "require_current", "contents",
    "will_change", "read_contents", "write_contents", "require_known_identity", "form", "kind", "sizes",
    "affine", "defined", "dtype", "value", "present", "parts", "shared", "role", "serial", "held",
    "ag_trace", "name", "element", "number", "location", "code", "message", "called", "declared",
    "length", "count", "count_of", "read", "write", "type_name",
)
# fmt: on


def plain_class(names: tuple[str, ...]) -> type:
    """A class with these attributes, of the class and of its objects."""

    def __init__(self: Any, value: Any) -> None:
        for name in names:
            setattr(self, name, value)

    return type("Plain", (), {**dict.fromkeys(names, 0), "__init__": __init__, "__module__": __name__})


PLAIN = plain_class(NAMES)
LIST = type("OfList", (list,), {**dict.fromkeys(NAMES, 0), "__module__": __name__})
RECORD = dataclasses.make_dataclass("Record", [(name, object) for name in NAMES[:12]])
TUPLE = NamedTuple("TUPLE", [(name, Any) for name in NAMES[:12]])  # type: ignore[misc]


def of_an_object(x, thing):
    total = x * 2 if thing else x
    for _ in range(3):
        if x > 1:
            total = total + thing.memory + thing.stacked
        else:
            total = total - thing.kind
    return total + thing.holds_truth


def made_inside(x, thing):
    other = type(thing)(x)
    if x > 1:
        other.memory = x * 3
    return other.memory + other.contents


def of_a_list(x, thing):
    things = [thing, thing]
    found = x
    for one in things:
        if x > 1:
            found = found + one.unless_none
    return found + len(things)


def an_optional(x, thing):
    chosen = thing if x is not None else None
    return x if chosen is None else x + chosen.current


def of_a_tuple(x, thing):
    total = x
    for value in thing:
        total = total + value
    return total + thing.stacked + np.stack(thing).sum() + np.asarray(thing)[0]


def of_fields(x, thing):
    return thing.memory + thing.stacked * x, thing


def tuple_made_inside(x, thing):
    made = type(thing)(*[x + k for k in range(len(thing))])
    if x > 1:
        made = made._replace(stacked=x * 9)
    return made, made.memory + made.stacked, sum(made)


def of_a_subclass_of_list(x, thing):
    if x > 1:
        x = x + thing[0]
    return x + sum(thing) + np.sum(np.stack(thing)) + len(thing) + thing.memory


@pytest.mark.parametrize("x", [0.5, 2.0])
@pytest.mark.parametrize(
    "program", [of_an_object, made_inside, of_a_list, an_optional], ids=lambda f: f.__name__
)
def test_an_object(program: Callable[..., Any], x: float) -> None:
    thing = PLAIN(3.0)
    assert_same(ag.function(program)(np.float64(x), thing), program(np.float64(x), thing))


@pytest.mark.parametrize("x", [0.5, 2.0])
@pytest.mark.parametrize("program", [of_a_tuple, of_fields, tuple_made_inside], ids=lambda f: f.__name__)
def test_a_named_tuple(program: Callable[..., Any], x: float) -> None:
    thing = TUPLE(*map(float, range(12)))
    assert_same(ag.function(program)(np.float64(x), thing), program(np.float64(x), thing))


@pytest.mark.parametrize("x", [0.5, 2.0])
def test_a_dataclass(x: float) -> None:
    thing = RECORD(*map(float, range(12)))
    got, same = ag.function(of_fields)(np.float64(x), thing)
    assert same is thing and got == of_fields(np.float64(x), thing)[0]


@pytest.mark.parametrize("x", [0.5, 2.0])
def test_a_subclass_of_list(x: float) -> None:
    thing = LIST([1.0, 2.0])
    try:
        got = ag.function(of_a_subclass_of_list)(np.float64(x), thing)
    except ag.StagingError as error:
        assert "stacked" not in error.message and error.location is not None
    else:
        assert_same(got, of_a_subclass_of_list(np.float64(x), thing))
