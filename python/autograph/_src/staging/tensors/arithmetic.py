"""Operators of staged values: NumPy's for arrays and NumPy scalars, Python's for Python numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.staging.trace.statements import binary, in_place, unary

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Tensor


class Arithmetic:
    """The operators of :class:`autograph.Tensor`.

    They return a tensor, or ``NotImplemented`` to leave the operator to the other operand.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> Any:
        return binary(np.equal, self, other)

    def __ne__(self, other: object) -> Any:
        return binary(np.not_equal, self, other)

    def __lt__(self, other: object) -> Tensor:
        return binary(np.less, self, other)

    def __le__(self, other: object) -> Tensor:
        return binary(np.less_equal, self, other)

    def __gt__(self, other: object) -> Tensor:
        return binary(np.greater, self, other)

    def __ge__(self, other: object) -> Tensor:
        return binary(np.greater_equal, self, other)

    def __add__(self, other: object) -> Tensor:
        return binary(np.add, self, other)

    def __radd__(self, other: object) -> Tensor:
        return binary(np.add, other, self)

    def __iadd__(self, other: object) -> Tensor:
        return in_place(np.add, self, other)

    def __sub__(self, other: object) -> Tensor:
        return binary(np.subtract, self, other)

    def __rsub__(self, other: object) -> Tensor:
        return binary(np.subtract, other, self)

    def __isub__(self, other: object) -> Tensor:
        return in_place(np.subtract, self, other)

    def __mul__(self, other: object) -> Tensor:
        return binary(np.multiply, self, other)

    def __rmul__(self, other: object) -> Tensor:
        return binary(np.multiply, other, self)

    def __imul__(self, other: object) -> Tensor:
        return in_place(np.multiply, self, other)

    def __truediv__(self, other: object) -> Tensor:
        return binary(np.divide, self, other)

    def __rtruediv__(self, other: object) -> Tensor:
        return binary(np.divide, other, self)

    def __itruediv__(self, other: object) -> Tensor:
        return in_place(np.divide, self, other)

    def __floordiv__(self, other: object) -> Tensor:
        return binary(np.floor_divide, self, other)

    def __rfloordiv__(self, other: object) -> Tensor:
        return binary(np.floor_divide, other, self)

    def __ifloordiv__(self, other: object) -> Tensor:
        return in_place(np.floor_divide, self, other)

    def __mod__(self, other: object) -> Tensor:
        return binary(np.remainder, self, other)

    def __rmod__(self, other: object) -> Tensor:
        return binary(np.remainder, other, self)

    def __imod__(self, other: object) -> Tensor:
        return in_place(np.remainder, self, other)

    def __pow__(self, other: object) -> Tensor:
        return binary(np.power, self, other)

    def __rpow__(self, other: object) -> Tensor:
        return binary(np.power, other, self)

    def __ipow__(self, other: object) -> Tensor:
        return in_place(np.power, self, other)

    def __and__(self, other: object) -> Tensor:
        return binary(np.bitwise_and, self, other)

    def __rand__(self, other: object) -> Tensor:
        return binary(np.bitwise_and, other, self)

    def __iand__(self, other: object) -> Tensor:
        return in_place(np.bitwise_and, self, other)

    def __or__(self, other: object) -> Tensor:
        return binary(np.bitwise_or, self, other)

    def __ror__(self, other: object) -> Tensor:
        return binary(np.bitwise_or, other, self)

    def __ior__(self, other: object) -> Tensor:
        return in_place(np.bitwise_or, self, other)

    def __xor__(self, other: object) -> Tensor:
        return binary(np.bitwise_xor, self, other)

    def __rxor__(self, other: object) -> Tensor:
        return binary(np.bitwise_xor, other, self)

    def __ixor__(self, other: object) -> Tensor:
        return in_place(np.bitwise_xor, self, other)

    def __lshift__(self, other: object) -> Tensor:
        return binary(np.left_shift, self, other)

    def __rlshift__(self, other: object) -> Tensor:
        return binary(np.left_shift, other, self)

    def __ilshift__(self, other: object) -> Tensor:
        return in_place(np.left_shift, self, other)

    def __rshift__(self, other: object) -> Tensor:
        return binary(np.right_shift, self, other)

    def __rrshift__(self, other: object) -> Tensor:
        return binary(np.right_shift, other, self)

    def __irshift__(self, other: object) -> Tensor:
        return in_place(np.right_shift, self, other)

    def __matmul__(self, other: object) -> Tensor:
        return binary(np.matmul, self, other)

    def __rmatmul__(self, other: object) -> Tensor:
        return binary(np.matmul, other, self)

    def __imatmul__(self, other: object) -> Tensor:
        return in_place(np.matmul, self, other)

    def __neg__(self) -> Tensor:
        return unary(np.negative, self)

    def __pos__(self) -> Tensor:
        return unary(np.positive, self)

    def __abs__(self) -> Tensor:
        return unary(np.absolute, self)

    def __invert__(self) -> Tensor:
        return unary(np.invert, self)

    def __divmod__(self, other: object) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: object) -> tuple[Any, Any]:
        return other // self, other % self
