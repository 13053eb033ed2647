"""What is in the lists that a text fills, and takes the items from again.

::

    y_values = []                   # a site: all lists that are made here have one description
    for _ in range(n):
        y_values.append(y)          # what is appended anywhere is joined
    ...
    y = y_values.pop()              # an item is what all items are

A list that goes elsewhere than into names, tuples that are taken apart, and passes of the derivative may be
written by what is not seen: nothing is known of its items. An item that was taken before another kind was
appended makes the analysis begin again, with what is known by then.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping

from autograph._src.tangent.forms.values import UNKNOWN, Parts, Stack, Value, joined

METHODS = ("append", "pop", "copy")
"""The methods that are followed."""


class Stacks:
    """The items of lists by the sites where these are made.

    Attributes:
        is_stale: Whether an item was taken that is not what is known now.
    """

    def __init__(self) -> None:
        self._items: dict[Hashable, Value] = {}
        self._taken: set[Hashable] = set()
        self.is_stale = False

    def begin(self) -> None:
        """Begins anew, with what is known of the items."""
        self._taken.clear()
        self.is_stale = False

    def append(self, site: Hashable, value: Value) -> None:
        """Notes what is appended."""
        if site is None:
            return
        known = self._items.get(site)
        new = value if known is None else joined(known, value)
        if new != known:
            self.is_stale = self.is_stale or site in self._taken
            self._items[site] = new

    def item(self, site: Hashable) -> Value:
        """What an item is."""
        self._taken.add(site)
        return UNKNOWN if site is None else self._items.get(site, UNKNOWN)

    def escape(self, value: Value) -> None:
        """The lists in a value go where they are not followed."""
        for site in _sites(value):
            self.append(site, UNKNOWN)

    def forget(self) -> None:
        """Code runs that is not known: it may have given arrays in lists other shapes."""
        for site in self._items:
            self.append(site, UNKNOWN)


def _sites(value: Value) -> Iterator[Hashable]:
    if isinstance(value, Stack):
        yield value.site
    elif isinstance(value, Parts):
        for one in value.items:
            yield from _sites(one)


def has_stacks(value: Value) -> bool:
    """Whether there are followed lists in a value."""
    return any(site is not None for site in _sites(value))


def is_followed(node: ast.AST, parents: Mapping[ast.AST, ast.AST], passes: Mapping[str, object]) -> bool:
    """Whether a list that an expression gives goes where it is followed.

    Args:
        node: The expression.
        parents: What each node stands in.
        passes: The functions of the derivative, by name.
    """
    parent = parents.get(node)
    if isinstance(parent, ast.Attribute):
        call = parents.get(parent)
        return isinstance(call, ast.Call) and call.func is parent and parent.attr in METHODS
    if isinstance(parent, ast.Assign):
        return all(_is_named(target) for target in parent.targets)
    if isinstance(parent, ast.Call):
        return node is not parent.func and isinstance(parent.func, ast.Name) and parent.func.id in passes
    if isinstance(parent, (ast.Tuple, ast.keyword)):
        return is_followed(parent, parents, passes)
    return isinstance(parent, ast.Return)


def _is_named(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return all(map(_is_named, target.elts))
    return isinstance(target, ast.Name)
