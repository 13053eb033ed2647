"""``np.array``, ``np.asarray`` and their like: which of them return the array itself, or a view of it.

>>> y = np.zeros((2, 3))
>>> np.asarray(y) is y, np.array(y) is y, np.array(y, copy=None) is y
(True, False, True)
>>> np.shares_memory(np.asarray(y.T, order="C"), y)  # It lies in another order, so it is copied.
False
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.staging.tensors.layouts import order_of
from autograph._src.staging.tensors.memory import C_ORDER
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import value_error

Copied = Callable[..., Any]
"""Makes an array from an object, a dtype and the least rank: always a new one."""


def in_order(array: Any, order: object) -> Any:
    """The array itself where NumPy does not copy it to have it in an order: ``None``, ``"C"``, ``"F"`` ...

    Where the order of the arguments decides, it is a view of itself, which a call with another order refuses.
    Where it may lie in that order or not, writes to it are refused.
    """
    if not isinstance(array, Tensor):
        return np.asarray(array, order=order)  # type: ignore[call-overload]
    if order in (None, "K", "A") or (order == "C" and order_of(array) == C_ORDER):
        return array
    wanted: Any = order if array.ndim > 1 else "C"
    return np.reshape(np.ravel(array, order=wanted), array.shape, order=wanted)


def as_array_by(copied: Copied) -> Callable[..., Any]:
    """``np.asarray``: returns an array of the dtype itself; ``copied`` makes an array from anything else."""

    def as_array(
        a: Any,
        dtype: DTypeLike | None = None,
        order: object = None,
        *,
        device: object = None,
        copy: object = None,
        like: object = None,
    ) -> Any:
        is_array = isinstance(a, np.ndarray) or (isinstance(a, Tensor) and a.form is Form.ARRAY)
        if is_array and not copy and (dtype is None or np.dtype(dtype) == a.dtype):
            return in_order(a, order)
        if copy is not None and not copy:
            raise value_error("Unable to avoid copy while creating an array as requested.")
        return copied(a, dtype)

    return as_array


def array_by(copied: Copied) -> Callable[..., Any]:
    """``np.array``, which copies unless ``copy=`` says otherwise."""
    as_array = as_array_by(copied)

    def array(
        a: Any,
        dtype: DTypeLike | None = None,
        copy: object = True,
        order: object = None,
        subok: bool = False,
        ndmin: int = 0,
        ndmax: int = 0,
        like: object = None,
    ) -> Any:
        if copy:
            return copied(a, dtype, ndmin)
        made = as_array(a, dtype, order, copy=copy)
        lead = (1,) * max(ndmin - made.ndim, 0)
        return np.reshape(made, (*lead, *made.shape)) if lead else made

    return array
