"""The kind of complex numbers and arrays: two graph values, the real and the imaginary part.

    z = x + 1j          # float64[], float64[]

Both parts have the same dtype, shape and Python class (Python number, NumPy scalar or array).
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
from autograph._src.staging.kinds.numbers import Alternative, NumberKind
from autograph._src.staging.kinds.ragged_of import array_type
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.tensors.tensor import Form, Tensor

if TYPE_CHECKING:
    from autograph._src.staging.objects.list_arrays import Arrays


@dataclass(frozen=True)
class ComplexOf(NumberKind, TupleOf):
    """The kind of a variable bound to a complex number or array."""

    is_complex = True
    is_parted = True

    @classmethod
    def of(cls, value: Any, serial: int | None = None) -> ComplexOf | None:
        """The kind of a complex number or array, plain or staged; ``None`` for other values."""
        if not is_complex(value):
            return None
        if type(value) is complex:
            return complex_of(TensorOf(np.dtype(float), (), Form.PYTHON))
        if isinstance(value, ComplexTensor):
            flag = value.defined is not None
            return complex_of(TensorOf(value.real.dtype, value.sizes, value.form, flag))
        kind = Form.ARRAY if isinstance(value, np.ndarray) else Form.SCALAR
        return complex_of(TensorOf(part_dtype(value.dtype), np.shape(value), kind))

    def in_words(self) -> str:
        """Its dtype and shape."""
        return f"a {self}"

    def array(self, arrays: Arrays) -> Any:
        """The complex array of the two columns of parts."""
        return self.rebuild([arrays.next_column(), arrays.next_column()])

    def parts_of(self, value: object) -> tuple[Tensor, ...]:
        """Both parts of a number; a real number gets a zero imaginary part."""
        return as_complex(value).parts

    def rebuild(self, values: list[Any]) -> Any:
        """The complex value made of two staged or two plain parts."""
        return rebuilt_complex(values[0], values[1], self.part.form)

    def labels(self, name: str) -> list[str]:
        """The name of each part in messages: that of the variable."""
        return [name, name]

    # As an alternative of a union

    @property
    def part(self) -> TensorOf:
        """The type of both parts."""
        part = array_type(self.parts[0])
        assert isinstance(part, TensorOf)
        return part

    def with_part(self, part: TensorOf) -> ComplexOf:
        """The kind with another type for both parts."""
        return replace(self, parts=(part, part))

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The only alternative: this kind."""
        return (Alternative(self),)

    @property
    def may_be_unbound(self) -> bool:
        """Whether both parts carry a flag."""
        return self.parts[0].where_bound()[1]

    def where_bound(self) -> tuple[ComplexOf, bool]:
        """The kind without flags, and whether it had them."""
        bound, may_be_unbound = self.parts[0].where_bound()
        return replace(self, parts=(bound,) * len(self.parts)), may_be_unbound

    def with_constants(self, constants: Constants | None) -> ComplexOf:
        """This kind, unchanged: complex constants are not tracked."""
        return self

    def held(self, value: object) -> Tensor:
        """The value as a complex tensor."""
        return as_complex(value)

    def __str__(self) -> str:
        if self.part.form is Form.PYTHON:
            return "complex"
        return str(replace(self.part, dtype=COMPLEX[self.part.dtype]))


def complex_of(part: TensorOf) -> ComplexOf:
    """The kind of complex values whose parts have this type."""
    return ComplexOf(ComplexTensor, (part, part))
