"""Detects that a traced function walks over the nodes of its arguments, from one node to the next.

    def total(tree):                             def length(node):
        if tree is None:                             count = 0
            return 0.0                               while node is not None:
        return tree.value + total(tree.left)             node = node.next      # another node
                            # `total` in `total`

The trace then starts over with the nodes in tables; without tables each tree would need its own graph.
"""

from __future__ import annotations

import inspect
from collections.abc import Container, Iterable
from typing import Any, NoReturn

from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.given import objects_in
from autograph._src.staging.trace.record_classes import field_names, is_record_class, names_own_class
from autograph._src.staging.trace.restarts import begin_again

MOST_UNROLLED = 1000
"""The most nodes in flattened arguments; with more, they become tables even if no walk was seen."""

MOST_LOOKED_AT = 100_000
"""The most objects that a search for nodes visits."""


class Reached:
    """The objects with fields that are reachable from a value.

    Attributes:
        nodes: The objects, by identity.
        inside: For each class, the classes of the objects that its objects hold directly.
        kinds: The classes whose objects reach objects of the same class, or may by their annotations.
    """

    def __init__(self, value: object) -> None:
        self.nodes: dict[int, Any] = {}
        self.inside: dict[type, dict[type, None]] = {}
        pending: list[tuple[Any, type | None]] = [(value, None)]
        while pending and len(self.nodes) < MOST_LOOKED_AT:
            one, owner = pending.pop()
            kind = type(one)
            if kind is list or kind is tuple:
                pending += [(part, owner) for part in one]
            elif kind in DICT_CLASSES:
                pending += [(part, owner) for part in one.values()]
            elif is_record_class(kind):
                if owner is not None:
                    self.inside.setdefault(owner, {})[kind] = None
                if id(one) not in self.nodes:
                    self.nodes[id(one)] = one
                    pending += [(getattr(one, name, None), kind) for name in field_names(one)]
        kinds = dict.fromkeys(map(type, self.nodes.values()))
        self.kinds = [kind for kind in kinds if self.holds(kind, kind) or _names_itself(kind)]

    def holds(self, owner: type, kind: type) -> bool:
        """Whether objects of class ``owner`` reach objects of class ``kind``."""
        met: dict[type, None] = {}
        pending = list(self.inside.get(owner, ()))
        while pending:
            one = pending.pop()
            if one not in met:
                met[one] = None
                pending += self.inside.get(one, ())
        return kind in met


def _names_itself(kind: type) -> bool:
    """Whether an annotation of a class names the class."""
    return any(names_own_class(kind, name) for base in kind.__mro__ for name in inspect.get_annotations(base))


class Search:
    """Watches for walks over the nodes of flattened arguments.

    Attributes:
        nodes: The nodes, by identity, without those whose classes are known to be walked. A copy of a node
            that a derivative has made for its function stands for the node.
        kinds: The classes whose objects may hold others of the same class.
    """

    def __init__(self, value: object, but: Container[type]) -> None:
        self._reached = Reached(value)
        self.nodes = {key: node for key, node in self._reached.nodes.items() if type(node) not in but}
        self.kinds = self._reached.kinds
        # The trace sees copies of dataclass and `NamedTuple` objects, so `is` on them is unknown.
        self._copies = {id(one): one for one in objects_in(value)}

    def note_copy(self, value: object, copy: object) -> None:
        """Notes a copy of a tree that may hold nodes of the arguments.

        ag.grad(loss)(weights, tree)       # `loss` gets a copy of `tree`, and walks over that
        """
        for one, other in zip(objects_in(value), objects_in(copy), strict=False):
            if id(one) in self._copies:
                self._copies[id(other)] = other  # It is kept: no other object gets its identity.
            if id(one) in self.nodes:
                self.nodes[id(other)] = self.nodes[id(one)]

    def is_needed(self) -> bool:
        """Whether the arguments hold any objects to watch."""
        return bool(self.nodes or self._copies)

    def among(self, values: Iterable[Any]) -> list[Any]:
        """The nodes among some values."""
        return [self.nodes[id(value)] for value in values if id(value) in self.nodes]

    def met_again(self, before: Iterable[Any], now: Iterable[Any]) -> None:
        """Compares the arguments of a call with those of a recursive call inside it.

        Raises:
            Learned: If the recursive call has another node of the same class.
        """
        earlier = self.among(before)
        for node in self.among(now) if earlier else ():
            if type(node) not in self.kinds:
                continue
            others = [one for one in earlier if type(one) is type(node)]
            if others and all(one is not node for one in others):
                self._walk(type(node))

    def _walk(self, kind: type) -> NoReturn:
        """Starts over with the objects of a class, and of classes through which it is reached, in tables."""
        around = [one for one in self.kinds if one is not kind and self._reached.holds(one, kind)]
        walked = require_trace().facts.nodes
        walked.kinds = [kind, *around]
        walked.nodes = list({id(node): node for node in self.nodes.values()}.values())
        begin_again(Fact.NODES)

    def compared(self, left: object, right: object) -> None:
        """Handles ``left is right`` for two objects of one class.

        Raises:
            Learned: If one is a copy of an argument's object that can be in a table.
            StagingError: If one is such a copy and cannot be in a table (AG120).
        """
        copies = [one for one in (left, right) if id(one) in self._copies]
        if not copies:
            return
        if id(copies[0]) in self.nodes:
            self._walk(type(left))
        raise staging_error(
            "AG120",
            f"whether two objects of the class `{type(left).__name__}` are one is not known while tracing",
            "compare what they hold",
        )

    def joined(self, left: object, right: object) -> None:
        """Looks at the values of a variable on two paths that no kind joins.

        Raises:
            Learned: If they are nodes, or one is a node and the other ``None`` or unbound.
        """
        nodes = self.among((left, right))
        others = [one for one in (left, right) if id(one) not in self.nodes]
        if nodes and all(one is None or isinstance(one, Undefined) for one in others):
            self._walk(type(nodes[0]))


def search_of(value: object, but: Container[type]) -> Search | None:
    """A search over the arguments; ``None`` if they hold no objects outside tables.

    Args:
        value: The arguments.
        but: Classes to skip.
    """
    search = Search(value, but)
    return search if search.is_needed() else None
