"""Methods and casts of narrow arrays and numbers: ``k.astype(float)``, ``k.sum()``, ``np.int16(x)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.memory_methods import MEMORY_METHODS
from autograph._src.numpy.calls.methods import FUNCTIONS, TO_NARROW, checked_method
from autograph._src.numpy.calls.open_lists import AFTERWARDS, list_of_open, made_rows
from autograph._src.numpy.calls.options import is_dtype
from autograph._src.numpy.calls.registry import call_function
from autograph._src.numpy.creation.conversions import in_order
from autograph._src.numpy.narrow.narrow_items import item_of
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.narrow.narrow_casts import converted, owned, whole_number
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor
from autograph._src.staging.tensors.parted import reformed
from autograph._src.staging.tensors.python_scalars import cast
from autograph._src.staging.tensors.tensor import Form, Tensor, plain_class
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error, type_error, value_error
from autograph._src.staging.trace.statements import records


@records(statements.bound_narrow_method)
def bound_method(x: NarrowTensor, name: str) -> object:
    """The method ``x.name``, for names that are not attributes of the class.

    Raises:
        AttributeError: If NumPy's values have no such attribute.
        StagingError: If they have it, but it is not staged.
    """
    plain = plain_class(x)
    if hasattr(plain, name):
        method = _METHODS.get(name)
        if method is not None:
            return checked_method(x, name, method)
        if name == "mT":
            return call_function(np.matrix_transpose, (x,), {})
        function = FUNCTIONS.get(name)
        if function is not None:
            return checked_method(x, name, lambda *args, **kwargs: call_function(function, args, kwargs))
        if not name.startswith("__"):
            what = f"`{name}` of a staged value of dtype {x.dtype} is not supported yet"
            raise staging_error("AG107", what, AFTERWARDS)
    module = "numpy." if plain.__module__ == "numpy" else ""
    raise AttributeError(f"'{module}{plain.__name__}' object has no attribute {name!r}")


def astype_narrow(
    x: Tensor,
    dtype: DTypeLike | None,
    order: object = "K",
    casting: Any = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> Tensor:
    """``x.astype(dtype)`` from or to a narrow dtype."""
    if not is_dtype(dtype):
        raise type_error("`dtype=` of `astype` is a value, not a type", "give its type: `a.astype(x.dtype)`")
    wanted = np.dtype(dtype)
    if not np.can_cast(x.dtype, wanted, casting):
        raise type_error(
            f"Cannot cast array data from {x.dtype!r} to {wanted!r} according to the rule {casting!r}"
        )
    if not copy and wanted == x.dtype and x.form is Form.ARRAY:
        return in_order(x, order)  # type: ignore[no-any-return]
    form = Form.ARRAY if x.form is Form.ARRAY else Form.SCALAR
    return reformed(owned(converted(x, wanted)), form)


TO_NARROW.append(astype_narrow)


def narrow_scalar(value: Tensor, dtype: np.dtype[Any]) -> Tensor:
    """``np.int16(value)``, where the value or the dtype is narrow."""
    if value.form is Form.PYTHON and dtype in CARRIERS:
        made: Tensor = item_of(value, dtype, is_picked=True)
    else:
        made = converted(value, dtype)
    return reformed(owned(made), Form.ARRAY if value.shape else Form.SCALAR)


def _item(x: NarrowTensor, *index: Any) -> Tensor:
    if len(index) == 1 and isinstance(index[0], tuple):
        index = index[0]
    chosen: Any = x
    if index:
        chosen = np.ravel(x)[index[0]] if len(index) == 1 else x[index]
    elif x.size != 1:
        raise value_error("can only convert an array of size 1 to a Python scalar")
    number = whole_number(chosen)
    flat = number if not number.sizes else number.reshape(())
    return cast(flat, "float64" if x.dtype.kind == "f" else "int64", Form.PYTHON)


def _fill(x: NarrowTensor, value: object) -> None:
    if x.form is not Form.ARRAY:  # NumPy fills a copy, and nothing happens.
        raise staging_error("AG112", "a scalar cannot be written in place")
    x[...] = value


def _reshape(x: NarrowTensor, *shape: object, order: object = "C") -> object:
    if not shape:
        raise type_error("reshape() takes exactly 1 argument (0 given)")
    return call_function(np.reshape, (x, shape[0] if len(shape) == 1 else shape), {"order": order})


def _transpose(x: NarrowTensor, *axes: object) -> object:
    order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else (axes or None)
    return call_function(np.transpose, (x, order), {})


def _sort(
    x: NarrowTensor, axis: int = -1, kind: object = None, order: object = None, **options: object
) -> None:
    x[...] = call_function(np.sort, (x, axis, kind, order), options)


def _to_list(x: NarrowTensor) -> object:
    if None in x.sizes:
        return list_of_open(x)
    return made_rows(x, _item)


def _copy(x: NarrowTensor, order: object = "C") -> object:
    return call_function(np.copy, (x, order), {}) if x.form is Form.ARRAY else x


def _clip(x: NarrowTensor, min: object = None, max: object = None, out: object = None) -> object:
    return call_function(np.clip, (x, min, max, out), {})


_METHODS: dict[str, Callable[..., Any]] = {
    "astype": astype_narrow,
    "copy": _copy,
    "clip": _clip,
    "item": _item,
    "fill": _fill,
    "flatten": lambda x, order="C": np.copy(np.ravel(x, order)),
    "reshape": _reshape,
    "transpose": _transpose,
    "sort": _sort,
    "tolist": _to_list,
    "conj": lambda x: x,
    "conjugate": lambda x: x,
    "compress": lambda x, condition, axis=None, out=None: call_function(
        np.compress, (condition, x, axis, out), {}
    ),
    **MEMORY_METHODS,
}
