"""Element-wise functions of ``uint64``, which an int64 of the same 64 bits holds.

    x + y, x & y        those of the int64: the bits are the same
    x < y               both with their highest bit turned: the order of the unsigned numbers
    x // y              half of x divided, doubled, and corrected by one

A comparison with a signed integer is exact, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.narrow.narrow_ufuncs import COMPARED, OF_UINT64
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.narrow.carriers import UINT64
from autograph._src.staging.narrow.narrow_casts import widened
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap

_HIGHEST = np.int64(-(2**63))
_ZERO, _ONE = np.int64(0), np.int64(1)

_OF_BITS = (
    "add subtract multiply negative positive square conjugate bitwise_and bitwise_or bitwise_xor invert"
    " left_shift logical_and logical_or logical_xor logical_not isnan isinf isfinite floor ceil trunc"
)


def _as_signed(ufunc: np.ufunc) -> Callable[..., Any]:
    return lambda *parts: apply(ufunc, *parts)


OF_UINT64.update({ufunc: _as_signed(ufunc) for ufunc in (getattr(np, name) for name in _OF_BITS.split())})
OF_UINT64[np.absolute] = _as_signed(np.positive)


def _of(ufunc: np.ufunc) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(implementation: Callable[..., Any]) -> Callable[..., Any]:
        OF_UINT64[ufunc] = implementation
        return implementation

    return register


def turned(bits: object) -> object:
    """Numbers in the order of the unsigned ones; turned again, the bits."""
    return apply(np.bitwise_xor, bits, _HIGHEST)


def _compared(ufunc: np.ufunc) -> Callable[..., Any]:
    return lambda a, b: apply(ufunc, turned(a), turned(b))


_is_at_least = _compared(np.greater_equal)


def _extreme(test: np.ufunc) -> Callable[..., Any]:
    return lambda a, b: select(_compared(test)(a, b), a, b)


OF_UINT64.update(dict.fromkeys((np.maximum, np.fmax), _extreme(np.greater_equal)))
OF_UINT64.update(dict.fromkeys((np.minimum, np.fmin), _extreme(np.less_equal)))


@_of(np.sign)
def _sign(a: object) -> object:
    return select(apply(np.equal, a, _ZERO), _ZERO, _ONE)


@_of(np.right_shift)
def _right_shift(a: object, places: object) -> object:
    moved = apply(np.right_shift, _half(a), apply(np.subtract, places, _ONE))
    return select(apply(np.equal, places, _ZERO), a, moved)


def _half(a: object) -> object:
    return apply(np.bitwise_and, apply(np.right_shift, a, _ONE), np.int64(2**63 - 1))


@_of(np.floor_divide)
def _quotient(a: object, b: object) -> object:
    """``a // b``; 0 where ``b`` is, as in NumPy."""
    twice = apply(np.left_shift, apply(np.floor_divide, _half(a), b), _ONE)
    rest = apply(np.subtract, a, apply(np.multiply, twice, b))
    small = apply(np.add, twice, _is_at_least(rest, b).astype(np.int64))
    large = _is_at_least(a, b).astype(np.int64)
    found = select(apply(np.less, b, _ZERO), large, small)
    return select(apply(np.equal, b, _ZERO), _ZERO, found)


@_of(np.remainder)
def _remainder(a: object, b: object) -> object:
    rest = apply(np.subtract, a, apply(np.multiply, _quotient(a, b), b))
    return select(apply(np.equal, b, _ZERO), _ZERO, rest)


OF_UINT64[np.fmod] = _remainder
OF_UINT64[np.divmod] = lambda a, b: (_quotient(a, b), _remainder(a, b))


@_of(np.power)
def _power(a: object, b: object) -> object:
    """``a ** b``: to 2**63, an odd number gives 1 and an even one 0, in 64 bits."""
    usual = apply(np.power, a, apply(np.bitwise_and, b, np.int64(2**63 - 1)))
    is_even = apply(np.equal, apply(np.bitwise_and, a, _ONE), _ZERO)
    return select(apply(np.logical_and, apply(np.less, b, _ZERO), is_even), _ZERO, usual)


def compared(ufunc: np.ufunc, operands: list[Any]) -> Any:
    """A comparison of integers, plain or staged, of which one is of ``uint64``."""
    left, right = map(_operand, operands)
    if isinstance(left, NarrowTensor) and isinstance(right, NarrowTensor):
        return _compared(ufunc)(left.part, right.part)
    if not isinstance(left, Tensor) or not isinstance(right, Tensor):  # An int beyond 64 bits.
        array, is_below = (right, left < 0) if isinstance(left, int) else (left, right > 0)
        answer = bool(ufunc(0, 1) if is_below else ufunc(1, 0))
        return select(apply(np.equal, array.part, array.part), np.bool_(answer), np.bool_(answer))
    is_left = isinstance(left, NarrowTensor)
    unsigned, signed = (left.part, right) if is_left else (right.part, left)
    is_above = apply(np.logical_or, apply(np.less, unsigned, _ZERO), apply(np.less, signed, _ZERO))
    usual = apply(ufunc, *((unsigned, signed) if is_left else (signed, unsigned)))
    above = np.bool_(ufunc(1, 0) if is_left else ufunc(0, 1))
    return apply(
        np.logical_or,
        apply(np.logical_and, is_above, above),
        apply(np.logical_and, apply(np.logical_not, is_above), usual),
    )


COMPARED.append(compared)


def _operand(value: object) -> Any:
    """A number of ``uint64`` as it is, another integer as int64, an int beyond both as it is."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        return lift(np.uint64(value)) if 0 <= value < 2**64 else value
    x = lift(value)
    if isinstance(x, NarrowTensor) and x.dtype == UINT64:
        return x
    found = widened(x)
    found = wrap(found.read(), Form.SCALAR) if found.form is Form.PYTHON else found
    return found if found.dtype == np.int64 else found.astype(np.int64)
