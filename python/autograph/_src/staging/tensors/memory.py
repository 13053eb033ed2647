"""Alias tracking: which staged arrays may share one piece of memory.

A view shares the memory of its array. A variable that is one of two arrays, depending on a staged test, may:

    y = x if c > 0 else x * 2
    y += 1                       # writes to x, or does not

A write to a possible alias is recorded if the program can no longer reach the memory in another way, and
refused otherwise. Reading an array that may have been written through an alias since is refused too.
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
    from autograph._src.staging.tensors.layouts import Layout
    from autograph._src.staging.tensors.tensor import Tensor


Order = frozenset[int]
"""Slots of arguments, see ``Memory.order``."""

C_ORDER: Order = frozenset()
"""The order of an array that lies in C order, whatever the arguments."""


class Role(enum.Enum):
    """Why a tensor may refer to the memory of another."""

    OWNER = "owner"
    """It does not: it has memory of its own."""
    VIEW = "view"
    """It is a view: a slice, a reshape."""
    JOINED = "joined"
    """It is one of several arrays, depending on an earlier staged statement."""
    CARRIED = "carried"
    """It is one of several arrays, depending on the iteration of the loop around; a write becomes a carry."""
    CARRIED_PART = "carried part"
    """As carried, and in a list or an object that the loop carries."""
    ELEMENT = "element"
    """It was read from a staged list."""
    PARAMETER = "parameter"
    """It is a parameter of a function of the graph; another argument may be the same array."""
    ARGUMENT = "argument"
    """It is a copy of an argument that shares memory with another argument of the call."""
    FIELD = "field"
    """It was read from a field of a staged node."""


WHY_STALE = {
    Role.VIEW: "this view is read after the array it views was written",
    Role.JOINED: "{} may be an array that was written since, depending on a staged test",
    Role.CARRIED: "{} may be an array that was written since, depending on the iteration",
    Role.CARRIED_PART: "{} may be an array that was written since, depending on the iteration",
    Role.ELEMENT: "{} holds an array that was written since",
    Role.ARGUMENT: "{} shares memory with another argument of the call, which was written since",
    Role.FIELD: "{} may be an array that was written since",
}
"""By role: why a tensor must not be read after its memory was written through an alias."""

WHY_NOT_WRITTEN = {
    Role.VIEW: (
        "this writes through a view into another array",
        "write to the array itself, or copy the view first: `.copy()`",
    ),
    Role.JOINED: (
        "{} is written in place, and may be another array that is still used, depending on a staged test",
        "copy it first: `.copy()`",
    ),
    Role.CARRIED_PART: (
        "an element of {} is both written in place and replaced in a staged loop",
        "use one of the two ways",
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
"""By role: why a tensor must not be written while an alias can see its memory, and the remedy."""


class Memory:
    """The elements of one array, with the tensors that may refer to them.

    Attributes:
        serial: Orders memories by the time they were made.
        version: The number of writes.
        outlives_trace: Whether code outside the trace may refer to it.
        is_given: Whether it is that of an argument, which other arguments of a call may have too.
        order: The slots of the arguments that have to lie in C order for it to; ``None`` if it may not.
    """

    __slots__ = ("_sharers", "is_given", "order", "outlives_trace", "serial", "version")

    def __init__(self, serial: int) -> None:
        self.serial = serial
        self.version = 0
        self.outlives_trace = False
        self.is_given = False
        self.order: Order | None = None
        self._sharers: list[weakref.ref[Tensor]] = []

    def add(self, tensor: Tensor) -> None:
        """Notes that a tensor may refer to it."""
        if all(sharer() is not tensor for sharer in self._sharers):
            self._sharers.append(weakref.ref(tensor))

    def sharers(self) -> list[Tensor]:
        """The tensors that may refer to it."""
        return [one for reference in self._sharers if (one := reference()) is not None]

    def is_seen_beside(self, tensor: Tensor) -> bool:
        """Whether the program can still reach the memory through something other than this tensor.

        Views that are read from the tensor do not count: they see what is written to it.
        """
        others = (sharer() for sharer in self._sharers)
        return self.outlives_trace or any(
            _is_in_use(other) for other in others if other is not tensor and not _is_read_from(other, tensor)
        )

    def is_seen_before(self, serial: int) -> bool:
        """Whether the program can still reach the memory through a tensor from before a serial number."""
        others = (sharer() for sharer in self._sharers)
        return self.outlives_trace or any(
            one is not None and one.serial <= serial and _is_in_use(one) for one in others
        )

    def views_of(self, tensor: Tensor) -> int:
        """How many views are read from a tensor: each refers to it."""
        return sum(_is_read_from(sharer(), tensor) for sharer in self._sharers)


def _is_read_from(view: Tensor | None, tensor: Tensor) -> bool:
    return view is not None and view._path is not None and view._path.base is tensor


def _is_in_use(tensor: Tensor | None) -> bool:
    """Whether the program refers to a tensor: its reference count exceeds our own references."""
    if tensor is None or sys.getrefcount(tensor) <= _REFERENCES_OF_OURS + tensor.held:
        return False
    # Frames keep a dict of their variables if a debugger, for instance, has read `f_locals`. Reading it lets
    # go of views that variables held before: these are counted after that.
    copies = _copies_in_frames(tensor)
    ours = _REFERENCES_OF_OURS + tensor.held + tensor.memory.views_of(tensor)
    return sys.getrefcount(tensor) - copies > ours


def _copies_in_frames(tensor: Tensor) -> int:
    """How often a tensor occurs in the `f_locals` dicts that frames cache.

    Up to CPython 3.12 a frame keeps that dict; reading `f_locals` updates it.
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
    """An object with a known number of references, to measure those of `is_seen_beside`."""


