"""Operators of unions: one op if all alternatives mean the same computation, else a branch for each.

    total = 0
    for v in values:
        total = total + v    # (0 or a float64) + a float64: one addition of two float64
    total // 2               # an int or a float64: a branch for each

This module adds the methods to ``StagedUnion``.
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
from autograph._src.staging.kinds.numbers import Alternative
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.union_slots import slots_of
from autograph._src.staging.kinds.unions import StagedUnion, each, over_alternatives
from autograph._src.staging.operators.object_operands import COMPARISONS, OPERATORS
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.running_operator import ARITHMETIC, is_comparison, is_in_place
from autograph._src.staging.trace.statements import records


@records(statements.union_operator)
def apply(ufunc: np.ufunc, left: object, right: object) -> Any:
    """``ufunc(left, right)``, with at least one union."""
    known = _on_slots(ufunc, left, right)
    return over_alternatives(ufunc, (left, right), {}) if known is None else ufunc(*known)


def _on_slots(ufunc: np.ufunc, left: object, right: object) -> tuple[Any, Any] | None:
    """The operands with the union replaced by its shared slot; ``None`` if alternatives need branches."""
    if type(left) is StagedUnion and type(right) is not StagedUnion:
        slot = _shared_slot(ufunc, left, right, True)
        return None if slot is None else (slot, right)
    if type(right) is StagedUnion and type(left) is not StagedUnion:
        slot = _shared_slot(ufunc, right, left, False)
        return None if slot is None else (left, slot)
    return None


def _shared_slot(ufunc: np.ufunc, value: StagedUnion, other: object, is_left: bool) -> Tensor | None:
    """The slot, cast so that one op on it is right for all alternatives; ``None`` if there is no such cast.

    NumPy chooses the dtype of a computation by the types of both operands. If it chooses the same dtype for
    each alternative, casting the slot to that dtype gives what casting each alternative would give.
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
        is_python = all(leaf.part.form is Form.PYTHON for leaf in leaves)
        is_float = is_python and lift(other).dtype.kind == "f"
        return _cast(slot, np.dtype(float), Form.PYTHON) if is_float else None
    beside = lift(other)
    is_unchecked = all(_is_unchecked(one, beside.dtype) for one in value.ag_alternatives)
    if beside.dtype.kind not in "iuf" or not is_unchecked:
        return None
    pairs = [(_resolution_of(leaf.part), operand_dtype(beside)) for leaf in leaves]
    found = {resolve(ufunc, pair if is_left else pair[::-1])[:2] for pair in pairs}
    (dtypes, *others) = found
    if others or dtypes[0] != dtypes[1] or not (slot.dtype == dtypes[0] or dtypes[0].kind == "f"):
        return None
    return _cast(slot, dtypes[0], Form.SCALAR)


def _cast(slot: Tensor, dtype: np.dtype[Any], form: Form) -> Tensor:
    return wrap(slot.read() if slot.dtype == dtype else emit("cast", slot.read(), dtype_name(dtype)), form)


def _resolution_of(leaf: TensorOf) -> object:
    """The operand type to give to ``resolve``, NumPy's choice of a dtype."""
    if leaf.form is Form.PYTHON:
        return {"b": np.dtype(bool), "i": int, "f": float}[leaf.dtype.kind]
    return leaf.dtype


def _is_unchecked(one: Alternative, dtype: np.dtype[Any]) -> bool:
    """Whether NumPy combines the alternative with a dtype without a check that its number fits."""
    leaf = one.leaf.part
    if leaf.form is not Form.PYTHON or leaf.dtype.kind != "i" or dtype.kind == "f":
        return True
    return dtype == np.int64 if one.constants is None else fits(one.constants, dtype)


_OF_VALUES = {
    *(np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum),
    *(np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal),
}
"""Operations whose result depends only on the operands' values, once the dtype is chosen."""


def _in_place_of(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The in-place form of an operator: ``operator.iadd`` for ``operator.add``."""
    return getattr(operator, f"i{operation.__name__.strip('_')}", operation)


def _binary(operation: Callable[[Any, Any], Any], ufunc: np.ufunc | None) -> tuple[Any, Any]:
    """The methods ``__op__`` and ``__rop__``."""

    def record(left: object, right: object) -> object:
        known = None if ufunc is None else _on_slots(ufunc, left, right)
        if known is not None:
            return operation(*known)
        # `x += y` has error messages of its own, and with a list it is not a concatenation.
        words_of = _in_place_of(operation) if _is_no_array(left) and is_in_place() else operation
        return over_alternatives(words_of, (left, right), {})

    def forward(self: StagedUnion, other: object) -> object:
        if operation in _SWAPPED and _has_no_order(self, other) and is_comparison(_SWAPPED[operation][1]):
            # For `1 < m` Python calls `m > 1`, but the error message names `<`.
            return over_alternatives(_SWAPPED[operation][0], (other, self), {})
        return record(self, other)

    def backward(self: StagedUnion, other: object) -> object:
        return record(other, self)

    return forward, backward


def _has_no_order(value: StagedUnion, other: object) -> bool:
    """Whether `<` may raise: Python's complex numbers, and values that are no numbers, have no order."""
    is_number = isinstance(other, (Tensor, StagedUnion, np.generic, bool, int, float))
    return not is_number or is_complex(other) or any(one.leaf.is_complex for one in value.ag_alternatives)


def _is_no_array(value: object) -> bool:
    """Whether a value is immutable, so that an in-place operator rebinds it and does not write to it."""
    if type(value) is StagedUnion:
        return all(one.leaf.is_scalar() for one in value.ag_alternatives)
    if isinstance(value, Tensor):
        return value.form is not Form.ARRAY
    return not isinstance(value, np.ndarray)


def _unary(operation: Callable[[Any], Any]) -> Callable[[StagedUnion], Any]:
    return lambda self: each(self, operation)


_OF_SLOTS: dict[str, np.ufunc] = {
    OPERATORS[ufunc]: ufunc for ufunc in (np.add, np.subtract, np.multiply, np.divide)
}
"""Arithmetic operators for which one op may serve all alternatives."""

_SWAPPED: dict[Callable[[Any, Any], Any], tuple[Callable[[Any, Any], Any], str]] = {
    operator.__lt__: (operator.__gt__, ">"),
    operator.__le__: (operator.__ge__, ">="),
    operator.__gt__: (operator.__lt__, "<"),
    operator.__ge__: (operator.__le__, "<="),
}
"""By comparison: its mirror image, as a function and as a symbol."""

_COMPARED: dict[np.ufunc, Callable[[Any, Any], Any]] = {}


def compared(ufunc: np.ufunc, left: object, right: StagedUnion) -> object:
    """``left == right`` or another comparison, with the union on the right."""
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
