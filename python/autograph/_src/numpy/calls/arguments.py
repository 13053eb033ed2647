"""Arguments of NumPy's functions: types where `numpy.typing` has none, or where staged values count too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from autograph._src.staging.tensors.tensor import Tensor

Axis: TypeAlias = int | tuple[int, ...]
"""An axis, or several: plain ints, since a graph has each axis where it is."""

Size: TypeAlias = int | Tensor
"""A size of an axis, which may be staged."""

Shape: TypeAlias = Size | Sequence[Size]
"""A size, or one for each axis."""
