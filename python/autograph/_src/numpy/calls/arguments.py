"""Type aliases for arguments of NumPy functions that `numpy.typing` lacks, or that may be staged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from autograph._src.staging.tensors.tensor import Tensor

Axis: TypeAlias = int | tuple[int, ...]
"""An axis or several, always plain ints: a graph fixes its axes when it is recorded."""

Size: TypeAlias = int | Tensor
"""A size of an axis, which may be staged."""

Shape: TypeAlias = Size | Sequence[Size]
"""A size, or one for each axis."""
