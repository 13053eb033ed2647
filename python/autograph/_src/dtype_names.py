"""What a graph calls a dtype: ``"float32"``.

NumPy computes ``dtype.name`` at every look, which takes as long as to record an operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class _Names(dict["np.dtype[Any]", str]):
    def __missing__(self, dtype: np.dtype[Any]) -> str:
        found = self[dtype] = dtype.name
        return found


dtype_name: Callable[[np.dtype[Any]], str] = _Names().__getitem__
"""The name of a dtype."""
