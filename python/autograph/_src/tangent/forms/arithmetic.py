"""The forms of what operators and NumPy's elementwise functions give."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from autograph._src.tangent.forms.values import (
    UNKNOWN,
    Array,
    Literal,
    Number,
    Value,
    is_known_dtype,
    number_of,
    of_elements,
)

_UFUNCS: dict[type[ast.AST], np.ufunc] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.true_divide,
    ast.Mod: np.remainder,
    ast.FloorDiv: np.floor_divide,
    ast.Pow: np.power,
    ast.USub: np.negative,
    ast.UAdd: np.positive,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}


def elementwise(ufunc: np.ufunc, operands: Sequence[Value]) -> Value:
    """What a function of NumPy's gives for each element of its operands."""
    if ufunc.signature is not None or ufunc.nout != 1 or len(operands) != ufunc.nin:
        return UNKNOWN
    dtypes: list[object] = []
    shapes = []
    for one in operands:
        kind = number_of(one)
        if isinstance(one, Array):
            dtypes.append(one.dtype)
            shapes.append(one.shape)
        elif kind is None:
            return UNKNOWN
        else:
            # Python's numbers take the dtype of the others; `bool` is no number to NumPy.
            is_weak = kind in (int, float, complex)
            dtypes.append(kind if is_weak else np.dtype(kind))
    if all(isinstance(one, type) for one in dtypes):
        # Of Python's numbers alone, the dtype of an array of them: of a large `int`, that is of objects.
        if any(number_of(one) is int for one in operands):
            return UNKNOWN
        dtypes = [np.dtype(one) for one in dtypes]  # type: ignore[call-overload]
    try:
        dtype = ufunc.resolve_dtypes((*dtypes, None))[-1]  # type: ignore[arg-type]
        shape = np.broadcast_shapes(*shapes)
    except (TypeError, ValueError):  # It raises when it runs.
        return UNKNOWN
    return of_elements(dtype, shape) if is_known_dtype(dtype) else UNKNOWN


def binary(operator: ast.AST, left: Value, right: Value) -> Value:
    """What ``left operator right`` gives."""
    if isinstance(operator, ast.MatMult):
        return product(left, right)
    ufunc = _UFUNCS.get(type(operator))
    kinds = (number_of(left), number_of(right))
    if ufunc is None or any(isinstance(one, Literal) and number_of(one) is None for one in (left, right)):
        return UNKNOWN
    if isinstance(left, Array) or isinstance(right, Array):
        if isinstance(operator, ast.Pow) and not _is_plain_power(left, right):
            return UNKNOWN
        return elementwise(ufunc, (left, right))
    if None in kinds or kinds[0] is complex:  # `1j + np.float64(2.0)` is a complex of Python's.
        return UNKNOWN
    if any(kind is not None and issubclass(kind, np.generic) for kind in kinds):
        return UNKNOWN if isinstance(operator, ast.Pow) else elementwise(ufunc, (left, right))
    return _of_python(operator, {kind for kind in kinds if kind is not None})


def _is_plain_power(left: Value, right: Value) -> bool:
    """Whether `**` of arrays is what `np.power` gives: NumPy takes some exponents for squares and roots."""
    return isinstance(left, Array) and left.dtype.kind == "f" and number_of(right) in (int, float)


def _of_python(operator: ast.AST, kinds: set[type]) -> Value:
    """What an operator of Python's numbers gives."""
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        return Number(bool)
    if complex in kinds:
        return UNKNOWN
    if isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        return Number(bool)
    if isinstance(operator, ast.Pow):  # (-8.0) ** 0.5 is complex.
        return UNKNOWN
    if isinstance(operator, ast.Div):
        return Number(float)
    return Number(float if float in kinds else int)


def unary(operator: ast.unaryop, operand: Value) -> Value:
    """What ``-x`` gives, or ``not x``."""
    if isinstance(operator, ast.Not):
        return UNKNOWN if isinstance(operand, Array) and operand.shape else Number(bool)
    kind = number_of(operand)
    if isinstance(operator, ast.USub) and isinstance(operand, Literal) and kind in (int, float):
        return Literal(-operand.value)  # type: ignore[operator]
    if isinstance(operand, Array) or (kind is not None and issubclass(kind, np.generic)):
        ufunc = _UFUNCS.get(type(operator))
        return UNKNOWN if ufunc is None else elementwise(ufunc, (operand,))
    if kind in (int, float) and isinstance(operator, (ast.USub, ast.UAdd)):
        return Number(kind)
    return UNKNOWN


def product(left: Value, right: Value) -> Value:
    """What `np.dot` and ``@`` give of vectors and matrices."""
    if not (isinstance(left, Array) and isinstance(right, Array)):
        return UNKNOWN
    if left.dtype != right.dtype or left.dtype.kind not in "fc":
        return UNKNOWN
    if not (left.ndim in (1, 2) and right.ndim in (1, 2)) or left.shape[-1] != right.shape[0]:
        return UNKNOWN
    return of_elements(left.dtype, left.shape[:-1] + right.shape[1:])
