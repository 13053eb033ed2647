"""``out=`` of NumPy functions: the function writes its result into an array and returns that array.

Functions that are a single ufunc handle ``out=`` themselves (``ufuncs.store``). For all others, this file
records the function without ``out=`` and then writes the result. Whether NumPy accepts an ``out=`` of another
dtype or shape, and its error if not, is found by calling NumPy with arrays of the same dtypes and shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.operators.written import place_of_out
from autograph._src.staging.complex.complex_tensor import ComplexTensor, write_complex
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor
from autograph._src.staging.tensors.layouts import order_of
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import memories_of
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.tensor import Form, Tensor, emit
from autograph._src.staging.trace.active import into_plain_array, require_trace, staging_error
from autograph._src.staging.trace.frames import here
from autograph.errors import DtypeError

_MOST_ASKED = 1 << 20
"""The most elements of an array with which NumPy is called to find its error."""

_READS_WHAT_IT_WROTE = frozenset((np.concatenate, np.stack, np.einsum, np.ptp))
"""Functions that write some elements of ``out=`` before they have read all of their arguments."""

_OF_ONE_PIECE = frozenset((np.dot, np.linalg.multi_dot))
"""Functions that refuse an ``out=`` that does not lie in C order."""

WRITE_NARROW: list[Callable[..., None]] = []
"""The function that writes narrow values and into narrow arrays; ``narrow_items`` registers it here."""

_HELP = "make it like the result: `np.empty(shape, dtype)`"


def _name(function: Any) -> str:
    return f"`np.{function.__name__}`"


def without_out(
    function: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """The arguments of a call without ``out=``, and the value of ``out=``."""
    if kwargs.get("out") is not None:
        return args, {name: value for name, value in kwargs.items() if name != "out"}, kwargs["out"]
    place = place_of_out(function, 0) if len(args) > 1 else None
    if place is None or len(args) <= place or args[place] is None:
        return args, kwargs, None
    return (*args[:place], None, *args[place + 1 :]), kwargs, args[place]


def call_with_out(
    function: Callable[..., Any],
    call: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    out: object,
) -> Tensor:
    """Calls a staged version, writes its result into ``out`` and returns ``out``.

    Raises:
        StagingError: If the result cannot be written there.
    """
    if isinstance(out, np.ndarray):
        raise into_plain_array(out)
    if not isinstance(out, Tensor) or out.form is not Form.ARRAY:
        raise staging_error("AG108", f"`out=` of {_name(function)} has to be one array")
    if function in _READS_WHAT_IT_WROTE and _shares_memory(out, (args, kwargs)):
        raise staging_error(
            "AG139",
            f"`out=` of {_name(function)} overlaps what it reads, and NumPy reads what it has written",
            "copy what it reads first: `.copy()`",
        )
    if function in _OF_ONE_PIECE and out.shared:
        order = order_of(out)
        if order is None:
            words = "may be a view that does not lie in C order"
            raise staging_error("AG108", f"`out=` of {_name(function)} {words}", _HELP)
        require_trace().needs_order(order)
    result = lift(call(*args, **kwargs))
    fits = result.dtype == out.dtype and result.sizes == out.sizes
    returns_out = True
    if not fits or not out.sizes or function.__module__ == "numpy.fft":
        returns_out = _returns_out(function, args, kwargs, out)
    if not returns_out and out.sizes:
        return result  # NumPy's `hfft` accepts `out` and ignores it.
    if result.sizes != out.sizes:
        raise staging_error("AG108", f"`out=` of {_name(function)} has another shape than the result", _HELP)
    _write(out, result)
    return out if returns_out else out[()]


def _write(out: Tensor, result: Tensor) -> None:
    if isinstance(out, PartedTensor) or isinstance(result, PartedTensor):
        write_into(out, result)
        return
    value = result.read() if result.dtype == out.dtype else emit("cast", result.read(), dtype_name(out.dtype))
    out.write(value)


def write_into(target: Tensor, value: object, casting: Any = "unsafe") -> None:
    """``target[...] = value``."""
    source = lift(value)
    if isinstance(target, ComplexTensor) and np.can_cast(source.dtype, target.dtype, casting):
        write_complex(target, source)
        return
    require_cast(source, target, casting)
    if isinstance(target, NarrowTensor) or isinstance(source, NarrowTensor):
        WRITE_NARROW[0](target, source)
        return
    new = (
        emit("cast", source.read(), dtype_name(target.dtype))
        if source.dtype != target.dtype
        else source.read()
    )
    target.write(emit("broadcast", new, list(target.shape)))


def require_cast(source: Tensor, target: Tensor, casting: Any) -> None:
    """Refuses a result that NumPy does not cast to the dtype of ``out=``.

    Raises:
        DtypeError: As NumPy's ``UFuncTypeError`` (AG109).
    """
    if not np.can_cast(source.dtype, target.dtype, casting) and source.form is not Form.PYTHON:
        raise DtypeError(
            f"Cannot cast ufunc output from {source.dtype!r} to {target.dtype!r} with casting rule"
            f" {casting!r}",
            code="AG109",
            location=here(),
        )


def refuse_what_is_no_array(out: object) -> None:
    """Raises NumPy's error for a ufunc whose ``out=`` is a number instead of an array."""
    for target in out if isinstance(out, tuple) else (out,):
        is_array = target.form is Form.ARRAY if isinstance(target, Tensor) else isinstance(target, np.ndarray)
        if target is not None and not is_array:
            raise TypeError("return arrays must be of ArrayType")


