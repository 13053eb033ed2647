"""The structure of a staged function's result, with the object identities that plain Python would give.

    row = [x * 2]
    return row, {"first": row}, LIMITS, x      # `row` twice: one new list; `LIMITS` and `x` themselves

- Containers that the program made while it was recorded (lists, dicts, tuples, dataclasses): each call makes
  new ones.
- Objects that existed before, such as a list in a global variable or an argument: each call returns the
  object itself.
- Objects of unknown origin, which unconverted code returned: the function is recorded a second time. If
  the same object comes back, it existed before or the program keeps it; otherwise the call made it.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import re
from collections import defaultdict
from pathlib import PurePath
from types import BuiltinFunctionType, ModuleType
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.backends.protocol import backend_of
from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.staging.keyed.keyed import Keyed, parts_of_result, plain
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.lists.list_identity import Choice
from autograph._src.staging.lists.traced_list import StagedList, TracedList
from autograph._src.staging.objects.origins import containers_in
from autograph._src.staging.tensors.memory import Memory
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.given import Given
from autograph._src.staging.trace.record_classes import is_named_tuple
from autograph._src.staging.trace.record_trees import is_object_tree
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import begin_again
from autograph._src.staging.trace.trace import Trace
from autograph.errors import Location, StagingError

Step = tuple[str, int, Any]
"""An instruction that makes one part of the tree, for ``result_shape.rs``: a word, a number, and a value."""

_ITSELF: Step = ("made", 0, None)
"""A tuple inside itself: no instruction can make that, so ``build`` refuses a tree with this step."""

_UNCHANGING = (
    *(str, bytes, int, float, complex, type(None), range, slice, type(...), type(NotImplemented), type),
    *(np.generic, np.dtype, np.ufunc, ModuleType, BuiltinFunctionType, frozenset, enum.Enum, re.Pattern),
    *(fractions.Fraction, decimal.Decimal, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo),
    PurePath,
)
"""Types of immutable values, whose identity does not matter."""


def is_unchanging(value: object) -> bool:
    """Whether a value is immutable, so that its identity does not matter."""
    # Equals `isinstance(value, _UNCHANGING)`, which would read a staged value's `__class__` once a type.
    is_of_one = issubclass(type(value), _UNCHANGING) or issubclass(value.__class__, _UNCHANGING)
    return is_of_one and not _is_local_class(value)


def _is_local_class(value: object) -> bool:
    """Whether a value is a class that a function's call made, by a ``class`` statement or by `type(…)`."""
    if not isinstance(value, type):
        return False
    return "<locals>" in value.__qualname__ or value.__module__.startswith("autograph._src.operators")


