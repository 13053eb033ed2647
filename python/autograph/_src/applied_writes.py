"""Makes the writes of a run to objects of its caller: attributes, variables, what lists and dicts hold."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.operators.places import Place, fill_dict
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.keyed.keyed import left_items
from autograph._src.staging.objects.callers_objects import Change
from autograph._src.staging.objects.callers_tables import change_set, fill_table
from autograph._src.staging.objects.shared_trees import attributes_of_record


class NotApplied(Exception):
    """A run has failed before its writes to the caller's objects were made.

    Attributes:
        error: The exception of the run.
        structure: The structure of the arguments, where the graph was for any size of them and has failed
            as Python would not: one for these sizes may not.
        has_writes: Whether runs write to objects of the caller.
    """

    def __init__(
        self,
        error: BaseException,
        printed: int,
        *,
        structure: Hashable | None = None,
        has_writes: bool = True,
    ) -> None:
        super().__init__()
        self.error = error
        self.structure = structure
        self.has_writes = has_writes
        self._printed = printed

    @contextmanager
    def without_repetition(self) -> Iterator[None]:
        """While the call runs again as plain Python: leaves out what the run has printed and warned of."""
        before = sys.stdout
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sys.stdout = _Rest(before, self._printed)
            try:
                yield
            finally:
                sys.stdout = before


class _OfThread:
    """Stands for a stream, and does something else with what its own thread writes."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.thread = threading.get_ident()

    def write(self, text: str) -> Any:
        """Writes a text."""
        return self.stream.write(self.kept(text) if threading.get_ident() == self.thread else text)

    def kept(self, text: str) -> str:
        """The part of a text of its thread that is written."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Rest(_OfThread):
    """Leaves out the beginning of what is written."""

    def __init__(self, stream: Any, count: int) -> None:
        super().__init__(stream)
        self._left = count

    def kept(self, text: str) -> str:
        """What is not left out."""
        rest = text[self._left :]
        self._left -= len(text) - len(rest)
        return rest


class Counted(_OfThread):
    """Counts the characters that are written.

    Attributes:
        count: How many there were.
    """

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self.count = 0

    def kept(self, text: str) -> str:
        """The text."""
        self.count += len(text)
        return text


@contextmanager
def counted_output() -> Iterator[Counted]:
    """Counts what this thread prints."""
    before = sys.stdout
    counted = sys.stdout = Counted(before)
    try:
        yield counted
    finally:
        sys.stdout = before


class Writes:
    """What each run of a graph writes to objects of its caller."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._changes = list(changes)

    def __bool__(self) -> bool:
        return bool(self._changes)

    def values(self) -> tuple[Any, ...]:
        """The values to write, as a part of the result of the graph."""
        return tuple(change.value for change in self._changes)

    def apply(self, values: tuple[Any, ...], given: list[Any]) -> None:
        """Makes the writes.

        Args:
            values: The values, as a run has made them.
            given: The containers among the arguments of the call.
        """
        for change, value in zip(self._changes, values, strict=True):
            if isinstance(change.target, Place):
                change.target.write(Undefined(change.target.name) if change.is_other else value)
            elif change.is_other:
                given[change.target].extend(value)
            else:
                _fill(given[change.target], change.keys, value)


def _fill(one: Any, keys: tuple[Any, ...] | None, values: Any) -> None:
    """Gives a list, a dict, a set or an object of a dataclass other contents."""
    if keys is None and isinstance(one, dict):
        fill_table(one, left_items(*values))
    elif keys is None and isinstance(one, set):
        change_set(one, *values)
    elif keys is None:
        one[:] = values
    elif type(one) in DICT_CLASSES:
        if (*one,) == keys:  # Another thread never sees it empty.
            dict.update(one, zip(keys, values, strict=True))
        else:
            fill_dict(one, zip(keys, values, strict=True))
    else:
        for name in attributes_of_record(one) or ():
            if name not in keys:
                object.__delattr__(one, name)
        for name, value in zip(keys, values, strict=True):
            if getattr(one, name, one) is not value:
                object.__setattr__(one, name, value)
