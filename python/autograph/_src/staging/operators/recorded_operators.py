"""The operators of staged values: NumPy's rules for arrays and NumPy scalars, Python's for its numbers."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograph._src.numpy.calls.outputs import write_into
from autograph._src.numpy.elementwise.ufuncs import apply, power_of_scalars
from autograph._src.staging.complex import complex_numbers
from autograph._src.staging.complex.complex_tensor import ComplexTensor, is_complex, is_float64
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.lists.grown_tuple import GrownTuple, repeated_tuple, with_tuple
from autograph._src.staging.lists.list_operands import is_staged_factor, refuse_factor
from autograph._src.staging.operators import choice_operators
from autograph._src.staging.operators.none_operands import failure_of
from autograph._src.staging.operators.number_classes import as_operand
from autograph._src.staging.operators.object_operands import COMPARISONS, EQUALITIES, OPERATORS, with_object
from autograph._src.staging.operators.optional_operators import applied
from autograph._src.staging.operators.union_operators import compared
from autograph._src.staging.tensors import python_scalars
from autograph._src.staging.tensors.lifting import is_python_scalar, lift, object_as_array
from autograph._src.staging.tensors.sizes import may_be_equal, require_operands
from autograph._src.staging.tensors.staged_strings import method_of_values
from autograph._src.staging.tensors.tensor import ArrayTensor, Form, Tensor, shape_text
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import is_foreign, staging_error
from autograph._src.staging.trace.running_operator import is_in_place
from autograph._src.staging.trace.statements import records
from autograph._src.staging.wide import wide_arithmetic
from autograph._src.staging.wide.wide_int import WideInt, is_wide


def _is_operand(value: object) -> bool:
    return isinstance(value, (Tensor, bool, int, float, complex, np.generic, np.ndarray, list, tuple))


def _is_sequence(value: object) -> bool:
    return issubclass(type(value), (list, tuple))


def _is_repeated(sequence: object, count: Any) -> bool:
    """Whether ``sequence * count`` repeats a sequence: NumPy leaves a product with its scalars to Python."""
    is_scalar = isinstance(count, Tensor) and count.form is Form.SCALAR and _is_sequence(sequence)
    if is_scalar and count.dtype.kind not in "iu":
        refuse_factor(count)
    return is_scalar


@records(statements.binary)
def binary(ufunc: np.ufunc, left: Any, right: Any) -> Any:
    """``left op right``, with at least one staged operand."""
    if type(left) is type(right) is ArrayTensor:  # The common case.
        return apply(ufunc, left, right)
    left, right = as_operand(ufunc, left, right, True), as_operand(ufunc, right, left, False)
    has_axes = ufunc is not np.matmul or _has_axes(left) or _has_axes(right)
    if has_axes and (type(left) is range or type(right) is range):
        # NumPy converts a range to an array, like a list.
        left, right = (list(one) if type(one) is range else one for one in (left, right))
    if type(left) is GrownTuple or type(right) is GrownTuple:
        return with_tuple(ufunc, left, right)
    if not (_is_operand(left) and _is_operand(right)):
        if is_foreign(left) or is_foreign(right):
            operation = getattr(operator, f"__{OPERATORS[ufunc]}__")
            return operation(*(one.read() if isinstance(one, Tensor) else one for one in (left, right)))
        if left is None or right is None:
            _refuse_none(ufunc, left, right)
        repeated = _repeated_text(ufunc, left, right)
        if repeated is not None:
            return repeated
        if type(right) is StagedChoice:
            return choice_operators.applied(getattr(operator, f"__{OPERATORS[ufunc]}__"), left, right)
        if ufunc in COMPARISONS and isinstance(right, (StagedOptional, StagedUnion)):
            return _compared(ufunc, left, right)
        return with_object(ufunc, left, right)
    if is_complex(left) and is_python_scalar(left) and is_float64(right):
        # `np.float64` is a subclass of float, so `complex.__mul__` takes it as a float.
        right = python_scalars.cast(lift(right), "float64")
    if ufunc is np.multiply and tuple in (type(left), type(right)):
        values, count = (left, right) if type(left) is tuple else (right, left)
        if is_staged_factor(count):
            return repeated_tuple(values, count)
    has_sequence = _is_sequence(left) or _is_sequence(right)
    if (
        has_sequence
        and ufunc in (np.floor_divide, np.remainder)
        and any(map(_is_complex_scalar, (left, right)))
    ):
        return NotImplemented  # Complex numbers have no such operator.
    if ufunc is np.multiply and (_is_repeated(left, right) or _is_repeated(right, left)):
        return NotImplemented
    if ufunc is np.matmul and not (_has_axes(left) or _has_axes(right)):
        return _refuse_matmul(left, right)
    left_is_number, right_is_number = is_python_scalar(left), is_python_scalar(right)
    if (left_is_number and _is_sequence(right)) or (right_is_number and _is_sequence(left)):
        return NotImplemented
    if left_is_number and right_is_number:
        if is_complex(left) or is_complex(right):
            return complex_numbers.binary(ufunc.__name__, left, right)
        if is_wide(left) or is_wide(right):
            return wide_arithmetic.binary(ufunc.__name__, left, right)
        return python_scalars.binary(ufunc.__name__, left, right)
    if ufunc is np.power and not (_is_array(left) or _is_array(right)):
        return power_of_scalars(left, right)
    if (
        ufunc is np.power
        and right_is_number
        and lift(left).dtype.kind == "b"
        and lift(right).dtype.kind != "f"
    ):
        return _power_of_bools(left, right)
    return apply(ufunc, left, right)


def _repeated_text(ufunc: np.ufunc, left: object, right: object) -> object:
    """``"-" * n`` of a plain string and a staged int; ``None`` for other operators."""
    text, count = (left, right) if type(left) is str else (right, left)
    if ufunc is not np.multiply or type(text) is not str or not isinstance(count, Tensor):
        return None
    is_count = count.form is not Form.ARRAY and count.dtype.kind in "iu"
    return method_of_values(text, "__mul__", (count,)) if is_count else None


def _is_complex_scalar(value: object) -> bool:
    return isinstance(value, ComplexTensor) and value.form is Form.SCALAR


def _compared(ufunc: np.ufunc, left: Tensor, right: StagedOptional | StagedUnion) -> object:
    """A comparison with an optional or union on the right, which must know that it is the right operand."""
    if isinstance(right, StagedUnion):
        return compared(ufunc, left, right)
    if ufunc in EQUALITIES:
        return right.equals(left, differs=ufunc is np.not_equal, is_left=False)
    return applied(OPERATORS[ufunc], left, right)


def _has_axes(value: object) -> bool:
    return value.form is Form.ARRAY if isinstance(value, Tensor) else isinstance(value, np.ndarray)


def _refuse_matmul(left: object, right: object) -> object:
    """Refuses ``left @ right`` without an array, which Python refuses too.

    Raises:
        TypeError: CPython's own; for Python numbers ``NotImplemented`` makes Python raise it.
    """
    if all(one.form is Form.PYTHON for one in (left, right) if isinstance(one, Tensor)):
        return NotImplemented
    raise failure_of(operator.imatmul if is_in_place() else operator.matmul, left, right)


def _power_of_bools(left: object, right: object) -> object:
    """``bools ** number``: NumPy's ``** 2`` is a square, with another dtype than other powers have."""
    if isinstance(right, Tensor):
        raise staging_error(
            "AG103",
            "the dtype of a bool array to a power depends on the power",
            "convert it: `x.astype(int)`",
        )
    return apply(np.square, left) if right == 2 else apply(np.power, left, right)


