"""Element-wise functions of narrow dtypes: computed on the parts, and brought back into the range.

    np.add(x, y)        int16: the int32 sum of the parts, of which the low 16 bits count
    np.sqrt(x)          int8: in float16, so the float32 root of the part, rounded once
    np.sin(x)           int16: in float32, a dtype of the graph: no more than a conversion before

NumPy decides in which dtypes a ufunc computes. Where that is a narrow one, the ufunc has to be in a table
here; all others are refused. ``uint64`` has its own, where the sign of the int64 that holds it would count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import name_of
from autograph._src.numpy.elementwise import ufuncs
from autograph._src.numpy.elementwise.ufuncs import apply, operand_dtype, resolve_any
from autograph._src.staging.complex.complex_tensor import PART, is_complex
from autograph._src.staging.narrow.carriers import CARRIERS, UINT64, is_narrow_dtype
from autograph._src.staging.narrow.fitting import fitted
from autograph._src.staging.narrow.narrow_casts import converted, widened
from autograph._src.staging.narrow.narrow_tensor import (
    NarrowTensor,
    is_narrow,
    narrow_constant,
    refusal,
    remedy,
)
from autograph._src.staging.tensors.item_conversions import require_fitting
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import staging_error

_ARITHMETIC = "add subtract multiply negative positive absolute fabs square sign"
_DIVISIONS = "floor_divide remainder fmod divmod"
_ORDERS = "maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal"
_TRUTHS = "logical_and logical_or logical_xor logical_not isnan isinf isfinite signbit"
_BITS = "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift bitwise_count"
_WHOLE = "floor ceil trunc rint conjugate"

OF_INTEGERS = {
    getattr(np, name)
    for name in f"{_ARITHMETIC} {_DIVISIONS} {_ORDERS} {_TRUTHS} {_BITS} {_WHOLE} power gcd lcm".split()
    if hasattr(np, name)
} - {np.signbit, np.bitwise_count if hasattr(np, "bitwise_count") else None}
"""Ufuncs of integers that give, computed with the exact values, the low bits of NumPy's result."""

_OF_FLOATS_ONLY = (
    "divide power float_power sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan"
    " sinh cosh tanh arcsinh arccosh arctanh hypot arctan2 logaddexp logaddexp2 heaviside modf"
    " reciprocal degrees radians deg2rad rad2deg"
)

OF_FLOATS = {
    getattr(np, name)
    for name in f"{_ARITHMETIC} {_DIVISIONS} {_ORDERS} {_TRUTHS} {_WHOLE} {_OF_FLOATS_ONLY}".split()
} - {np.signbit}
"""Ufuncs of float16 that NumPy computes in float32, and rounds once."""

OF_UINT64: dict[np.ufunc, Callable[..., Any]] = {}
"""Ufuncs of uint64, as functions of the int64 that hold the bits; ``narrow_uint64`` registers them here."""

COMPARED: list[Callable[..., Any]] = []
"""The function that compares integers of which one is of uint64; ``narrow_uint64`` registers it here."""


def call_narrow(ufunc: np.ufunc, operands: list[Any], given: tuple[Any, ...]) -> object:
    """Records a ufunc call on operands of which one is of a narrow dtype, or which gives a narrow dtype.

    Args:
        ufunc: The ufunc.
        operands: Its operands as tensors or plain Python numbers.
        given: The operands as the program passed them.

    Raises:
        StagingError: If the ufunc is not known to be right for the dtype (AG103).
    """
    if ufunc.signature is not None:
        whole = WHOLE.get(ufunc)
        if whole is None:
            raise refused(ufunc, given)
        return whole(*operands)
    if any(map(is_complex, operands)):
        return _beside_complex(ufunc, operands)
    dtypes = resolve_any(ufunc, tuple(map(operand_dtype, operands)))
    inside, outside = dtypes[: ufunc.nin], dtypes[ufunc.nin :]
    if ufunc in ufuncs.COMPARISONS and all(map(_is_integer, operands)):
        if any(is_narrow(one) and one.dtype == UINT64 for one in operands):
            return COMPARED[0](ufunc, operands)
        return apply(ufunc, *(widened(one) if is_narrow(one) else one for one in operands))
    values = [_operand(operand, dtype) for operand, dtype in zip(operands, inside, strict=True)]
    if not any(is_narrow(value) for value in values) and not any(dtype in CARRIERS for dtype in outside):
        return apply(ufunc, *values)
    if any(dtype == UINT64 for dtype in inside):
        known = OF_UINT64.get(ufunc)
        if known is None:
            raise refused(ufunc, given)
        return _results(known(*map(_part, values)), outside)
    known_ones = OF_FLOATS if any(dtype.kind == "f" for dtype in (*inside, *outside)) else OF_INTEGERS
    if ufunc not in known_ones:
        raise refused(ufunc, given)
    return _results(apply(ufunc, *map(_part, values)), outside)


