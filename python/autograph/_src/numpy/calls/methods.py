"""Methods of staged arrays, such as ``x.sum(axis=0)``: NumPy functions with the array as first argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.index_arguments import with_index_arrays
from autograph._src.numpy.calls.memory_methods import MEMORY_METHODS
from autograph._src.numpy.calls.open_lists import AFTERWARDS, list_of_open, made_rows
from autograph._src.numpy.calls.options import is_dtype
from autograph._src.numpy.calls.registry import as_numpy_takes, call_function
from autograph._src.numpy.calls.walks import StagedFlat
from autograph._src.numpy.complex.complex_casts import astype_complex
from autograph._src.numpy.creation.conversions import in_order
from autograph._src.staging.kinds.optionals import refusal_of_none, required
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.tensors.item_conversions import refuse_sequence
from autograph._src.staging.tensors.lifting import check_dtype
from autograph._src.staging.tensors.memory import note_view
from autograph._src.staging.tensors.python_scalars import cast
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, plain_class, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error, type_error, value_error
from autograph._src.staging.trace.statements import records

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Tensor

_SAME_NAME = """
    sum prod max min any all mean var std argmax argmin cumsum cumprod ravel swapaxes squeeze
    repeat take dot trace diagonal argsort round searchsorted choose put argpartition nonzero
"""

FUNCTIONS: dict[str, Any] = {name: getattr(np, name) for name in _SAME_NAME.split()}
"""Methods that are a NumPy function with the array as its first argument."""


@records(statements.bound_method)
def bound_method(x: Tensor, name: str) -> object:
    """The method ``x.name``, for names that are not attributes of the class.

    Raises:
        AttributeError: If NumPy arrays have no such attribute.
        StagingError: If NumPy arrays have it, but it is not staged.
    """
    if x.form is x.form.SCALAR and not hasattr(plain_class(x), name):
        raise AttributeError(f"'numpy.{plain_class(x).__name__}' object has no attribute {name!r}")
    function = FUNCTIONS.get(name)
    if function is not None:
        return checked_method(
            x,
            name,
            lambda *args, **kwargs: call_function(function, *with_index_arrays(function, args, kwargs)),
        )
    attribute = _ATTRIBUTES.get(name)
    if attribute is not None:
        return attribute(x)
    method = _METHODS.get(name)
    if method is not None:
        return checked_method(x, name, method)
    plain = plain_class(x)
    if hasattr(plain, name) and not name.startswith("__"):
        what = "array" if plain is np.ndarray else plain.__name__
        raise staging_error("AG107", f"`{name}` of a staged {what} is not supported yet", AFTERWARDS)
    module = "numpy." if plain.__module__ == "numpy" else ""
    raise AttributeError(f"'{module}{plain.__name__}' object has no attribute {name!r}")


def _called(function: Callable[..., Any], *args: object, **kwargs: object) -> Any:
    """Calls the function of a method."""
    return call_function(function, *with_index_arrays(function, args, kwargs))


def checked_method(x: Tensor, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a staged value that accepts the arguments that NumPy's method accepts.

    An argument that may be ``None`` is replaced by its value, as in calls of functions. Otherwise a test in
    the method (``a.fill(w)``: is `w` a tuple?) would look at the pair of a flag and a value.

    Args:
        x: The value.
        name: The method's name.
        method: The method, with the value as its first argument.
    """
    original = getattr(plain_class(x), name, None)
    if original is None:  # This package also calls array methods on Python numbers, which lack them.
        return lambda *args, **kwargs: method(x, *args, **kwargs)
    message, error = refusal_of_none(original)

    def call(*args: object, **kwargs: object) -> Any:
        values = (required(value, message, error) for value in args)
        options = {name: required(value, message, error) for name, value in kwargs.items()}
        return as_numpy_takes(original, method, (x, *values), options)

    return call


def _copy(x: Tensor, order: Any = "C") -> object:
    """``x.copy(order)``; the copy of a NumPy scalar is a scalar."""
    if x.form is x.form.ARRAY:
        return call_function(np.copy, (x, order), {})
    np.ones(()).copy(order)  # Raises for an invalid order.
    return x


