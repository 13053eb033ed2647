"""Detects writes to arrays and containers that outlive the trace.

Such a write would happen once, while tracing, and not at every run. Converted code declares its writes
(``operators/written.py``). Other code does not::

    part = table[1:]
    part += 1               # C code adds to the module's array
    draw(history)           # a function of an installed package appends to the module's list

Arrays are read-only while a trace records, so a write to one raises at once; we turn that into our own
error. Containers and attributes are compared with a snapshot when the trace ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.articles import with_article
from autograph._src.backends.protocol import backend_among
from autograph._src.dict_classes import DICT_CLASSES
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
        answer: An error that NumPy raised for a reason other than the lock; it is passed on.
    """

    def __init__(self) -> None:
        self._locked: list[NDArray[Any]] = []
        self.answer: BaseException | None = None

    def __bool__(self) -> bool:
        return bool(self._locked)

    def lock(self, array: NDArray[Any]) -> None:
        """Makes an array and the arrays that it is a view of read-only."""
        one: object = array
        while isinstance(one, np.ndarray):
            if one.flags.writeable:
                one.flags.writeable = False
                self._locked.append(one)
            one = one.base

    def arrays(self) -> list[NDArray[Any]]:
        """The locked arrays."""
        return list(self._locked)

    def release(self) -> None:
        """Makes all locked arrays writable again; the base of a view comes first, as NumPy demands."""
        pending, self._locked = self._locked, []
        while pending:
            refused = []
            for array in pending:
                try:
                    array.flags.writeable = True
                except ValueError:
                    refused.append(array)
            if len(refused) == len(pending):
                return  # The program has made their bases read-only.
            pending = refused


def refuse_locked(
    error: BaseException, locked: LockedArrays, learn: Callable[[], None] = lambda: None
) -> None:
    """Raises our error if NumPy's says that a locked array was written; does nothing otherwise.

    Args:
        error: NumPy's error.
        locked: The arrays.
        learn: Begins the trace again, if it finds an array that could be an argument of the graph.

    Raises:
        StagingError: If the program wrote to a locked array (AG122).
    """
    if not locked or error is locked.answer or not isinstance(error, (ValueError, TypeError, BufferError)):
        return
    if not any(text in str(error) for text in _READ_ONLY):
        return
    learn()
    steps = [one for one in steps_of(error.__traceback__) if is_converted_code(one[0])]
    raise StagingError(
        "this writes to an array that outlives the call, which would happen only while tracing",
        code="AG122",
        location=location_of(*steps[-1]) if steps else None,
        help=LEAVE_IT_TO_PYTHON,
    ) from None


_READ_ONLY = ("read-only", "cannot modify read-only memory", "output array is not acceptable")


def put_back_changes(watch: Watch, but: Sequence[Any]) -> str | None:
    """Undoes the changes that a trace made to containers and objects from outside.

    Objects of installed packages may change their own attributes, for instance to cache results. New
    attributes are allowed too, since ``functools.cached_property`` makes them. In both cases a staged value
    is still a change.

    Args:
        watch: The objects, with a snapshot of what they held.
        but: Values that attributes may have from now on.

    Returns:
        The first change, in words, or ``None``.
    """
    changed = list(_changes(watch, but))
    for part, _ in changed:
        part.put_back()
    if changed:
        return changed[0][1]
    advanced = watch.snapshot.advanced()  # What was taken from an iterator cannot be put back.
    return with_article(type(advanced[0]).__name__) if advanced else None


def contents_of_arguments(arguments: object) -> Snapshot:
    """A snapshot of the lists and dicts of the arguments, which a run must not change."""
    found = list(objects_in(arguments, has_tables=False))
    return Snapshot(
        sequences=[(one, list(one)) for one in found if type(one) is list],
        mappings=[(one, one, list(one), list(one.values())) for one in found if type(one) in DICT_CLASSES],
    )


def changed_argument(before: Snapshot) -> str | None:
    """The first list or dict of the arguments that has changed, in words, or ``None``."""
    owners = (owner for owner, elements in before.sequences if not holds_same(owner, elements))
    changed = next(owners, None)
    if changed is None:
        mappings = (one for one in before.mappings if not Snapshot(mappings=[one]).holds())
        changed = next(mappings, (None,))[0]
    return None if changed is None else f"a `{type(changed).__name__}` of the arguments"


def refusal_of_change(what: str, where: Location | None) -> StagingError:
    """The error for a change that converted code did not declare.

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
    """The changes, each as the snapshot that undoes it and a description."""
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
