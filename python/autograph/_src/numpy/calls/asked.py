"""NumPy's own errors for invalid arguments, found by calling NumPy with sample arrays.

    np.compress(2, x)           # ValueError: condition must be a 1-d array
    np.diff(x, -1)              # ValueError: order must be non-negative but got -1

So the staged version of a function need not repeat NumPy's checks. If NumPy raises for arrays of zeros and
of ones of the same dtypes and shapes, the staged call raises the same error.
"""

from __future__ import annotations

import enum
import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.staging.tensors.tensor import Form, Tensor, plain_class

_MOST_ELEMENTS = 1024
"""The most elements of a sample array; calls with larger arrays are not checked."""
_MOST_OF_ALL = 1 << 20
"""The largest product of all sizes and numbers in a call, an estimate of the size of its result."""
_MAKE_MORE = frozenset((np.pad, np.histogramdd))
"""Functions whose result has a size that is a power of a numeric argument."""

_RAISED = (TypeError, ValueError, IndexError)


class Answer(enum.Enum):
    """NumPy's reaction to the samples: it accepts them, it raises, or nothing is known."""

    TAKES = enum.auto()
    RAISES = enum.auto()
    UNKNOWN = enum.auto()


class _NoSampleError(Exception):
    pass


def answer_to(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answer:
    """Whether NumPy accepts a call; NumPy is not called for large ones."""
    if function in _MAKE_MORE:
        return Answer.UNKNOWN
    try:
        given, named = _keys_of(args, kwargs)
    except _NoSampleError:
        return Answer.UNKNOWN
    sizes = [_size_of(one) for one in (*given, *(one for _, one in named))]
    return _answer(function, given, named) if math.prod(sizes) <= _MOST_OF_ALL else Answer.UNKNOWN


def is_usual(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether NumPy certainly accepts a call, such as ``np.sum(x, axis=1, keepdims=True)``."""
    if len(args) != 1 or not isinstance(args[0], Tensor):
        return False
    axis = kwargs.get("axis", 0)
    is_axis = "axis" not in kwargs or (type(axis) is int and -args[0].ndim <= axis < args[0].ndim)
    return is_axis and kwargs.keys() <= {"axis", "keepdims"} and type(kwargs.get("keepdims", True)) is bool


def _size_of(key: tuple[Any, ...]) -> int:
    """The number of elements of an array, or the value of a number that may be a size."""
    match key:
        case "array", _, _, sizes:
            return max(1, int(math.prod(sizes)))
        case "bytes", _, sizes, _:
            return max(1, int(math.prod(sizes)))
        case "parts", _, *parts:
            return max(len(parts), math.prod(map(_size_of, parts)), 1)
        case "value", _, _, int() | np.integer() as number:
            return max(1, abs(int(number)))
    return 1


def error_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
    """The error that NumPy raises for a call that it refuses."""
    error = _error(function, *_keys_of(args, kwargs), 1)
    assert error is not None
    return error.with_traceback(None)


@functools.lru_cache(4096)
def _answer(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]
) -> Answer:
    errors = []
    for number in (0, 1):
        error = _error(function, args, kwargs, number)
        if error is None:
            return Answer.TAKES
        errors.append(error)
    # Errors of other classes depend on the elements, so the samples tell nothing.
    is_known = all(isinstance(one, _RAISED) and not isinstance(one, np.linalg.LinAlgError) for one in errors)
    is_same = type(errors[0]) is type(errors[1]) and str(errors[0]) == str(errors[1])
    return Answer.RAISES if is_known and is_same else Answer.UNKNOWN


def _error(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...], number: int
) -> Exception | None:
    """The exception of a call whose sample arrays are filled with this number; ``None`` if it succeeds."""
    given = [_sample(key, number) for key in args]
    named = {name: _sample(key, number) for name, key in kwargs}
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*given, **named)
    except Exception as error:
        return error
    return None


def _keys_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    return tuple(map(_key_of, args)), tuple((name, _key_of(value)) for name, value in kwargs.items())


def _key_of(value: Any) -> tuple[Any, ...]:
    """A hashable key from which a sample of a value can be made."""
    kind = type(value)
    if isinstance(value, Tensor):
        sizes = [size for size in value.sizes if size is not None]
        if len(sizes) < len(value.sizes) or np.prod(sizes, dtype=float) > _MOST_ELEMENTS:
            raise _NoSampleError
        return (
            ("array" if value.form is Form.ARRAY else "scalar"),
            plain_class(value),
            value.dtype,
            value.sizes,
        )
    if kind is np.ndarray and value.size <= _MOST_ELEMENTS and value.dtype.kind in "biufc":
        return "bytes", value.dtype, value.shape, value.tobytes()
    if kind is tuple:
        return ("parts", tuple, *map(_key_of, value))
    if isinstance(value, list) and backend_of(value) is None:
        # Traced lists have a class of this package; NumPy sees a plain list.
        return ("parts", list, *map(_key_of, list.__iter__(value)))
    if isinstance(value, (bool, int, float, complex, str, type(None), np.generic)):
        return "value", kind, repr(value), value
    if kind is dict:
        return ("items", *((key, _key_of(one)) for key, one in value.items()))
    if kind in (set, frozenset):
        return "elements", kind, frozenset(value)
    if isinstance(value, (type, np.dtype)) or value is np._NoValue:
        return "itself", value
    raise _NoSampleError


def _sample(key: tuple[Any, ...], number: int) -> object:
    match key:
        case "array", _, dtype, sizes:
            return np.full(sizes, number, dtype)
        case "scalar", kind, _, _:
            return kind(number)
        case "bytes", dtype, shape, data:
            return np.frombuffer(data, dtype).reshape(shape).copy()
        case "parts", kind, *parts:
            return kind(_sample(part, number) for part in parts)
        case "value", _, _, value:
            return value
        case "items", *items:
            return {name: _sample(part, number) for name, part in items}
        case "elements", kind, elements:
            return kind(elements)
    return key[1]
