"""How much a test runs of what it crosses or draws: a part, or all of it, which `make cross` asks for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

IS_WHOLE = os.environ.get("AUTOGRAPH_TESTS") == "whole"


def drawn(part: int, *, whole: int) -> int:
    """How many random programs or values are drawn."""
    return whole if IS_WHOLE else part


def crossed(*dimensions: Iterable[Any], turn: int = 0) -> Iterator[tuple[Any, ...]]:
    """Tuples of one value of each dimension: all, or a part in which each choice of all but one occurs.

    The part is one in so many as the smallest dimension of several values has; `turn` says which.

    >>> len(list(crossed("ab", "xy", "12")))
    4
    """
    values = [list(dimension) for dimension in dimensions]
    sizes = [len(some) for some in values if len(some) > 1]
    smallest = min(sizes, default=1)
    for places in product(*(range(len(some)) for some in values)):
        if IS_WHOLE or (sum(places) + turn) % smallest == 0:
            yield tuple(some[place] for some, place in zip(values, places, strict=True))


def in_turn(*places: int, among: int) -> bool:
    """Whether a case of these places is in the part of one in `among`, or all are asked for."""
    return IS_WHOLE or sum(places) % among == 0
