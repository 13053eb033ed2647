"""``np.may_share_memory`` of arrays that the program has made apart; of others only the run knows."""

from __future__ import annotations

import numpy as np

from autograph._src.numpy.calls.registry import overload, unknown_while_tracing
from autograph._src.staging.tensors.memory import OUTSIDE, Memory, Role, memories_of
from autograph._src.staging.tensors.tensor import Form, Tensor


def _are_apart(a: object, b: object) -> bool:
    """Whether two values have no memory in common: one is an array that the program has made.

    Arguments and plain arrays may be views of one array in a later run.
    """
    if not all(_is_array(value) for value in (a, b)):
        return True  # NumPy makes arrays of numbers.
    of_a, of_b = _memories(a), _memories(b)
    if any(_role(value) not in (Role.OWNER, Role.VIEW) for value in (a, b)):
        return False
    is_outside = [any(one.is_given or one.outlives_trace for one in memories) for memories in (of_a, of_b)]
    return not all(is_outside) and {id(one) for one in of_a}.isdisjoint(id(one) for one in of_b)


def _is_array(value: object) -> bool:
    return value.form is Form.ARRAY if isinstance(value, Tensor) else isinstance(value, np.ndarray)


def _role(array: object) -> Role:
    return array.role if isinstance(array, Tensor) else Role.OWNER


def _memories(array: object) -> list[Memory]:
    return memories_of(array) if isinstance(array, Tensor) else [OUTSIDE]


@overload(np.may_share_memory)
def _may_share_memory(a: object, b: object, /, max_work: int | None = None) -> bool:
    if not _are_apart(a, b):
        raise unknown_while_tracing(np.may_share_memory, "whether an array is a view of another")
    return False


@overload(np.shares_memory)
def _shares_memory(a: object, b: object, /, max_work: int | None = None) -> bool:
    if not _are_apart(a, b):
        raise unknown_while_tracing(np.shares_memory, "whether an array is a view of another")
    return False
