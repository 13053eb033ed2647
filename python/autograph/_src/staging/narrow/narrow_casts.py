"""Conversions between narrow dtypes and all others, as ``astype`` makes them.

int16 to uint8          the low bits
float64 to float16      rounded once, from the float64
uint64 to float64       the number, not the int64 that holds its bits
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex, part_dtype
from autograph._src.staging.narrow.carriers import CARRIERS, FLOAT16, UINT64
from autograph._src.staging.narrow.fitting import fitted
from autograph._src.staging.narrow.narrow_tensor import NUMBERS, WRITTEN, NarrowTensor
from autograph._src.staging.tensors.lifting import check_dtype, constant, lift
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.python_scalars import left_64_bits, require_error
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap

_TWO_TO_63 = 2.0**63


def converted(value: object, dtype: np.dtype[Any]) -> Tensor:
    """A value in a dtype, which must only be read: where it has the dtype, it is the value itself.

    Args:
        value: The value, plain or staged. A Python number keeps its form, so that it is converted only to a
            narrow dtype or to one that the graph has.
        dtype: Any dtype that is staged.

    Raises:
        StagingError: If the dtype is not staged (AG103).
    """
    x = lift(value)
    if x.dtype == dtype:
        return x
    if dtype in CARRIERS:
        return _to_narrow(x, dtype)
    if dtype.kind == "c":
        check = part_dtype(dtype)
        return as_complex(converted(x, check) if isinstance(x, NarrowTensor) else x, check)
    check_dtype(dtype)
    if isinstance(x, NarrowTensor):
        return wrap(_from_narrow(x, dtype), x.form)
    return _cast(x, dtype)


def _cast(x: Tensor, dtype: np.dtype[Any]) -> Tensor:
    return x if x.dtype == dtype else wrap(emit("cast", x.read(), dtype_name(dtype)), x.form)


def widened(value: object) -> Tensor:
    """A value of a narrow dtype in a dtype of the graph that has all its values, others as they are.

    ``uint64`` has none: the numbers above the largest int64 become negative ones.
    """
    x = lift(value)
    if not isinstance(x, NarrowTensor):
        return x
    return _cast(x.part, np.dtype(np.float32 if x.dtype == FLOAT16 else np.int64))


def _to_narrow(x: Tensor, dtype: np.dtype[Any]) -> NarrowTensor:
    if isinstance(x, ComplexTensor):
        raise x.refused(f"`astype` to {dtype}")
    form = Form.SCALAR if x.form is Form.PYTHON else x.form
    held = wrap(_held(x, dtype), form)
    return NarrowTensor(held if _holds(dtype, x.dtype) else fitted(held, dtype), dtype)


def _holds(dtype: np.dtype[Any], source: np.dtype[Any]) -> bool:
    """Whether each value of a source fits, so that nothing is to be cut off or rounded."""
    return dtype != FLOAT16 and np.can_cast(source, dtype, "safe")


def _held(x: Tensor, dtype: np.dtype[Any]) -> int:
    """The value in the dtype that holds the narrow one, before it is fitted."""
    carrier = CARRIERS[dtype]
    source = x.part if isinstance(x, NarrowTensor) else x
    if isinstance(x, NarrowTensor) and x.dtype == UINT64 and dtype == FLOAT16:
        return _from_narrow(x, carrier)
    if dtype == FLOAT16 and source.dtype == np.float64:
        rounded = fitted(source, dtype)  # From the float64: rounding to a float32 before would round twice.
        return emit("cast", rounded.read(), dtype_name(carrier))
    if source.dtype.kind == "f" and carrier.kind == "i":
        whole = _from_float(source, dtype)
        return whole if carrier == np.int64 else emit("cast", whole, dtype_name(carrier))
    return source.read() if source.dtype == carrier else emit("cast", source.read(), dtype_name(carrier))


def _from_float(x: Tensor, dtype: np.dtype[Any]) -> int:
    """A float without its fraction as an int64, of which a narrow dtype takes the low bits."""
    whole = emit("cast", x.read(), "int64")
    if dtype != UINT64:
        return whole
    limit = constant(_TWO_TO_63, x.dtype).read()
    is_large = emit("binary", "greater_equal", x.read(), limit)
    rest = emit("cast", emit("binary", "subtract", x.read(), limit), "int64")
    upper = emit("binary", "bitwise_xor", rest, constant(-(2**63), "int64").read())
    return emit("select", is_large, upper, whole)


def _from_narrow(x: NarrowTensor, dtype: np.dtype[Any]) -> int:
    """The graph value of a dtype that the graph has."""
    part = x.part
    if x.dtype == UINT64 and dtype.kind == "f":
        return float_of_uint64(part.read(), dtype)
    if dtype == np.bool_:
        return emit("binary", "not_equal", part.read(), constant(0, part.dtype).read())
    if part.dtype.kind == "f" and dtype == np.uint8:
        return emit("cast", emit("cast", part.read(), "int64"), "uint8")
    return part.read() if part.dtype == dtype else emit("cast", part.read(), dtype_name(dtype))


def float_of_uint64(bits: int, dtype: np.dtype[Any]) -> int:
    """The float nearest to an unsigned number: above 2**63 twice that of its half, whose last bit stays."""
    one, zero = constant(1, "int64").read(), constant(0, "int64").read()
    upper = emit("binary", "bitwise_and", emit("binary", "right_shift", bits, one), _literal(2**63 - 1))
    half = emit("binary", "bitwise_or", upper, emit("binary", "bitwise_and", bits, one))
    doubled = emit("binary", "multiply", emit("cast", half, dtype_name(dtype)), constant(2.0, dtype).read())
    is_large = emit("binary", "less", bits, zero)
    return emit("select", is_large, doubled, emit("cast", bits, dtype_name(dtype)))


def _literal(value: int) -> int:
    return constant(value, "int64").read()


def owned(value: Tensor) -> Tensor:
    """A copy of a value, whose parts belong to nothing else."""
    if isinstance(value, PartedTensor):
        return value.with_parts(tuple(map(owned, value.parts)))
    if value.form is not Form.ARRAY:
        return wrap(value.read(), value.form)
    return wrap(emit("reshape", value.read(), list(value.shape)), Form.ARRAY)


def whole_number(value: NarrowTensor) -> Tensor:
    """The number as Python's ``int`` or ``float`` takes it: an int64, or a float32.

    A ``uint64`` above the largest int64 has none: the run raises what a Python int beyond 64 bits does.
    """
    if value.dtype == UINT64:
        bits = wrap(value.part.read(), Form.PYTHON) if not value.sizes else value.part
        require_error(lift(np.all(np.greater_equal(bits, 0))), left_64_bits)
    return widened(value)


NUMBERS.append(whole_number)


def as_written(value: NarrowTensor, dtype: np.dtype[Any]) -> Tensor:
    """A value that is written into an array of a dtype of the graph, which NumPy casts an array to."""
    if value.dtype != UINT64:
        return widened(value)
    is_cast = dtype.kind in "fb" or value.form is Form.ARRAY
    return converted(value, dtype) if is_cast and dtype.kind != "c" else whole_number(value)


WRITTEN.append(as_written)
