"""Makes the list that a variable is bound to after a branch or loop, and notes its possible aliases.

    if x > 0:                 # staged
        path.append(x)        # one element more in one branch: a list of the graph after the `if`
    if x > 1:
        rows = [x]            # a new list in each branch: one new list after the `if`
    else:
        rows = [x, x]

It also infers the length of a list after a loop.
"""

from __future__ import annotations

from typing import Any

from autograph._src.operators.places import Elements
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.list_lengths import Length
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.references import is_reference


def contents_of(value: object) -> object:
    """The contents of a list; any other value unchanged."""
    if type(value) is list:
        made = Elements.of(value, "the list")
        made.can_grow = True
        return made
    return value.read_contents(value.called()) if isinstance(value, TracedList) else value


def bound_list(contents: Elements | StagedElements, name: str, sites: tuple[Any, ...] = ()) -> TracedList:
    """A new list with these contents, for a variable that joins several lists."""
    if isinstance(contents, StagedElements):
        made = TracedList()
        made.write_contents(contents)
    else:
        made = TracedList(contents)
    require_trace().journal.created(made)
    made.name = name
    made.sites = sites
    return made


def note_length(value: object, entry: object, stand_in: object, end: object, trips: int | None) -> None:
    """Infers the length of a list after a loop: the length before, plus what each iteration adds."""
    found, begin, after = (_staged(one) for one in (value, stand_in, end))
    if found is None or begin is None or after is None or found.length.base is None:
        return
    added = after.length.minus(begin.length)
    before = entry.contents if isinstance(entry, TracedList) and entry.contents is not None else entry
    length = before.length if isinstance(before, StagedElements) else Length(None, list_length(before))
    if added == 0:
        found.length = length
    elif added is not None and trips is not None:
        found.length = length.plus(added * trips)


def _staged(value: object) -> StagedElements | None:
    if is_reference(value):
        return None
    found = value.contents if isinstance(value, TracedList) else value
    return found if isinstance(found, StagedElements) else None


def list_length(values: Any) -> int:
    """The number of elements stored in a list or in a snapshot of one."""
    return list.__len__(values) if isinstance(values, list) else len(values)


def serial_of(value: object) -> int:
    """The serial number that the journal gave an object when it was made."""
    return require_trace().journal.serial_of(value)


def lists_in(value: object) -> list[TracedList]:
    """The lists in a value, also inside tuples; rows of tables are left out."""
    return [leaf for leaf in leaves_of(value) if isinstance(leaf, TracedList) and not is_reference(leaf)]
