"""Decides which arguments of a recursive call become parameters of the graph, and of which types.

    def walk(n, scale, tree): ...       n      staged: a parameter of its type
    walk(n - 1, 2.0, (a, b))            scale  a plain number: a constant until two calls differ in it
                                        tree   a tuple: each leaf is treated on its own

Calls with equal signatures share one function of the graph.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph._src.staging.keyed.keyed import Keyed
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.numbers import NumberKind, is_numeric
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import ValueKind, join, kind_of
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.traced_list import StagedList, TracedList
from autograph._src.staging.objects.list_object import list_argument
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import is_foreign
from autograph._src.staging.trace.references import is_reference
from autograph._src.trees import Rebuild, flatten
from autograph.errors import StagingError

_STAGED = (Tensor, StagedOptional, StagedUnion, StagedChoice, StagedNode, StagedList, GrownTuple)

_PATHS = ("in one call", "in another")


@dataclass
class Argument:
    """One argument of a call.

    Attributes:
        value: The argument.
        shape: The tree structure around the leaves, hashable.
        leaves: The leaves; an object that is not opened is a leaf.
        kinds: The kind of each leaf: a type for a parameter, ``Static`` for a value equal in all calls.
        rebuild: Makes the argument from leaves.
    """

    value: Any
    shape: Hashable
    leaves: list[Any]
    kinds: list[ValueKind]
    rebuild: Rebuild

    def with_leaves(self, leaves: list[Any]) -> object:
        """The argument with these leaves; the original object if none of them is a parameter."""
        if all(isinstance(kind, Static) for kind in self.kinds):
            return self.value
        return self.rebuild(list(leaves))

    def is_closed(self) -> bool:
        """Whether it is an object that is passed on as one leaf, without looking inside."""
        return self.shape == "leaf" and _is_opaque(self.value)

    def as_list(self) -> Argument:
        """A list of the program as one parameter; other arguments unchanged."""
        if not self.is_closed() or not isinstance(self.value, TracedList) or is_reference(self.value):
            return self
        try:
            kind = list_argument(self.value)
        except StagingError:
            return self  # A graph cannot hold its elements.
        return Argument(self.value, "list", [self.value], [kind], _take)

    def opened(self) -> Argument:
        """The argument with the contents of a list, dict or dataclass as leaves."""
        if not self.is_closed() or isinstance(self.value, Keyed):
            return self
        leaves: list[Any] = []
        try:
            shape, rebuild = flatten(self.value, leaves)
        except RecursionError:
            return self  # Objects that refer to each other in a cycle are not a tree.
        return Argument(self.value, shape, leaves, [_first_kind(leaf) for leaf in leaves], rebuild)

    def leaves_like(self, other: Argument) -> list[Any]:
        """The leaves of another call's argument, flattened like this one."""
        if other.shape == self.shape:
            return other.leaves
        return [other.value] if self.shape == "list" else other.opened().leaves

    def is_same(self, other: Argument) -> bool:
        """Whether both have the same structure and kinds."""
        pairs = zip(self.kinds, other.kinds, strict=True)
        return self.shape == other.shape and all(one.is_same(two) for one, two in pairs)

    def joined(self, other: Argument) -> Argument | None:
        """The join with another call's argument; ``None`` if one function cannot take both."""
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
        keeps_objects: Whether an array or list is a constant object as long as all calls pass the same one.
    """
    return [_argument(value, keeps_objects) for value in bound.arguments.values()]


def number_of_staged(arguments: list[Argument]) -> int:
    """The number of staged leaves of the arguments."""
    leaves = (leaf for argument in arguments for leaf in _parts(argument).leaves)
    return sum(map(_is_staged, leaves))


def _parts(argument: Argument) -> Argument:
    """The argument opened into leaves; a staged list stays one leaf."""
    return argument if isinstance(argument.value, StagedList) else argument.opened()


def signature_of(arguments: list[Argument]) -> Hashable:
    """The cache key that two calls share if they can use one function of the graph."""
    return tuple((argument.shape, *(kind.identity() for kind in argument.kinds)) for argument in arguments)


def _is_opaque(value: object) -> bool:
    """Whether an argument is an object that a call passes on as one leaf."""
    if isinstance(value, Keyed):
        return True
    return not (isinstance(value, (tuple, *_STAGED)) or is_numeric(value) or is_foreign(value))


def _argument(value: object, keeps_objects: bool) -> Argument:
    if is_reference(value):
        return Argument(value, "leaf", [value], [kind_of(value)], _take)
    is_array = isinstance(value, Tensor) and value.form is Form.ARRAY
    if keeps_objects and (is_array or isinstance(value, StagedList)):
        return Argument(value, "leaf", [value], [Static(value)], _take)
    if isinstance(value, StagedList):
        return Argument(value, "list", [value], [list_argument(value)], _take)
    if type(value) is GrownTuple:
        return Argument(value, "tuple", [value], [kind_of(value)], _take)
    if _is_opaque(value):
        return Argument(value, "leaf", [value], [Static(value)], _take)
    leaves: list[Any] = []
    shape, rebuild = flatten(value, leaves)
    return Argument(value, shape, leaves, [_first_kind(leaf) for leaf in leaves], rebuild)


def _take(rest: list[Any]) -> Any:
    return rest.pop(0)


def _first_kind(leaf: object) -> ValueKind:
    """The kind of a leaf in the first call: plain values stay constants."""
    return kind_of(leaf) if _is_staged(leaf) else Static(leaf)


def _is_staged(leaf: object) -> bool:
    return isinstance(leaf, _STAGED) or is_reference(leaf) or is_foreign(leaf)


def _joined_kind(left: ValueKind, right: ValueKind) -> ValueKind | None:
    if left.is_same(right):
        return left
    one, two = (_type_of(kind) for kind in (left, right))
    if one is None or two is None or (_is_plain_bool(left) and _is_plain_bool(right)):
        return None
    if all(isinstance(kind, NumberKind) for kind in (one, two)) and one != two:
        return None  # An `int` and an `np.int64` overflow differently, so each gets its own function.
    try:
        return join("the argument", one, two, _PATHS)
    except StagingError:
        return None


def _type_of(kind: ValueKind) -> ValueKind | None:
    """The parameter type for a kind of leaf; ``None`` if a graph has none."""
    if not isinstance(kind, Static):
        return kind if kind.is_parameter else None
    if kind.value is None:
        return kind
    return kind_of(kind.value) if is_numeric(kind.value) and not isinstance(kind.value, np.flexible) else None


def _is_plain_bool(kind: ValueKind) -> bool:
    return isinstance(kind, Static) and isinstance(kind.value, bool)
