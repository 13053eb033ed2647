"""Lists that a variable is bound to after two paths: new ones, that may be lists from before.

if x > 0:                 # staged
    path.append(x)        # one element more in one branch: a list of the graph after the `if`
if x > 1:
    rows = [x]            # two lists that nothing else is bound to: one new list after the `if`
else:
    rows = [x, x]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph._src.operators.places import Elements
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.list_lengths import Length
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.tensors.memory import Memory, Role
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.references import is_reference


def contents_of(value: object) -> object:
    """What a list holds that a variable is bound to."""
    return value.read_contents(value.called()) if isinstance(value, TracedList) else value


def bound_list(contents: Elements | StagedElements, name: str, sites: tuple[Any, ...] = ()) -> TracedList:
    """A list with these contents, for a variable that is bound to one list or another."""
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
    """How long a list is after a loop: what an iteration adds, as often as there are iterations."""
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
    """How many elements are stored in a list, or were at one time."""
    return list.__len__(values) if isinstance(values, list) else len(values)


def note_origins(
    value: object, entry: object, serial: int, role: Role, others: Iterable[Memory] = ()
) -> None:
    """Notes which lists from before a statement the lists of a joined value may be.

    Args:
        value: The joined value.
        entry: What the variable was before.
        serial: Lists with a higher serial number are made by joining.
        role: Why they may be others.
        others: Memories of lists that a variable was bound to in a loop.
    """
    older = [one for one in lists_in(entry) if isinstance(one, TracedList)]
    for one in lists_in(value):
        if require_trace().journal.serial_of(one) > serial:
            one.may_be(older, role)
            one.shared = (*one.shared, *((memory, memory.version) for memory in others))


def serial_of(value: object) -> int:
    """When an object was made, by the serial numbers of the journal."""
    return require_trace().journal.serial_of(value)


def lists_in(value: object) -> list[TracedList]:
    """The lists that a variable, or a tuple it is bound to, refers to."""
    return [leaf for leaf in leaves_of(value) if isinstance(leaf, TracedList) and not is_reference(leaf)]
