"""The exception of an operator with a ``None`` operand, found by running it on plain sample operands.

    best = None
    for x in xs:                # staged
        if x > 0:
            best = x
    total -= best               # `best` is a float64 or `None`

If `best` is `None`, the run raises what `np.float64(1) - None` raises.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of, type_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.python_scalars import require
from autograph._src.staging.tensors.tensor import Form, Tensor, plain_class
from autograph._src.staging.trace.active import is_foreign, staging_error
from autograph._src.staging.trace.known_tests import known_truth
from autograph._src.staging.trace.running_operator import ARITHMETIC
from autograph._src.staging.trace.statements import record_failure_of

Operation = Callable[[Any, Any], Any]

_IN_PLACE = {getattr(operator, f"__i{name}__") for name in ARITHMETIC}
"""The in-place operators, for which NumPy first checks that the result fits into the left array."""


def failure_of(operation: Operation, left: object, right: object) -> Exception:
    """The exception that an operator raises for these operands, one of which is ``None``.

    Raises:
        StagingError: If the operator does not raise, or no plain sample of an operand exists (AG120).
    """
    present = right if left is None else left
    if is_foreign(present):  # Only that library knows what its operators say.
        return TypeError(f"unsupported operand type(s): 'NoneType' and '{type(present).__name__}'")
    if isinstance(present, (Tensor, np.ndarray)) and not (operation in _IN_PLACE and right is None):
        _refuse_beside_nothing(present)
    try:
        operation(sample_of(left), sample_of(right))
    except (TypeError, ValueError) as error:
        return error.with_traceback(None)
    raise _unknown_beside(present)


def record_failure_unless(ok: Tensor, operation: Operation, left: object, right: object) -> None:
    """Records that the run raises, unless ``ok``, what an operator raises for these operands."""
    if known_truth(ok.read()):
        return
    error = failure_of(operation, left, right)
    if type(error) in (TypeError, ValueError):
        require(ok, type(error), str(error))
        return
    operands = sample_of(left), sample_of(right)
    record_failure_of(ok, type(error), lambda _: operation(*operands), 0)


def _refuse_beside_nothing(present: Any) -> None:
    """Refuses ``None`` with an array that may be empty: NumPy raises only if there is an element."""
    sizes = present.sizes if isinstance(present, Tensor) else np.shape(present)
    if any(size is None or size == 0 for size in sizes):
        raise staging_error(
            "AG120",
            "NumPy makes an array of objects of `None` and an array that may have no elements",
            "test `is None` first",
        )


def has_method(operation: Operation, value: object) -> bool:
    """Whether the program's class of an operand defines the operator, so that it may accept ``None``."""
    if backend_of(value) is not None:
        return False
    name = operation.__name__.strip("_")
    name = name[1:] if operation in _IN_PLACE else name
    methods = {f"__{one}__" for one in (name, f"r{name}", f"i{name}", _REFLECTED.get(name, name))}
    return any(
        isinstance(vars(kind).get(method), FunctionType) for kind in type(value).__mro__ for method in methods
    )


_REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def sample_of(value: object) -> object:
    """A plain value of an operand's type."""
    kind = type(value)
    if isinstance(value, Tensor):
        is_array = value.form is Form.ARRAY
        return np.ones((1,) * len(value.sizes), value.dtype) if is_array else plain_class(value)(1)
    if isinstance(value, np.ndarray):
        return np.ones((1,) * value.ndim, value.dtype)
    if has_own(value, "ag_class"):  # A dict, a set or a deque of the run: a tuple of its tables.
        return value.ag_class()
    if issubclass(kind, tuple):
        return tuple.__new__(kind)
    if issubclass(kind, list):
        return []
    if backend_of(value) is not None:
        raise _unknown_beside(value)
    return value


def _unknown_beside(present: object) -> Exception:
    message = f"an operator of `None` and a value of type {type_name(present)} has no result before the run"
    return staging_error("AG120", message, "test `is None` first")
