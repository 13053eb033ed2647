"""Loops of the graph over staged lists: searching, counting, comparing, repeating.

    xs.index(v)     # the first position of an element that equals `v`; the run raises if there is none

The loops stop early where Python's would.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.own_attributes import has_own
from autograph._src.staging.lists.list_contents import StagedElements, empty, staged_contents
from autograph._src.staging.lists.list_indices import bounds_of
from autograph._src.staging.lists.list_lengths import Length, unknown
from autograph._src.staging.tensors.current_lists import require_current
from autograph._src.staging.tensors.lifting import constant, is_python_scalar, lift
from autograph._src.staging.tensors.python_scalars import both, compare, require, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.state import State
from autograph._src.staging.trace.statements import record_failure_of, stage_for


class Variable:
    """A variable carried by a loop that a builtin or method records."""

    def __init__(self, name: str, value: Any) -> None:
        self.value = value
        self.state = State(lambda: (self.value,), self._set, (name,))

    def _set(self, values: tuple[Any, ...]) -> None:
        (self.value,) = values


def require_elements(contents: StagedElements) -> None:
    """Records that the run raises if there is no element to pop."""
    count, message = contents.count(), "pop from empty list"
    if isinstance(count, Tensor):
        require(compare("greater", count, 0), IndexError, message)
    elif count == 0:
        raise IndexError(message)


def equals(element: object, value: object) -> Tensor:
    """``element == value`` as a staged bool; tuples are compared element by element.

    Beside a number of NumPy's a tuple is an array: `(1, 2) == np.int64(1)` has two elements.
    """
    if isinstance(element, tuple) and _is_of_numpy(value):
        element, value = value, element
    if isinstance(element, tuple):
        if not isinstance(value, tuple) or len(value) != len(element):
            return constant(False, "bool", Form.PYTHON)
        pairs = zip(element, value, strict=True)
        return functools.reduce(both, (equals(*pair) for pair in pairs), constant(True, "bool", Form.PYTHON))
    same = element == value
    if isinstance(same, Tensor) and same.sizes:
        raise staging_error(
            "AG106",
            "a list of arrays is searched, and whether two arrays are equal is ambiguous",
            "compare them in a loop: `np.array_equal(a, b)`",
        )
    return truth(same)


def _is_of_numpy(value: object) -> bool:
    is_staged = backend_of(value) is not None and not isinstance(value, (list, tuple))
    return (is_staged and not is_python_scalar(value)) or isinstance(value, (np.generic, np.ndarray))


def first_position(contents: StagedElements, value: Any) -> Tensor:
    """The first position of an element that equals a value; -1 if there is none."""
    found = Variable("the position", lift(-1))

    def look(position: Tensor) -> None:
        here = equals(contents.at(position), value)
        found.value = wrap(emit("select", here.read(), position.read(), found.value.read()), Form.PYTHON)

    stage_for(contents.count(), lambda position: position, lambda: found.value < 0, look, found.state)
    return lift(found.value)


def position_of(contents: StagedElements, value: object, method: str) -> Tensor:
    """The first position of an element that equals a value; the run raises if there is none."""
    position = first_position(contents, value)
    record_failure_of(compare("greater_equal", position, 0), ValueError, getattr([], method), value)
    return position


def position_within(
    contents: StagedElements, value: object, bounds: tuple[object, ...], method: Callable[..., Any]
) -> object:
    """``xs.index(value, start, stop)``: the first position between bounds, as those of a slice.

    Args:
        contents: The elements.
        value: The value.
        bounds: None, the start, or the start and the stop.
        method: The method of CPython, whose error the run raises if there is no such element.
    """
    if len(bounds) > 2:
        raise TypeError(f"index expected at most 3 arguments, got {1 + len(bounds)}")
    part = bounds_of(contents, slice(*bounds, *(None,) * (2 - len(bounds))))
    inside = contents.slice(part.start, part.stop, lift(part.step), part.length) if bounds else contents
    position = first_position(inside, value)
    record_failure_of(compare("greater_equal", position, 0), ValueError, method, value)
    return position + part.start if bounds else position


def count_of(contents: StagedElements, value: Any) -> Tensor:
    """How many elements equal a value."""
    total = Variable("the count", lift(0))

    def look(position: Tensor) -> None:
        one = emit("cast", equals(contents.at(position), value).read(), "int64")
        total.value = wrap(emit("binary", "add", total.value.read(), one), Form.PYTHON)

    stage_for(contents.count(), lambda position: position, None, look, total.state)
    return lift(total.value)


def equal(left: object, right: object) -> Any:
    """``left == right`` of two lists, at least one of them staged."""
    if left is right:
        return True
    one, other = (_contents(value, side) for value, side in ((left, right), (right, left)))
    if one is None or other is None:  # An empty plain list, whose element type is unknown.
        filled = one or other
        return filled is None or lift(filled.count()) == 0
    same = Variable("the result of `==`", compare("equal", lift(one.count()), other.count()))

    def look(position: Tensor) -> None:
        same.value = equals(one.at(position), other.at(position))

    stage_for(one.count(), lambda position: position, lambda: same.value, look, same.state)
    return same.value


def _contents(value: Any, beside: Any) -> StagedElements | None:
    """The staged contents of a list; ``None`` for an empty plain list."""
    require_current(value)
    if has_own(value, "contents") and value.contents is not None:
        contents: StagedElements = value.staged()
        return contents
    values = list.copy(value)
    return staged_contents(values, beside.called()) if values else None


def repeated(contents: StagedElements, count: object) -> StagedElements:
    """``xs * count``, as a loop of the graph that concatenates."""
    trace = require_trace()
    sources = contents.read()
    length = unknown()
    if isinstance(count, int) and contents.length.base is None:
        length = Length(None, contents.length.offset * max(count, 0))
    bounds = (lift(0).read(), lift(count).astype("int64").read(), lift(1).read())
    initial = list(empty(contents.element, contents.name).values)
    builder = trace.locate()

    def step(params: list[Value]) -> list[Value]:
        pairs = zip(params[1:], sources, strict=True)
        return [emit("list_concatenate", *pair) for pair in pairs]

    region = builder.region([("int64", []), *map(builder.type_of, initial)], step)
    values = tuple(trace.locate().for_(bounds, initial, region))
    return StagedElements(contents.element, values, length, contents.name, contents.shared)
