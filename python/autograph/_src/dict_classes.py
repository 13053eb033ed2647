"""The classes of dicts that are trees: `dict`, `OrderedDict` and `defaultdict`.

Objects of their subclasses are no trees: what these do when an item is read is up to the user's class.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

DICT_CLASSES = frozenset((dict, OrderedDict, defaultdict))
"""The classes themselves, to ask for the exact class of an object."""


def is_dict_tree(value: object) -> TypeGuard[dict[Any, Any]]:
    """Whether a value is a dict that is a tree."""
    return type(value) in DICT_CLASSES


class Defaulting:
    """What a structure says of a `defaultdict`: its class and this very factory.

    Attributes:
        factory: The dict's `default_factory`.

    Example:
        >>> Defaulting(list) == Defaulting(list), Defaulting(list) == Defaulting(dict)
        (True, False)
    """

    __slots__ = ("factory",)

    def __init__(self, factory: Callable[[], object] | None) -> None:
        self.factory = factory

    def __eq__(self, other: object) -> bool:
        # `==` of factories would run the program, and be true of those that are not one object.
        return isinstance(other, Defaulting) and self.factory is other.factory

    def __hash__(self) -> int:
        return id(self.factory)

    def __repr__(self) -> str:
        return f"defaultdict({self.factory!r})"


DictWord = type[dict[Any, Any]] | Defaulting
"""What a structure says of a dict besides its keys."""


def dict_word(value: dict[Any, Any]) -> DictWord:
    """What the structure of a tree says of a dict besides its keys: a class, or a :class:`Defaulting`."""
    return Defaulting(value.default_factory) if type(value) is defaultdict else type(value)


def dict_of(word: DictWord, items: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """A new dict of the kind that a word of :func:`dict_word` says.

    Args:
        word: The word.
        items: The dict's items, in order.

    Example:
        >>> dict_of(dict_word(defaultdict(list, a=1)), [("b", 2)])
        defaultdict(<class 'list'>, {'b': 2})
    """
    if isinstance(word, Defaulting):
        return defaultdict(word.factory, items)
    return word(items)
