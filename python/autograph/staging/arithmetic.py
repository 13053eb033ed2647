"""Operators of staged values: NumPy's for arrays and NumPy scalars, Python's for Python numbers."""

from __future__ import annotations

import numbers
from decimal import Decimal
from typing import Any

import numpy as np

from autograph.staging.trace import staging_error


class Arithmetic:
    """The operators of :class:`autograph.Tensor`."""

    __slots__ = ()

    def __eq__(self, other: Any) -> Any:
        return binary(np.equal, self, other)

    def __ne__(self, other: Any) -> Any:
        return binary(np.not_equal, self, other)

    def __lt__(self, other: Any) -> Any:
        return binary(np.less, self, other)

    def __le__(self, other: Any) -> Any:
        return binary(np.less_equal, self, other)

    def __gt__(self, other: Any) -> Any:
        return binary(np.greater, self, other)

    def __ge__(self, other: Any) -> Any:
        return binary(np.greater_equal, self, other)

    def __add__(self, other: Any) -> Any:
        return binary(np.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return binary(np.add, other, self)

    def __iadd__(self, other: Any) -> Any:
        return in_place(np.add, self, other)

    def __sub__(self, other: Any) -> Any:
        return binary(np.subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return binary(np.subtract, other, self)

    def __isub__(self, other: Any) -> Any:
        return in_place(np.subtract, self, other)

    def __mul__(self, other: Any) -> Any:
        return binary(np.multiply, self, other)

    def __rmul__(self, other: Any) -> Any:
        return binary(np.multiply, other, self)

    def __imul__(self, other: Any) -> Any:
        return in_place(np.multiply, self, other)

    def __truediv__(self, other: Any) -> Any:
        return binary(np.divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return binary(np.divide, other, self)

    def __itruediv__(self, other: Any) -> Any:
        return in_place(np.divide, self, other)

    def __floordiv__(self, other: Any) -> Any:
        return binary(np.floor_divide, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return binary(np.floor_divide, other, self)

    def __ifloordiv__(self, other: Any) -> Any:
        return in_place(np.floor_divide, self, other)

    def __mod__(self, other: Any) -> Any:
        return binary(np.remainder, self, other)

    def __rmod__(self, other: Any) -> Any:
        return binary(np.remainder, other, self)

    def __imod__(self, other: Any) -> Any:
        return in_place(np.remainder, self, other)

    def __pow__(self, other: Any) -> Any:
        return binary(np.power, self, other)

    def __rpow__(self, other: Any) -> Any:
        return binary(np.power, other, self)

    def __ipow__(self, other: Any) -> Any:
        return in_place(np.power, self, other)

    def __and__(self, other: Any) -> Any:
        return binary(np.bitwise_and, self, other)

    def __rand__(self, other: Any) -> Any:
        return binary(np.bitwise_and, other, self)

    def __iand__(self, other: Any) -> Any:
        return in_place(np.bitwise_and, self, other)

    def __or__(self, other: Any) -> Any:
        return binary(np.bitwise_or, self, other)

    def __ror__(self, other: Any) -> Any:
        return binary(np.bitwise_or, other, self)

    def __ior__(self, other: Any) -> Any:
        return in_place(np.bitwise_or, self, other)

    def __xor__(self, other: Any) -> Any:
        return binary(np.bitwise_xor, self, other)

    def __rxor__(self, other: Any) -> Any:
        return binary(np.bitwise_xor, other, self)

    def __ixor__(self, other: Any) -> Any:
        return in_place(np.bitwise_xor, self, other)

    def __lshift__(self, other: Any) -> Any:
        return binary(np.left_shift, self, other)

    def __rlshift__(self, other: Any) -> Any:
        return binary(np.left_shift, other, self)

    def __ilshift__(self, other: Any) -> Any:
        return in_place(np.left_shift, self, other)

    def __rshift__(self, other: Any) -> Any:
        return binary(np.right_shift, self, other)

    def __rrshift__(self, other: Any) -> Any:
        return binary(np.right_shift, other, self)

    def __irshift__(self, other: Any) -> Any:
        return in_place(np.right_shift, self, other)

    def __matmul__(self, other: Any) -> Any:
        return binary(np.matmul, self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return binary(np.matmul, other, self)

    def __imatmul__(self, other: Any) -> Any:
        return in_place(np.matmul, self, other)

    def __neg__(self) -> Any:
        return unary(np.negative, self)

    def __pos__(self) -> Any:
        return unary(np.positive, self)

    def __abs__(self) -> Any:
        return unary(np.absolute, self)

    def __invert__(self) -> Any:
        return unary(np.invert, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self


def _is_operand(value: Any) -> bool:
    from autograph.staging.tensor import Tensor

    return isinstance(value, (Tensor, bool, int, float, complex, np.generic, np.ndarray, list, tuple))


def binary(ufunc: np.ufunc, left: Any, right: Any) -> Any:
    """``left op right``, where one is staged."""
    from autograph.numpy.ufuncs import apply, power_of_scalars
    from autograph.staging import complex_numbers, python_scalars
    from autograph.staging.complex_tensor import is_complex, is_float64
    from autograph.staging.tensor import is_python_scalar, lift

    if type(left) is range or type(right) is range:
        # A sequence for an array, as a list is.
        left, right = (list(one) if type(one) is range else one for one in (left, right))
    if not (_is_operand(left) and _is_operand(right)):
        if left is None or right is None:
            _refuse_none(ufunc, left, right)
        return _with_object(ufunc, left, right)
    if is_complex(left) and is_python_scalar(left) and is_float64(right):
        # To `complex.__mul__` an `np.float64` is the float that it is an instance of.
        right = python_scalars.cast(lift(right), "float64")
    numbers = [is_python_scalar(value) for value in (left, right)]
    if any(numbers) and (isinstance(left, (list, tuple)) or isinstance(right, (list, tuple))):
        return NotImplemented
    if all(numbers):
        if ufunc is np.matmul:
            return NotImplemented
        if is_complex(left) or is_complex(right):
            return complex_numbers.binary(ufunc.__name__, left, right)
        return python_scalars.binary(ufunc.__name__, left, right)
    if ufunc is np.power and not (_is_array(left) or _is_array(right)):
        return power_of_scalars(left, right)
    if ufunc is np.power and numbers[1] and lift(left).dtype.kind == "b" and lift(right).dtype.kind != "f":
        return _power_of_bools(left, right)
    return apply(ufunc, left, right)


def _power_of_bools(left: Any, right: Any) -> Any:
    """``bools ** number``: NumPy squares them into another dtype than it raises them to other powers."""
    from autograph.numpy.ufuncs import apply
    from autograph.staging.tensor import Tensor

    if isinstance(right, Tensor):
        raise staging_error(
            "AG103",
            "the dtype of a bool array to a power depends on the power",
            "convert it: `x.astype(int)`",
        )
    return apply(np.square, left) if right == 2 else apply(np.power, left, right)


_EQUAL_TO_NO_NUMBER: set[Any] = {
    kind.__eq__ for kind in (object, str, bytes, dict, set, frozenset, type(None))
}


def _with_object(ufunc: np.ufunc, left: Any, right: Any) -> Any:
    """What there is beside an object that is no number of NumPy's: its own operators, or a ``TypeError``.

    Raises:
        StagingError: For a number of another kind, of which NumPy would make an array of objects.
    """
    from autograph.staging.tensor import Tensor, emit, lift, wrap

    number, other = (left, right) if isinstance(left, Tensor) else (right, left)
    is_decimal = isinstance(other, Decimal)
    if isinstance(other, numbers.Number) and not (is_decimal and number.dtype.kind == "f"):
        kind = type(other).__name__
        raise staging_error(
            "AG105",
            f"a value of type {kind} cannot be combined with a staged value",
            "make it a `float` first",
        )
    if ufunc in (np.equal, np.not_equal) and _is_array(number) and type(other).__eq__ in _EQUAL_TO_NO_NUMBER:
        same_everywhere = lift(ufunc is np.not_equal).read()
        return wrap(emit("broadcast", same_everywhere, list(number.shape)))
    return NotImplemented


def _is_array(value: Any) -> bool:
    """Whether it is an array, plain or staged, or becomes one."""
    from autograph.staging.tensor import Kind, Tensor

    return (
        value.kind is Kind.ARRAY
        if isinstance(value, Tensor)
        else isinstance(value, (np.ndarray, list, tuple))
    )


_ORDER = {"less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
_SYMBOLS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "power": "** or pow()",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "left_shift": "<<",
    "right_shift": ">>",
}


def _refuse_none(ufunc: np.ufunc, left: Any, right: Any) -> None:
    """What NumPy says of ``None`` beside an array or a scalar; of Python's numbers Python says it.

    Raises:
        TypeError: Unless it is a comparison for equality, or Python's affair.
    """
    from autograph.staging.tensor import Kind

    present = right if left is None else left
    order, symbol = _ORDER.get(ufunc.__name__), _SYMBOLS.get(ufunc.__name__)
    if present.kind is Kind.PYTHON or (order is None and symbol is None):
        return
    refuse_none_beside_nothing(present)
    element = {"b": "bool", "f": "float", "c": "complex"}.get(present.dtype.kind, "int")
    names = ("NoneType", element) if left is None else (element, "NoneType")
    if order is not None:
        raise TypeError(f"'{order}' not supported between instances of '{names[0]}' and '{names[1]}'")
    raise TypeError(f"unsupported operand type(s) for {symbol}: '{names[0]}' and '{names[1]}'")


def refuse_none_beside_nothing(present: Any) -> None:
    """Refuses ``None`` beside an array without elements: there is none that NumPy could complain of."""
    from autograph.staging.tensor import Tensor

    sizes = present.sizes if isinstance(present, Tensor) else np.shape(present)
    if any(size is None or size == 0 for size in sizes):
        raise staging_error(
            "AG120",
            "`None` beside an array that may have no elements is an array of no objects for NumPy",
            "test `is None` first",
        )


def in_place(ufunc: np.ufunc, target: Any, other: Any) -> Any:
    """``target op= other``: arrays are written in place, scalars are immutable and rebound."""
    from autograph.numpy.ufuncs import write_into
    from autograph.staging.sizes import may_be_equal
    from autograph.staging.tensor import Kind, shape_text
    from autograph.staging.unions import StagedUnion, each

    if type(other) is StagedUnion and target.kind is Kind.ARRAY:
        return each(other, lambda value: in_place(ufunc, target, value))
    if target.kind is not Kind.ARRAY or not _is_operand(other):
        return NotImplemented
    result = binary(ufunc, target, other)
    if not may_be_equal(result.sizes, target.sizes):
        raise staging_error(
            "AG102",
            f"non-broadcastable output operand with shape {shape_text(target.sizes)} doesn't match the"
            f" broadcast shape {shape_text(result.sizes)}",
        )
    write_into(target, result, "same_kind")
    return target


def unary(ufunc: np.ufunc, operand: Any) -> Any:
    """``op operand``."""
    from autograph.numpy.ufuncs import apply
    from autograph.staging import complex_numbers, python_scalars
    from autograph.staging.complex_tensor import ComplexTensor
    from autograph.staging.tensor import Kind

    if operand.kind is not Kind.PYTHON:
        return apply(ufunc, operand)
    if isinstance(operand, ComplexTensor):
        return complex_numbers.unary(ufunc.__name__, operand)
    if ufunc is np.positive:
        return operand if operand.dtype.kind != "b" else python_scalars.cast(operand, "int64")
    return python_scalars.unary(ufunc.__name__, operand)
