"""``packbits`` and ``unpackbits``: bytes as eight elements, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.registry import overload
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import type_error, value_error


def _places(bitorder: object) -> Any:
    """The shift for each bit of a byte, in the order of the elements."""
    if bitorder not in ("big", "little"):
        raise value_error("'order' must be either 'little' or 'big'")
    return np.arange(8, dtype=np.uint8)[:: -1 if bitorder == "big" else 1]


def _with_axis_last(a: object, axis: int | None) -> Tensor:
    x: Any = lift(a)
    return lift(np.ravel(x)) if axis is None else lift(np.moveaxis(x, axis, -1))


def _back(x: Any, axis: int | None) -> Tensor:
    moved = x if axis is None else np.moveaxis(x, -1, axis)
    return wrap(lift(moved).read(), Form.ARRAY)


@overload(np.packbits)
def _packbits(a: Any, /, axis: int | None = None, bitorder: Any = "big") -> Tensor:
    places = _places(bitorder)
    if lift(a).dtype.kind not in "biu":
        raise type_error("Expected an input array of integer or boolean data type")
    bits = lift(_with_axis_last(a, axis) != 0).astype(np.uint8)
    missing = -bits.shape[-1] % 8
    bits = np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, missing)])
    octets = np.reshape(bits, (*bits.shape[:-1], bits.shape[-1] // 8, 8))
    return _back(np.sum(apply(np.left_shift, octets, places), axis=-1, dtype=np.uint8), axis)


@overload(np.unpackbits)
def _unpackbits(
    a: ArrayLike, /, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Tensor:
    places = _places(bitorder)
    if lift(a).dtype != np.uint8:
        raise type_error("Expected an input array of unsigned byte data type")
    octets = _with_axis_last(a, axis)
    bits = apply(np.bitwise_and, apply(np.right_shift, octets[..., np.newaxis], places), np.uint8(1))
    size = octets.shape[-1] * 8
    flat = lift(np.reshape(bits, (*octets.shape[:-1], size)))
    if count is not None:
        if count < -size:
            raise value_error(f"-count larger than number of elements ({size})")
        longer = max(count - size, 0)
        flat = lift(np.pad(flat, [(0, 0)] * (flat.ndim - 1) + [(0, longer)]))[..., :count]
    return _back(flat, axis)
