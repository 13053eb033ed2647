"""The kind of numbers and arrays of a dtype that the graph does not have: the graph value of the part.

k = np.int16(3)         # int32[]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.staging.kinds.constants import Constants
from autograph._src.staging.kinds.numbers import Alternative, NumberKind
from autograph._src.staging.kinds.ragged_of import array_type
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.narrow.narrow_casts import converted
from autograph._src.staging.narrow.narrow_tensor import CLASSES, NarrowTensor, is_narrow, rebuilt_narrow
from autograph._src.staging.tensors.tensor import Form, Tensor

if TYPE_CHECKING:
    from autograph._src.staging.objects.list_arrays import Arrays

_DTYPES = {kind: dtype for dtype, kind in CLASSES.items()}
_ORDER = {dtype: place for place, dtype in enumerate(CARRIERS)}


@dataclass(frozen=True)
class NarrowOf(NumberKind, TupleOf):
    """The kind of a variable bound to a number or array of a narrow dtype."""

    is_parted = True

    @classmethod
    def of(cls, value: Any, serial: int | None = None) -> NarrowOf | None:
        """The kind of a number or array of a narrow dtype, plain or staged; ``None`` for other values."""
        if not is_narrow(value):
            return None
        if isinstance(value, NarrowTensor):
            flag = value.defined is not None
            return narrow_of(value.dtype, TensorOf(value.part.dtype, value.sizes, value.form, flag))
        form = Form.ARRAY if isinstance(value, np.ndarray) else Form.SCALAR
        return narrow_of(value.dtype, TensorOf(CARRIERS[value.dtype], np.shape(value), form))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The declared dtype."""
        return _DTYPES[self.kind]

    def in_words(self) -> str:
        """Its dtype and shape."""
        return f"{'an' if str(self).startswith('int') else 'a'} {self}"

    def array(self, arrays: Arrays) -> Any:
        """The array whose part is the column."""
        return self.rebuild([arrays.next_column()])

    def parts_of(self, value: object) -> tuple[Tensor, ...]:
        """The part of a value of this dtype."""
        part = converted(value, self.dtype)
        assert isinstance(part, NarrowTensor)
        return part.parts

    def rebuild(self, values: list[Any]) -> Any:
        """The value that a staged or a plain part holds."""
        return rebuilt_narrow(values[0], self.dtype, self.part.form)

    def labels(self, name: str) -> list[str]:
        """The name of the part in messages: that of the variable."""
        return [name]

    # As an alternative of a union

    @property
    def part(self) -> TensorOf:
        """The type of the part."""
        part = array_type(self.parts[0])
        assert isinstance(part, TensorOf)
        return part

    def with_part(self, part: TensorOf) -> NarrowOf:
        """The kind with another type for the part."""
        return replace(self, parts=(part,))

    @property
    def declared(self) -> np.dtype[Any]:
        """The dtype of its values as the program sees it."""
        return self.dtype

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The only alternative: this kind."""
        return (Alternative(self),)

    @property
    def may_be_unbound(self) -> bool:
        """Whether the part carries a flag."""
        return self.parts[0].where_bound()[1]

    def where_bound(self) -> tuple[NarrowOf, bool]:
        """The kind without a flag, and whether it had one."""
        bound, may_be_unbound = self.parts[0].where_bound()
        return replace(self, parts=(bound,) * len(self.parts)), may_be_unbound

    def with_constants(self, constants: Constants | None) -> NarrowOf:
        """This kind, unchanged: constants of narrow dtypes are not tracked."""
        return self

    def held(self, value: object) -> Tensor:
        """The value in the dtype."""
        return converted(value, self.dtype)

    def alternative_key(self) -> tuple[Any, ...]:
        """Identifies and orders the alternatives of a union: after all others, by dtype."""
        return (2, _ORDER[self.dtype], *super().alternative_key()[3:])

    def __str__(self) -> str:
        return str(self.part).replace(self.part.dtype.name, self.dtype.name, 1)


def narrow_of(dtype: np.dtype[Any], part: TensorOf) -> NarrowOf:
    """The kind of values of a narrow dtype whose part has this type."""
    return NarrowOf(CLASSES[dtype], (part,))
