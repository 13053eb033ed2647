"""The names that graphs use for dtypes, such as ``"float32"``, cached.

NumPy computes ``dtype.name`` anew at every access, which takes as long as recording an op.
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
