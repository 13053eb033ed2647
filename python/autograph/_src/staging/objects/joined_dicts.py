"""The dicts of a trace that are one of several dicts of the program, depending on a staged statement.

    for step in range(n):                                  # staged
        p = {k: w - 0.1 * g[k] for k, w in p.items()}
    p["w"]                     # a value of the last iteration's dict, or of the one from before the loop
    p["w"] = 0.0               # refused: whether the dict before the loop changes too depends on the run

In the trace it is a dict of its own. Nobody can tell as long as nobody writes to it, nor to one that it may
be, and ``is`` does not ask. A program that does has its dicts made rows of a table, where that can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from autograph._src.staging.tensors.memory import Memory, distinct
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.frames import here, variable_of
from autograph._src.staging.trace.restarts import learn_objects
from autograph._src.staging.trace.watch import holds_same
from autograph.errors import Location, StagingError

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Block
    from autograph._src.staging.objects.dict_object import DictObject
    from autograph._src.staging.trace.object_sites import Site


Held = tuple[dict[Any, Any], list[Any], list[Any]]
"""A dict, its keys and its values."""


def _held(value: dict[Any, Any]) -> Held:
    return value, list(value), list(value.values())


@dataclass(eq=False)
class JoinedDict:
    """A dict that stands for one of several.

    Attributes:
        value: The dict.
        name: The variable it was bound to, for messages.
        blocks: The staged blocks that were recorded when it was made: it is gone when they are.
        kind: Its kind, with the sites where the program makes the dicts that it may be.
        others: The memories of the older dicts that it may be.
        held: What it and they held when that was noted: each dict with its keys and values.
    """

    value: dict[Any, Any]
    name: str
    blocks: tuple[Block, ...]
    kind: DictObject
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
        """Makes the dicts that it may be rows of one table; refuses the statement if they cannot be.

        Raises:
            Learned: If they are not rows yet.
            StagingError: If they cannot be rows.
        """
        if self.kind.sites is not None:
            learn_objects(self.kind)
        raise StagingError(what, code=code, location=here() or where, help=remedy)

    def refuse_change(self, owner: object, where: Location | None = None) -> NoReturn:
        """Refuses a write to it, or to a dict that it may be."""
        called = variable_of(self.value) or self.name
        changed = None if self.value is owner else variable_of(owner)
        another = "another dict" if changed is None else f"`{called}`"
        changed = changed or called
        self.refuse(
            "AG113",
            f"`{changed}` is changed in place, and may be {another}, depending on a staged statement",
            f"copy it first: `{changed} = dict({changed})`",
            where,
        )


class JoinedDicts:
    """The joined dicts of a trace, and the memories of dicts that they may be."""

    def __init__(self) -> None:
        self._joined: dict[int, JoinedDict] = {}
        self._memories: dict[int, tuple[dict[Any, Any], Memory]] = {}

    def add(self, joined: JoinedDict) -> None:
        """Notes a dict that a join has made."""
        self._joined[id(joined.value)] = joined

    def is_joined(self, value: object) -> bool:
        """Whether a join has made a dict."""
        return id(value) in self._joined

    def is_its_own(self, value: object) -> None:
        """Notes that a joined dict is none of the older ones after all: a loop that runs has made it."""
        found = self._joined.pop(id(value), None)
        sites = None if found is None else found.kind.sites
        if sites is not None and len(sites) == 1:
            require_trace().objects.note_made(value, sites[0], False)

    def memories_of(self, value: dict[Any, Any], serial: int) -> list[Memory]:
        """What identifies a dict and those that it may be; ``serial`` is that of the dict."""
        known = self._memories.setdefault(id(value), (value, Memory(serial)))
        joined = self._joined.get(id(value))
        return [known[1], *(() if joined is None else joined.others)]

    def may_be(self, value: dict[Any, Any], others: Iterable[Memory]) -> None:
        """Notes which older dicts a joined dict may be; nothing for other dicts."""
        joined = self._joined.get(id(value))
        if joined is not None:
            added = [one for one in distinct(list(others)) if all(one is not mine for mine in joined.others)]
            joined.others = (*joined.others, *added)
            known = {id(memory): value for value, memory in self._memories.values()}
            joined.held += [_held(known[id(one)]) for one in added if id(one) in known]

    def sites_of(self, value: dict[Any, Any]) -> tuple[Site, ...] | None:
        """The sites where the program makes a dict, or those that it may be; ``None`` if it does not."""
        joined = self._joined.get(id(value))
        if joined is not None:
            return joined.kind.sites
        site = require_trace().objects.site_of(value)
        return None if site is None else (site,)

    def will_write(self, owner: object, blocks: list[Block]) -> None:
        """Refuses a write to a dict that may be another one, or that another one may be.

        Raises:
            Learned: If the dicts become rows of a table.
            StagingError: If they cannot (AG113).
        """
        if not self._joined or not isinstance(owner, dict):
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
            Learned: If the dicts become rows of a table.
            StagingError: If they cannot (AG113).
        """
        for one in self._joined.values():
            if one.is_in_use(blocks):
                for owner, keys, values in one.held:
                    if not holds_same(list(owner), keys) or not holds_same(list(owner.values()), values):
                        one.refuse_change(owner, where)

    def require_known_identity(self, left: object, right: object) -> None:
        """Refuses ``left is right`` of two dicts if a staged statement decides the answer."""
        for value in (left, right):
            joined = self._joined.get(id(value))
            if joined is not None:
                called = variable_of(joined.value) or joined.name
                joined.refuse(
                    "AG120",
                    f"whether `{called}` is another dict depends on a staged statement",
                    "compare what the dicts hold",
                )
