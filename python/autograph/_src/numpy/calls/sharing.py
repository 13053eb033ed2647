"""``np.may_share_memory`` of arrays that the program has made, apart or as views; of others the run knows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograph._src.numpy.calls.registry import overload, unknown_while_tracing
from autograph._src.staging.tensors.memory import OUTSIDE, Memory, Role, memories_of
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.tensors.views import is_part_of


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


def _are_one(a: object, b: object) -> bool:
    """Whether one value is the other, or known as a view of it, and both have elements.

    Whether two parts of one array overlap is not asked: that depends on how the array lies in memory.
    """
    if not (isinstance(a, Tensor) and isinstance(b, Tensor) and a.form is b.form is Form.ARRAY):
        return False
    is_part = a is b or is_part_of(a, b) or is_part_of(b, a)
    return is_part and all(size for one in (a, b) for size in one.sizes)


def _shares(function: Callable[..., bool], a: object, b: object) -> bool:
    """The answer of a function that compares the memory of two arrays."""
    if _are_one(a, b):
        return True
    if not _are_apart(a, b):
        raise unknown_while_tracing(function, "whether an array is a view of another")
    return False


@overload(np.may_share_memory)
def _may_share_memory(a: object, b: object, /, max_work: int | None = None) -> bool:
    return _shares(np.may_share_memory, a, b)


@overload(np.shares_memory)
def _shares_memory(a: object, b: object, /, max_work: int | None = None) -> bool:
    return _shares(np.shares_memory, a, b)
