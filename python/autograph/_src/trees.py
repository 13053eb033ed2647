"""Trees: arguments and results made of tuples, lists, dicts, NamedTuples and dataclasses of leaves.

Dicts are those of `DICT_CLASSES`. A tree is rebuilt of the same class and order, with the same factory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Hashable
from typing import Any

import numpy as np

from autograph._src.dict_classes import DICT_CLASSES, DictWord, dict_of, dict_word
from autograph._src.own_attributes import has_own
from autograph._src.staging.trace.references import is_reference

Rebuild = Callable[[list[Any]], Any]


def flatten(value: Any, leaves: list[Any]) -> tuple[Hashable, Rebuild]:
    """Appends the leaves of a tree, in order.

    Args:
        value: The tree.
        leaves: The list to append to.

    Returns:
        A hashable description of the tree without its leaves, and a function that takes its leaves
        off the front of a list and builds the same tree anew.
    """
    kind: Any = value.__class__ if isinstance(value, list) else type(value)
    if kind in _LEAVES:
        leaves.append(value)
        return "leaf", _take
    if kind is list and has_own(value, "require_current"):
        value.require_current()
    if kind is tuple or (kind is list and not has_own(value, "current")):
        parts = [flatten(element, leaves) for element in value]
        return (kind, *(shape for shape, _ in parts)), _sequence(kind, [build for _, build in parts])
    if kind in DICT_CLASSES:
        word = dict_word(value)
        items = [(key, flatten(element, leaves)) for key, element in value.items()]
        shape = (word, *((key if type(key) is str else TypedKey(key), part[0]) for key, part in items))
        return shape, _mapping(word, [(key, part[1]) for key, part in items])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        parts = [flatten(element, leaves) for element in value]
        builds = [build for _, build in parts]
        return (kind, *(shape for shape, _ in parts)), lambda rest: kind(*(build(rest) for build in builds))
    if is_reference(value):  # A row of a table is a leaf, whatever class it imitates.
        leaves.append(value)
        return "leaf", _take
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [(f.name, flatten(getattr(value, f.name), leaves)) for f in dataclasses.fields(value)]
        shape = (kind, *((name, part[0]) for name, part in fields))
        return shape, _record(kind, [(name, part[1]) for name, part in fields])
    leaves.append(value)
    return "leaf", _take


class TypedKey:
    """A dict key in a structure. To a dict `1`, `True` and `1.0` are one key; to a program they are three.

    Attributes:
        key: The key.

    Example:
        >>> TypedKey(1) == TypedKey(1), TypedKey(1) == TypedKey(True), TypedKey((0.0,)) == TypedKey((-0.0,))
        (True, False, False)
    """

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypedKey) and _with_types(self.key) == _with_types(other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return repr(self.key)


def _with_types(key: object) -> tuple[object, ...] | tuple[type[Any], Any, str]:
    """A key with its types, so that it equals no key of another type and no zero of the other sign."""
    if isinstance(key, tuple):
        return (type(key), *map(_with_types, key))
    return type(key), key, str(key) if isinstance(key, (float, complex)) else ""


def are_leaves(values: tuple[Any, ...], others: Container[type]) -> bool:
    """Whether :func:`flatten` would treat every one of these values as a leaf.

    Args:
        values: The values.
        others: More classes whose objects count as leaves.

    Example:
        >>> are_leaves((1.0, None), ()), are_leaves((1.0, [2.0]), ())
        (True, False)
    """
    return all(type(value) in _LEAVES or type(value) in others for value in values)


_LEAVES = frozenset(
    (np.ndarray, np.float32, np.float64, np.int32, np.int64, float, int, bool, str, type(None))
)
"""The most frequent types of leaves, checked first."""


def _take(rest: list[Any]) -> Any:
    return rest.pop(0)


def _sequence(kind: type, builds: list[Rebuild]) -> Rebuild:
    return lambda rest: kind([build(rest) for build in builds])


def _mapping(word: DictWord, builds: list[tuple[Any, Rebuild]]) -> Rebuild:
    if word is dict:
        return lambda rest: {key: build(rest) for key, build in builds}
    return lambda rest: dict_of(word, [(key, build(rest)) for key, build in builds])


def _record(kind: type, builds: list[tuple[str, Rebuild]]) -> Rebuild:
    def rebuild(rest: list[Any]) -> Any:
        made: object = object.__new__(kind)
        for name, build in builds:
            object.__setattr__(made, name, build(rest))
        return made

    return rebuild


def leaf_paths(value: Any, path: str) -> list[str]:
    """Python expressions for the leaves of a tree, in the order of :func:`flatten`.

    Args:
        value: The tree.
        path: The expression for the tree itself.

    Returns:
        One expression for each leaf.

    Example:
        >>> leaf_paths({"w": [1.0, 2.0], "b": 0.5}, "parameters")
        ["parameters['w'][0]", "parameters['w'][1]", "parameters['b']"]
    """
    kind = value.__class__ if isinstance(value, list) else type(value)
    parts: list[tuple[str, Any]]
    if kind is tuple or kind is list:
        parts = [(f"{path}[{place}]", element) for place, element in enumerate(value)]
    elif kind in DICT_CLASSES:
        parts = [(f"{path}[{key!r}]", element) for key, element in value.items()]
    elif isinstance(value, tuple) and hasattr(kind, "_fields"):
        parts = [(f"{path}.{name}", element) for name, element in zip(kind._fields, value, strict=True)]
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [(f"{path}.{f.name}", getattr(value, f.name)) for f in dataclasses.fields(value)]
    else:
        return [path]
    return [found for inner, element in parts for found in leaf_paths(element, inner)]
