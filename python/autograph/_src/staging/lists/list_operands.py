"""Rules for the other operand of an operator on a list: `xs * n`, `xs += ys`."""

from __future__ import annotations

import dis
import operator
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.staging.lists.list_indices import no_factor
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor, plain_class
from autograph._src.staging.trace.active import staging_error, type_error
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.running_operator import is_in_place


def reflected_sum(values: list[Any], other: object) -> object:
    """``values += other`` where ``other`` has ``__radd__``, which CPython calls before it extends a list.

        xs = [1.0, 2.0]
        xs += np.ones(2)        # `xs` is now the array of the sums

    Returns:
        The sum; ``NotImplemented`` if the list is to be extended.

    Raises:
        StagingError: If the program calls ``values.__iadd__(other)``, which extends the list (AG105).
    """
    is_python_number = isinstance(other, Tensor) and other.form is Form.PYTHON
    method = getattr(type(other), "__radd__", None)
    if method is None or is_python_number or isinstance(other, (list, tuple, StagedString)):
        return NotImplemented
    if not is_in_place():
        message = "`__iadd__` of a list and something that is not a list"
        raise staging_error("AG105", message, "write `xs += x` for a sum, `xs.extend(x)` for more elements")
    return method(other, values)


def is_plain(value: object) -> bool:
    """Whether Python can compare a value now: it is neither staged nor a container."""
    return backend_of(value) is None and not isinstance(value, (list, tuple, np.ndarray))


def is_staged_factor(value: object) -> bool:
    """Whether a factor is a staged integer scalar, which repeats a list; an array multiplies its elements."""
    if not isinstance(value, Tensor) or value.shape or value.form is Form.ARRAY:
        return False
    return value.dtype.kind in "iu"


def not_added(other: object) -> Any:
    """``xs + other`` where `other` is no list: CPython's error, or what the other class makes of it."""
    if type(other) in _OF_PYTHON:
        return operator.add([], other)
    is_number = isinstance(other, Tensor) and other.form is Form.PYTHON
    name = plain_class(other).__name__ if isinstance(other, Tensor) else type(other).__name__
    if is_number or name == "tuple":
        raise type_error(f'can only concatenate list (not "{name}") to list')
    return NotImplemented


_OF_PYTHON = frozenset(
    (bool, int, float, complex, str, bytes, tuple, dict, set, frozenset, range, type(None))
)


def refuse_factor(count: object) -> object:
    """Refuses a list times a staged non-integer scalar; leaves other operands to their own operators."""
    refuse_reflected_factor(count)
    return operator.mul([], count) if type(count) in _OF_PYTHON else NotImplemented


def refuse_reflected_factor(count: object) -> Any:
    """The same of ``count * xs``: what Python says of it depends on the left operand."""
    if isinstance(count, Tensor) and not count.shape and count.form is not Form.ARRAY:
        # Not a `TypeError`, which the graph would record: the variable may be an integer on the path taken.
        raise staging_error("AG120", no_factor(count), "convert it: `int(n)`")
    return NotImplemented


def is_product_of_scalar(ufunc: np.ufunc, operands: tuple[Any, ...]) -> bool:
    """Whether the program runs the operator ``np.int64(2) * xs``, which repeats, and not `np.multiply`."""
    frame = user_frame() if ufunc is np.multiply and isinstance(operands[0], (np.generic, list)) else None
    if frame is None or not isinstance(operands[-1], (np.generic, list)):
        return False
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] == "BINARY_OP" or is_in_place()


def repeated_by_scalar(one: Any, other: Any) -> object:
    """A list repeated by a NumPy scalar, which must be an integer."""
    values, count = (one, other) if isinstance(one, list) else (other, one)
    if not isinstance(count, np.integer):
        raise TypeError(no_factor(count))
    return values * int(count)
