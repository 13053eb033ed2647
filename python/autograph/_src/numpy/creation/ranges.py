"""``np.arange``: with a staged bound, only the run knows the size of the result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.dtype_names import dtype_name
from autograph._src.numpy.calls.metadata import plain_type
from autograph._src.numpy.calls.options import is_unsigned
from autograph._src.numpy.calls.registry import creator, rank_of
from autograph._src.staging.control.iteration import staged_range
from autograph._src.staging.tensors.lifting import check_dtype, constant, lift
from autograph._src.staging.tensors.memory import C_ORDER
from autograph._src.staging.tensors.python_scalars import require
from autograph._src.staging.tensors.sizes import positions, size_of
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error


@creator(np.arange)
def _arange(start: Any, stop: Any = None, step: Any = 1, dtype: DTypeLike | None = None) -> Tensor:
    bounds = (0, start, step) if stop is None else (start, stop, step)
    if any(isinstance(bound, Tensor) for bound in bounds):
        if any(rank_of(bound) for bound in bounds):
            raise staging_error("AG108", "`np.arange` of an array", "give it numbers: `x[0]`, `x.item()`")
        _refuse_unsigned(*bounds)
        given = (start,) if stop is None else bounds
        wanted = np.arange(*map(_one, given)).dtype if dtype is None else np.dtype(dtype)
        check_dtype(wanted)
        are_whole = all(lift(bound).dtype.kind in "iub" for bound in bounds)
        numbers = _of_ints(*bounds) if are_whole else _of_floats(*bounds)
        return _in_order(wrap(emit("cast", numbers.read(), wanted.name), Form.ARRAY))
    array = np.arange(start, dtype=dtype) if stop is None else np.arange(start, stop, step, dtype=dtype)
    check_dtype(array.dtype)
    if array.dtype.kind == "i" and array.size and array[0] == 0 and step == 1:
        return _in_order(wrap(emit("iota", dtype_name(array.dtype), array.size), Form.ARRAY))
    return _in_order(constant(array, array.dtype, Form.ARRAY))


def _in_order(made: Tensor) -> Tensor:
    made.memory.order = C_ORDER
    return made


def _refuse_unsigned(start: object, stop: object, step: object) -> None:
    """Refuses unsigned bounds: NumPy's difference wraps, so ``np.arange(np.uint8(3), 2)`` has 255 items."""
    is_counted = type(start) is int and start == 0 and type(step) is int and 0 < step < 256
    if not is_counted and any(map(is_unsigned, (start, stop, step))):
        raise staging_error(
            "AG105",
            "`np.arange` of unsigned numbers, whose differences cannot be negative",
            "convert them: `np.arange(int(n), stop)`",
        )


def _one(bound: Any) -> Any:
    """A plain 1 of the type of a bound, to ask NumPy with as many arguments as the program has given."""
    kind = plain_type(bound)
    return kind.type(1) if isinstance(kind, np.dtype) else type(kind)(1)


def _of_ints(start: object, stop: object, step: object) -> Tensor:
    first, last, by = (size_of(_as_int(one)) for one in (start, stop, step))
    return positions(first, by, staged_range(first, last, by).count())


def _as_int(bound: Any) -> object:
    """A bound as an integer; a bool becomes 0 or 1."""
    is_bool = isinstance(bound, Tensor) and bound.dtype.kind == "b"
    return wrap(emit("cast", bound.read(), "int64"), bound.form) if is_bool else bound


def _of_floats(start: object, stop: object, step: object) -> Tensor:
    """A range of floats with ``ceil((stop - start) / step)`` elements, as in NumPy."""
    first, last, by = (lift(one).astype(np.float64) for one in (start, stop, step))
    count = lift(np.ceil((last - first) / by))
    is_number = wrap(emit("binary", "equal", count.read(), count.read()), Form.PYTHON)
    require(is_number, ValueError, "arange: cannot compute length")
    is_index = wrap(lift(np.less(np.absolute(count), 2.0**63)).read(), Form.PYTHON)
    require(is_index, ValueError, "Maximum allowed size exceeded")
    size = wrap(emit("cast", lift(np.maximum(count, 0.0)).read(), "int64"), Form.PYTHON)
    # As in NumPy, the step is the difference of the first two elements after rounding.
    distance = (first + by) - first
    return lift(positions(0, 1, size).astype(np.float64) * distance + first)