class ResultTree:
    """The structure of a result, apart from the values of its leaves.

    Attributes:
        leaves: The leaves; an object that occurs several times is listed once.
        shape: The instructions that make the result from the values of the leaves.
        holds_itself: Whether the result contains a tuple that contains itself, which cannot be made.
    """

    def __init__(self, trace: Trace, result: object, where: Location | None) -> None:
        self._trace = trace
        self._where = where
        self.leaves: list[Any] = []
        # By `id`: the object, kept alive so that no other object gets its id, and the step that repeats it.
        self._known: dict[int, tuple[Any, Step]] = {}
        self._count = 0
        self._lists: list[TracedList] = []
        self._objects: list[Any] = []
        self._unknown: list[Any] = []
        self._steps: list[Step] = []
        self.holds_itself = False
        self._part(result)
        self.shape = _core.ResultShape(self._steps, self._count)
        self._look_again()
        self._require_known_lists()
        self._trace.objects.joined.require_known_objects(self._objects, self._where)

    def build(self, values: list[Any]) -> Any:
        """Makes the result from the values of its leaves."""
        if self.holds_itself:
            raise StagingError(
                "a tuple that holds itself is returned",
                code="AG120",
                location=self._where,
                help="return its parts",
            )
        return self.shape.build(values)

    def is_made(self, value: object) -> bool:
        """Whether a call makes this plain leaf; if not, the object existed before the call."""
        return not self._was_there(value) and not any(value is one for one in self._came_again())

    def _came_again(self) -> list[Any]:
        return self._trace.facts.returned or []

    def _part(self, value: Any) -> None:
        """Adds the steps that make a value."""
        known = self._known.get(id(value))
        if known is not None:
            self.holds_itself |= known[1] is _ITSELF
            self._steps.append(known[1])
            return
        given = self._trace.given.get(id(value))
        kind = value.__class__ if isinstance(value, TracedList) else type(value)
        if isinstance(value, TracedList) and not is_reference(value):
            self._lists.append(value)
        elif is_object_tree(value) or isinstance(value, StagedOptional):
            self._objects += [one for one in containers_in(value) if is_object_tree(one)]
        is_container = (
            kind is list
            or kind in DICT_CLASSES
            or (dataclasses.is_dataclass(kind) and not isinstance(value, type) and not is_reference(value))
        )
        is_staged = isinstance(value, StagedList) or is_reference(value) or backend_of(value) is not None
        is_staged = is_staged and not isinstance(value, Keyed)
        if given is not None:
            self._leaf(value, Given(given[1]))
        elif isinstance(value, TracedList) and not is_reference(value) and value.choice is not None:
            self._one_of(value.choice)
        elif is_staged or (is_container and self._is_there(value)):
            self._leaf(value, value)
        elif issubclass(kind, Keyed):
            self._keyed(value)
        elif kind is list:
            if isinstance(value, TracedList):
                value.require_current()
            self._list(value)
        elif kind in DICT_CLASSES:
            self._dict(value)
        elif kind is tuple or is_named_tuple(kind):
            self._tuple(value)
        elif is_container:
            self._record(value)
        else:
            self._leaf(value, value)

    def _leaf(self, value: object, leaf: object) -> None:
        step = "leaf", len(self.leaves), None
        self.leaves.append(leaf)
        self._steps.append(step)
        is_constant = is_unchanging(value)
        if not is_constant or isinstance(value, (np.ndarray, set, bytearray)):
            self._note(value)
        if is_constant and backend_of(value) is None:
            return  # The identity of a value such as `1` does not matter.
        self._known[id(value)] = value, step

    def _place(self, value: object) -> int:
        """Reserves a number for an object, by which later steps repeat it."""
        place = self._count
        self._count += 1
        self._known[id(value)] = value, ("made", place, None)
        return place

    def _list(self, value: list[Any]) -> None:
        place = self._place(value)
        self._steps.append(("list", place, None))  # Before its elements: the list may contain itself.
        for one in list.copy(value):
            self._part(one)
            self._steps.append(("append", place, None))
        self._steps.append(("made", place, None))

    def _one_of(self, choice: Choice) -> None:
        """Adds the steps for a choice among several lists that existed before the call."""
        self._leaf(choice.place, choice.place)
        for one in choice.lists:
            self._part(one)
        self._steps.append(("chosen", len(choice.lists), None))

    def _dict(self, value: dict[Any, Any]) -> None:
        place = self._place(value)
        if isinstance(value, defaultdict):
            self._part(value.default_factory)
            self._steps.append(("defaultdict", place, defaultdict))
        else:
            self._steps.append(("dict", place, type(value)))
        for key, one in value.items():
            self._part(one)
            self._steps.append(("set", place, key))
        self._steps.append(("made", place, None))

    def _keyed(self, value: Keyed) -> None:
        if is_reference(value.ag_index):
            self._leaf(value, value)
            return
        of_caller = [number for one, number in self._trace.given.values() if _is_one(one, value)]
        if of_caller:
            self._leaf(value, Given(of_caller[0]))
            return
        known = self._known.get(id(value.ag_index))
        if known is not None:  # Another variable is bound to the same dict.
            self._steps.append(known[1])
            return
        place, parts = self._place(value), parts_of_result(value)
        self._known[id(value.ag_index)] = value.ag_index, self._known[id(value)][1]
        for one in parts:
            self._part(one)
        self._steps.append(("named", place, (len(parts), plain)))
        self._steps.append(("made", place, None))

    def _record(self, value: Any) -> None:
        place, kind = self._place(value), type(value)
        names = dict.fromkeys(field.name for field in dataclasses.fields(kind))
        names.update(dict.fromkeys(getattr(value, "__dict__", {})))
        self._steps.append(("object", place, kind))
        for name in names:
            if hasattr(value, name):
                self._part(getattr(value, name))
                self._steps.append(("attribute", place, name))
        self._steps.append(("made", place, None))

    def _tuple(self, value: tuple[Any, ...]) -> None:
        place, kind = self._place(value), type(value)
        self._known[id(value)] = value, _ITSELF
        for one in value:
            self._part(one)
        made = "made", place, None
        self._known[id(value)] = value, made
        self._steps.append(
            ("tuple", place, len(value)) if kind is tuple else ("named", place, (len(value), kind))
        )
        self._steps.append(made)

    # What was there before

    def _was_there(self, value: object) -> bool:
        return id(value) in self._trace.surroundings.watch.seen and not self._trace.journal.was_created(value)

    def _is_there(self, value: object) -> bool:
        """Whether a container existed before the call; notes the container if its origin is unknown."""
        if self._was_there(value):
            return True
        if isinstance(value, TracedList) or self._trace.journal.was_created(value):
            return False
        self._unknown.append(value)
        return any(value is one for one in self._came_again())

    def _require_known_lists(self) -> None:
        """Refuses two lists that may be one list, depending on the run: the result would hold two."""
        for one in self._lists:
            memories = [memory for memory, _ in one.shared]
            for other in self._lists:
                others = (other.memory, *(memory for memory, _ in other.shared))
                if other is not one and any(memory is known for memory in memories for known in others):
                    one.become_row()
                    raise StagingError(
                        f"whether `{one.called()}` is `{other.called()}` in the result depends on the run",
                        code="AG120",
                        location=self._where,
                        help=f"return a list of its own: `list({one.called()})`",
                    )
            self._require_own(one, memories)

    def _require_own(self, one: TracedList, memories: list[Memory]) -> None:
        """Refuses a list that may be one of the caller's, depending on the run: the result holds another."""
        for other, _ in self._trace.given.values():
            if isinstance(other, TracedList) and any(memory is other.memory for memory in memories):
                raise StagingError(
                    f"whether `{one.called()}` in the result is a list of the caller depends on the run",
                    code="AG120",
                    location=self._where,
                    help=f"return a list of its own: `list({one.called()})`",
                )

    def _note(self, value: object) -> None:
        """Notes a leaf of unknown origin."""
        is_staged = backend_of(value) is not None or is_reference(value)
        if not is_staged and not self._was_there(value) and not self._trace.journal.was_created(value):
            self._unknown.append(value)

    def _look_again(self) -> None:
        """Starts a second recording if the origin of a returned object is unknown."""
        if self._unknown and self._trace.facts.returned is None:
            self._trace.facts.returned = self._unknown
            begin_again(Fact.RESULT)


def _is_one(one: object, table: Keyed) -> bool:
    """Whether a stand-in is the table that another variable is bound to."""
    return isinstance(one, Keyed) and one.ag_index is table.ag_index
