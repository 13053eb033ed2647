"""The common base of the kinds of real and complex numbers, and the alternatives of a union of them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from autograph._src.staging.kinds.constants import Constants, number
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.tensors.lifting import is_python_scalar
from autograph._src.staging.tensors.plain_values import plain_value
from autograph._src.staging.tensors.tensor import Form, Tensor

if TYPE_CHECKING:
    from autograph._src.staging.kinds.tensor_of import TensorOf

_KINDS = tuple(Form)


class NumberKind(ValueKind):
    """A kind of numbers or arrays, real or complex."""

    is_parameter = True
    may_be_none = True
    is_complex: ClassVar[bool] = False
    is_parted: ClassVar[bool] = False
    """Whether its values have no graph value of their own."""
    has_arrays: ClassVar[bool] = True
    """Whether an array can hold several of its values, as one of the graph."""

    @property
    @abstractmethod
    def part(self) -> TensorOf:
        """The kind itself; for a complex kind, the kind of both parts."""

    @property
    def declared(self) -> np.dtype[Any]:
        """The dtype of :attr:`part` as the program sees it."""
        return self.part.dtype

    @abstractmethod
    def with_part(self, part: TensorOf) -> Self:
        """The kind with :attr:`part` replaced."""

    @property
    @abstractmethod
    def alternatives(self) -> tuple[Alternative, ...]:
        """The kind as a union of one alternative."""

    @property
    @abstractmethod
    def may_be_unbound(self) -> bool:
        """Whether the kind has a flag."""

    @abstractmethod
    def with_constants(self, constants: Constants | None) -> Self:
        """The kind of a value that is known to be one of these constants."""

    @abstractmethod
    def held(self, value: object) -> Tensor:
        """A value cast to the dtype of this kind, which must hold it exactly."""

    def alternative_key(self) -> tuple[Any, ...]:
        """Identifies and orders the alternatives of a union; kinds that differ only in sizes share a key."""
        part = self.part
        order = (
            "biuf".index(part.dtype.kind),
            part.dtype.itemsize,
            _KINDS.index(part.form),
            len(part.shape),
        )
        return (self.is_complex, *order)

    def is_of_numbers(self) -> bool:
        """Always true."""
        return True

    def is_scalar(self) -> bool:
        """Whether its values are immutable numbers that are one graph value."""
        return not self.is_parted and self.part.form is not Form.ARRAY


@dataclass(frozen=True)
class Alternative:
    """One of the types of a union.

    Attributes:
        leaf: The type.
        constants: The known numbers that the value is one of, if any.
    """

    leaf: NumberKind
    constants: Constants | None = None

    def is_one_number(self) -> bool:
        """Whether the value is one known number, which needs no graph value."""
        return self.constants is not None and len(self.constants) == 1

    def the_number(self) -> Any:
        """The known number."""
        assert self.constants is not None
        part, plain = self.leaf.part, number(self.constants[0])
        if part.form is Form.PYTHON:
            return {"b": bool, "i": int, "f": float}[part.dtype.kind](plain)
        return part.dtype.type(plain)

    def with_constants(self) -> NumberKind:
        """The type, with the known constants attached."""
        return self.leaf.with_constants(self.constants)

    def plain(self, content: object) -> Any:
        """The plain value, from the content of its slot."""
        if self.is_one_number():
            return self.the_number()
        part = self.leaf.part
        return plain_value(part.form, np.asarray(content, part.dtype)) if self.leaf.is_scalar() else content


def words_for(alternatives: tuple[Alternative, ...]) -> str:
    """How messages describe a value that is one of these."""
    names = [str(one.leaf) for one in alternatives]
    return " or ".join(f"an {name}" if name == "int" else f"a {name}" for name in names)


def is_numeric(value: object) -> bool:
    """Whether a value is a number or an array, plain or staged."""
    return isinstance(value, (Tensor, np.generic, np.ndarray)) or is_python_scalar(value)
