"""Operators of values of several types: one op where the type makes no difference, else one for each.

total = 0
for v in values:
total = total + v        # 0 or a float64, and a float64: one addition of two float64
total // 2                   # an int or a float64: a branch for each
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.numpy.elementwise.ufuncs import operand_dtype, resolve
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.kinds.constants import fits
from autograph._src.staging.kinds.leaf_type import LeafType
from autograph._src.staging.kinds.numbers import Alternative
from autograph._src.staging.kinds.union_slots import slots_of
from autograph._src.staging.kinds.unions import StagedUnion, each, over_alternatives
from autograph._src.staging.operators.object_operands import COMPARISONS, OPERATORS
from autograph._src.staging.tensors.tensor import Kind, Tensor, emit, is_python_scalar, lift, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.running_operator import ARITHMETIC, is_comparison, is_in_place
from autograph._src.staging.trace.statements import records


@records(statements.union_operator)
def apply(ufunc: np.ufunc, left: object, right: object) -> Any:
    """``ufunc(left, right)``, where one is of several types."""
    known = _on_slots(ufunc, left, right)
    return over_alternatives(ufunc, (left, right), {}) if known is None else ufunc(*known)


def _on_slots(ufunc: np.ufunc, left: object, right: object) -> tuple[Any, Any] | None:
    """The operands with the one value that the operation takes for each alternative, if there is one."""
    if type(left) is StagedUnion and type(right) is not StagedUnion:
        slot = _shared_slot(ufunc, left, right, True)
        return None if slot is None else (slot, right)
    if type(right) is StagedUnion and type(left) is not StagedUnion:
        slot = _shared_slot(ufunc, right, left, False)
        return None if slot is None else (left, slot)
    return None


def _shared_slot(ufunc: np.ufunc, value: StagedUnion, other: object, is_left: bool) -> Tensor | None:
    """The one value that an operation takes, whichever alternative it is; ``None`` if that matters.

    NumPy computes in a dtype that it chooses by the types of both operands. Where it chooses the same for
    each alternative, the slot cast to that dtype is what each alternative cast to it is.
    """
    places = set(slots_of(value.ag_alternatives)[1])
    is_number = isinstance(other, (Tensor, np.generic, np.ndarray, float))
    if ufunc not in _OF_VALUES or len(places) != 1 or None in places or not is_number or is_complex(other):
        return None
    (slot,) = value.ag_slots
    leaves = [one.leaf for one in value.ag_alternatives]
    if not all(leaf.is_scalar() for leaf in leaves):
        return None
    if is_python_scalar(other):
        is_python = all(leaf.part.kind is Kind.PYTHON for leaf in leaves)
        is_float = is_python and lift(other).dtype.kind == "f"
        return _cast(slot, np.dtype(float), Kind.PYTHON) if is_float else None
    beside = lift(other)
    is_unchecked = all(_is_unchecked(one, beside.dtype) for one in value.ag_alternatives)
    if beside.dtype.kind not in "iuf" or not is_unchecked:
        return None
    pairs = [(_resolution_of(leaf.part), operand_dtype(beside)) for leaf in leaves]
    found = {resolve(ufunc, pair if is_left else pair[::-1])[:2] for pair in pairs}
    (dtypes, *others) = found
    if others or dtypes[0] != dtypes[1] or not (slot.dtype == dtypes[0] or dtypes[0].kind == "f"):
        return None
    return _cast(slot, dtypes[0], Kind.SCALAR)


def _cast(slot: Tensor, dtype: np.dtype[Any], kind: Kind) -> Tensor:
    return wrap(slot.read() if slot.dtype == dtype else emit("cast", slot.read(), dtype_name(dtype)), kind)


def _resolution_of(leaf: LeafType) -> object:
    """What NumPy's choice of a dtype is asked with."""
    if leaf.kind is Kind.PYTHON:
        return {"b": np.dtype(bool), "i": int, "f": float}[leaf.dtype.kind]
    return leaf.dtype


