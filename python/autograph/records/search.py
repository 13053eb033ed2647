"""Whether a function that is traced walks over the nodes of its arguments: from one to the next.

    def total(tree):                             def length(node):
        if tree is None:                             count = 0
            return 0.0                               while node is not None:
        return tree.value + total(tree.left)             node = node.next      # another node
                            # `total` in `total`

Then the trace begins anew, with tables: each way through the nodes would be another graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from autograph.records.classes import field_names, is_record_class

MOST_UNROLLED = 1000
"""More nodes than this among the arguments are tables in any case."""

MOST_LOOKED_AT = 100_000
"""So many objects are looked at to find nodes."""


class NodesNeeded(BaseException):
    """Stops a trace that has to begin again with tables.

    Attributes:
        kinds: The classes whose objects are walked.
        nodes: Such objects.
    """

    def __init__(self, kinds: list[type], nodes: list[Any]) -> None:
        super().__init__()
        self.kinds = kinds
        self.nodes = nodes


def reachable(value: Any) -> dict[int, Any]:
    """The objects with fields that a value holds, by identity."""
    found: dict[int, Any] = {}
    pending = [value]
    while pending and len(found) < MOST_LOOKED_AT:
        one = pending.pop()
        if type(one) in (list, tuple):
            pending += one
        elif type(one) is dict:
            pending += one.values()
        elif is_record_class(type(one)) and id(one) not in found:
            found[id(one)] = one
            pending += [getattr(one, name, None) for name in field_names(one)]
    return found


class Search:
    """The nodes of the arguments of a trace that flattened them.

    Attributes:
        nodes: The nodes, by identity.
    """

    def __init__(self, value: Any) -> None:
        found = reachable(value)
        numbers = Counter(type(node) for node in found.values())
        self.nodes = {key: node for key, node in found.items() if numbers[type(node)] > 1}

    def among(self, values: Iterable[Any]) -> list[Any]:
        """Which of some values are nodes."""
        return [value for value in values if id(value) in self.nodes]

    def met_again(self, before: Iterable[Any], now: Iterable[Any]) -> None:
        """Compares the arguments of a call that is under way with those of a call of the function in it.

        Raises:
            NodesNeeded: If it is another node of the same class.
        """
        earlier = self.among(before)
        for node in self.among(now):
            others = [one for one in earlier if type(one) is type(node)]
            if others and all(one is not node for one in others):
                raise NodesNeeded([type(node)], list(self.nodes.values()))


def search_of(value: Any) -> Search | None:
    """The nodes that some arguments hold, if there are two of one class."""
    search = Search(value)
    return search if search.nodes else None
