"""Returns the caller's own objects, not copies, where a staged function returns one of its arguments.

    def smaller(a, b):                          # `a` and `b` are objects of a dataclass
        return a if len(a.x) < len(b.x) else b  # the result is the caller's `a` or the caller's `b`

While tracing, :class:`Given` marks such an object by its number among the arguments.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterator
from typing import Any

from autograph._src.backends.protocol import backend_of
from autograph._src.dict_classes import DICT_CLASSES, dict_of, dict_word
from autograph._src.own_attributes import has_own
from autograph._src.staging.trace.record_classes import is_named_tuple
from autograph._src.staging.trace.references import is_reference

_PLAIN = frozenset((tuple, list, *DICT_CLASSES))


class Given:
    """A placeholder in a result for an object of the arguments.

    Attributes:
        number: The index of the object among those of the arguments.
    """

    def __init__(self, number: int) -> None:
        self.number = number


def objects_in(value: object, but: Container[type] = (), *, has_tables: bool = True) -> Iterator[Any]:
    """The dataclass and ``NamedTuple`` objects in a tree; a copy of the tree gives them in the same order.

    Args:
        value: The tree.
        but: Classes whose objects are skipped, with everything in them.
        has_tables: Whether some lists may be columns of a table. If not, the lists, tuples and dicts in the
            tree count as objects too.

    >>> from collections import namedtuple
    >>> Point = namedtuple("Point", "x y")
    >>> list(objects_in([Point(1, {"inner": Point(2, 3)})]))
    [Point(x=1, y={'inner': Point(x=2, y=3)}), Point(x=2, y=3)]
    """
    pending = [value]
    while pending:
        one = pending.pop()
        parts = None if type(one) in but else _parts(one)
        if parts is not None:
            is_own = one is not value and not (type(value) is tuple and any(one is root for root in value))
            if type(one) not in _PLAIN or (is_own and not has_tables):
                yield one
            pending += reversed(parts)


def holds_one_twice(value: object) -> bool:
    """Whether one mutable object (a list, a dict, ...) occurs at two places of a tree.

    >>> row = [1]
    >>> holds_one_twice((row, {"first": row})), holds_one_twice((row, [1]))
    (True, False)
    """
    seen: set[int] = set()
    pending = [value]
    while pending:
        one = pending.pop()
        if backend_of(one) is not None or is_reference(one):
            continue
        parts = _parts(one)
        if type(one) is not tuple and (parts is not None or type(one).__dictoffset__):
            if id(one) in seen:
                return True
            seen.add(id(one))
        pending += parts or ()
    return False


def _parts(value: Any) -> list[Any] | None:
    kind = type(value)
    if kind is tuple or kind is list or is_named_tuple(kind):
        return list(value)
    if kind in DICT_CLASSES:
        return list(value.values())
    if dataclasses.is_dataclass(kind):
        return [getattr(value, field.name) for field in dataclasses.fields(kind)]
    return None


def replaced(value: Any, choose: Callable[[Any], Any]) -> Any:
    """A copy of a tree with some objects replaced; the replacements are not searched.

    Args:
        value: The tree.
        choose: Maps an object to its replacement, or to ``None`` to keep it.
    """
    # Lists that the program makes while tracing have a class of this package; the copy is a plain list.
    is_made = isinstance(value, list) and not has_own(value, "current")
    kind = list if is_made else type(value)
    other = choose(value)
    if other is not None:
        return other
    if kind is list or kind is tuple:
        return kind([replaced(one, choose) for one in value])
    if kind in DICT_CLASSES:
        return dict_of(dict_word(value), [(key, replaced(one, choose)) for key, one in value.items()])
    if is_named_tuple(kind):
        return kind(*[replaced(one, choose) for one in value])
    if not dataclasses.is_dataclass(kind):
        return value
    copy = object.__new__(kind)
    for field in dataclasses.fields(kind):
        object.__setattr__(copy, field.name, replaced(getattr(value, field.name), choose))
    return copy