def _is_unchecked(one: Alternative, dtype: np.dtype[Any]) -> bool:
    """Whether NumPy takes the alternative beside a dtype without looking at its number."""
    leaf = one.leaf.part
    if leaf.kind is not Kind.PYTHON or leaf.dtype.kind != "i" or dtype.kind == "f":
        return True
    return dtype == np.int64 if one.constants is None else fits(one.constants, dtype)


_OF_VALUES = {
    *(np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum),
    *(np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal),
}
"""Operations that depend on the values of their operands only, once the dtype is chosen."""


def _in_place_of(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``operator.iadd`` of ``operator.add``."""
    return getattr(operator, f"i{operation.__name__.strip('_')}", operation)


def _binary(operation: Callable[[Any, Any], Any], ufunc: np.ufunc | None) -> tuple[Any, Any]:
    """The methods ``__op__`` and ``__rop__``."""

    def record(left: object, right: object) -> object:
        known = None if ufunc is None else _on_slots(ufunc, left, right)
        if known is not None:
            return operation(*known)
        # `x += y` fails with words of its own, and of a list it is no concatenation.
        words_of = _in_place_of(operation) if _is_no_array(left) and is_in_place() else operation
        return over_alternatives(words_of, (left, right), {})

    def forward(self: StagedUnion, other: object) -> object:
        if operation in _SWAPPED and _has_no_order(self, other) and is_comparison(_SWAPPED[operation][1]):
            # `1 < m` asks `m > 1`, and fails with words of its own.
            return over_alternatives(_SWAPPED[operation][0], (other, self), {})
        return record(self, other)

    def backward(self: StagedUnion, other: object) -> object:
        return record(other, self)

    return forward, backward


def _has_no_order(value: StagedUnion, other: object) -> bool:
    """Whether `<` may fail: complex numbers of Python's, and what is no number, have no order."""
    is_number = isinstance(other, (Tensor, StagedUnion, np.generic, bool, int, float))
    return not is_number or is_complex(other) or any(one.leaf.is_complex for one in value.ag_alternatives)


def _is_no_array(value: object) -> bool:
    """Whether it is no array, which an operator in place writes to."""
    if type(value) is StagedUnion:
        return all(one.leaf.is_scalar() for one in value.ag_alternatives)
    if isinstance(value, Tensor):
        return value.kind is not Kind.ARRAY
    return not isinstance(value, np.ndarray)


def _unary(operation: Callable[[Any], Any]) -> Callable[[StagedUnion], Any]:
    return lambda self: each(self, operation)


_OF_SLOTS: dict[str, np.ufunc] = {
    OPERATORS[ufunc]: ufunc for ufunc in (np.add, np.subtract, np.multiply, np.divide)
}
"""Arithmetic that one op may do for all alternatives."""

_SWAPPED: dict[Callable[[Any, Any], Any], tuple[Callable[[Any, Any], Any], str]] = {
    operator.__lt__: (operator.__gt__, ">"),
    operator.__le__: (operator.__ge__, ">="),
    operator.__gt__: (operator.__lt__, "<"),
    operator.__ge__: (operator.__le__, "<="),
}
"""By comparison: the one that asks it in its turn, and how that is written."""

_COMPARED: dict[np.ufunc, Callable[[Any, Any], Any]] = {}


def compared(ufunc: np.ufunc, left: object, right: StagedUnion) -> object:
    """``left == right``, or another comparison."""
    return _COMPARED[ufunc](right, left)


for _name in ARITHMETIC:
    _forward, _backward = _binary(getattr(operator, f"__{_name}__"), _OF_SLOTS.get(_name))
    _updated, _ = _binary(getattr(operator, f"__i{_name}__"), _OF_SLOTS.get(_name))
    for _method, _function in (("", _forward), ("r", _backward), ("i", _updated)):
        setattr(StagedUnion, f"__{_method}{_name}__", _function)
for _comparison in COMPARISONS:
    _method = f"__{OPERATORS[_comparison]}__"
    _forward, _COMPARED[_comparison] = _binary(getattr(operator, _method), _comparison)
    setattr(StagedUnion, _method, _forward)
for _name in ("neg", "pos", "abs", "invert"):
    setattr(StagedUnion, f"__{_name}__", _unary(getattr(operator, f"__{_name}__")))
