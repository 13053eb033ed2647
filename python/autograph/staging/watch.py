"""Watching objects that a trace may have read: their attributes and elements, all the way down.

A graph that was traced with `self.rate == 0.1` is stale when somebody sets `self.rate = 0.2`. The
contents of arrays are no part of this: arrays are inputs, read anew at every run.
"""

from __future__ import annotations

import functools
import operator
import sys
from array import array
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Callable, Sequence
from functools import partial
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

import numpy as np

from autograph.operators.places import fill_dict
from autograph.policy import is_user_file
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

    def __init__(
        self,
        sequences: Sequence[tuple[Any, list[Any]]] = (),
        mappings: Sequence[tuple[Any, dict[Any, Any], list[Any], list[Any]]] = (),
        slots: Sequence[tuple[Any, str, Any]] = (),
    ) -> None:
        self.sequences = list(sequences)
        self.mappings = list(mappings)
        self.slots = list(slots)
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
            all(holds_same(owner, elements) for owner, elements in self.sequences)
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
            if not holds_same(owner, elements):
                replaced += _elements(owner)
                _fill(owner, elements)
        for _, variables, keys, values in self.mappings:
            if not (_same(variables, keys) and _same(variables.values(), values)):
                replaced += variables.values()
                fill_dict(variables, zip(keys, values, strict=True))
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
            if not holds_same(owner, elements):
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
        of_users: Those that the program itself holds, by identity: the others belong to an object of an
            installed package.
    """

    def __init__(self, met_array: Callable[[Any], None] | None = None) -> None:
        self.seen: dict[int, Any] = {}
        self.snapshot = Snapshot()
        self.of_users: set[int] = set()
        self._met_array = met_array

    def add(self, value: Any) -> None:
        """Watches an object and all it refers to."""
        pending = [(value, True)]
        while pending:
            one, is_of_user = pending.pop()
            if isinstance(one, np.ndarray):
                self.seen[id(one)] = one
                if self._met_array is not None and is_of_user:
                    self._met_array(one)
            if isinstance(one, _STABLE) or id(one) in self.seen or is_reference(one):
                continue
            if _is_ours(one) and not isinstance(one, list):
                continue
            self.seen[id(one)] = one
            kind: Any = type(one)
            is_of_user = is_of_user and _is_class_of_user(kind)
            if is_of_user:
                self.of_users.add(id(one))
            pending += [(part, is_of_user) for part in self._contents(one)]

    def forget(self, is_it: Callable[[Any], bool]) -> None:
        """Takes objects out of the snapshot again."""
        known = self.snapshot
        known.sequences = [entry for entry in known.sequences if not is_it(entry[0])]
        known.mappings = [entry for entry in known.mappings if not is_it(entry[0])]
        known.slots = [entry for entry in known.slots if not is_it(entry[0])]

    def _contents(self, one: Any) -> list[Any]:
        if isinstance(one, MethodType):
            return [one.__self__]
        if isinstance(one, CellType):
            self.snapshot.cells.append((one, _content(one)))
            return []
        if isinstance(one, (tuple, frozenset)):
            return list(one)
        if isinstance(one, (list, set, deque, bytearray, array)):
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


_PLAIN = frozenset(
    (
        *(list, tuple, dict, set, frozenset, deque, bytearray, array, MethodType, CellType),
        *(ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, SimpleNamespace, partial),
    )
)


@functools.cache
def _is_class_of_user(kind: type) -> bool:
    """Whether a class is the program's: not one of an installed package or of the standard library."""
    if kind in _PLAIN:
        return True
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__module__ != "builtins" if file is None else is_user_file(file)


def _is_ours(value: Any) -> bool:
    """Whether it is an object of this package, such as a staged function, which has caches."""
    return type(value).__module__.partition(".")[0] == "autograph"


def _elements(one: Any) -> list[Any]:
    """What a sequence holds; of a list what it stores, whatever its class says."""
    if isinstance(one, array):
        return [one.tobytes()]  # Its numbers are new objects each time.
    return list.copy(one) if isinstance(one, list) else list(one)


def _fill(one: Any, elements: list[Any]) -> None:
    if isinstance(one, list):
        list.clear(one)
        list.extend(one, elements)
    elif isinstance(one, bytearray):
        one[:] = bytes(elements)
    elif isinstance(one, array):
        del one[:]
        one.frombytes(elements[0])
    else:
        one.clear()
        (one.update if isinstance(one, set) else one.extend)(elements)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return CellType


def holds_same(owner: Any, elements: list[Any]) -> bool:
    """Whether a sequence holds these elements."""
    if isinstance(owner, array):
        return _elements(owner) == elements
    return _same(_elements(owner), elements)


def _same(current: Any, snapshot: list[Any]) -> bool:
    return len(current) == len(snapshot) and all(map(operator.is_, current, snapshot))
