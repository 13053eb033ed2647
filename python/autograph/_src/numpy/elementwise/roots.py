"""Roots of sums of squares, as norms and standard deviations are: 0 has derivatives there."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Tensor


def root_of_sum(x: Any, *args: object, **options: object) -> Any:
    """``np.sqrt`` of a sum of squares: where it is 0, its derivatives are 0, and not infinite."""
    if not isinstance(x, Tensor) or x.dtype.kind != "f" or args or options:
        return np.sqrt(x, *args, **options)  # type: ignore[call-overload]
    is_nothing = apply(np.equal, x, 0)
    root = apply(np.sqrt, np.where(is_nothing, x.dtype.type(1), x))
    slope = lift(np.where(is_nothing, x.dtype.type(0), root))
    return with_slope(lift(apply(np.sqrt, x)), slope)
