"""Arrays and containers from outside of a trace, which nothing may write while it records.

Calls of converted code say what they write (``operators/written.py``). Other code does not::

    part = table[1:]
    part += 1               # C adds to the module's array, while tracing only
    draw(history)           # a function of an installed package appends to the module's list

Arrays are locked while a trace records: what would write to one raises in the line where it stands, and that
becomes our refusal. Containers and attributes are looked at when the trace ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.backends.protocol import backend_among
from autograph._src.load import is_converted_code
from autograph._src.staging.trace.callers import steps_of
from autograph._src.staging.trace.frames import location_of
from autograph._src.staging.trace.given import objects_in
from autograph._src.staging.trace.watch import Snapshot, Watch, holds_same
from autograph.errors import Location, StagingError

LEAVE_IT_TO_PYTHON = (
    "return the value, or leave the write to a function marked `@ag.py_function`, which every run calls"
)


class LockedArrays:
    """Arrays that are read-only until they are released.

    Attributes:
        answer: What NumPy has said of arrays that are not locked, when it was asked.
    """

    def __init__(self) -> None:
        self._locked: list[NDArray[Any]] = []
        self.answer: BaseException | None = None

    def __bool__(self) -> bool:
        return bool(self._locked)

    def lock(self, array: NDArray[Any]) -> None:
        """Forbids writes to an array, and to what it is a view of."""
        one: object = array
        while isinstance(one, np.ndarray):
            if one.flags.writeable:
                one.flags.writeable = False
                self._locked.append(one)
            one = one.base

    def release(self) -> None:
        """Allows them again: a view cannot be written before what it is a view of."""
        pending, self._locked = self._locked, []
        while pending:
            refused = []
            for array in pending:
                try:
                    array.flags.writeable = True
                except ValueError:
                    refused.append(array)
            if len(refused) == len(pending):
                return  # Somebody else has made what they are views of read-only.
            pending = refused


def refuse_locked(error: BaseException, locked: LockedArrays) -> None:
    """Raises our refusal for what NumPy says of a write to an array that is locked.

    Raises:
        StagingError: If this is such an error.
    """
    if not locked or error is locked.answer or not isinstance(error, (ValueError, TypeError, BufferError)):
        return
    if not any(text in str(error) for text in _READ_ONLY):
        return
    steps = [one for one in steps_of(error.__traceback__) if is_converted_code(one[0])]
    raise StagingError(
        "this writes to an array that outlives the call, which would happen only while tracing",
        code="AG122",
        location=location_of(*steps[-1]) if steps else None,
        help=LEAVE_IT_TO_PYTHON,
    ) from None


_READ_ONLY = ("read-only", "cannot modify read-only memory", "output array is not acceptable")


def put_back_changes(watch: Watch, but: Sequence[Any]) -> str | None:
    """Puts back what a trace has changed in containers and objects of the program from outside.

    What a class of an installed package does with its own attributes is not looked at: it may keep there
    what it has computed. So is an attribute that is new, as ``functools.cached_property`` makes one, unless
    it holds a staged value.

    Args:
        watch: What was there, and what it held.
        but: Values that attributes may have from now on.

    Returns:
        What was changed, in words, or ``None``.
    """
    changed = list(_changes(watch, but))
    for part, _ in changed:
        part.put_back()
    return changed[0][1] if changed else None


def contents_of_arguments(arguments: object) -> Snapshot:
    """What the lists and dicts of the arguments hold: no run changes the caller's."""
    found = list(objects_in(arguments, has_tables=False))
    return Snapshot(
        sequences=[(one, list(one)) for one in found if type(one) is list],
        mappings=[(one, one, list(one), list(one.values())) for one in found if type(one) is dict],
    )


def changed_argument(before: Snapshot) -> str | None:
    """The list or dict of the arguments that is not as it was, in words: `v += (x,)` is a write, too."""
    owners = (owner for owner, elements in before.sequences if not holds_same(owner, elements))
    changed = next(owners, None)
    if changed is None:
        mappings = (one for one in before.mappings if not Snapshot(mappings=[one]).holds())
        changed = next(mappings, (None,))[0]
    return None if changed is None else f"a `{type(changed).__name__}` of the arguments"


def refusal_of_change(what: str, where: Location | None) -> StagingError:
    """The refusal of a change that no call of converted code has named.

    Args:
        what: What was changed, in words.
        where: The function that was traced.
    """
    return StagingError(
        f"{what} that outlives the call is changed here or in what is called, which would happen only"
        " while tracing",
        code="AG122",
        location=where,
        help=LEAVE_IT_TO_PYTHON,
    )


def _changes(watch: Watch, but: Sequence[Any]) -> Iterator[tuple[Snapshot, str]]:
    """What is not as it was, each with its name and what puts it back."""
    snapshot = watch.snapshot
    for owner, elements in snapshot.sequences:
        if not holds_same(owner, elements) and (id(owner) in watch.of_users or _is_staged(*owner)):
            yield Snapshot(sequences=[(owner, elements)]), f"a `{type(owner).__name__}`"
    for owner, variables, keys, values in snapshot.mappings:
        before = dict(zip(keys, values, strict=True))
        changed = [
            name
            for name in {**before, **variables}
            if variables.get(name, _ABSENT) is not before.get(name, _ABSENT)
            and not any(variables.get(name) is known for known in but)
        ]
        is_container = owner is variables
        if id(owner) in watch.of_users:
            changed = [
                name for name in changed if is_container or name in before or _is_staged(variables.get(name))
            ]
        else:
            changed = [name for name in changed if _is_staged(variables.get(name))]
        if changed:
            text = type(owner).__name__ if is_container else f"{type(owner).__name__}.{changed[0]}"
            yield Snapshot(mappings=[(owner, variables, keys, values)]), f"a `{text}`"
    for owner, name, value in snapshot.slots:
        present = getattr(owner, name, None)
        is_known = any(present is known for known in (value, *but))
        if not is_known and (id(owner) in watch.of_users or _is_staged(present)):
            yield Snapshot(slots=[(owner, name, value)]), f"a `{type(owner).__name__}.{name}`"


_ABSENT = object()


def _is_staged(*values: object) -> bool:
    return backend_among(values) is not None