def _references_of_ours() -> int:
    """The number of references that `is_seen_beside` itself makes; it depends on the CPython version."""

    def count(value: object) -> int:
        return sys.getrefcount(value)

    probe = _Probe()
    others = (sharer() for sharer in [weakref.ref(probe)])
    return next(count(other) for other in others if other is not None) - 1


_REFERENCES_OF_OURS = _references_of_ours()


@contextmanager
def held(tensors: list[Tensor]) -> Iterator[None]:
    """Marks tensors as held by the recording while the ``with`` block runs.

    Their references then do not count as uses by the program.

    Args:
        tensors: Each tensor, once for each reference of the recording besides this list.
    """
    for position in range(len(tensors)):
        tensors[position].held += 2
    try:
        yield
    finally:
        for position in range(len(tensors)):
            tensors[position].held -= 2


class ManyArrays(Memory):
    """The memory of arrays that are not told apart, to which something else may refer at any time.

    It outlives traces, so it does not note which tensors share it: these would be of other programs too.
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(0)
        self.outlives_trace = True

    def add(self, tensor: Tensor) -> None:
        """Notes nothing."""


OUTSIDE = ManyArrays()
"""The memory of plain arrays, which code outside the trace refers to."""

Shared = tuple[tuple[Memory, int], ...]
"""Memories that a tensor may refer to besides its own, each with the version when that was noted."""


def memories_of(tensor: Tensor) -> list[Memory]:
    """All memories that a tensor may refer to, its own first."""
    return [tensor.memory, *(memory for memory, _ in tensor.shared)]


def is_view(tensor: Tensor) -> bool:
    """Whether a tensor may share memory with another."""
    return bool(tensor.shared)


def note_view(view: Tensor, base: Tensor, layout: Layout | None = None) -> None:
    """Notes that a tensor is a view of another, and where in it, if that is known."""
    view.may_share(memories_of(base), Role.VIEW)
    view.layout = layout
    base.memory.add(base)


def distinct(memories: list[Memory]) -> list[Memory]:
    """The memories without duplicates, in order of first occurrence."""
    return list({id(memory): memory for memory in memories}.values())
