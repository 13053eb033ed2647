"""What there is beside an array or a scalar of NumPy's in an operator, if it is no number and no list.

2.5 * point             # Python asks `Point.__rmul__`
np.float64(2.5) * point # NumPy makes arrays of objects of both: `Point.__rmul__` gets the float 2.5
x * point               # of an array: an array of what `Point.__rmul__` gives for each element
x == {"a": 1.0}         # an array of False
"""

from __future__ import annotations

import numbers
import operator
from decimal import Decimal
from types import BuiltinFunctionType, WrapperDescriptorType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.tensors.tensor import Kind, Tensor, emit, lift, wrap
from autograph._src.staging.trace.active import staging_error

EQUALITIES = (np.equal, np.not_equal)
COMPARISONS = (*EQUALITIES, np.less, np.less_equal, np.greater, np.greater_equal)

_EQUAL_TO_NO_NUMBER: set[Any] = {
    kind.__eq__ for kind in (object, str, bytes, dict, set, frozenset, type(None), BuiltinFunctionType, slice)
}
"""Methods that know no number; `bytearray` and `memoryview` are arrays for NumPy."""

OPERATORS: dict[np.ufunc, str] = {
    **{np.add: "add", np.subtract: "sub", np.multiply: "mul", np.divide: "truediv", np.power: "pow"},
    **{np.floor_divide: "floordiv", np.remainder: "mod", np.matmul: "matmul", np.left_shift: "lshift"},
    **{np.right_shift: "rshift", np.bitwise_and: "and", np.bitwise_or: "or", np.bitwise_xor: "xor"},
    **{np.less: "lt", np.less_equal: "le", np.greater: "gt", np.greater_equal: "ge"},
    **{np.equal: "eq", np.not_equal: "ne"},
}
"""The names of the operators in the module `operator`, as their methods are named too."""

_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def with_object(ufunc: np.ufunc, left: Any, right: Any) -> object:
    """``left op right`` of a staged number or array and an object; ``NotImplemented`` if that is its affair.

    Raises:
        StagingError: For a number of another kind, and where NumPy makes an array of the object (AG105).
    """
    is_left = isinstance(left, Tensor)
    number, other = (left, right) if is_left else (right, left)
    # A float and a decimal are compared, and have no sum.
    is_decimal = isinstance(other, Decimal) and ufunc not in COMPARISONS
    if isinstance(other, numbers.Number) and not (is_decimal and number.dtype.kind == "f"):
        kind = type(other).__name__
        message = f"a value of type {kind} cannot be combined with a staged value"
        raise staging_error("AG105", message, "make it a `float` first")
    if isinstance(other, np.dtype):
        raise staging_error("AG105", "a dtype beside a staged value", "compare dtypes: `x.dtype == dtype`")
    if backend_of(other) is not None:
        return NotImplemented
    if number.kind is not Kind.ARRAY:
        _require_no_arithmetic_in_c(ufunc, other, is_left)
    if number.kind is Kind.PYTHON or _is_asked_first(other, number):
        return NotImplemented
    if isinstance(other, (str, bytes)):
        return _with_text(ufunc, number)
    _require_no_array(other)
    if number.kind is Kind.ARRAY:
        return _with_array(ufunc, number, other, is_left)
    if ufunc is np.matmul or (ufunc in (np.remainder, np.floor_divide) and is_complex(number)):
        return NotImplemented  # NumPy's scalars have no such operator.
    operation = getattr(operator, f"__{OPERATORS[ufunc]}__")
    item = number.item()
    return operation(item, other) if is_left else operation(other, item)


def _require_no_arithmetic_in_c(ufunc: np.ufunc, other: object, is_left: bool) -> None:
    """Refuses what computes with numbers and is not written in Python: it does not know staged ones.

    Raises:
        StagingError: For `datetime.timedelta` and its like (AG105).
    """
    kind = type(other)
    name = _asked(ufunc, is_left)
    method = getattr(kind, name, None)
    is_in_c = isinstance(method, WrapperDescriptorType) and kind.__module__ not in _KNOW_NO_NUMBERS
    if is_in_c and method is not getattr(object, name, None):
        message = f"a value of type {kind.__name__} cannot be combined with a staged value"
        raise staging_error("AG105", message, "compute with the number that it stands for")


_KNOW_NO_NUMBERS = ("builtins", "collections", "array")
"""Modules whose containers have operators, and ask no number anything."""


def _asked(ufunc: np.ufunc, is_left: bool) -> str:
    """The method of an object that Python asks where the number is on the left, or on the right."""
    name = OPERATORS[ufunc]
    return f"__{_SWAPPED.get(name, f'r{name}') if is_left else name}__"


def _is_asked_first(other: object, number: Tensor) -> bool:
    """Whether NumPy leaves the operator to the object, which says so by an attribute of its class."""
    kind = type(other)
    if hasattr(kind, "__array_ufunc__"):
        if kind.__array_ufunc__ is None:
            return True
        message = f"an operator of a staged value and a {kind.__name__}, whose class has `__array_ufunc__`"
        raise staging_error("AG105", message, "give NumPy an array that the object holds")
    own = 0.0 if number.kind is Kind.ARRAY else -1_000_000.0
    return bool(getattr(kind, "__array_priority__", -1_000_000.0) > own)


def _with_text(ufunc: np.ufunc, number: Tensor) -> object:
    """Text is equal to no number; an operator has no loop for it."""
    if ufunc not in EQUALITIES:
        return NotImplemented
    if number.kind is Kind.SCALAR:
        return lift(np.bool_(ufunc is np.not_equal))
    return _the_same_everywhere(number, ufunc is np.not_equal)


def _the_same_everywhere(array: Tensor, answer: bool) -> Tensor:
    return wrap(emit("broadcast", lift(answer).read(), list(array.shape)))


def _require_no_array(other: object) -> None:
    """Refuses what NumPy makes an array of: sequences, buffers and what has `__array__`.

    Raises:
        StagingError: If it is one (AG105).
    """
    kind = type(other)
    is_sequence = hasattr(kind, "__len__") and hasattr(kind, "__getitem__") and not isinstance(other, dict)
    if is_sequence or any(hasattr(kind, name) for name in ("__array__", "__array_interface__")):
        message = f"a {kind.__name__} beside a staged value is an array for NumPy"
        raise staging_error("AG105", message, "make an array of it first: `np.asarray(xs)`")


def _with_array(ufunc: np.ufunc, array: Tensor, other: object, is_left: bool) -> object:
    """Of an array NumPy asks the object beside each element.

    Raises:
        StagingError: If its class has the method (AG105).
    """
    if ufunc in EQUALITIES and type(other).__eq__ in _EQUAL_TO_NO_NUMBER:
        return _the_same_everywhere(array, ufunc is np.not_equal)
    name = _asked(ufunc, is_left)
    method = getattr(type(other), name, None)
    if method is None or (method is getattr(object, name, None) and ufunc not in EQUALITIES):
        return NotImplemented
    message = f"`{name}` of a {type(other).__name__} beside an array is asked for each element"
    raise staging_error("AG105", message, "give the operator an array or a number that the object holds")
