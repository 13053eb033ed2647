"""Staged values that the graph holds as other values: their parts.

    z: complex128       z.real, z.imag, two float64
    k: int16            one int32, which holds every int16

Code that joins values, carries them through loops, stores them in lists or writes to them handles the parts.
Code that asks such a value for one graph value gets an error, never a wrong result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from autograph._src.staging.tensors.memory import Shared
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.tensor import Form, Tensor, type_words
from autograph._src.staging.trace.active import type_error


class PartedTensor(Tensor):
    """A staged value without a graph value of its own.

    Attributes:
        parts: The tensors that hold it. They have its sizes and its form, and belong to no other value.
    """

    __slots__ = ("parts",)

    parts: tuple[Tensor, ...]

    def take_from(self, part: Tensor) -> None:
        """Takes what it has in common with its parts from the first of them."""
        self.ag_trace = part.ag_trace
        self.form = part.form
        self.sizes = part.sizes
        self.serial = part.serial
        self.memory = part.memory
        self.role = part.role
        self.held = 0
        self.affine = None
        self.layout = self._path = None
        self.name = part.name

    def with_parts(self, parts: tuple[Tensor, ...]) -> PartedTensor:
        """A value of the same dtype with other parts."""
        raise NotImplementedError

    def refused(self, what: str) -> Exception:
        """The error for an operation that it does not support, given in words."""
        raise NotImplementedError

    def read(self) -> NoReturn:
        """Refused: it has no graph value of its own.

        Raises:
            StagingError: Always (AG103, AG128).
        """
        raise self.refused("what is done here")

    @property
    def value_id(self) -> int:  # type: ignore[override]
        """Refused, as :meth:`read` is."""
        return self.read()

    @property  # type: ignore[misc]
    def version(self) -> int:
        """The number of writes to its parts."""
        return sum(part.version for part in self.parts)

    @property
    def shared(self) -> Shared:  # type: ignore[override]
        """The memories that its parts may refer to besides their own."""
        return tuple(one for part in self.parts for one in part.shared)

    @property
    def defined(self) -> Tensor | None:  # type: ignore[override]
        """For a variable that may be unbound, the flag that says whether it is bound; one for all parts."""
        return self.parts[0].defined

    def write(self, value_id: int) -> None:
        """Refused, as :meth:`read` is."""
        self.read()

    def ag_truth(self) -> Tensor:
        """``bool(value)``."""
        return truth(self != 0)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape, which all parts have."""
        return self.parts[0].shape

    def __iter__(self) -> Iterator[Any]:
        if not self.sizes:
            raise type_error(f"iteration over a 0-d array ({type_words(self)})")
        return (self[position] for position in range(len(self)))

    def __getitem__(self, index: object) -> Any:
        return self.with_parts(tuple(part[index] for part in self.parts))


def reformed(value: Tensor, form: Form) -> Tensor:
    """The same value, to be read only, in another form."""
    if isinstance(value, PartedTensor):
        return value.with_parts(tuple(reformed(part, form) for part in value.parts))
    return value if value.form is form else Tensor(value.ag_trace, value.read(), form)


def parts_of(tensor: Tensor) -> tuple[Tensor, ...]:
    """The parts of a value; of one that the graph has, itself."""
    return tensor.parts if isinstance(tensor, PartedTensor) else (tensor,)


def of_parts(tensor: Tensor, parts: list[Tensor]) -> Tensor:
    """A value like this one, of which these are what :func:`parts_of` gives."""
    return tensor.with_parts(tuple(parts)) if isinstance(tensor, PartedTensor) else parts[0]
