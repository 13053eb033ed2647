"""The new contents of a staged list after `insert`, `pop` and writes of slices.

    xs.insert(-100, v)     # `insert` takes any index and clips it to the ends of the list

Contents are values: each function gives new ones, and the list then stores them.
"""

from __future__ import annotations

from typing import Any

from autograph._src.staging.lists import list_searches
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.list_indices import COUNTS, Bounds, bounds_of, inside
from autograph._src.staging.lists.list_lengths import Length, unknown
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import as_index, from_front, larger, smaller
from autograph._src.staging.trace.active import staging_error


def inserted(contents: StagedElements, index: object, value: object) -> StagedElements:
    """The contents after ``insert``, which clips its index to the ends of the list."""
    count = contents.count()
    place = from_front(as_index(index, COUNTS), count)
    return contents.inserted(smaller(larger(place, lift(0)), lift(count)), value)


def popped(contents: StagedElements, index: object) -> tuple[StagedElements, Any]:
    """The contents after ``pop(index)``, and the element that was removed."""
    if isinstance(index, int) and index == -1:
        inside(contents, -1, "pop from empty list")
        return contents.popped()
    as_index(index, COUNTS)
    list_searches.require_elements(contents)
    position = inside(contents, index, "pop index out of range", COUNTS)
    # Read first: the list can then be changed in place.
    value = contents.at(position)
    return contents.without(position), value


def sliced(contents: StagedElements, bounds: Bounds) -> StagedElements:
    """The elements of a slice."""
    return contents.slice(bounds.start, bounds.stop, lift(bounds.step), bounds.length)


def around(contents: StagedElements, part: slice) -> tuple[StagedElements, StagedElements]:
    """The contents before a slice and those after it."""
    bounds = bounds_of(contents, part)
    if bounds.step != 1:
        raise staging_error(
            "AG120", "a slice with a step of a staged list is written", "write the elements in a loop"
        )
    count = lift(contents.count())
    behind = larger(bounds.start, bounds.stop)
    ends = (Length(None, 0), unknown())
    if bounds.length.base is None and contents.length.base is None and part.start is None:
        ends = (Length(None, 0), contents.length.plus(-bounds.length.offset))
    else:
        ends = (unknown(), unknown())
    one = lift(1)
    return contents.slice(lift(0), bounds.start, one, ends[0]), contents.slice(behind, count, one, ends[1])
