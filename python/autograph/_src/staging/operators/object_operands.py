"""Operators of a staged number or array and an object that is neither a number nor a list.

    2.5 * point             # Python calls `Point.__rmul__`
    np.float64(2.5) * point # NumPy converts both to object arrays; `Point.__rmul__` gets the float 2.5
    x * point               # `x` is an array: an array of `Point.__rmul__` for each element
    x == {"a": 1.0}         # an array of False

A staged operand follows the same rules, or raises an error where a graph cannot.
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
from autograph._src.staging.operators.objects_as_arrays import array_of
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error

EQUALITIES = (np.equal, np.not_equal)
COMPARISONS = (*EQUALITIES, np.less, np.less_equal, np.greater, np.greater_equal)

_EQUAL_TO_NO_NUMBER: set[Any] = {
    kind.__eq__ for kind in (object, str, bytes, dict, set, frozenset, type(None), BuiltinFunctionType, slice)
}
"""`__eq__` methods that are false for every number; NumPy converts `bytearray` and `memoryview` to arrays."""

OPERATORS: dict[np.ufunc, str] = {
    **{np.add: "add", np.subtract: "sub", np.multiply: "mul", np.divide: "truediv", np.power: "pow"},
    **{np.floor_divide: "floordiv", np.remainder: "mod", np.matmul: "matmul", np.left_shift: "lshift"},
    **{np.right_shift: "rshift", np.bitwise_and: "and", np.bitwise_or: "or", np.bitwise_xor: "xor"},
    **{np.less: "lt", np.less_equal: "le", np.greater: "gt", np.greater_equal: "ge"},
    **{np.equal: "eq", np.not_equal: "ne"},
}
"""The names of the operators in the module `operator`; their methods have the same names."""

_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def with_object(ufunc: np.ufunc, left: Any, right: Any) -> object:
    """``left op right`` of a staged number or array and an object.

    Returns:
        The result; ``NotImplemented`` to leave the operator to the object's class.

    Raises:
        StagingError: For numbers that graphs do not have, and objects that NumPy converts to arrays (AG105).
    """
    is_left = isinstance(left, Tensor)
    number, other = (left, right) if is_left else (right, left)
    # Python compares a float with a decimal, but does not add them.
    is_decimal = isinstance(other, Decimal) and ufunc not in COMPARISONS
    if isinstance(other, numbers.Number) and not (is_decimal and number.dtype.kind == "f"):
        kind = type(other).__name__
        message = f"a value of type {kind} cannot be combined with a staged value"
        raise staging_error("AG105", message, "make it a `float` first")
    if isinstance(other, np.dtype):
        raise staging_error(
            "AG105", "an operator of a dtype and a staged value", "compare dtypes: `x.dtype == dtype`"
        )
    if backend_of(other) is not None:
        return NotImplemented
    if number.form is not Form.ARRAY:
        _require_no_arithmetic_in_c(ufunc, other, is_left)
    if number.form is Form.PYTHON or _is_asked_first(other, number):
        return NotImplemented
    if isinstance(other, (str, bytes)):
        return _with_text(ufunc, number)
    made = array_of(other)
    if made is not None:
        return ufunc(number, made) if is_left else ufunc(made, number)
    _require_no_array(other)
    if number.form is Form.ARRAY:
        return _with_array(ufunc, number, other, is_left)
    if ufunc is np.matmul or (ufunc in (np.remainder, np.floor_divide) and is_complex(number)):
        return NotImplemented  # NumPy's scalars have no such operator.
    operation = getattr(operator, f"__{OPERATORS[ufunc]}__")
    item = number.item()
    return operation(item, other) if is_left else operation(other, item)


def _require_no_arithmetic_in_c(ufunc: np.ufunc, other: object, is_left: bool) -> None:
    """Refuses objects whose operators with numbers are written in C, which does not take staged numbers.

    Raises:
        StagingError: For such objects, for instance `datetime.timedelta` (AG105).
    """
    kind = type(other)
    name = _asked(ufunc, is_left)
    method = getattr(kind, name, None)
    is_in_c = isinstance(method, WrapperDescriptorType) and kind.__module__ not in _KNOW_NO_NUMBERS
    if is_in_c and method is not getattr(object, name, None):
        message = f"a value of type {kind.__name__} cannot be combined with a staged value"
        raise staging_error("AG105", message, "compute with the number that it stands for")


_KNOW_NO_NUMBERS = ("builtins", "collections", "array")
"""Modules whose classes need no such check: their operators do not compute with floats."""


def _asked(ufunc: np.ufunc, is_left: bool) -> str:
    """The method of the object that Python calls, depending on the side of the number."""
    name = OPERATORS[ufunc]
    return f"__{_SWAPPED.get(name, f'r{name}') if is_left else name}__"


def _is_asked_first(other: object, number: Tensor) -> bool:
    """Whether NumPy leaves the operator to the object, because of an attribute of its class."""
    kind = type(other)
    if hasattr(kind, "__array_ufunc__"):
        if kind.__array_ufunc__ is None:
            return True
        message = f"an operator of a staged value and a {kind.__name__}, whose class has `__array_ufunc__`"
        raise staging_error("AG105", message, "give NumPy an array that the object holds")
    own = 0.0 if number.form is Form.ARRAY else -1_000_000.0
    return bool(getattr(kind, "__array_priority__", -1_000_000.0) > own)


def _with_text(ufunc: np.ufunc, number: Tensor) -> object:
    """``==`` or ``!=`` of a number and text, which are never equal; other operators raise."""
    if ufunc not in EQUALITIES:
        return NotImplemented
    if number.form is Form.SCALAR:
        return lift(np.bool_(ufunc is np.not_equal))
    return _the_same_everywhere(number, ufunc is np.not_equal)


def _the_same_everywhere(array: Tensor, answer: bool) -> Tensor:
    return wrap(emit("broadcast", lift(answer).read(), list(array.shape)))


def _require_no_array(other: object) -> None:
    """Refuses objects that NumPy converts to arrays: sequences, buffers and objects with `__array__`.

    Raises:
        StagingError: For such objects (AG105).
    """
    kind = type(other)
    is_sequence = hasattr(kind, "__len__") and hasattr(kind, "__getitem__") and not isinstance(other, dict)
    if is_sequence or any(hasattr(kind, name) for name in ("__array__", "__array_interface__")):
        message = f"NumPy makes an array of a {kind.__name__} that is an operand of a staged value"
        raise staging_error("AG105", message, "make an array of it first: `np.asarray(xs)`")


def _with_array(ufunc: np.ufunc, array: Tensor, other: object, is_left: bool) -> object:
    """An operator of an array and an object, for which NumPy calls the object's method on each element.

    Raises:
        StagingError: If the object's class has the method (AG105).
    """
    if ufunc in EQUALITIES and type(other).__eq__ in _EQUAL_TO_NO_NUMBER:
        return _the_same_everywhere(array, ufunc is np.not_equal)
    name = _asked(ufunc, is_left)
    method = getattr(type(other), name, None)
    if method is None or (method is getattr(object, name, None) and ufunc not in EQUALITIES):
        return NotImplemented
    message = f"NumPy calls `{name}` of the {type(other).__name__} for each element of the array"
    raise staging_error("AG105", message, "give the operator an array or a number that the object holds")
