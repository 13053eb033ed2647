"""What a staged function writes to objects of its caller, as its recordings have found it.

    model.fit(x)        # `fit` sets `model.coef_`: this place is an argument of its graph from now on
    other.fit(x)        # another object, which other places belong to

What a list of the caller holds is an argument, too, so each length is a graph of its own. That does not go
for a list that the function only appends to: its elements are none of the graph's business.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph._src.operators.places import Place
from autograph._src.staging.trace.facts import Facts
from autograph._src.trees import flatten


@dataclass
class Written:
    """What calls of a function write.

    Attributes:
        places: Attributes and variables.
        appended: The lists that they only append to, as expressions.
        looked_at: Lists that they do something else with.
    """

    places: list[Place] = field(default_factory=list)
    appended: set[str] = field(default_factory=set)
    looked_at: set[str] = field(default_factory=set)

    def is_log(self, name: str, is_at_place: bool) -> bool:
        """Whether a list is one that calls append to and do not look at.

        At a place that they write it is taken for one, until a recording finds another use::

            self.losses = []            # what was there before is nothing to the graph
        """
        return name in self.appended or (is_at_place and name not in self.looked_at)


class WrittenPlaces:
    """What one staged function writes, for each choice of the objects among its arguments."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Written] = {}

    def of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Written | None:
        """What calls with these objects write; ``None`` if none is known to write anything."""
        return self._found.get(_objects_in(args, kwargs)) if self._found else None

    def learn(self, args: tuple[Any, ...], kwargs: dict[str, Any], facts: Facts) -> None:
        """Adds what a recording has found; where that is nothing, the function writes to its arguments."""
        known = self._found.setdefault(_objects_in(args, kwargs), Written())
        seen = {place.identity() for place in known.places}
        known.places += [place for place in facts.places if place.identity() not in seen]
        if facts.looked_at is not None:
            known.looked_at.add(facts.looked_at)
        if facts.appended is not None:
            known.appended.add(facts.appended)
        known.appended -= known.looked_at
        facts.places, facts.appended, facts.looked_at = [], None, None


def _objects_in(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Hashable:
    """The identities of the objects among arguments that are constants of a graph.

    The places of a graph refer to some of them, so they stay alive and keep their identities.
    """
    leaves: list[Any] = []
    flatten((args, kwargs), leaves)
    return tuple(id(leaf) for leaf in leaves if not isinstance(leaf, _WITHOUT_ATTRIBUTES))


_WITHOUT_ATTRIBUTES = (
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    np.ndarray,
    np.generic,
    np.random.Generator,
)
