"""What recordings of a loop have found, for when it is recorded again as part of a loop around it.

    for a in x:             # recorded again for each thing that is found to be carried
        for b in x:         # and this with it each time: twice as often with each loop around
            xs[k] = b

A loop inside begins with what an earlier recording of it ended with: the places it writes and the types that
its variables come to have. Without that the recordings of loops in each other would be exponentially many.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from autograph._src.operators.places import Place
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.carries import PATHS, Carries, with_places
from autograph._src.staging.control.journal import Journal
from autograph._src.staging.kinds.leaf_kind import LeafKind, join
from autograph._src.staging.kinds.union_values import with_constants
from autograph._src.staging.trace.object_sites import site_here
from autograph._src.staging.trace.state import State
from autograph.errors import StagingError


@dataclass
class Found:
    """What was found of one loop.

    Attributes:
        places: The places that it writes.
        types: The types of what it carries: by the name of a variable, or by the identity of a place.
    """

    places: dict[Hashable, Place] = field(default_factory=dict)
    types: dict[Hashable, LeafKind] = field(default_factory=dict)


@dataclass
class LoopMemory:
    """What was found of the loops in the outermost one that is being recorded.

    Attributes:
        is_open: Whether one is.
        serial: What has a lower serial number existed before it: it is the same object in all recordings.
        loops: By where in the program a loop is.
    """

    is_open: bool = False
    serial: int = 0
    loops: dict[Hashable, Found] = field(default_factory=dict)

    @contextmanager
    def within(self, journal: Journal) -> Iterator[Found | None]:
        """Within it a loop is recorded to its end; gives what is known of it, for the outermost nothing."""
        if self.is_open:
            yield self.loops.setdefault(site_here(), Found())
            return
        self.is_open, self.serial, self.loops = True, journal.serial, {}
        try:
            yield None
        finally:
            self.is_open, self.loops = False, {}

    def note(self, found: Found, carries: Carries, state: State, journal: Journal) -> None:
        """Remembers what a recording has found."""
        for place in state.places:
            if journal.serial_of(place.owner) <= self.serial and journal.was_created(place.owner):
                found.places[place.identity()] = place
        for key, kind in zip(_keys(state), carries.types, strict=True):
            if kind is not None and kind.is_of_numbers():
                found.types[key] = kind

    def begun(self, found: Found, carries: Carries, state: State) -> tuple[Carries, State]:
        """Carries and a state with what is known of the loop."""
        known = {place.identity() for place in state.places}
        places = [
            place
            for identity, place in found.places.items()
            if identity not in known and not isinstance(place.read(), Undefined)
        ]
        if places:
            state, carries = state.with_places(places), with_places(carries, places)
        types: list[LeafKind | None] = list(carries.types)
        for position, (key, name) in enumerate(zip(_keys(state), carries.names, strict=True)):
            wider, kind = found.types.get(key), types[position]
            if wider is not None and kind is not None and wider != kind:
                types[position] = _joined(name, with_constants(kind, carries.entry[position]), wider)
        return replace(carries, types=types), state


def _joined(name: str, kind: LeafKind, wider: LeafKind) -> LeafKind:
    try:
        return join(name, kind, wider, PATHS)
    except StagingError:
        return kind


def _keys(state: State) -> list[Any]:
    return [*state.variables, *(place.identity() for place in state.places)]
