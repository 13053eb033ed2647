"""Which staged arrays may be one piece of memory.

A view shares the memory of its array. So does a variable that is one array or another, depending on
a staged test:

    y = x if c > 0 else x * 2
    y += 1                       # writes to x, or does not

Who else might see a write decides: it is recorded where nobody can, and refused otherwise. Reading
what may have been written since through another array is refused as well.
"""

from __future__ import annotations

import enum
import inspect
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Tensor


class Role(enum.Enum):
    """Why a tensor may refer to the memory of another."""

    OWNER = "owner"
    """It does not: its memory is its own."""
    VIEW = "view"
    """It is a view: a slice, a reshape."""
    JOINED = "joined"
    """It is one array or another, depending on a staged statement before."""
    CARRIED = "carried"
    """It is that inside the loop; its writes become a carry."""
    ELEMENT = "element"
    """It is an element of a staged list."""
    PARAMETER = "parameter"
    """It is an argument of a call of the graph, which another argument may be too."""
    FIELD = "field"
    """It is in a field of a staged node."""


WHY_STALE = {
    Role.VIEW: "this view is read after the array it views was written",
    Role.JOINED: "{} may be an array that was written since, depending on a staged test",
    Role.CARRIED: "{} may be an array that was written since, depending on the iteration",
    Role.ELEMENT: "{} holds an array that was written since",
    Role.FIELD: "{} may be an array that was written since",
}
"""Why a tensor may not be read any more."""

WHY_NOT_WRITTEN = {
    Role.VIEW: (
        "this writes through a view into another array",
        "write to the array itself, or copy the view first: `.copy()`",
    ),
    Role.JOINED: (
        "{} is written in place, and may be another array that is still used, depending on a staged test",
        "copy it first: `.copy()`",
    ),
    Role.ELEMENT: (
        "this writes in place to an element of {}, a staged list",
        "write to a copy, `.copy()`, and put that into the list",
    ),
    Role.FIELD: (
        "this writes in place to {}, an array in a node of an argument",
        "copy it first: `.copy()`",
    ),
}
"""Why a tensor may not be written where something else sees its memory, and what to do."""


class Memory:
    """The elements of one array, with the tensors that may refer to them.

    Attributes:
        serial: Orders memories by the time they were made.
        version: How often it was written.
        outlives_trace: Whether code outside the trace may refer to it.
    """

    __slots__ = ("_sharers", "outlives_trace", "serial", "version")

    def __init__(self, serial: int) -> None:
        self.serial = serial
        self.version = 0
        self.outlives_trace = False
        self._sharers: list[weakref.ref[Tensor]] = []

    def add(self, tensor: Tensor) -> None:
        """Notes that a tensor may refer to it."""
        if all(sharer() is not tensor for sharer in self._sharers):
            self._sharers.append(weakref.ref(tensor))

    def is_seen_beside(self, tensor: Tensor) -> bool:
        """Whether the program can still reach it through something else."""
        others = (sharer() for sharer in self._sharers)
        return self.outlives_trace or any(_is_in_use(other) for other in others if other is not tensor)


def _is_in_use(tensor: Tensor | None) -> bool:
    """Whether anything refers to a tensor but the caller and the recordings of statements around."""
    if tensor is None or sys.getrefcount(tensor) <= _REFERENCES_OF_OURS + tensor.held:
        return False
    # A debugger, or who else asked frames for their variables, has left copies of these in the frames.
    copies = _copies_in_frames(tensor)
    return sys.getrefcount(tensor) - copies > _REFERENCES_OF_OURS + tensor.held


def _copies_in_frames(tensor: Tensor) -> int:
    """How often a tensor is in the dicts that frames have made of their variables for who asked.

    Up to CPython 3.12 such a dict stays with its frame; asking brings it up to date.
    """
    count, frame = 0, sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            variables = frame.f_locals
            count += type(variables) is dict and sum(one is tensor for one in variables.values())
            del variables
        frame = frame.f_back  # type: ignore[assignment]
    return count


class _Probe:
    """What is referred to by one variable of the program, and by those who ask."""


def _references_of_ours() -> int:
    """How many references `is_seen_beside` itself makes, which depends on the version of CPython."""

    def count(value: object) -> int:
        return sys.getrefcount(value)

    probe = _Probe()
    others = (sharer() for sharer in [weakref.ref(probe)])
    return next(count(other) for other in others if other is not None) - 1


_REFERENCES_OF_OURS = _references_of_ours()


@contextmanager
def held(tensors: list[Tensor]) -> Iterator[None]:
    """Within it a recording holds tensors that the program may have no use for any more.

    Args:
        tensors: Once for each time that the recording refers to them, this list not counted.
    """
    for position in range(len(tensors)):
        tensors[position].held += 2
    try:
        yield
    finally:
        for position in range(len(tensors)):
            tensors[position].held -= 2


OUTSIDE = Memory(0)
"""The memory of plain arrays, which code outside the trace refers to."""
OUTSIDE.outlives_trace = True

Shared = tuple[tuple[Memory, int], ...]
"""Memories that a tensor may refer to besides its own, with the versions it knows."""


def memories_of(tensor: Tensor) -> list[Memory]:
    """All that a tensor may refer to, its own first."""
    return [tensor.memory, *(memory for memory, _ in tensor.shared)]


def distinct(memories: list[Memory]) -> list[Memory]:
    """Each once, in the order of their first occurrence."""
    return list({id(memory): memory for memory in memories}.values())
