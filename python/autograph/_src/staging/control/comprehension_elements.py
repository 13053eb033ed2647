"""Splits an element of a staged comprehension into leaves, which go into arrays, and containers.

    [(x, [x, 2 * x]) for x in xs]     # three leaves; each element makes a new tuple and a new list

The containers of an element are rebuilt for each item, with the site where the program makes them, so that
they may become rows of a table. A container that existed before the element would be one object shared by
all elements; arrays cannot express that, so the comprehension is then unrolled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograph._src.staging.lists.traced_list import TracedList, list_made_at
from autograph._src.staging.objects.object_records import fields_of
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.record_trees import record_of, record_word
from autograph._src.staging.trace.references import is_reference
from autograph._src.trees import Rebuild
from autograph.errors import StagingError


class Unlike(Exception):
    """Raised if the elements do not fit into arrays: they have several types, or are not numbers."""


class AreRows(Exception):
    """Raised if the elements are rows of tables or hold some; a list of the graph can hold them."""


@dataclass
class Apart:
    """The leaves and containers of one element.

    Attributes:
        serial: The serial number before the element; its own objects have higher ones.
        leaves: The leaves, in order.
        seen: The containers that the element makes, by identity.
    """

    serial: int
    leaves: list[Any] = field(default_factory=list)
    seen: dict[int, Any] = field(default_factory=dict)

    def of(self, value: object) -> Rebuild:
        """Appends the leaves of a value; gives a function that rebuilds the value.

        The function removes the leaves that it needs from the front of a list.

        Raises:
            Unlike: If the value holds an object from before the element.
            AreRows: If it holds rows of tables.
        """
        if is_reference(value) or hasattr(type(value), "ag_of_row"):  # The latter stands for a dict or set.
            raise AreRows
        if isinstance(value, tuple):
            return self._tuple(value)
        if type(value) is TracedList:
            return self._list(value)
        try:
            site = require_trace().objects.site_of(value)
        except StagingError:  # Other references to it exist, perhaps only our own records: unroll.
            raise Unlike from None
        if site is not None:
            return self._record(value, site)
        if isinstance(value, (list, dict, set)):
            raise Unlike
        self.leaves.append(value)
        return _take

    def _own(self, value: object) -> None:
        if require_trace().journal.is_from_before(value, self.serial) or id(value) in self.seen:
            raise Unlike
        self.seen[id(value)] = value

    def _tuple(self, value: tuple[Any, ...]) -> Rebuild:
        kind = type(value)
        builds = [self.of(part) for part in value]
        if kind is tuple:
            return lambda rest: tuple([build(rest) for build in builds])
        if not hasattr(kind, "_fields"):
            raise Unlike
        return lambda rest: kind(*[build(rest) for build in builds])

    def _list(self, value: TracedList) -> Rebuild:
        self._own(value)
        if len(value.sites) != 1:
            raise Unlike
        site, builds = value.sites[0], [self.of(part) for part in list.copy(value)]
        return lambda rest: list_made_at(site, [build(rest) for build in builds])

    def _record(self, value: object, site: Any) -> Rebuild:
        """An object or a dict; it is rebuilt without running the program's `__init__`."""
        self._own(value)
        word = record_word(value)
        builds = [(name, self.of(part)) for name, part in fields_of(value).items()]

        def rebuild(rest: list[Any]) -> Any:
            made = record_of(word, [(name, build(rest)) for name, build in builds])
            trace = require_trace()
            trace.objects.note_made(trace.journal.created(made), site, False)
            return made

        return rebuild


def _take(rest: list[Any]) -> object:
    return rest.pop(0)
