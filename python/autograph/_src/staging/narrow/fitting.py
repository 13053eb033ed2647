"""Brings results back into the range of a narrow dtype, as NumPy's operations do.

    int8        100 + 100 is 200, whose low eight bits are -56
    float16     1.0 + 2**-11 is halfway between two neighbours: the even one is taken

NumPy computes an operation on ``float16`` in ``float32`` and rounds once. A sum, product or quotient of the
graph in ``float32`` is rounded once too, with operations that are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.staging.narrow.carriers import FLOAT16, UINT64
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Tensor, emit, wrap

_LARGEST = 65504.0
_SMALLEST_EXPONENT = -14
_PLACES = 10
"""The binary places of a float16 behind its first digit."""


def fitted(part: Tensor, dtype: np.dtype[Any]) -> Tensor:
    """The value of a narrow dtype for a tensor in the dtype that holds it.

    Args:
        part: Integers, of which the low bits count; or floats, which are rounded. Its dtype is the carrier's.
        dtype: The narrow dtype.
    """
    if dtype == UINT64:
        return part
    if dtype == FLOAT16:
        # Its derivative is that of the conversion, which is 1, and not that of steps.
        return with_slope(wrap(_rounded(part.read(), part.dtype), part.form), part)
    return wrap(_low_bits(part, dtype), part.form)


def _low_bits(part: Tensor, dtype: np.dtype[Any]) -> int:
    if dtype.kind == "u":
        return _op("bitwise_and", part.read(), _literal(int(np.iinfo(dtype).max), part.dtype))
    width = _literal(8 * (part.dtype.itemsize - dtype.itemsize), part.dtype)
    return _op("right_shift", _op("left_shift", part.read(), width), width)


def _rounded(x: int, dtype: np.dtype[Any]) -> int:
    """The nearest float16, the even one of two, for a float32 or float64.

    Halving the range of exponents in each step finds the unit of the last place; all products are exact.
    """
    size = emit("unary", "absolute", x)
    rest = _op("multiply", size, _literal(2.0**-_SMALLEST_EXPONENT, dtype))  # 1 ≤ rest < 2 in the end.
    unit = _literal(2.0 ** (_SMALLEST_EXPONENT - _PLACES), dtype)
    inverse = _literal(2.0 ** (_PLACES - _SMALLEST_EXPONENT), dtype)
    for step in (16, 8, 4, 2, 1):
        is_large = _op("greater_equal", rest, _literal(2.0**step, dtype))
        rest, inverse = (
            emit("select", is_large, _op("multiply", one, _literal(2.0**-step, dtype)), one)
            for one in (rest, inverse)
        )
        unit = emit("select", is_large, _op("multiply", unit, _literal(2.0**step, dtype)), unit)
    rounded = _op("multiply", emit("unary", "rint", _op("multiply", x, inverse)), unit)
    is_over = _op("greater", emit("unary", "absolute", rounded), _literal(_LARGEST, dtype))
    is_positive = _op("greater", x, _literal(0.0, dtype))
    endless = emit("select", is_positive, _literal(np.inf, dtype), _literal(-np.inf, dtype))
    return emit("select", is_over, endless, rounded)


def _op(op: str, x: int, y: int) -> int:
    return emit("binary", op, x, y)


def _literal(value: float, dtype: np.dtype[Any]) -> int:
    return constant(value, dtype).read()
