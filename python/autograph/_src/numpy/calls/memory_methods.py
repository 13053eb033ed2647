"""Methods that look at an array's memory: ``view``, and those that a graph's arrays cannot have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import staging_error

_TYPE = type


def _view(x: Tensor, dtype: Any = None, type: Any = None) -> Any:
    """``x.view()``: the same elements under another name. In another dtype they would be other elements."""
    if isinstance(dtype, _TYPE) and issubclass(dtype, np.ndarray):
        dtype, type = None, dtype
    if type is not None and type is not np.ndarray:
        raise staging_error("AG108", "`view` as a subclass of arrays", "leave `type=` out")
    wanted = x.dtype if dtype is None or backend_of(dtype) is not None else np.dtype(dtype)
    if wanted == x.dtype and backend_of(dtype) is None:
        return x[...] if x.form is Form.ARRAY else x
    raise staging_error(
        "AG108",
        f"`view` of {x.dtype} as another dtype: a graph does not read the memory of one as the other",
        "convert the values with `.astype`, or read the memory in an `ag.py_function`, which gives a new"
        " array",
    )


def _resize(x: Tensor, *_: object, **__: object) -> NoReturn:
    raise staging_error(
        "AG107",
        "`resize` changes the shape of an array in place, and one of a graph keeps its shape",
        "make a new array: `np.pad` adds zeros, `np.resize` repeats the elements, a slice drops some",
    )


MEMORY_METHODS: dict[str, Callable[..., Any]] = {"view": _view, "resize": _resize}
