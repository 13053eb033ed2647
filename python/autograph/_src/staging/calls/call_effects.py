"""The side effects of functions of the graph: the arrays, attributes and containers that they write.

    def solve(row):                      function solve(row, board) {
        if row == n: return 1                …
        board[row] = 0            →          board = scatter board …
        return solve(row + 1)                board, count = call (row + 1, board)
                                             return board, count }

Each written object is a parameter and a result of the function, just as a loop carries what it writes. A
recording shows what the function writes; the function is then recorded again with these parameters.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from itertools import compress
from typing import Any

from autograph._src.staging.control.carries import Carries, Iteration, first_carries, with_places
from autograph._src.staging.control.journal import Block, Journal
from autograph._src.staging.lists.sharing import memories_in
from autograph._src.staging.objects.object_tables import ObjectTable
from autograph._src.staging.tensors.memory import Memory, Role, distinct
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.recorder import GraphType
from autograph._src.staging.trace.state import NO_VARIABLES, State


@dataclass(frozen=True)
class Effects:
    """The writes of a function of the graph that are known so far.

    Attributes:
        state: The attributes and containers that it writes.
        carries: Their types, and the arrays that it writes in place.
        ends: For each place of the state, the memories made in the call that it may refer to afterwards.
    """

    state: State
    carries: Carries
    ends: list[list[Memory]]

    def again(self) -> Effects:
        """The same effects for a new recording, with the present values as entry values."""
        return dataclasses.replace(self, carries=self._now())

    def from_before(self, journal: Journal, serial: int) -> Effects:
        """The effects on objects that existed at a serial number; each recording makes later ones anew."""
        kept = [journal.serial_of(place.owner) <= serial for place in self.state.places]
        carries = dataclasses.replace(
            self.carries,
            names=tuple(compress(self.carries.names, kept)),
            entry=tuple(compress(self.carries.entry, kept)),
            types=list(compress(self.carries.types, kept)),
            memories=list(compress(self.carries.memories, kept)),
            tensors=[tensor for tensor in self.carries.tensors if tensor.serial <= serial],
        )
        state = self.state._replace(places=tuple(compress(self.state.places, kept)))
        return Effects(state, carries, list(compress(self.ends, kept)))

    def enter(self, params: list[int]) -> list[Any]:
        """Sets the written objects to the parameters; gives the values of the attributes and containers."""
        stand_ins = self.carries.enter(params)
        self.state.set(tuple(stand_ins))
        return stand_ins

    def ended(
        self, journal: Journal, block: Block, stand_ins: list[Any], results: tuple[Any, ...], *, raises: bool
    ) -> Iteration:
        """The end of a recording of the function, in the form of a loop iteration; undoes its writes.

        Args:
            journal: The journal with the writes.
            block: The body.
            stand_ins: The values of the attributes and containers at the beginning.
            results: The results of the function.
            raises: Whether every path raises, as far as is known.
        """
        state = self.state.get()
        writes = journal.take(block, (*results, *state))
        return Iteration(self.carries, stand_ins, state, writes, None, raises, block.serial)

    def after(self, end: Iteration) -> Effects | None:
        """The effects widened by what a recording found; ``None`` if it found nothing new."""
        places = end.new_places(self.state)
        if places:
            carries = with_places(self.carries, places)
            ends = [*self.ends, *([] for _ in places)]
            return Effects(self.state.with_places(places), carries, ends)
        wider = end.widened()
        ends = [[one for one in memories_in(value) if one.serial > end.serial] for value in end.state]
        return None if wider is None else Effects(self.state, wider, ends)

    # Calls

    def before_a_call(self) -> Effects | None:
        """The effects widened to the types of the written objects at a call; ``None`` if they fit."""
        types = self.carries.types_with(self.state.get())
        if types == self.carries.types:
            return None
        return dataclasses.replace(self, carries=dataclasses.replace(self.carries, types=types))

    def operands(self) -> list[int]:
        """The graph values of the written objects before a call."""
        return self._now().initial()

    def types(self) -> list[GraphType]:
        """The graph types of the written objects."""
        return self.carries.graph_types()

    def leave(self, values: list[int]) -> None:
        """Sets the written objects to the results of a call, removed from the front of ``values``."""
        # Each call makes new memories for the objects that the function makes.
        journal = require_trace().journal
        made = {id(one): Memory(journal.next_serial()) for end in self.ends for one in end}
        pairs = zip(self.carries.memories, self.ends, strict=True)
        memories = [distinct([*known, *(made[id(one)] for one in end)]) for known, end in pairs]
        self.state.set(tuple(self._now().restored(values, memories, Role.JOINED)))
        for place in self.state.places:
            if isinstance(place.owner, ObjectTable):
                place.owner.length_changes += 1

    def _now(self) -> Carries:
        return dataclasses.replace(self.carries, entry=self.state.get())


def no_effects() -> Effects:
    """The effects of a function before its first recording: none."""
    carries = dataclasses.replace(first_carries((), ()), statement="a recursion", follows_views=False)
    return Effects(NO_VARIABLES, carries, [])
