"""Arrays that only the variables of a loop refer to, so that these may pass them on.

    u, v = x.copy(), np.zeros(9)
    for _ in range(n):
        v[1:-1] = u[:-2] + u[2:]
        u, v = v, u             # each array has one name, before each iteration and after it

A variable that is written in place and bound anew in a loop may be an array that another name shows, which is
refused. Here it is not: nothing else refers to the arrays before the loop, and each iteration ends with every
variable bound to an array of its own. Then the loop carries what the arrays hold, as it does numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph._src.staging.lists.sharing import held_values, memories_in
from autograph._src.staging.tensors.memory import Role
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.tensor import Form, Tensor


def owned(entry: tuple[object, ...], serial: int) -> frozenset[int]:
    """The positions of the variables whose arrays nothing else refers to.

    Args:
        entry: The values of the variables before the loop. The program's variables hold others by now.
        serial: The serial number before the loop.
    """
    found = set()
    with held_values(entry):
        for position in range(len(entry)):
            if _may_be_owned(entry[position]) and not _is_seen(entry, position, serial):
                found.add(position)
    return frozenset(found)


def _may_be_owned(value: object) -> bool:
    if not isinstance(value, Tensor) or isinstance(value, PartedTensor):
        return False
    return value.form is Form.ARRAY and value.role is Role.OWNER and value._path is None


def _is_seen(entry: tuple[object, ...], position: int, serial: int) -> bool:
    """Whether something other than one variable refers to the array at a position."""
    known = {id(memory) for memory in memories_in(entry[position])}
    others = (value for place, value in enumerate(entry) if place != position)
    if any(id(memory) in known for value in others for memory in memories_in(value)):
        return True
    memories = memories_in(entry[position])
    return any(memory.is_given or memory.is_seen_before(serial) for memory in memories)


def shared_position(state: Sequence[object], positions: frozenset[int], serial: int) -> int | None:
    """The first of these positions whose array another variable may have, or that is from before the loop."""
    memories = [memories_in(value) for value in state]
    for position in sorted(positions):
        known = {id(memory) for memory in memories[position]}
        others = [one for place, found in enumerate(memories) if place != position for one in found]
        is_old = any(memory.serial <= serial for memory in memories[position])
        if is_old or any(id(memory) in known for memory in others):
            return position
    return None
