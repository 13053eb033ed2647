"""``np.linspace``, ``np.logspace`` and ``np.geomspace``: at equal distances or ratios."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import creator, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import apply, lift_operand, operand_dtype, resolve
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.python_scalars import require
from autograph._src.staging.tensors.sizes import as_number, largest, positions, sizes_given
from autograph._src.staging.tensors.tensor import Form, wrap


@creator(np.linspace)
def _linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: object = None,
) -> object:
    if not any(map(holds_staged, (start, stop, num))):
        array, by = np.linspace(start, stop, num, endpoint, retstep=True, dtype=dtype, axis=axis)
        made = constant(array, array.dtype, Form.ARRAY)
        return (made, by) if retstep else made
    operands = [operand_dtype(lift_operand(value)) for value in (start, stop)]
    kind = resolve(np.true_divide, tuple(operands))[0]
    first, last = lift(start).astype(kind), lift(stop).astype(kind)
    distance = last - first
    (count,) = sizes_given(num)
    parts = count - 1 if endpoint else count
    steps = lift(positions(0, 1, count).astype(kind))
    column = np.reshape(steps, (count,) + (1,) * lift(distance).ndim)
    number = as_number(largest(parts, 1), kind)
    step = distance / number
    # Where the step underflows to zero, NumPy divides by the number of steps first.
    scaled = np.where(np.any(np.equal(step, 0)), column / number * distance, column * step)
    result: Any = lift(scaled + first)
    if endpoint and not (isinstance(count, int) and count < 2):
        # NumPy stores the exact end as the last element, unless there is only one element.
        is_end = np.logical_and(np.equal(column, parts), np.greater(parts, 0))
        result = np.where(is_end, last, result)
    moved = np.moveaxis(result, 0, axis) if axis else result
    if dtype is not None:
        moved = (np.floor(moved) if np.dtype(dtype).kind in "iu" else moved).astype(dtype)
    return (moved, _step_between(step, parts)) if retstep else moved


def _step_between(step: Any, parts: Any) -> Any:
    """The step that NumPy returns: NaN where there is one element or none."""
    if isinstance(parts, int):
        return step if parts > 0 else np.nan
    if lift(step).ndim:
        raise unsupported_option(np.linspace, "retstep")  # An array, or the number NaN: the run would know.
    return np.where(parts > 0, step, np.nan)[()]


@creator(np.logspace)
def _logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> object:
    if not any(map(holds_staged, (start, stop, num, base))):
        array = np.logspace(start, stop, num, endpoint, base, dtype, axis)
        return constant(array, array.dtype, Form.ARRAY)
    if lift(base).ndim:
        raise unsupported_option(np.logspace, "base")
    powers: Any = np.power(base, np.linspace(start, stop, num, endpoint, axis=axis))
    return powers if dtype is None else powers.astype(dtype, copy=False)


@creator(np.geomspace)
def _geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: DTypeLike | None = None, axis: int = 0
) -> object:
    if not any(map(holds_staged, (start, stop, num))):
        array = np.geomspace(start, stop, num, endpoint, dtype, axis)
        return constant(array, array.dtype, Form.ARRAY)
    first, last = (lift(wrap(lift(one).read(), Form.ARRAY)) for one in (start, stop))
    kind = np.result_type(first.dtype, last.dtype, np.float64, *([] if dtype is None else [dtype]))
    is_zero = apply(np.bitwise_or, np.any(np.equal(first, 0)), np.any(np.equal(last, 0)))
    are_allowed = wrap(lift(apply(np.logical_not, is_zero)).read(), Form.PYTHON)
    require(are_allowed, ValueError, "Geometric sequence cannot include zero")
    first, last = first.astype(kind), last.astype(kind)
    sign: Any = np.sign(first)
    first, last = first / sign, last / sign
    (count,) = sizes_given(num)
    inner: Any = _logspace(np.log10(first), np.log10(last), count, endpoint)
    place = np.reshape(positions(0, 1, count), (count,) + (1,) * (inner.ndim - 1))
    # NumPy stores the exact ends.
    ends = np.where(np.equal(place, 0), first, inner)
    if endpoint:
        is_last = np.logical_and(np.equal(place, count - 1), np.greater(place, 0))
        ends = np.where(is_last, last, ends)
    result: Any = ends * sign
    moved = np.moveaxis(result, 0, axis) if axis else result
    return moved if dtype is None else moved.astype(dtype)
