"""Numbers and arrays of one type, plain or complex: what they are as alternatives of a union."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from autograph._src.staging.kinds.constants import Constants, number
from autograph._src.staging.kinds.leaf_kind import LeafKind
from autograph._src.staging.tensors.plain_values import plain_value
from autograph._src.staging.tensors.tensor import Kind, Tensor, is_python_scalar

if TYPE_CHECKING:
    from autograph._src.staging.kinds.leaf_type import LeafType

_KINDS = tuple(Kind)


class NumberKind(LeafKind):
    """A kind of number or array."""

    is_parameter = True
    may_be_none = True
    is_complex: ClassVar[bool] = False

    @property
    @abstractmethod
    def part(self) -> LeafType:
        """The kind itself, or that of both parts of a complex one."""

    @abstractmethod
    def with_part(self, part: LeafType) -> Self:
        """The kind with another one for itself, or for both parts."""

    @property
    @abstractmethod
    def alternatives(self) -> tuple[Alternative, ...]:
        """What a variable of the kind may be: one type."""

    @property
    @abstractmethod
    def may_be_unbound(self) -> bool:
        """Whether there is a flag."""

    @abstractmethod
    def with_constants(self, constants: Constants | None) -> Self:
        """The kind of what is known to be one of some numbers."""

    @abstractmethod
    def held(self, value: object) -> Tensor:
        """A value in the dtype of this kind, which holds it to the bit."""

    def alternative_key(self) -> tuple[Any, ...]:
        """What makes it another alternative; sizes do not. It also orders them."""
        part = self.part
        order = (
            "biuf".index(part.dtype.kind),
            part.dtype.itemsize,
            _KINDS.index(part.kind),
            len(part.shape),
        )
        return (self.is_complex, *order)

    def is_of_numbers(self) -> bool:
        """Always."""
        return True

    def is_scalar(self) -> bool:
        """Whether it is a real number of Python's or NumPy's, and not one that can be written in place."""
        return not self.is_complex and self.part.kind is not Kind.ARRAY


@dataclass(frozen=True)
class Alternative:
    """One of the types of a variable that is of one type or of another.

    Attributes:
        leaf: The type.
        constants: The numbers that it is known to be one of.
    """

    leaf: NumberKind
    constants: Constants | None = None

    def is_one_number(self) -> bool:
        """Whether it is known to be one number: the graph needs not hold it."""
        return self.constants is not None and len(self.constants) == 1

    def the_number(self) -> Any:
        """The number that it is known to be."""
        assert self.constants is not None
        part, plain = self.leaf.part, number(self.constants[0])
        if part.kind is Kind.PYTHON:
            return {"b": bool, "i": int, "f": float}[part.dtype.kind](plain)
        return part.dtype.type(plain)

    def with_constants(self) -> NumberKind:
        """The type, with the numbers that it is known to be one of."""
        return self.leaf.with_constants(self.constants)

    def plain(self, content: object) -> Any:
        """The plain value, of what its slot holds."""
        if self.is_one_number():
            return self.the_number()
        part = self.leaf.part
        return plain_value(part.kind, np.asarray(content, part.dtype)) if self.leaf.is_scalar() else content


def words_for(alternatives: tuple[Alternative, ...]) -> str:
    """What messages call a value that is one of these."""
    names = [str(one.leaf) for one in alternatives]
    return " or ".join(f"an {name}" if name == "int" else f"a {name}" for name in names)


def is_numeric(value: object) -> bool:
    """Whether a value has a place in a graph."""
    return isinstance(value, (Tensor, np.generic, np.ndarray)) or is_python_scalar(value)
