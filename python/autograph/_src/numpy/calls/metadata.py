"""Functions of dtypes, such as ``np.result_type``: dtypes are known while tracing, so results are plain."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from autograph._src.numpy.calls.borrowed import STANDINS
from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import creator, overload, unsupported_option
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import type_error

_WEAK: dict[str, Any] = {"b": False, "i": 0, "f": 0.0, "c": 0j}


def plain_type(value: object) -> Any:
    """A stand-in for a value of which only the type counts: a dtype, or a weakly typed Python number."""
    if not isinstance(value, Tensor):
        return _no_values(value)
    return _WEAK[value.dtype.kind] if value.form is Form.PYTHON else value.dtype


def _no_values(given: object) -> Any:
    """A dtype argument; refuses a tuple of staged values, whose ``dtype`` attributes NumPy would read."""
    if holds_staged(given):
        raise type_error("a sequence of values is given as a data type")
    return given


@overload(np.result_type)
def _result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    return np.result_type(*map(plain_type, arrays_and_dtypes))


@creator(np.can_cast)  # NumPy dispatches on the first argument only.
def _can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    if holds_staged(to):
        raise type_error("`to` of `np.can_cast` is a value, not a type")
    if isinstance(from_, Tensor) and from_.form is Form.PYTHON:
        raise type_error("can_cast() does not support Python ints, floats, and complex")
    return np.can_cast(lift(from_).dtype if isinstance(from_, Tensor) else _no_values(from_), to, casting)


@overload(np.min_scalar_type)
def _min_scalar_type(a: ArrayLike, /) -> object:
    if not lift(a).shape:
        raise unsupported_option(np.min_scalar_type, "a")
    return lift(a).dtype


@creator(np.isscalar)
def _isscalar(element: object) -> bool:
    if isinstance(element, Tensor):
        return element.form is not Form.ARRAY
    return np.isscalar(element)


@creator(np.iterable)
def _iterable(y: object) -> bool:
    return bool(y.shape) if isinstance(y, Tensor) else np.iterable(y)


@overload(*([np.astype] if hasattr(np, "astype") else []))
def _astype(x: object, dtype: DTypeLike | None, /, *, copy: bool = True, device: object = None) -> object:
    if not isinstance(x, Tensor) or x.form is Form.PYTHON:
        raise type_error("Input should be a NumPy array or scalar.")
    return lift(x.astype(dtype, copy=copy)) if x.form is Form.ARRAY else x.astype(dtype)


STANDINS[np.result_type] = lambda *given: np.result_type(*map(plain_type, given))