def _astype(
    x: Tensor,
    dtype: DTypeLike | None,
    order: object = "K",
    casting: Any = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> Tensor:
    if not is_dtype(dtype):
        raise type_error("`dtype=` of `astype` is a value, not a type", "give its type: `a.astype(x.dtype)`")
    wanted = np.dtype(dtype)
    if wanted.kind == "c":
        return astype_complex(x, wanted, order, casting, copy)
    if wanted in CARRIERS:
        return TO_NARROW[0](x, wanted, order, casting, subok, copy)  # type: ignore[no-any-return]
    check_dtype(wanted)
    if not np.can_cast(x.dtype, wanted, casting):
        raise type_error(
            f"Cannot cast array data from {x.dtype!r} to {wanted!r} according to the rule {casting!r}"
        )
    if not copy and wanted == x.dtype and x.form is Form.ARRAY:
        return in_order(x, order)  # type: ignore[no-any-return]
    if wanted == x.dtype:
        value = emit("reshape", x.read(), list(x.shape))
    else:
        value = emit("cast", x.read(), wanted.name)
    return wrap(value, Form.ARRAY if x.form is Form.ARRAY else None)


def _reshape(x: Tensor, *shape: object, order: object = "C") -> object:
    if not shape:
        raise type_error("reshape() takes exactly 1 argument (0 given)")
    wanted = shape[0] if len(shape) == 1 else shape
    return call_function(np.reshape, (x, wanted), {"order": order})


def _transpose(x: Tensor, *axes: object) -> object:
    order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else (axes or None)
    return call_function(np.transpose, (x, order), {})


def _item(x: Tensor, *index: Any) -> Tensor:
    if len(index) == 1 and isinstance(index[0], tuple):
        index = index[0]
    if any(isinstance(part, (np.ndarray, Tensor)) and np.ndim(part) for part in index):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    if index:
        chosen = call_function(np.ravel, (x,), {})[index] if len(index) == 1 else x[index]
    elif x.size == 1:
        chosen = wrap(emit("reshape", x.read(), []))
    else:
        raise value_error("can only convert an array of size 1 to a Python scalar")
    return cast(chosen, {"b": "bool", "i": "int64", "u": "int64", "f": "float64"}[x.dtype.kind], Form.PYTHON)


def _clip(x: Tensor, min: object = None, max: object = None, out: object = None, **options: object) -> object:
    return call_function(np.clip, (x, min, max, out), options)


def _fill(x: Tensor, value: Any) -> None:
    if x.form is not x.form.ARRAY:  # NumPy fills a copy, and nothing happens.
        raise staging_error("AG112", "a scalar cannot be written in place")
    refuse_sequence(value, x.dtype)
    if x.dtype.kind == "b" and (isinstance(value, (list, tuple)) or np.ndim(value)):
        message = "an array of bools is filled with the truth of a sequence"
        raise staging_error("AG105", message, "give one bool: `a.fill(True)`")
    x[...] = value


def _flatten(x: Tensor, order: object = "C") -> object:
    return call_function(np.copy, (call_function(np.ravel, (x, order), {}),), {})


def _sort(
    x: Tensor, axis: int = -1, kind: object = None, order: object = None, *, stable: object = None
) -> None:
    x[...] = call_function(np.sort, (x, axis), {"order": order})


def _partition(
    x: Tensor, kth: object, axis: int = -1, kind: object = "introselect", order: object = None
) -> None:
    x[...] = call_function(np.partition, (x, kth, axis), {"order": order})


def _to_list(x: Tensor) -> object:
    """``x.tolist()``: nested lists of Python numbers."""
    if None in x.sizes:
        return list_of_open(x)
    return made_rows(x, _item)


def _imaginary(x: Tensor) -> object:
    """``x.imag`` of a real array: zeros. NumPy's are read-only; these are a view, which refuses writes."""
    zeros = call_function(np.zeros_like, (x,), {})
    if x.form is not x.form.ARRAY:
        return zeros[()]
    note_view(zeros, x)
    return zeros


TO_NARROW: list[Callable[..., Any]] = []
"""The function that casts to narrow dtypes; ``narrow_methods`` registers it here."""

_ATTRIBUTES: dict[str, Callable[..., Any]] = {
    "flat": StagedFlat,
    "imag": _imaginary,
    "mT": lambda x: call_function(np.matrix_transpose, (x,), {}),
}

_METHODS: dict[str, Callable[..., Any]] = {
    "clip": _clip,
    "compress": lambda x, condition, axis=None, out=None: call_function(
        np.compress, (condition, x, axis, out), {}
    ),
    "copy": _copy,
    "astype": _astype,
    "reshape": _reshape,
    "transpose": _transpose,
    "item": _item,
    "fill": _fill,
    "flatten": _flatten,
    "sort": _sort,
    "partition": _partition,
    "tolist": _to_list,
    "conj": lambda x: x,
    "conjugate": lambda x: x,
    **MEMORY_METHODS,
}
