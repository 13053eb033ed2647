"""The arguments of a call that may become a call of the graph: which are parameters, and of what type.

def walk(n, scale, tree): ...       n      staged: a parameter of its type
walk(n - 1, 2.0, (a, b))            scale  a plain number: itself, a parameter once it differs
                                    tree   a tuple: each of its leaves for itself
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph._src.staging.kinds.leaf_kind import LeafKind, join, kind_of
from autograph._src.staging.kinds.numbers import NumberKind, is_numeric
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.lists.traced_list import StagedList, TracedList
from autograph._src.staging.objects.list_object import list_argument
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.tensors.tensor import Kind, Tensor
from autograph._src.staging.trace.references import is_reference
from autograph._src.trees import Rebuild, flatten
from autograph.errors import StagingError

_STAGED = (Tensor, StagedOptional, StagedUnion, StagedNode, StagedList)

_PATHS = ("in one call", "in another")


@dataclass
class Argument:
    """One argument of a call.

    Attributes:
        value: The argument.
        shape: How it is made of leaves.
        leaves: Its leaves; an object that is not looked into is one.
        kinds: What each leaf is: a type for a parameter, or a value that is the same in all calls.
        rebuild: Makes the argument of leaves.
    """

    value: Any
    shape: Hashable
    leaves: list[Any]
    kinds: list[LeafKind]
    rebuild: Rebuild

    def with_leaves(self, leaves: list[Any]) -> object:
        """The argument with these leaves; the object itself where none of them is a parameter."""
        if all(isinstance(kind, Static) for kind in self.kinds):
            return self.value
        return self.rebuild(list(leaves))

    def is_closed(self) -> bool:
        """Whether it is an object that is passed on as it is."""
        return self.shape == "leaf" and _is_opaque(self.value)

    def as_list(self) -> Argument:
        """A list of the program as a parameter of its own."""
        if not self.is_closed() or not isinstance(self.value, TracedList) or is_reference(self.value):
            return self
        try:
            kind = list_argument(self.value)
        except StagingError:
            return self  # What it holds has no place in a graph.
        return Argument(self.value, "list", [self.value], [kind], _take)

    def opened(self) -> Argument:
        """The argument with what is in a list, a dict or a dataclass as leaves of their own."""
        if not self.is_closed():
            return self
        leaves: list[Any] = []
        try:
            shape, rebuild = flatten(self.value, leaves)
        except RecursionError:
            return self  # Objects that refer to each other are no tree.
        return Argument(self.value, shape, leaves, [_first_kind(leaf) for leaf in leaves], rebuild)

    def leaves_like(self, other: Argument) -> list[Any]:
        """The leaves of another call's argument, taken apart as this one is."""
        if other.shape == self.shape:
            return other.leaves
        return [other.value] if self.shape == "list" else other.opened().leaves

    def is_same(self, other: Argument) -> bool:
        """Whether both are for the same calls."""
        pairs = zip(self.kinds, other.kinds, strict=True)
        return self.shape == other.shape and all(one.is_same(two) for one, two in pairs)

    def joined(self, other: Argument) -> Argument | None:
        """The argument as both calls have it, or none if one function cannot be for both."""
        known, new = self, other
        are_lists = isinstance(known.value, TracedList) and isinstance(new.value, TracedList)
        if are_lists and known.value is not new.value:
            known, new = known.as_list(), new.as_list()
        if not (known.is_closed() and new.is_closed() and known.value is new.value):
            known = known.opened() if known.is_closed() else known
            new = new.opened() if new.is_closed() else new
        if known.shape != new.shape:
            return None
        kinds = []
        for one, two in zip(known.kinds, new.kinds, strict=True):
            both = _joined_kind(one, two)
            if both is None:
                return None
            kinds.append(both)
        return dataclasses.replace(known, kinds=kinds)


def arguments_of(bound: inspect.BoundArguments, keeps_objects: bool = False) -> list[Argument]:
    """The arguments of a call, by parameter.

    Args:
        bound: The arguments.
        keeps_objects: Whether an array or a list is the object itself, as long as all calls pass the same.
    """
    return [_argument(value, keeps_objects) for value in bound.arguments.values()]


def number_of_staged(arguments: list[Argument]) -> int:
    """How many leaves of the arguments are staged."""
    leaves = (leaf for argument in arguments for leaf in _parts(argument).leaves)
    return sum(isinstance(leaf, _STAGED) or is_reference(leaf) for leaf in leaves)


def _parts(argument: Argument) -> Argument:
    """The argument with its parts as leaves; a staged list has none."""
    return argument if isinstance(argument.value, StagedList) else argument.opened()


def signature_of(arguments: list[Argument]) -> Hashable:
    """What is the same for two calls that are for one function of the graph."""
    return tuple((argument.shape, *(kind.identity() for kind in argument.kinds)) for argument in arguments)


def _is_opaque(value: object) -> bool:
    """Whether an argument is an object of its own, which a call passes on as it is."""
    return not (isinstance(value, (tuple, *_STAGED)) or is_numeric(value))


def _argument(value: object, keeps_objects: bool) -> Argument:
    if is_reference(value):
        return Argument(value, "leaf", [value], [kind_of(value)], _take)
    is_array = isinstance(value, Tensor) and value.kind is Kind.ARRAY
    if keeps_objects and (is_array or isinstance(value, StagedList)):
        return Argument(value, "leaf", [value], [Static(value)], _take)
    if isinstance(value, StagedList):
        return Argument(value, "list", [value], [list_argument(value)], _take)
    if _is_opaque(value):
        return Argument(value, "leaf", [value], [Static(value)], _take)
    leaves: list[Any] = []
    shape, rebuild = flatten(value, leaves)
    return Argument(value, shape, leaves, [_first_kind(leaf) for leaf in leaves], rebuild)


def _take(rest: list[Any]) -> Any:
    return rest.pop(0)


def _first_kind(leaf: object) -> LeafKind:
    """What a leaf is as long as nothing else is known: what is plain stays plain."""
    return kind_of(leaf) if isinstance(leaf, _STAGED) or is_reference(leaf) else Static(leaf)


def _joined_kind(left: LeafKind, right: LeafKind) -> LeafKind | None:
    if left.is_same(right):
        return left
    one, two = (_type_of(kind) for kind in (left, right))
    if one is None or two is None or (_is_plain_bool(left) and _is_plain_bool(right)):
        return None
    if all(isinstance(kind, NumberKind) for kind in (one, two)) and one != two:
        return None  # An `int` and an `np.int64` overflow in different ways: two functions tell them apart.
    try:
        return join("the argument", one, two, _PATHS)
    except StagingError:
        return None


def _type_of(kind: LeafKind) -> LeafKind | None:
    """The type that holds a kind of leaf, if a graph has one."""
    if not isinstance(kind, Static):
        return kind if kind.is_parameter else None
    if kind.value is None:
        return kind
    return kind_of(kind.value) if is_numeric(kind.value) and not isinstance(kind.value, np.flexible) else None


def _is_plain_bool(kind: LeafKind) -> bool:
    return isinstance(kind, Static) and isinstance(kind.value, bool)
