"""How far iterators of Python have come: plain numbers that differ once one has been advanced.

Converted code tells its back-end of each step that it makes an iterator do. Python's own statements do not:
`a, b = it`, `{v for v in it}` and `f(*it)` advance it unseen, which the numbers here reveal afterwards.
"""

from __future__ import annotations

import gc
import itertools
import sys
from types import CellType, GeneratorType
from typing import Any

from autograph._src.operators.impurity import is_iterator

Place = tuple[Any, ...]

_SHOWS_ITS_STATE = sys.version_info < (3, 12)
"""Whether iterators of ``itertools`` can be reduced without a warning."""


def iterators_of(iterator: object) -> list[object]:
    """An iterator and the ones that it takes from, as ``zip`` and generators do."""
    found: dict[int, object] = {}
    rest = [iterator]
    while rest:
        one = rest.pop()
        if id(one) in found:
            continue
        if is_iterator(type(one)):
            found[id(one)] = one
        elif not isinstance(one, (tuple, CellType)):
            continue
        rest += gc.get_referents(one)
    return list(found.values())


GROUP = type(next(itertools.groupby("a"))[1])
"""The class of what ``itertools.groupby`` gives beside a key."""


def groups_of(group: object) -> object:
    """The ``groupby`` that a group belongs to; the group itself where Python does not show it."""
    return next((one for one in gc.get_referents(group) if type(one) is itertools.groupby), group)


def is_iterator_of_python(kind: type) -> bool:
    """Whether a class is an iterator of Python's own, as generators are: no attribute shows its state."""
    return is_iterator(kind) and kind.__module__ in ("builtins", "itertools")


def place_of(iterator: object) -> Place:
    """How far an iterator has come, and those that it takes from."""
    return tuple(map(_own_place, iterators_of(iterator)))


def _own_place(iterator: Any) -> Place:
    if isinstance(iterator, GeneratorType):
        frame = iterator.gi_frame
        return () if frame is None else (frame.f_lasti, *map(id, gc.get_referents(iterator)))
    if not is_iterator_of_python(type(iterator)):
        return ()
    if type(iterator).__module__ == "itertools" and not _SHOWS_ITS_STATE:
        return (repr(iterator),) if type(iterator).__name__ in ("count", "repeat") else ()
    try:
        reduced = iterator.__reduce__()
    except (AttributeError, TypeError):
        return ()
    return tuple(_numbers(reduced))


def _numbers(part: object) -> list[Any]:
    """The ints in a reduced iterator, and the lengths of the lists, which are what is left."""
    if isinstance(part, tuple):
        return [number for one in part for number in _numbers(one)]
    if isinstance(part, (list, str, bytes)):
        return [len(part)]
    return [part] if type(part) is int else []
