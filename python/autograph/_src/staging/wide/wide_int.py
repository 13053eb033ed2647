"""A staged Python int from 0 to 2**64 - 1, held by an int64 of the graph: the same 64 bits.

    h = 14695981039346656037            # above the largest int64
    h = (h ^ b) * 1099511628211         # may have more than 64 bits; the low ones are known
    h = h % 2**64                       # needs no others

An int may be *open*: its low 64 bits are known, and whether they are all is asked where it matters. A mask
and a remainder of a power of two take low bits, and ask nothing. Every other use records a check, and the
run raises ``OverflowError`` where the int has more bits, or is negative.

Code that does not know such ints reads an int64: the run raises ``OverflowError`` if the int is above the
largest one. So nothing takes its bits for a negative number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from autograph._src.staging.narrow.narrow_casts import float_of_uint64
from autograph._src.staging.tensors.lifting import beyond_64_bits, constant
from autograph._src.staging.tensors.memory import Shared
from autograph._src.staging.tensors.number_tensor import NumberTensor
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.python_scalars import compare, left_64_bits, require_error, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap

LIMIT = 2**64
"""The first int that has more than 64 bits."""

_INT64 = np.dtype("int64")


class WideInt(NumberTensor, PartedTensor):
    """A staged Python int of 64 bits without a sign.

    Attributes:
        bits: The int64 with its low 64 bits, for code that needs no others.
        fits: For an open int, records whether it is from 0 to 2**64 - 1.
    """

    __slots__ = ("bits", "fits")

    def __new__(cls, bits: Tensor, fits: Callable[[], Tensor] | None = None) -> WideInt:
        """Makes an object of the class that messages name."""
        return object.__new__(WIDE_INT)

    def __init__(self, bits: Tensor, fits: Callable[[], Tensor] | None = None) -> None:
        """Makes one.

        Args:
            bits: An int64 with the low 64 bits.
            fits: For an open int, records whether it is from 0 to 2**64 - 1.
        """
        self.bits = bits
        self.fits = fits
        self.take_from(bits)
        self.dtype = _INT64

    @property
    def parts(self) -> tuple[Tensor, ...]:  # type: ignore[override]
        """Its bits, for code that looks for the tensors of a value and computes nothing from them."""
        return (self.bits,)

    def whole(self) -> Tensor:
        """The int64 that holds the int; the run raises ``OverflowError`` if an open one has more bits."""
        if self.fits is not None:
            require_error(self.fits(), left_64_bits)
        return self.bits

    def with_parts(self, parts: tuple[Tensor, ...]) -> WideInt:
        """The same int, in another tensor."""
        return WideInt(parts[0], self.fits)

    def ag_number(self) -> Tensor:
        """The int as an int64; the run raises ``OverflowError`` if it is above the largest one."""
        held = self.whole()
        require_error(compare("greater_equal", held, 0), left_64_bits)
        return held

    def ag_cast(self, dtype: str) -> Tensor:
        """The int in another dtype of Python's numbers: as ``float``, as ``bool``, or itself."""
        if dtype == "float64":
            return wrap(float_of_uint64(self.whole().read(), np.dtype(dtype)), Form.PYTHON)
        return truth(self) if dtype == "bool" else self

    def read(self) -> int:  # type: ignore[override]
        """The graph value of :meth:`ag_number`."""
        return self.ag_number().read()

    @property
    def value_id(self) -> int:  # type: ignore[override]
        """As :meth:`read`."""
        return self.read()

    @property  # type: ignore[misc]
    def version(self) -> int:
        """The number of writes to it: none."""
        return self.bits.version

    @property
    def shared(self) -> Shared:  # type: ignore[override]
        """The memories that it may refer to: none."""
        return ()

    @property
    def defined(self) -> Tensor | None:  # type: ignore[override]
        """For a variable that may be unbound, the flag that says whether it is bound."""
        return self.bits.defined

    def ag_truth(self) -> Tensor:
        """``bool(value)``."""
        return compare("not_equal", self.whole(), 0)


WIDE_INT: type[WideInt] = type("int", (WideInt,), {"__slots__": (), "__doc__": "A staged Python int."})
"""The class of all of them: CPython's messages name the class of an operand."""


def is_beyond_int64(value: object) -> TypeGuard[int]:
    """Whether a value is a plain int that no int64 holds."""
    return type(value) is int and not -(2**63) <= value < 2**63


def is_wide(value: object) -> bool:
    """Whether a value is an int, plain or staged, that no int64 holds, or may not."""
    return is_beyond_int64(value) or issubclass(type(value), WideInt)


def bits_of(value: int) -> Tensor:
    """The low 64 bits of a plain int, as a literal."""
    low = value % LIMIT
    return constant(low - LIMIT if low >= 2**63 else low, "int64", Form.PYTHON)


def as_wide(value: Any) -> WideInt:
    """An int as a :class:`WideInt`; the run raises ``OverflowError`` if a staged one is negative.

    Raises:
        StagingError: If a plain int is negative or has more than 64 bits (AG104).
    """
    if isinstance(value, WideInt):
        return value
    if not isinstance(value, Tensor):
        if not 0 <= value < LIMIT:
            raise beyond_64_bits(value)
        return WideInt(bits_of(int(value)))
    require_error(compare("greater_equal", value, 0), left_64_bits)
    return WideInt(value)


def plain_wide(held: Any) -> int:
    """The plain int of the int64 that holds one."""
    return int(held) % LIMIT