ufuncs.NARROW.append(call_narrow)

WHOLE: dict[np.ufunc, Callable[..., Any]] = {}
"""Versions for narrow operands of ufuncs that are not element-wise, such as ``np.matmul``."""


def _part(value: Tensor) -> Tensor:
    """What is computed with: an array or a NumPy scalar, whose arithmetic wraps around."""
    part = value.part if isinstance(value, NarrowTensor) else value
    return wrap(part.read(), Form.SCALAR) if part.form is Form.PYTHON else part


def _results(results: object, dtypes: tuple[np.dtype[Any], ...]) -> object:
    if isinstance(results, tuple):
        return tuple(as_result(one, dtype) for one, dtype in zip(results, dtypes, strict=True))
    return as_result(results, dtypes[0])


def as_result(part: object, dtype: np.dtype[Any]) -> Tensor:
    """The result of a computation with parts, in the dtype that NumPy's result has."""
    x = lift(part)
    if dtype not in CARRIERS:
        return x if x.dtype == dtype else converted(x, dtype)
    held = x if x.dtype == CARRIERS[dtype] else converted(x, CARRIERS[dtype])
    return NarrowTensor(fitted(held, dtype), dtype)


def _operand(operand: object, dtype: np.dtype[Any]) -> Tensor:
    """An operand in the dtype that NumPy computes in; a Python int has to fit."""
    if not isinstance(operand, Tensor):
        if dtype in CARRIERS:
            return narrow_constant(operand, dtype, Form.SCALAR)
        return wrap(ufuncs.as_dtype(operand, dtype))
    if operand.form is Form.PYTHON and operand.dtype.kind == "i" and dtype.kind in "iu":
        require_fitting(operand, dtype)
    return converted(operand, dtype)


def _beside_complex(ufunc: np.ufunc, operands: list[Any]) -> object:
    """The call with complex operands: a narrow one becomes real of the parts' dtype first."""
    dtypes = resolve_any(ufunc, tuple(map(operand_dtype, operands)))
    plain = [
        converted(one, PART[dtype]) if is_narrow(one) and dtype in PART else one
        for one, dtype in zip(operands, dtypes, strict=False)
    ]
    if any(map(is_narrow, plain)):
        raise refused(ufunc, tuple(operands))
    return apply(ufunc, *plain)


def _is_integer(operand: object) -> bool:
    """Whether NumPy compares a value exactly with integers: it and its dtype are of integers."""
    return operand_dtype(operand) is int or getattr(operand_dtype(operand), "kind", "") in ("b", "i", "u")


def refused(function: Any, given: tuple[Any, ...]) -> Exception:
    """The refusal of a function for narrow values, with the name of the variable."""
    found = next(narrow_among(given), None)
    if found is not None and isinstance(found, Tensor):
        return refusal(f"`{name_of(function)}`", found)
    said = next((one for one in given if is_narrow_dtype(one)), None)
    dtype = np.dtype(said) if said is not None else np.dtype(np.float16) if found is None else found.dtype
    what = f"`{name_of(function)}` in {dtype} is not staged"
    return staging_error("AG103", what, remedy(dtype))


def narrow_among(values: Any) -> Any:
    """The values of narrow dtypes among some values and in lists and tuples of them."""
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from narrow_among(value)
        elif is_narrow(value):
            yield value
