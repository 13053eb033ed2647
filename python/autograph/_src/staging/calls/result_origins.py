"""Which older lists and records those in the result of a function of the graph may be.

    def other(x, y, n):                 # recursive, a function of the graph
        if n == 0:
            return x                    # a list, a dict or an object of the caller
        return other(y, x, n - 1)

    v = other(x, y, n)
    v.append(1)                         # refused: which list is changed only the run knows

The graph returns what such a container holds, and the caller makes a new one of it. It may be one that the
function was given, one from around the function, or one of the caller of the whole graph; one that the
function makes in each of its calls is none of them, and may be changed.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.lists.list_joins import serial_of
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.joined_records import JoinedRecord
from autograph._src.staging.objects.origins import containers_in, origins_of, own_origins
from autograph._src.staging.objects.record_object import RecordObject
from autograph._src.staging.tensors.memory import Memory, Role, distinct
from autograph._src.staging.trace.record_trees import is_record_tree, record_values
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.trace import Trace


@dataclass(frozen=True)
class Origin:
    """What a list or record in the result of a function may be.

    Attributes:
        is_argument: Whether it may be a container in the arguments.
        is_outside: Whether it is a list that was chosen among those of the caller of the graph.
        memories: Those of the containers from around the function that it may be, each once, by age.
    """

    is_argument: bool
    is_outside: bool
    memories: tuple[Memory, ...]

    def is_new(self) -> bool:
        """Whether each call makes it."""
        return not (self.is_argument or self.is_outside or self.memories)


def origins_of_result(value: object, serial: int, parameters: Sequence[object]) -> list[Origin]:
    """What the containers of a result may be, in the order of the result.

    Args:
        value: What the function returns.
        serial: The serial number before its call.
        parameters: The values of its parameters.
    """
    given = {id(one) for one in origins_of(tuple(parameters))}
    found = []
    for one in _in_order(value, ()):
        memories = distinct(own_origins(one))
        around = [memory for memory in memories if memory.serial <= serial and id(memory) not in given]
        around.sort(key=operator.attrgetter("serial"))
        is_argument = any(id(memory) in given for memory in memories)
        found.append(Origin(is_argument, is_chosen_outside(one), tuple(around)))
    return found


def is_chosen_outside(value: object) -> bool:
    """Whether a value is a list that a staged statement chose among lists from outside of the graph."""
    return isinstance(value, TracedList) and value.role in (Role.CARRIED, Role.JOINED) and not value.sites


def note_origins_of_result(
    trace: Trace, result: object, origins: list[Origin], arguments: Sequence[object]
) -> None:
    """Notes what the containers of the result of a call may be: a write to one of them is refused.

    Args:
        trace: The trace.
        result: The result, with new containers.
        origins: What those of the function may be, in the same order.
        arguments: The arguments of the call.
    """
    given = containers_in(tuple(arguments))
    for one, origin in zip(_in_order(result, ()), origins, strict=True):
        if origin.is_new() or serial_of(one) == 0:
            continue
        if isinstance(one, TracedList):
            lists = [other for other in given if isinstance(other, TracedList)]
            # A list in a tuple is given by its elements, and the function has one from outside in its place.
            is_given = origin.is_argument or origin.is_outside
            one.may_be(lists if is_given else [], Role.JOINED)
            others = [memory for memory in origin.memories if memory is not one.memory]
            one.shared = (*one.shared, *((memory, memory.version) for memory in others))
        else:
            records = [other for other in given if is_record_tree(other)] if origin.is_argument else []
            _note_record(trace, one, [*origins_of(tuple(records)), *origin.memories])


def _note_record(trace: Trace, record: object, others: list[Memory]) -> None:
    joined = trace.objects.joined
    sites = joined.sites_of_all(record, others)
    kind = dataclasses.replace(RecordObject.of_record(record), sites=sites)
    joined.add(JoinedRecord(record, "the result", tuple(trace.journal.blocks), kind))
    joined.may_be(record, others)


def _in_order(value: object, around: tuple[int, ...]) -> Iterator[Any]:
    """The lists and records of the trace in a value, one that is there twice twice; rows are left out."""
    for leaf in leaves_of(value):
        is_list = isinstance(leaf, TracedList)
        if id(leaf) in around or is_reference(leaf) or not (is_list or is_record_tree(leaf)):
            continue
        yield leaf
        inside = tuple(list.copy(leaf)) if is_list else record_values(leaf)
        yield from _in_order(inside, (*around, id(leaf)))