def refuse_outputs(results: tuple[Any, ...], targets: tuple[Any, ...]) -> None:
    """Refuses ``out=`` arrays of ``np.divmod`` and similar ufuncs that are the same array or do not fit."""
    for place, target in enumerate(targets):
        if isinstance(target, Tensor) and target.sizes != lift(results[place]).sizes:
            raise staging_error("AG108", "an array of `out=` has another shape than the result", _HELP)
        if isinstance(target, Tensor) and _shares_memory(target, targets[place + 1 :]):
            raise staging_error("AG139", "the arrays of `out=` are one", _HELP)


def _shares_memory(out: Tensor, value: object) -> bool:
    if isinstance(value, dict):
        return any(_shares_memory(out, one) for one in value.values())
    if isinstance(value, (list, tuple)):
        return any(_shares_memory(out, one) for one in value)
    if not isinstance(value, Tensor) or value.form is not Form.ARRAY:
        return False
    own = {id(memory) for memory in memories_of(out)}
    return any(id(memory) in own for memory in memories_of(value))


def _returns_out(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], out: Tensor) -> bool:
    """Whether NumPy returns ``out`` itself rather than a scalar or another array.

    Raises:
        Exception: NumPy's own error, if NumPy refuses such an ``out``.
    """
    place, given, named = place_of_out(function, 0), _like(function, list(args)), _like(function, kwargs)
    target = _like(function, out)
    if place is not None and len(args) > place:
        given[place] = target
    else:
        named["out"] = target
    try:
        with np.errstate(all="ignore"):
            return function(*given, **named) is target
    except Exception as error:
        require_trace().surroundings.locked.answer = error
        raise


def _like(function: object, value: Any) -> Any:
    """A plain value of the same dtype and shape."""
    if isinstance(value, dict):
        return {name: _like(function, one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        made = [_like(function, one) for one in value]
        return tuple(made) if isinstance(value, tuple) else made
    if not isinstance(value, Tensor):
        return value
    if None in value.sizes or value.size > _MOST_ASKED:
        raise staging_error(
            "AG108",
            f"`out=` of {_name(function)} is of another dtype or shape than what is written into it",
            _HELP,
        )
    sizes: Any = value.sizes
    ones = np.ones(sizes, value.dtype)
    if value.form is Form.ARRAY:
        return ones
    return ones[()] if value.form is Form.SCALAR else ones.item()
