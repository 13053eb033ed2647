"""Writing into narrow arrays, and narrow values into others: ``x[i] = v``, ``x += y``, ``out=x``.

A value is converted as NumPy converts it: a Python number has to fit, an array is cast.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.calls.outputs import WRITE_NARROW
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.narrow.carriers import UINT64
from autograph._src.staging.narrow.narrow_casts import converted, widened
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor, is_narrow
from autograph._src.staging.tensors.indexing import has_ellipsis, is_mask
from autograph._src.staging.tensors.item_conversions import as_items, refuse_sequence
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import reformed
from autograph._src.staging.tensors.tensor import Form, Tensor, emit
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.statements import records
from autograph._src.staging.wide.wide_int import WideInt


@records(statements.set_narrow_item)
def set_narrow_item(x: NarrowTensor, index: object, value: object) -> None:
    """``x[index] = value`` of an array of a narrow dtype."""
    if _is_element(index, x.ndim):
        refuse_sequence(value, x.dtype)
    x.part[index] = item_of(value, x.dtype, is_picked=_is_picked(index)).part


def item_of(value: object, dtype: np.dtype[Any], *, is_picked: bool) -> NarrowTensor:
    """A value in a narrow dtype, as NumPy converts what is written into an array.

    Args:
        value: The value, plain or staged, or a sequence.
        dtype: The narrow dtype.
        is_picked: Whether the index has index arrays or a mask.
    """
    if isinstance(value, (list, tuple)) and not hasattr(type(value), "stacked"):
        return _of_sequence(value, dtype)
    source = lift(value)
    if is_complex(source):
        raise source.ag_refusal_of_write()
    if isinstance(source, NarrowTensor) and source.dtype == dtype:
        return source
    if isinstance(source, WideInt) and dtype == UINT64:
        return NarrowTensor(reformed(source.whole(), Form.SCALAR), dtype)
    if dtype.kind in "iu" and source.form is not Form.ARRAY:
        if isinstance(source, NarrowTensor) and source.dtype == UINT64:
            raise source.refused(f"writing into an array of {dtype}")
        as_items(widened(source) if is_narrow(source) else value, dtype, is_picked)
    made = converted(source, dtype)
    assert isinstance(made, NarrowTensor)
    return made


def _of_sequence(values: Any, dtype: np.dtype[Any]) -> NarrowTensor:
    """A nested sequence whose elements are converted one by one."""
    if not values:
        empty = converted(np.zeros(np.shape(values), dtype), dtype)
        assert isinstance(empty, NarrowTensor)
        return empty
    rows = [item_of(one, dtype, is_picked=False) for one in values]
    return NarrowTensor(lift(np.stack([one.part for one in rows])), dtype)


def _is_element(index: object, rank: int) -> bool:
    """Whether an index is that of one element of an array with so many axes: an integer for each."""
    parts = index if isinstance(index, tuple) else (index,)
    return len(parts) == rank and not has_ellipsis(index) and all(_is_integer(one) for one in parts)


def _is_integer(part: object) -> bool:
    if isinstance(part, Tensor):
        return part.form is not Form.ARRAY and part.dtype.kind in "iu"
    return isinstance(part, (int, np.integer)) and not isinstance(part, bool)


def _is_picked(index: object) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return any(is_mask(one) or isinstance(one, (list, np.ndarray)) or _is_array(one) for one in parts)


def _is_array(part: object) -> bool:
    return isinstance(part, Tensor) and part.form is Form.ARRAY


def write_narrow(target: Tensor, value: object) -> None:
    """``target[...] = value`` where one of them is narrow; NumPy allows the cast, and the shapes fit."""
    source = converted(value, target.dtype)
    if not isinstance(target, NarrowTensor):
        target.write(emit("broadcast", source.read(), list(target.shape)))
        return
    assert isinstance(source, NarrowTensor)
    target.part.write(emit("broadcast", source.part.read(), list(target.shape)))


WRITE_NARROW.append(write_narrow)
