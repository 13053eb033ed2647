"""Calls of NumPy's functions in converted code while a trace records."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.numpy.calls.index_arguments import with_index_arrays
from autograph._src.numpy.calls.object_arrays import without_objects
from autograph._src.numpy.calls.of_scipy import call_of_scipy, is_of_scipy
from autograph._src.numpy.calls.options import check_options, holds_staged
from autograph._src.numpy.calls.outputs import without_out
from autograph._src.numpy.calls.registry import (
    CREATORS,
    OVERLOADS,
    UNDISPATCHED,
    are_direct,
    as_numpy_takes,
    call_function,
    name_of,
    require_arrays,
)
from autograph._src.numpy.calls.walks import call_vectorized
from autograph._src.numpy.complex.complex_casts import complex_scalar
from autograph._src.numpy.creation.random import call_generator
from autograph._src.numpy.narrow.narrow_methods import narrow_scalar
from autograph._src.operators.calls import backend_inside
from autograph._src.rooms import import_modules_of
from autograph._src.staging.complex.complex_tensor import ComplexTensor
from autograph._src.staging.kinds.optionals import StagedOptional, refusal_of_none, required
from autograph._src.staging.kinds.ragged_of import RaggedOf, array_type
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.unions import holds_unions, over_alternatives
from autograph._src.staging.lists.list_refusals import as_array, holds_staged_list, refuse_as_target
from autograph._src.staging.lists.ragged import joined_end_to_end
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.objects.list_arrays import flattened_rows
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.tensors.current_lists import require_current
from autograph._src.staging.tensors.item_conversions import as_items
from autograph._src.staging.tensors.lifting import check_dtype, lift, object_as_array
from autograph._src.staging.tensors.python_scalars import compare, require
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace, staging_error, type_error
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.trace import not_swallowed

__all__ = ["CREATORS", "OVERLOADS", "call_numpy"]

_FAMILIES = ("elementwise", "reductions", "shapes", "creation", "algebra", "complex", "narrow")
_OF_CALLS = ("assertions", "borrowed", "metadata", "sharing")

for _family in _FAMILIES:
    import_modules_of(f"autograph._src.numpy.{_family}")
for _module in _OF_CALLS:
    import_module(f"autograph._src.numpy.calls.{_module}")


def call_with_lists(
    function: Callable[..., Any] | np.ufunc, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """Calls a NumPy function with each staged list replaced by the array of its elements."""
    if function is np.trim_zeros:
        return OVERLOADS[function](*args, **kwargs)  # It returns a list for a list.
    require_arrays(function, args, kwargs)
    outputs = args[function.nin :] if isinstance(function, np.ufunc) else without_out(function, args, {})[2]
    refuse_as_target("__call__", (), outputs)
    refuse_as_target("__call__", (), kwargs.get("out"))
    if function is np.block:  # It joins a list of arrays, but returns one array of them unchanged.
        raise staging_error(
            "AG117",
            "what `np.block` makes of a list depends on how many elements it has, which only the run knows",
            "say what is meant: `np.concatenate(xs)`, or `np.stack(xs)`",
        )
    if function in _STACKS and args and isinstance(args[0], StagedList):
        verb = "stack" if function is np.stack else "concatenate"
        is_some = compare("greater", lift(args[0].length()), 0)
        require(is_some, ValueError, f"need at least one array to {verb}")
    joined = _joined(function, args, kwargs)
    if joined is not None:
        return joined
    if args and isinstance(args[0], StagedList) and function in (*_CONVERTERS, *_OF_SIZES):
        # The sizes are the same, whatever dtype an empty list has.
        dtype = np.dtype(float) if function in _OF_SIZES else _dtype_given(args, kwargs)
        args = (args[0].stacked(dtype), *args[1:])
    args, kwargs = with_index_arrays(function, args, kwargs)
    given: tuple[Any, ...] = tuple(lift(value) if isinstance(value, StagedList) else value for value in args)
    named = {name: lift(value) if isinstance(value, StagedList) else value for name, value in kwargs.items()}
    axis = args[1] if len(args) == 2 else kwargs.get("axis", 0)
    is_simple = len(args) in (1, 2) and not set(kwargs) - {"axis"} and isinstance(args[0], StagedList)
    if is_simple and function is np.stack:
        return given[0] if axis == 0 else np.copy(np.moveaxis(given[0], 0, axis), order="C")
    return call_numpy(function, given, named)


_METHODS_OF_ARRAYS = frozenset(
    ("take", "dot", "searchsorted", "clip", "compress", "choose", "repeat", "reshape")
)
"""Methods of a plain array that are staged for what is given to them."""

_CONVERTERS: tuple[Any, ...] = (
    np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asarray_chkfinite, np.fromiter,
)  # fmt: skip
"""Functions that convert the elements of their first argument one by one to a dtype."""
_OF_SIZES: tuple[Any, ...] = (np.shape, np.size, np.ndim)


def _dtype_given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.dtype[Any] | None:
    given = args[1] if len(args) > 1 else kwargs.get("dtype")
    dtype = None if given is None else np.dtype(given)
    return dtype if dtype is not None and dtype.kind in "biuf" else None


def _joined(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """``np.concatenate`` and ``np.vstack`` of a staged list, whose arrays may be of several sizes."""
    if len(args) not in (1, 2) or set(kwargs) - {"axis"} or not isinstance(args[0], StagedList):
        return None
    contents = args[0].current()
    if function in (np.concatenate, np.hstack) and len(args) == 1 and kwargs.get("axis", 0) == 0:
        flat = flattened_rows(contents)
        if flat is not None:
            return flat
    kind = array_type(contents.element)
    axis = args[1] if len(args) == 2 else kwargs.get("axis", 0)
    if isinstance(kind, TensorOf) and not kind.shape and function is np.concatenate:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if not isinstance(kind, TensorOf) or not kind.shape:
        return None
    if function is np.vstack and len(kind.shape) == 1:
        return args[0].stacked()
    if (function is np.hstack and len(kind.shape) == 1) or function is np.vstack:
        function = np.concatenate
    if function is not np.concatenate or axis != 0:
        return None
    if not isinstance(contents.element, RaggedOf):
        stacked = args[0].stacked()
        return np.reshape(stacked, (stacked.shape[0] * stacked.shape[1], *stacked.shape[2:]))
    return joined_end_to_end(contents)


_OF_SEQUENCES: tuple[Any, ...] = (
    np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack, np.block, np.select,
    np.choose, np.broadcast_arrays, np.meshgrid, np.einsum, np.linalg.multi_dot,
)  # fmt: skip
"""Functions of a list of arrays."""


_STACKS = (np.stack, np.vstack, np.hstack, np.dstack, np.column_stack)
"""Functions that join the elements of a list, arrays or numbers, and refuse an empty list."""

_OF_DTYPES = (np.result_type, np.promote_types, np.can_cast, np.issubdtype, np.dtype)
"""Functions for which a list is a dtype."""


def _lifted_list(value: object) -> Any:
    return lift(value) if holds_staged_list(value) else value


def call_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """Calls a NumPy function: creators always return staged arrays, scalar classes convert their argument."""
    return without_objects(function, _called(function, args, kwargs))


def _called(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """The function's result, which may be an array of objects."""
    owner = getattr(function, "__self__", None)
    is_method = type(owner) is np.ndarray and function.__name__ in _METHODS_OF_ARRAYS
    if is_method and holds_staged((*args, *kwargs.values())):
        return getattr(lift(owner), function.__name__)(*args, **kwargs)
    is_direct = are_direct(args) and are_direct(kwargs.values())
    if not is_direct:
        # Once: its method may print.
        args = tuple(map(object_as_array, args))
        kwargs = {name: object_as_array(value) for name, value in kwargs.items()}
        if any(isinstance(value, StagedOptional) for value in (*args, *kwargs.values())):
            refusal = refusal_of_none(function)
            args = tuple(required(value, *refusal) for value in args)
            kwargs = {name: required(value, *refusal) for name, value in kwargs.items()}
        if any(isinstance(value, StagedList) for value in (*args, *kwargs.values())):
            if function in _OF_DTYPES:
                raise type_error("a sequence of values is given as a data type")
            return call_with_lists(function, args, kwargs)
        require_current((*args, *kwargs.values()))
        if any(map(holds_staged_list, (*args, *kwargs.values()))):
            # NumPy looks for staged arrays in the list arguments of these functions only.
            as_given = as_array if function in _OF_SEQUENCES else _lifted_list
            args = tuple(map(as_given, args))
            kwargs = {name: as_given(value) for name, value in kwargs.items()}
        if not isinstance(function, np.ufunc) and holds_unions((args, kwargs)):
            # One call for each type of the value: NumPy refuses numbers where it expects arrays.
            return over_alternatives(partial(_called_once, function), args, kwargs)
    if function is np.vectorize.__call__:
        return call_vectorized(args[0], args[1:], kwargs)
    if isinstance(owner, np.random.Generator):
        return call_generator(owner, function.__name__, args, kwargs)
    if isinstance(owner, (np.ndarray, np.generic)):
        original = getattr(type(owner), function.__name__)
        return as_numpy_takes(original, original, (owner, *args), kwargs)
    try:
        creator = CREATORS.get(function)
    except TypeError:
        creator = None
    if creator is not None:
        return call_function(function, args, kwargs)
    if isinstance(function, type):
        return _call_class(function, args, kwargs)
    # NumPy looks for staged values among the elements of what `roots` is given.
    if function is np.roots or (type(function) is FunctionType and function in UNDISPATCHED):
        return call_function(function, args, kwargs)
    known = OVERLOADS.get(function)
    if known is not None and not isinstance(function, np.ufunc):
        check_options(function, known, args, kwargs, name_of(function))  # NumPy would read a value's `dtype`.
        if _is_staged(args, kwargs):
            return as_numpy_takes(function, function, args, kwargs)
    if type(function) is FunctionType and is_of_scipy(function):
        return call_of_scipy(function, args, kwargs)
    if is_direct:
        return function(*args, **kwargs)
    return _call_with_containers(function, args, kwargs)


