"""The kind of Python ints of 64 bits without a sign: the int64 that holds their bits.

h = 14695981039346656037        # int64[]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.constants import Constants
from autograph._src.staging.kinds.numbers import Alternative, NumberKind
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.wide.wide_int import (
    LIMIT,
    WIDE_INT,
    WideInt,
    as_wide,
    is_beyond_int64,
    plain_wide,
)

if TYPE_CHECKING:
    from autograph._src.staging.objects.list_arrays import Arrays

_INT64 = np.dtype("int64")


@dataclass(frozen=True)
class WideOf(NumberKind, TupleOf):
    """The kind of a variable bound to a Python int of 64 bits without a sign."""

    is_parted = True
    has_arrays = False

    @classmethod
    def of(cls, value: Any, serial: int | None = None) -> WideOf | None:
        """The kind of such an int, plain or staged; ``None`` for other values."""
        if isinstance(value, WideInt):
            return wide_of(TensorOf(_INT64, (), Form.PYTHON, value.defined is not None))
        is_one = is_beyond_int64(value) and 0 <= value < LIMIT
        return wide_of(TensorOf(_INT64, (), Form.PYTHON)) if is_one else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Such ints and those of an int64 are such ints; the run raises where one is negative."""
        if isinstance(left, WideOf) and _is_int(right):
            return wide_of(_joined(name, left.parts[0], right, where))
        if isinstance(right, WideOf) and _is_int(left):
            return wide_of(_joined(name, left, right.parts[0], where))
        return super().joined(name, left, right, where) if isinstance(left, WideOf) else None

    def in_words(self) -> str:
        """An int."""
        return "an int"

    def pack(self, value: object, reads: Any = None) -> list[Any]:
        """The part of the int, and its flag if there is one."""
        given = value if isinstance(value, Undefined) else self.parts_of(value)[0]
        return self.part.pack(given, reads)

    def array(self, arrays: Arrays) -> Any:
        """Refused: NumPy chooses its dtype by the ints.

        Raises:
            StagingError: Always (AG120).
        """
        raise arrays.refusal(
            "Python ints of 64 bits without a sign",
            "NumPy makes one of int64 or of uint64, by their values",
            "take fewer bits: `h >> 1`, or write them into an array of `np.uint64`",
        )

    def parts_of(self, value: object) -> tuple[Tensor, ...]:
        """The part of an int."""
        return (as_wide(value).whole(),)

    def rebuild(self, values: list[Any]) -> Any:
        """The int that a staged or a plain part holds."""
        return WideInt(values[0]) if isinstance(values[0], Tensor) else plain_wide(values[0])

    def is_renumbered(self) -> bool:
        """True: a negative int64 has the bits of a large int."""
        return True

    def labels(self, name: str) -> list[str]:
        """The name of the part in messages: that of the variable."""
        return [name]

    # As an alternative of a union

    @property
    def part(self) -> TensorOf:
        """The type of the part."""
        part = self.parts[0]
        assert isinstance(part, TensorOf)
        return part

    def with_part(self, part: TensorOf) -> WideOf:
        """The kind with another type for the part."""
        return replace(self, parts=(part,))

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The only alternative: this kind."""
        return (Alternative(self),)

    @property
    def may_be_unbound(self) -> bool:
        """Whether the part carries a flag."""
        return self.part.may_be_unbound

    def where_bound(self) -> tuple[WideOf, bool]:
        """The kind without a flag, and whether it had one."""
        bound, may_be_unbound = self.parts[0].where_bound()
        return replace(self, parts=(bound,)), may_be_unbound

    def with_constants(self, constants: Constants | None) -> WideOf:
        """This kind, unchanged: constants above the largest int64 are not tracked."""
        return self

    def held(self, value: object) -> Tensor:
        """The value as such an int."""
        return as_wide(value)

    def alternative_key(self) -> tuple[Any, ...]:
        """Identifies and orders the alternatives of a union: after all others."""
        return (3, *super().alternative_key()[3:])

    def __str__(self) -> str:
        return "int"


def _is_int(kind: ValueKind) -> bool:
    return isinstance(kind, TensorOf) and kind.dtype == _INT64 and kind.form is Form.PYTHON


def _joined(name: str, left: ValueKind, right: ValueKind, where: Paths) -> TensorOf:
    joined = join(name, left, right, where)
    assert isinstance(joined, TensorOf)
    return joined


def wide_of(part: TensorOf) -> WideOf:
    """The kind of ints whose part has this type."""
    return WideOf(WIDE_INT, (part,))