def _is_array(value: object) -> bool:
    """Whether a value is an array, plain or staged, or a sequence that becomes one."""
    return (
        value.form is Form.ARRAY
        if isinstance(value, Tensor)
        else isinstance(value, (np.ndarray, list, tuple))
    )


def _refuse_none(ufunc: np.ufunc, left: Any, right: Any) -> None:
    """Raises NumPy's error for ``None`` and an array or NumPy scalar.

    Raises:
        TypeError: NumPy's own. ``==`` and ``!=`` do not raise, and Python itself raises for its numbers.
    """
    present = right if left is None else left
    if present.form is not Form.PYTHON and ufunc not in EQUALITIES:
        name = f"i{OPERATORS[ufunc]}" if is_in_place() else OPERATORS[ufunc]
        raise failure_of(getattr(operator, f"__{name}__"), left, right)


def _leads(other: Any) -> bool:
    """Whether NumPy leaves an operator of an array to an object."""
    is_of_numpy = isinstance(other, (np.ndarray, np.generic))
    return not is_of_numpy and getattr(type(other), "__array_priority__", 0.0) > 0.0


@records(statements.in_place)
def in_place(ufunc: np.ufunc, target: Any, other: Any) -> object:
    """``target op= other``: arrays are written in place, scalars are immutable and rebound."""
    if target.form is not Form.ARRAY:
        is_repeated = ufunc is np.multiply and isinstance(other, (list, tuple, str, bytes))
        return target * other if is_repeated else NotImplemented
    if type(other) is StagedUnion:
        return each(other, lambda value: in_place(ufunc, target, value))
    if isinstance(other, StagedOptional):
        return applied(f"i{OPERATORS[ufunc]}", target, other)
    if other is None:
        raise failure_of(getattr(operator, f"__i{OPERATORS[ufunc]}__"), target, other)
    if type(other) is range:
        other = list(other)
    if not _leads(other):
        other = object_as_array(other)
    if not _is_operand(other):
        return NotImplemented
    beside = lift(other)
    if ufunc is not np.matmul:
        require_operands(target.shape, beside.shape, target.shape)
    result = binary(ufunc, target, other)
    if not may_be_equal(result.sizes, target.sizes):
        raise staging_error(
            "AG102",
            f"non-broadcastable output operand with shape {shape_text(target.sizes)} doesn't match the"
            f" broadcast shape {shape_text(result.sizes)}",
        )
    write_into(target, result, "same_kind")
    return target


@records(statements.unary)
def unary(ufunc: np.ufunc, operand: Any) -> object:
    """``op operand``."""
    if operand.form is not Form.PYTHON:
        return apply(ufunc, operand)
    if isinstance(operand, ComplexTensor):
        return complex_numbers.unary(ufunc.__name__, operand)
    if isinstance(operand, WideInt):
        return wide_arithmetic.unary(ufunc.__name__, operand)
    if ufunc is np.positive:
        return operand if operand.dtype.kind != "b" else python_scalars.cast(operand, "int64")
    return python_scalars.unary(ufunc.__name__, operand)
