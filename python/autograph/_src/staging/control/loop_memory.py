"""Remembers the carries of an inner loop between the recordings of the loop around it.

    for a in x:             # recorded again for each new carried value
        for b in x:         # recorded again each time the outer loop is: exponential in the depth
            xs[k] = b

An inner loop starts with the result of its last recording: the places that it writes and the types that its
variables reach. That avoids the exponential number of recordings.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from autograph._src.operators.places import Place
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.carries import PATHS, Carries, may_stay, with_places
from autograph._src.staging.control.journal import Journal
from autograph._src.staging.kinds.union_values import with_constants
from autograph._src.staging.kinds.value_kind import ValueKind, join, kind_of
from autograph._src.staging.trace.object_sites import site_here
from autograph._src.staging.trace.state import State
from autograph.errors import StagingError


@dataclass
class Found:
    """What recordings of one loop have found.

    Attributes:
        places: The places that the loop writes.
        types: The types of its carries, by the name of a variable or the identity of a place.
        several: The carries that may be one of several arrays, likewise.
    """

    places: dict[Hashable, Place] = field(default_factory=dict)
    types: dict[Hashable, ValueKind] = field(default_factory=dict)
    several: set[Hashable] = field(default_factory=set)


@dataclass
class LoopMemory:
    """What recordings have found about the loops inside the outermost one that is being recorded.

    Attributes:
        is_open: Whether a loop is being recorded.
        serial: The serial number before the outermost loop. Objects with lower ones are the same in all
            recordings of it; the others are made anew.
        loops: The inner loops, by their site in the program.
    """

    is_open: bool = False
    serial: int = 0
    loops: dict[Hashable, Found] = field(default_factory=dict)

    @contextmanager
    def within(self, journal: Journal) -> Iterator[Found | None]:
        """Surrounds the recordings of a loop; gives what is known of it, ``None`` for the outermost loop."""
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
        for key, kind, alias in zip(_keys(state), carries.types, carries.aliases, strict=True):
            if kind is not None and kind.is_of_numbers():
                found.types[key] = kind
            if alias is None:
                found.several.add(key)

    def begun(self, found: Found, carries: Carries, state: State) -> tuple[Carries, State]:
        """Carries and state extended by what is known of the loop."""
        known = {place.identity() for place in state.places}
        places = [
            place
            for identity, place in found.places.items()
            if identity not in known and not isinstance(place.read(), Undefined)
        ]
        if places:
            state, carries = state.with_places(places), with_places(carries, places)
        types: list[ValueKind | None] = list(carries.types)
        for position, (key, name) in enumerate(zip(_keys(state), carries.names, strict=True)):
            wider, entry = found.types.get(key), carries.entry[position]
            # A variable bound to a view, and to something else in an earlier recording, is carried at once.
            kind = types[position] or (kind_of(entry) if may_stay(entry) else None)
            if wider is not None and kind is not None and wider != kind:
                types[position] = _joined(name, with_constants(kind, entry), wider)
        pairs = zip(_keys(state), carries.aliases, strict=True)
        aliases = [None if key in found.several else alias for key, alias in pairs]
        return replace(carries, types=types, aliases=aliases), state


def _joined(name: str, kind: ValueKind, wider: ValueKind) -> ValueKind:
    try:
        return join(name, kind, wider, PATHS)
    except StagingError:
        return kind


def _keys(state: State) -> list[Any]:
    return [*state.variables, *(place.identity() for place in state.places)]