def _is_staged(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return any(isinstance(value, Tensor) for value in (*args, *kwargs.values()))


def _called_once(function: object, *args: object, **kwargs: object) -> object:
    return _called(function, args, kwargs)


def _call_class(function: type[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """``np.float32(x)``: a scalar, or an array, of this dtype."""
    if any(isinstance(one, StagedNode) or is_reference(one) for one in args):
        raise staging_error("AG120", f"`np.{function.__name__}` of a staged object", "give it a number")
    if len(args) != 1 or not isinstance(args[0], Tensor):
        return _call_with_containers(function, args, kwargs)
    dtype = np.dtype(function)
    value = lift(args[0])
    if (is_narrow(value) or dtype in CARRIERS) and not isinstance(value, ComplexTensor):
        return narrow_scalar(value, dtype)
    if dtype.kind != "c":
        check_dtype(dtype)
    if isinstance(value, ComplexTensor) or dtype.kind == "c":
        return complex_scalar(value, dtype)
    # np.uint8(300) raises, np.uint8(np.int64(300)) is 44.
    given = as_items(value, dtype, is_picked=True) if value.form is Form.PYTHON else value
    cast = emit("cast", given.read(), dtype_name(dtype))
    return wrap(cast, Form.ARRAY if value.shape else Form.SCALAR)


def _call_with_containers(
    function: Callable[..., Any] | np.ufunc | type[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """Calls a function with staged values inside lists and tuples, where NumPy does not look for them."""
    is_dispatched = any(isinstance(one, Tensor) for one in (*args, *kwargs.values()))
    if is_dispatched or backend_inside((*args, *kwargs.values())) is None:
        return function(*args, **kwargs)
    if function in OVERLOADS:
        return call_function(function, args, kwargs)
    if isinstance(function, np.ufunc) and any(isinstance(one, tuple) for one in args):
        given = tuple(lift(one) if isinstance(one, tuple) and backend_inside(one) else one for one in args)
        return function(*given, **kwargs)
    return not_swallowed(require_trace(), function, *args, **kwargs)
