"""Objects of classes that derive from numbers, as operands: members of `IntEnum`, `class Metres(float)`.

    cost = x * Weight.HIGH      # of a Python number a Python number, as `Weight.HIGH` is an int
    y = rows + Weight.HIGH      # NumPy makes an array of it: of int8 and int64 an int64, as of `np.int64(5)`

Such a class may have operators of its own, which are asked as those of any object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.staging.operators.object_operands import EQUALITIES, OPERATORS
from autograph._src.staging.tensors.lifting import is_python_scalar
from autograph._src.staging.tensors.tensor import Form, Tensor

_PLAIN: dict[type, Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
}
_EXACT = frozenset((bool, int, float, complex))
_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def as_operand(ufunc: np.ufunc, value: object, beside: object, is_left: bool) -> object:
    """The number that an object of such a class is beside a staged operand; any other value itself.

    Args:
        ufunc: The operator.
        value: The operand.
        beside: The other operand.
        is_left: Whether the operand is the left one.
    """
    base = _base_of(type(value), OPERATORS[ufunc])
    if base is None or not isinstance(beside, Tensor) or not _takes(ufunc, base, beside):
        return value
    # `Metres(2.0) * np.float64(3.0)` is a float of Python: the right class derives from no `Metres`.
    if is_left and base is not int and beside.form is Form.SCALAR:
        return value
    if is_python_scalar(beside):
        return _PLAIN[base](value)
    made = np.asarray(value)
    return made[()] if made.dtype.kind in "ifc" else value


def _takes(ufunc: np.ufunc, base: type, beside: Tensor) -> bool:
    """Whether an operator takes such numbers: the words of CPython's error have the name of the class."""
    if ufunc in (np.add, np.subtract, np.multiply, np.divide, np.power, *EQUALITIES):
        return True
    kind = np.dtype(beside.dtype).kind
    if ufunc is np.matmul or base is complex or kind == "c":
        return False
    return OPERATORS[ufunc] not in _OF_INTS or (base is int and kind in "iub")


_OF_INTS = ("and", "or", "xor", "lshift", "rshift")


def _base_of(kind: type, operator: str) -> type | None:
    """The class of numbers that a class derives from, if it has no operator of its own."""
    if kind in _EXACT or issubclass(kind, (Tensor, np.generic)):
        return None
    base = next((one for one in _PLAIN if issubclass(kind, one)), None)
    names = [f"__{operator}__", f"__r{operator}__", f"__i{operator}__", f"__{_SWAPPED.get(operator)}__"]
    has_own = any(getattr(kind, name, None) is not getattr(base, name, None) for name in names)
    is_of_numpy = any(hasattr(kind, name) for name in ("__array__", "__array_ufunc__", "__array_priority__"))
    return None if has_own or is_of_numpy else base
