"""What the calls of a function of the graph write, besides what they give: arrays, attributes and containers.

    def solve(row):                      function solve(row, board) {
        if row == n: return 1                …
        board[row] = 0            →          board = scatter board …
        return solve(row + 1)                board, count = call (row + 1, board)
                                             return board, count }

What is written is a parameter of the function and a result, as a loop carries what it writes. Nobody says it
beforehand: a recording shows what was written, and the function is recorded again with that.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from itertools import compress
from typing import Any

from autograph import _core
from autograph._src.dtype_names import dtype_name
from autograph._src.staging.control.carries import Carries, Iteration, first_carries, with_places
from autograph._src.staging.control.journal import Block, Journal
from autograph._src.staging.lists.sharing import memories_in
from autograph._src.staging.objects.object_tables import ObjectTable
from autograph._src.staging.tensors.memory import Memory, Role, distinct
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.state import State, state_of


@dataclass(frozen=True)
class Effects:
    """What a function of the graph is known to write.

    Attributes:
        state: The attributes and containers.
        carries: Their types, and the arrays that are written in place.
        ends: Memories of what a call makes, to which each of the state may refer after it.
    """

    state: State
    carries: Carries
    ends: list[list[Memory]]

    def again(self) -> Effects:
        """The same for another recording, which begins with what there is now."""
        return dataclasses.replace(self, carries=self._now())

    def from_before(self, journal: Journal, serial: int) -> Effects:
        """What is known of things from before a serial number; later ones are made anew by each recording."""
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

    def params(self, builder: _core.GraphBuilder) -> list[int]:
        """Adds parameters for what is written to the innermost open block."""
        return self.carries.params(builder)

    def enter(self, params: list[int]) -> list[Any]:
        """Has what is written be what the parameters say; gives the attributes and containers."""
        stand_ins = self.carries.enter(params)
        self.state.set(tuple(stand_ins))
        return stand_ins

    def ended(
        self, journal: Journal, block: Block, stand_ins: list[Any], results: tuple[Any, ...], *, raises: bool
    ) -> Iteration:
        """The end of a recording of the function, of which the carries of a loop know what to make.

        Args:
            journal: What was written, which is undone.
            block: The body.
            stand_ins: What the attributes and containers were at the beginning.
            results: What the function gives.
            raises: Whether it ends with exceptions only, as far as is known.
        """
        state = self.state.get()
        writes = journal.take(block, (*results, *state))
        return Iteration(self.carries, stand_ins, state, writes, None, raises, block.serial)

    def after(self, end: Iteration) -> Effects | None:
        """What is known after a recording; ``None`` where it ended with nothing that was not known."""
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
        """What is known at a call, where what is written may be of other types; ``None`` if it is not."""
        types = self.carries.types_with(self.state.get())
        if types == self.carries.types:
            return None
        return dataclasses.replace(self, carries=dataclasses.replace(self.carries, types=types))

    def operands(self) -> list[int]:
        """What is written, as it is before a call."""
        return self._now().initial()

    def types(self) -> list[Any]:
        """The types of what is written in the graph."""
        of_state = [one for kind in self.carries.types if kind is not None for one in kind.graph_types()]
        return of_state + [(dtype_name(tensor.dtype), list(tensor.sizes)) for tensor in self.carries.tensors]

    def leave(self, values: list[int]) -> None:
        """Has what is written be what a call gave, the first of its values."""
        # What the function makes is made anew in each call.
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
    """What a function is known to write before it is recorded."""
    carries = dataclasses.replace(first_carries((), ()), statement="a recursion")
    return Effects(state_of(None, None, ()), carries, [])
