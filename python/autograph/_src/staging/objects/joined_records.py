"""The records of a trace that are one of several records of the program, depending on a staged statement.

    for step in range(n):                                  # staged
        p = {k: w - 0.1 * g[k] for k, w in p.items()}
    p["w"]                     # a value of the last iteration's dict, or of the one from before the loop
    p["w"] = 0.0               # refused: whether the dict before the loop changes too depends on the run

In the trace it is a record of its own. Nobody can tell as long as nobody writes to it, nor to one that it may
be, and ``is`` does not ask. A program that does has its records made rows of a table, where that can be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from autograph._src.staging.kinds.static import Static
from autograph._src.staging.tensors.memory import Memory, distinct
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.frames import here, variable_of
from autograph._src.staging.trace.record_trees import copy_of, record_names, record_values, record_word
from autograph._src.staging.trace.restarts import learn_objects
from autograph._src.staging.trace.watch import holds_same
from autograph.errors import Location, StagingError

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Block
    from autograph._src.staging.objects.record_object import RecordObject
    from autograph._src.staging.trace.object_sites import Site


Held = tuple[Any, list[Any], list[Any]]
"""A record, its names and its values."""


_MOST_FRAMES = 6
"""How many frames of this package may be between a value that is needed and what needs it."""


def _held(value: Any) -> Held:
    return value, list(record_names(value)), list(record_values(value))


def _noun(value: object) -> str:
    return "dict" if isinstance(value, dict) else type(value).__name__


@dataclass(eq=False)
class JoinedRecord:
    """A record that stands for one of several.

    Attributes:
        value: The record.
        name: The variable it was bound to, for messages.
        blocks: The staged blocks that were recorded when it was made: it is gone when they are.
        kind: Its kind, with the sites where the program makes the records that it may be.
        others: The memories of the older records that it may be.
        held: What it and they held when that was noted: each record with its names and values.
    """

    value: Any
    name: str
    blocks: tuple[Block, ...]
    kind: RecordObject
    others: tuple[Memory, ...] = ()
    held: list[Held] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.held.append(_held(self.value))

    def is_in_use(self, blocks: list[Block]) -> bool:
        """Whether the program can still reach it, while these blocks are recorded."""
        return len(self.blocks) <= len(blocks) and all(
            mine is one for mine, one in zip(self.blocks, blocks, strict=False)
        )

    def refuse(self, code: str, what: str, remedy: str, where: Location | None = None) -> NoReturn:
        """Makes the records that it may be rows of one table; refuses the statement if they cannot be.

        Raises:
            Learned: If they are not rows yet.
            StagingError: If they cannot be rows.
        """
        if self.kind.sites is not None:
            learn_objects(self.kind)
        raise StagingError(what, code=code, location=here() or where, help=remedy)

    def refuse_change(self, owner: object, where: Location | None = None) -> NoReturn:
        """Refuses a write to it, or to a record that it may be."""
        called = variable_of(self.value) or self.name
        changed = None if self.value is owner else variable_of(owner)
        another = f"another {_noun(self.value)}" if changed is None else f"`{called}`"
        changed = changed or called
        self.refuse(
            "AG113",
            f"`{changed}` is changed in place, and may be {another}, depending on a staged statement",
            f"copy it first: `{changed} = {copy_of(changed, self.value)}`",
            where,
        )


class JoinedRecords:
    """The joined records of a trace, and the memories of records that they may be."""

    def __init__(self) -> None:
        self._joined: dict[int, JoinedRecord] = {}
        self._memories: dict[int, tuple[Any, Memory]] = {}

    def add(self, joined: JoinedRecord) -> None:
        """Notes a record that a join has made."""
        self._joined[id(joined.value)] = joined

    def is_joined(self, value: object) -> bool:
        """Whether a join has made a record."""
        return id(value) in self._joined

    def is_its_own(self, value: object) -> None:
        """Notes that a joined record is none of the older ones after all: a loop that runs has made it."""
        found = self._joined.pop(id(value), None)
        sites = None if found is None else found.kind.sites
        if sites is not None and len(sites) == 1:
            require_trace().objects.note_made(value, sites[0], False)

    def memories_of(self, value: Any, serial: int) -> list[Memory]:
        """What identifies a record and those that it may be; ``serial`` is that of the record."""
        known = self._memories.setdefault(id(value), (value, Memory(serial)))
        joined = self._joined.get(id(value))
        return [known[1], *(() if joined is None else joined.others)]

    def is_of_record(self, memory: Memory) -> bool:
        """Whether a memory identifies a record; if not, it is that of a list."""
        return any(memory is one for _, one in self._memories.values())

    def may_be(self, value: Any, others: Iterable[Memory]) -> None:
        """Notes which older records a joined one may be; nothing for others."""
        joined = self._joined.get(id(value))
        if joined is None:
            return
        known = {id(memory): value for value, memory in self._memories.values()}
        word = record_word(value)
        for one in distinct(list(others)):
            other = known.get(id(one))
            is_alike = other is not None and record_word(other) == word
            if is_alike and all(one is not mine for mine in joined.others):
                joined.others = (*joined.others, one)
                joined.held.append(_held(other))

    def sites_of(self, value: Any) -> tuple[Site, ...] | None:
        """The sites where the program makes a record, or those that it may be; ``None`` if it does not."""
        joined = self._joined.get(id(value))
        if joined is not None:
            return joined.kind.sites
        site = require_trace().objects.site_of(value)
        return None if site is None else (site,)

    def sites_of_all(self, value: object, others: Iterable[Memory]) -> tuple[Site, ...] | None:
        """The sites where the program makes those of the records that another one may be; ``None`` as above.

        Args:
            value: The record.
            others: The memories of what it may be; those of another class are not looked at.
        """
        known = {id(memory): value for value, memory in self._memories.values()}
        word = record_word(value)
        found: dict[Site, None] = {}
        for one in (known[id(memory)] for memory in others if id(memory) in known):
            sites = self.sites_of(one) if record_word(one) == word else ()
            if sites is None:
                return None
            found.update(dict.fromkeys(sites))
        return tuple(found) or None

    def will_write(self, owner: object, blocks: list[Block]) -> None:
        """Refuses a write to a record that may be another one, or that another one may be.

        Raises:
            Learned: If the records become rows of a table.
            StagingError: If they cannot (AG113).
        """
        if not self._joined:
            return
        memory = self._memories.get(id(owner), (None, None))[1]
        for one in self._joined.values():
            if one.value is not owner and all(other is not memory for other in one.others):
                continue
            if one.is_in_use(blocks):
                one.refuse_change(owner)

    def require_unchanged(self, blocks: list[Block], where: Location | None = None) -> None:
        """Refuses writes that nobody told of, by `|=` of a variable or by code that is not converted.

        Args:
            blocks: The blocks that are being recorded; the innermost, or the function, ends now.
            where: The place for a message where no line of the program runs.

        Raises:
            Learned: If the records become rows of a table.
            StagingError: If they cannot (AG113).
        """
        for one in self._joined.values():
            if one.is_in_use(blocks):
                for owner, keys, values in one.held:
                    _, now, held = _held(owner)
                    if not holds_same(now, keys) or not holds_same(held, values):
                        one.refuse_change(owner, where)

    def value_needed(self) -> None:
        """Makes objects rows if the ``==`` of their dataclass needs a value: rows are compared in the graph.

        Raises:
            Learned: If they are not rows yet.
        """
        frame: FrameType | None = sys._getframe(1)
        for _ in range(_MOST_FRAMES):
            if frame is None:
                return
            if frame.f_code.co_name == "__eq__" and frame.f_code.co_filename == "<string>":
                learn_objects(*map(Static, frame.f_locals.values()))
                return
            frame = frame.f_back

    def require_known_objects(self, values: list[Any], where: Location | None) -> None:
        """Refuses two objects of a result that may be one, depending on the run: it would hold two.

        Which of the caller's objects a result holds is not told: see docs/differences.md.
        """
        for value in values:
            joined = self._joined.get(id(value))
            if joined is None:
                continue
            made = [id(one) for one in joined.others if one.serial]
            for other in values:
                journal = require_trace().journal
                if other is not value and any(
                    id(one) in made for one in self.memories_of(other, journal.serial_of(other))
                ):
                    name = joined.name
                    joined.refuse(
                        "AG120",
                        f"whether `{name}` is another {_noun(value)} of the result depends on the run",
                        f"return a copy: `{copy_of(name, value)}`",
                        where,
                    )

    def _may_be_one(self, joined: JoinedRecord, other: object) -> bool:
        """Whether a joined record may be another one: what no statement has bound it to it is not."""
        memory = self._memories.get(id(other), (None, None))[1]
        return id(other) in self._joined or any(one is memory for one in joined.others)

    def require_known_identity(self, left: object, right: object) -> None:
        """Refuses ``left is right`` of two records if a staged statement decides the answer."""
        for value, other in ((left, right), (right, left)):
            joined = self._joined.get(id(value))
            if joined is not None and self._may_be_one(joined, other):
                called = variable_of(joined.value) or joined.name
                joined.refuse(
                    "AG120",
                    f"whether `{called}` is another {_noun(joined.value)} depends on a staged statement",
                    f"compare what the {_noun(joined.value)}s hold",
                )
