"""Watching objects that a trace may have read: their attributes and elements, all the way down.

A graph that was traced with `self.rate == 0.1` is stale when somebody sets `self.rate = 0.2`. The
contents of arrays are no part of this: arrays are inputs, read anew at every run.
"""

from __future__ import annotations

import operator
from collections import deque
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.staging.references import is_reference

_STABLE = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type,
    type(None),
    np.ndarray,
    np.generic,
    np.ufunc,
    ModuleType,
    FunctionType,
    BuiltinFunctionType,
    CodeType,
    type(np.sum),
)
"""What is watched by identity alone, where it is bound."""


class Snapshot:
    """What some objects held at one time."""

    def __init__(self) -> None:
        self.sequences: list[tuple[Any, list[Any]]] = []
        self.mappings: list[tuple[Any, dict[Any, Any], list[Any], list[Any]]] = []
        self.slots: list[tuple[Any, str, Any]] = []
        self.cells: list[tuple[CellType, Any]] = []

    def again(self) -> Snapshot:
        """The same objects, as they are now."""
        now = Snapshot()
        now.sequences = [(owner, _elements(owner)) for owner, _ in self.sequences]
        now.mappings = [
            (owner, variables, list(variables), list(variables.values()))
            for owner, variables, _, _ in self.mappings
        ]
        now.slots = [(owner, name, getattr(owner, name, None)) for owner, name, _ in self.slots]
        now.cells = [(cell, _content(cell)) for cell, _ in self.cells]
        return now

    def holds(self) -> bool:
        """Whether everything is as it was."""
        return (
            all(_same(_elements(owner), elements) for owner, elements in self.sequences)
            and all(
                _same(variables, keys) and _same(variables.values(), values)
                for _, variables, keys, values in self.mappings
            )
            and all(getattr(owner, name, None) is value for owner, name, value in self.slots)
        )

    def put_back(self) -> list[Any]:
        """Has everything hold again what it held; gives what it held in between."""
        replaced: list[Any] = []
        for owner, elements in self.sequences:
            if not _same(_elements(owner), elements):
                replaced += _elements(owner)
                _fill(owner, elements)
        for _, variables, keys, values in self.mappings:
            if not (_same(variables, keys) and _same(variables.values(), values)):
                replaced += variables.values()
                variables.clear()
                variables.update(zip(keys, values, strict=True))
        for owner, name, value in self.slots:
            if getattr(owner, name, None) is not value:
                object.__setattr__(owner, name, value)
        for cell, value in self.cells:
            if value is CellType is not _content(cell):
                del cell.cell_contents
            elif _content(cell) is not value:
                cell.cell_contents = value
        return replaced

    def first_change(self) -> str | None:
        """What is not as it was, in words, or ``None``."""
        for owner, elements in self.sequences:
            if not _same(_elements(owner), elements):
                return f"a {type(owner).__name__}"
        for owner, variables, keys, values in self.mappings:
            if _same(variables, keys) and _same(variables.values(), values):
                continue
            if owner is variables:
                return f"a {type(owner).__name__}"
            before = dict(zip(keys, values, strict=True))
            for name in [*before, *variables]:
                if before.get(name, before) is not variables.get(name, before):
                    return f"`{type(owner).__name__}.{name}`"
        for owner, name, value in self.slots:
            if getattr(owner, name, None) is not value:
                return f"`{type(owner).__name__}.{name}`"
        if any(_content(cell) is not value for cell, value in self.cells):
            return "a variable of an enclosing function"
        return None


class Watch:
    """Objects with all they refer to, and what these held when they were met.

    Attributes:
        seen: The objects met, by identity; arrays too.
        snapshot: What they held.
    """

    def __init__(self) -> None:
        self.seen: dict[int, Any] = {}
        self.snapshot = Snapshot()

    def add(self, value: Any) -> None:
        """Watches an object and all it refers to."""
        pending = [value]
        while pending:
            one = pending.pop()
            if isinstance(one, np.ndarray):
                self.seen[id(one)] = one
            if isinstance(one, _STABLE) or id(one) in self.seen or is_reference(one):
                continue
            if _is_ours(one) and not isinstance(one, list):
                continue
            self.seen[id(one)] = one
            pending += self._contents(one)

    def _contents(self, one: Any) -> list[Any]:
        if isinstance(one, MethodType):
            return [one.__self__]
        if isinstance(one, CellType):
            self.snapshot.cells.append((one, _content(one)))
            return []
        if isinstance(one, (tuple, frozenset)):
            return list(one)
        if isinstance(one, (list, set, deque, bytearray)):
            elements = _elements(one)
            self.snapshot.sequences.append((one, elements))
            return elements + ([] if _is_ours(one) else self._attributes(one))
        if isinstance(one, dict):
            self.snapshot.mappings.append((one, one, list(one), list(one.values())))
            return list(one.values()) + self._attributes(one)
        return self._attributes(one)

    def _attributes(self, one: Any) -> list[Any]:
        found = []
        for kind in type(one).__mro__:
            slots = kind.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name not in ("__dict__", "__weakref__") and hasattr(one, name):
                    found.append(getattr(one, name))
                    self.snapshot.slots.append((one, name, found[-1]))
        attributes = getattr(one, "__dict__", None)
        if isinstance(attributes, dict):
            self.snapshot.mappings.append((one, attributes, list(attributes), list(attributes.values())))
            found += attributes.values()
        return found

    def holds(self) -> bool:
        """Whether everything is as it was when it was met."""
        return self.snapshot.holds()


def _is_ours(value: Any) -> bool:
    """Whether it is an object of this package, such as a staged function, which has caches."""
    return type(value).__module__.partition(".")[0] == "autograph"


def _elements(one: Any) -> list[Any]:
    """What a sequence holds; of a list what it stores, whatever its class says."""
    return list.copy(one) if isinstance(one, list) else list(one)


def _fill(one: Any, elements: list[Any]) -> None:
    if isinstance(one, list):
        list.clear(one)
        list.extend(one, elements)
    elif isinstance(one, bytearray):
        one[:] = bytes(elements)
    else:
        one.clear()
        (one.update if isinstance(one, set) else one.extend)(elements)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return CellType


def _same(current: Any, snapshot: list[Any]) -> bool:
    return len(current) == len(snapshot) and all(map(operator.is_, current, snapshot))
