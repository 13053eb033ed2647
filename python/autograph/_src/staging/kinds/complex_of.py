"""Complex numbers and arrays: the graph values of both parts.

z = x + 1j          # float64[], float64[]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.staging.complex.complex_tensor import (
    COMPLEX,
    ComplexTensor,
    as_complex,
    is_complex,
    part_dtype,
    rebuilt_complex,
)
from autograph._src.staging.kinds.constants import Constants
from autograph._src.staging.kinds.leaf_type import LeafType
from autograph._src.staging.kinds.numbers import Alternative, NumberKind
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.tensors.tensor import Kind, Tensor

if TYPE_CHECKING:
    from autograph._src.staging.objects.list_arrays import Arrays


@dataclass(frozen=True)
class ComplexOf(NumberKind, TupleOf):
    """A variable that is bound to a complex number or array, by its parts."""

    is_complex = True

    @classmethod
    def of(cls, value: Any, serial: int | None = None) -> ComplexOf | None:
        """Of a complex number or array, plain or staged."""
        if not is_complex(value):
            return None
        if type(value) is complex:
            return complex_of(LeafType(np.dtype(float), (), Kind.PYTHON))
        if isinstance(value, ComplexTensor):
            flag = value.defined is not None
            return complex_of(LeafType(value.real.dtype, value.sizes, value.kind, flag))
        kind = Kind.ARRAY if isinstance(value, np.ndarray) else Kind.SCALAR
        return complex_of(LeafType(part_dtype(value.dtype), np.shape(value), kind))

    def in_words(self) -> str:
        """Its dtype and shape."""
        return f"a {self}"

    def array(self, arrays: Arrays) -> Any:
        """The array of both parts."""
        return self.rebuild([arrays.next_column(), arrays.next_column()])

    def parts_of(self, value: object) -> tuple[Tensor, ...]:
        """Both parts of a number, which may be real."""
        return as_complex(value).parts

    def rebuild(self, values: list[Any]) -> Any:
        """The value of two staged parts, or of two plain ones."""
        return rebuilt_complex(values[0], values[1], self.part.kind)

    def labels(self, name: str) -> list[str]:
        """Messages name the variable."""
        return [name, name]

    # As an alternative of a union

    @property
    def part(self) -> LeafType:
        """The type of both parts."""
        part = self.parts[0]
        assert isinstance(part, LeafType)
        return part

    def with_part(self, part: LeafType) -> ComplexOf:
        """The kind with another type of both parts."""
        return replace(self, parts=(part, part))

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """Itself, with its flag."""
        return (Alternative(self),)

    @property
    def may_be_unbound(self) -> bool:
        """Both parts have a flag, or none."""
        return self.part.may_be_unbound

    def where_bound(self) -> tuple[ComplexOf, bool]:
        """The complex value without the flags of its parts."""
        return self.with_part(replace(self.part, may_be_unbound=False)), self.may_be_unbound

    def with_constants(self, constants: Constants | None) -> ComplexOf:
        """Itself: what number it is, is not noted."""
        return self

    def held(self, value: object) -> Tensor:
        """A complex value."""
        return as_complex(value)

    def __str__(self) -> str:
        if self.part.kind is Kind.PYTHON:
            return "complex"
        return str(replace(self.part, dtype=COMPLEX[self.part.dtype]))


def complex_of(part: LeafType) -> ComplexOf:
    """The kind of complex values whose parts have a type."""
    return ComplexOf(ComplexTensor, (part, part))
