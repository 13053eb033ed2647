"""Converts a value that is written into an item of an integer array, by NumPy's rules.

NumPy converts a Python number with `int` and checks that it fits; it casts arrays without a check::

    x = np.zeros(3, np.int32)
    x[0] = 2.7                     # int(2.7)
    x[0] = float("nan")            # ValueError: cannot convert float NaN to integer
    x[0] = 2**40                   # OverflowError: Python integer 1099511627776 out of bounds for int32
    x[0] = np.array(1e30)          # cast as `astype` does, whatever comes out

``int32`` and ``int64`` arrays treat NumPy scalars like Python numbers, unless the index is an array or a
mask; ``uint8`` arrays cast them. Elements of lists are converted one by one, also of lists of which only the
run knows how many they have.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import both, compare
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import type_error, value_error
from autograph._src.staging.trace.statements import record_failure_of


def as_items(value: Any, dtype: np.dtype[Any], is_picked: bool) -> Tensor:
    """Converts a value for a write into items of an array, as NumPy does.

    Args:
        value: The value: staged, plain, or a sequence.
        dtype: The dtype of the array.
        is_picked: Whether the index has index arrays or a mask.
    """
    if isinstance(value, list) and has_own(value, "stacked"):
        return value.stacked(dtype)  # type: ignore[attr-defined, no-any-return]
    if dtype.kind not in "iu":
        return lift(value)
    if isinstance(value, (list, tuple)):
        return _of_sequence(value, dtype)
    source = lift(value)
    if type(value) in (bool, int) and np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        return source
    if _is_number(source, dtype, is_picked):
        require_fitting(source, dtype)
    return source


def _is_number(source: Tensor, dtype: np.dtype[Any], is_picked: bool) -> bool:
    """Whether NumPy treats a value like a Python number."""
    if source.dtype.kind == "c" or source.form is Form.ARRAY:
        return False
    return source.form is Form.PYTHON or (not is_picked and dtype.kind == "i")


def _of_sequence(values: Any, dtype: np.dtype[Any]) -> Tensor:
    """A sequence whose elements are converted one by one."""
    if not values:
        return lift(values)
    rows = [as_items(value, dtype, False) for value in values]
    cast = [_cast(row, dtype) for row in rows]
    return np.stack(cast)  # type: ignore[return-value]


def _cast(source: Tensor, dtype: np.dtype[Any]) -> Tensor:
    value = source.read() if source.dtype == dtype else emit("cast", source.read(), dtype_name(dtype))
    return wrap(value, Form.ARRAY)


def require_fitting(source: Tensor, dtype: np.dtype[Any]) -> None:
    """Records that the run raises NumPy's error if a number does not fit into this integer dtype.

    ``np.uint8(3) + n`` checks a Python int in the same way as ``x[0] = n``.
    """
    if np.can_cast(source.dtype, dtype, "safe") or _is_known_inside(source, dtype):
        return

    def write(number: object) -> None:
        np.zeros(1, dtype)[0] = number

    limits = np.iinfo(dtype)
    if source.dtype.kind != "f":
        number = wrap(emit("cast", source.read(), "int64"), Form.PYTHON)
        high = min(int(limits.max), 2**63 - 1)  # A staged int has 64 bits, a uint64 may be larger.
        inside = both(compare("greater_equal", number, int(limits.min)), compare("less_equal", number, high))
        record_failure_of(inside, OverflowError, write, source)
        return
    number = wrap(emit("cast", source.read(), "float64"), Form.PYTHON)
    record_failure_of(compare("equal", number, number), ValueError, write, source)
    # `int` truncates, so -0.9 fits. The bounds must be exact floats: 2.0**63 is one, 2**63 - 1 is not.
    is_above = ("greater_equal", -(2.0**63)) if dtype == np.int64 else ("greater", limits.min - 1.0)
    inside = both(compare(is_above[0], number, is_above[1]), compare("less", number, limits.max + 1.0))
    record_failure_of(inside, OverflowError, write, source)


def as_converted(elements: Tensor, form: Form, dtype: np.dtype[Any]) -> Tensor:
    """The elements of a list as an array of a dtype, each converted as it would be alone.

    Args:
        elements: The elements, along the first axis.
        form: What each of them is.
        dtype: The dtype.
    """
    if form is Form.PYTHON or (form is Form.SCALAR and dtype.kind == "i"):
        _require_that_all_fit(elements, form, dtype)
    return _cast(elements, dtype)


def _require_that_all_fit(elements: Tensor, form: Form, dtype: np.dtype[Any]) -> None:
    """As :func:`require_fitting`, for each of some numbers; the first that does not fit decides the error."""
    if dtype.kind not in "iu" or np.can_cast(elements.dtype, dtype, "safe") or elements.dtype.kind == "b":
        return

    def convert(numbers: Any) -> None:
        np.array(numbers.tolist() if form is Form.PYTHON else list(numbers), dtype)

    values: Any = elements
    limits = np.iinfo(dtype)
    if elements.dtype.kind != "f":
        values = values.astype(np.int64)
        fits = (values >= int(limits.min)) & (values <= min(int(limits.max), 2**63 - 1))
        record_failure_of(lift(np.all(fits)), OverflowError, convert, elements)
        return
    values = values.astype(np.float64)
    low = values >= -(2.0**63) if dtype == np.int64 else values > limits.min - 1.0
    fits = low & (values < limits.max + 1.0)
    # Whether the first that does not fit is a NaN; where all fit, that is the `False` behind them.
    first = np.argmin(np.concatenate([fits, [False]]))
    is_nan = np.concatenate([values != values, [False]])[first]
    record_failure_of(lift(np.logical_not(is_nan)), ValueError, convert, elements)
    record_failure_of(lift(np.all(fits)), OverflowError, convert, elements)


def _is_known_inside(source: Tensor, dtype: np.dtype[Any]) -> bool:
    """Whether the known range of a loop index fits."""
    if source.affine is None:
        return False
    limits = np.iinfo(dtype)
    low, high = source.affine.bounds()
    return bool(limits.min <= low and high <= limits.max)


def refuse_sequence(value: object, dtype: np.dtype[Any]) -> None:
    """Raises NumPy's error if a sequence or array is written into one element: ``x[0] = [1]``."""
    is_sequence = isinstance(value, (list, tuple))
    if dtype.kind == "b" or not (is_sequence or (isinstance(value, (np.ndarray, Tensor)) and np.ndim(value))):
        return
    if not is_sequence and _ELEMENTS_TAKE_ARRAYS and lift(value).size == 1:
        return
    if is_sequence and dtype.kind in "iu":
        raise type_error(
            "int() argument must be a string, a bytes-like object or a real number, not"
            f" '{type(value).__name__}'"
        )
    raise value_error("setting an array element with a sequence.")


def refuse_depth(value: object, rank: int) -> None:
    """Raises NumPy's error for a sequence that is nested deeper than the target slice has axes.

    Args:
        value: The value. NumPy drops leading axes of size 1 of an array, but not of a sequence.
        rank: The number of axes of the target slice.
    """
    if isinstance(value, (list, tuple)) and _depth(value) > rank:
        raise value_error(
            "setting an array element with a sequence. The requested array would exceed the maximum number of"
            f" dimension of {rank}."
        )


def _depth(value: object) -> int:
    if isinstance(value, (list, tuple)) and not hasattr(type(value), "stacked"):
        return 1 + max(map(_depth, value), default=0)
    if isinstance(value, list):
        return value.stacked(np.dtype(float)).ndim  # type: ignore[attr-defined, no-any-return]
    return np.ndim(value) if isinstance(value, (Tensor, np.ndarray)) else 0


def _elements_take_arrays() -> bool:
    """Whether this NumPy still accepts an array of one element as a number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            np.zeros(1)[0] = np.ones(1)
        except ValueError:
            return False
    return True


_ELEMENTS_TAKE_ARRAYS = _elements_take_arrays()
