"""The parts of an index of an array, each for one axis: ``x[1, 2:5, None, rows]``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Tensor


@dataclass(frozen=True)
class New:
    """``np.newaxis``: a new axis of size 1."""


@dataclass(frozen=True)
class At:
    """One plain integer: the axis is dropped."""

    position: int


@dataclass(frozen=True)
class Span:
    """A slice of known size: ``size`` elements from ``start`` by ``step``, or from a staged start by 1.

    ``size=None`` means a whole axis whose size only the run knows.
    """

    start: int
    size: int | None
    step: int
    moving: Tensor | None = None


@dataclass(frozen=True)
class Cut:
    """A slice whose size only the run knows, with bounds as ``slice.indices`` gives them."""

    start: Tensor
    stop: Tensor
    step: Any


@dataclass(frozen=True)
class Run:
    """In a write, ``count`` elements one after the other from ``start``, of which only the run knows."""

    start: Tensor
    count: Any


@dataclass(frozen=True)
class Pick:
    """An index array, or a staged integer as an index of rank 0, which drops the axis."""

    indices: Tensor

    @property
    def rank(self) -> int:
        """The number of axes in the result."""
        return self.indices.ndim


Part = New | At | Span | Cut | Run | Pick
