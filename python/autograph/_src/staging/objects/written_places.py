"""What a staged function writes to objects of its caller, as its recordings have found it.

    model.fit(x)        # `fit` sets `model.coef_`: this place is an argument of its graph from now on
    other.fit(x)        # another object, which other places belong to

What a list of the caller holds is an argument, too, so each length is a graph of its own. That does not go
for a list that the function only appends to: its elements are none of the graph's business.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph._src.operators.places import Attribute, Place
from autograph._src.staging.trace.facts import Facts
from autograph._src.trees import are_leaves, flatten


@dataclass
class Written:
    """What calls of a function write.

    Attributes:
        places: Attributes and variables.
        is_read: Whether the calls only read these: other functions write them.
        appended: The lists that they only append to, as expressions.
        looked_at: Lists that they do something else with.
        tables: Dicts that they ask for keys of the run, as expressions.
    """

    places: list[Place] = field(default_factory=list)
    is_read: bool = False
    appended: set[str] = field(default_factory=set)
    looked_at: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)

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
        self._changes: Counter[Hashable] = Counter()

    def of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Written | None:
        """What calls with these objects write; ``None`` if none is known to write anything."""
        return self._found.get(_objects_in(args, kwargs)) if self._found else None

    def learn(self, args: tuple[Any, ...], kwargs: dict[str, Any], facts: Facts) -> None:
        """Adds what a recording has found; where that is nothing, the function writes to its arguments."""
        known = self._found.setdefault(_objects_in(args, kwargs), Written())
        seen = {place.identity() for place in known.places}
        known.places += [place for place in facts.places if place.identity() not in seen]
        known.is_read = known.is_read and not facts.places
        for place in facts.places:
            _note_written(place)
        if facts.looked_at is not None:
            known.looked_at.add(facts.looked_at)
        if facts.appended is not None:
            known.appended.add(facts.appended)
        if facts.table is not None:
            known.tables.add(facts.table)
        known.appended -= known.looked_at
        facts.places, facts.appended, facts.looked_at, facts.table = [], None, None, None

    def learn_changed(self, args: tuple[Any, ...], kwargs: dict[str, Any], owners: Iterable[Any]) -> bool:
        """Takes what other staged functions write to objects for arguments, after a second change of a guard.

            model.partial_fit(x, y)     # sets `model.coef_`, which `predict` reads:
            model.predict(x)            # it would be recorded again each time

        Args:
            args: The positional arguments of a call.
            kwargs: Its named arguments.
            owners: The objects that the graph for such arguments has guards on.

        Returns:
            Whether there are any that are none yet.
        """
        key = _objects_in(args, kwargs)
        self._changes[key] += 1
        if self._changes[key] != _CHANGES or key in self._found:
            return False
        places = [place for owner in owners for place in _written_of(owner)]
        if places:
            self._found[key] = Written(places, is_read=True)
        return bool(places)

    def give_up(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Goes back to guards on what calls only read, if a recording was refused; tells whether."""
        known = self.of(args, kwargs)
        if known is None or not known.is_read:
            return False
        del self._found[_objects_in(args, kwargs)]
        return True


_CHANGES = 2
"""The change of a guard after which what other functions write becomes an argument."""

_names: dict[int, tuple[weakref.ref[Any], dict[str, None]]] = {}
"""The attributes that staged functions write, by the identity of their object."""


def _note_written(place: Place) -> None:
    """Notes an attribute that a staged function writes, as long as its object lives."""
    identity = id(place.owner)
    if not isinstance(place, Attribute):
        return
    if identity not in _names:
        try:
            reference = weakref.ref(place.owner, lambda _: _names.pop(identity, None))
        except TypeError:  # It has slots only, and none for references.
            return
        _names[identity] = reference, {}
    _names[identity][1][place.attribute] = None


def _written_of(owner: Any) -> list[Place]:
    """The attributes of an object that staged functions write."""
    reference, names = _names.get(id(owner), (None, ()))
    return [Attribute(owner, name) for name in names] if reference is not None else []


def _objects_in(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Hashable:
    """The identities of the objects among arguments that are constants of a graph.

    The places of a graph refer to some of them, so they stay alive and keep their identities.
    """
    leaves: list[Any] = []
    if kwargs or not are_leaves(args, ()):
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
