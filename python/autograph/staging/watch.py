"""Watching objects that a trace may have read: their attributes and elements, all the way down.

A graph that was traced with `self.rate == 0.1` is stale when somebody sets `self.rate = 0.2`. The
contents of arrays are no part of this: arrays are inputs, read anew at every run.
"""

from __future__ import annotations

import operator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

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


class Watch:
    """The contents of objects at one time.

    Attributes:
        seen: The objects watched, by identity.
    """

    def __init__(self) -> None:
        self.seen: dict[int, Any] = {}
        self._sequences: list[tuple[list[Any], list[Any]]] = []
        self._mappings: list[tuple[dict[Any, Any], list[Any], list[Any]]] = []
        self._slots: list[tuple[Any, str, Any]] = []

    def add(self, value: Any) -> None:
        """Watches an object and all it refers to."""
        pending = [value]
        while pending:
            one = pending.pop()
            if isinstance(one, _STABLE) or id(one) in self.seen or _is_ours(one):
                continue
            self.seen[id(one)] = one
            pending += self._contents(one)

    def _contents(self, one: Any) -> list[Any]:
        if isinstance(one, MethodType):
            return [one.__self__]
        if isinstance(one, tuple):
            return list(one)
        if isinstance(one, list):
            self._sequences.append((one, list(one)))
            return list(one)
        if isinstance(one, dict):
            self._mappings.append((one, list(one), list(one.values())))
            return list(one.values())
        found = []
        for kind in type(one).__mro__:
            slots = kind.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name not in ("__dict__", "__weakref__") and hasattr(one, name):
                    found.append(getattr(one, name))
                    self._slots.append((one, name, found[-1]))
        attributes = getattr(one, "__dict__", None)
        if isinstance(attributes, dict):
            self._mappings.append((attributes, list(attributes), list(attributes.values())))
            found += attributes.values()
        return found

    def holds(self) -> bool:
        """Whether everything is as it was."""
        return (
            all(_same(current, elements) for current, elements in self._sequences)
            and all(
                _same(current, keys) and _same(current.values(), values)
                for current, keys, values in self._mappings
            )
            and all(getattr(owner, name, None) is value for owner, name, value in self._slots)
        )


def _is_ours(value: Any) -> bool:
    """Whether it is an object of this package, such as a staged function, which has caches."""
    return type(value).__module__.partition(".")[0] == "autograph"


def _same(current: Any, snapshot: list[Any]) -> bool:
    return len(current) == len(snapshot) and all(map(operator.is_, current, snapshot))
