"""Refusals of arrays that a staged function does not take as arguments, with the argument's name.

f(np.memmap("samples.bin"))         # another class, whose views and copies NumPy makes of that class
f(x.astype(">i4"))                  # bytes in the other order, which copies and views keep
f(np.array(["2024-01-01"], "M8"))   # dates
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.staging.complex.complex_tensor import PART
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.tensors.lifting import is_staged, staged_dtypes
from autograph._src.staging.trace.active import staging_error

_TUPLE = "pass its elements as a tuple, which is a constant of the graph: `tuple(x.tolist())`"
_REMEDIES = {
    **dict.fromkeys("OSUV", _TUPLE),
    "M": "pass its numbers: `x.astype('datetime64[s]').astype(np.int64)`",
    "m": "pass its numbers: `x / np.timedelta64(1, 's')`",
}
"""By the kind of a dtype of no numbers, what to pass instead."""


def refuse_argument(leaf: Any, name: Callable[[], str | None]) -> None:
    """Refuses an array or NumPy scalar of another class or dtype than graphs take.

    Args:
        leaf: The argument, or what is at a place in one.
        name: The argument's name, with its function; ``None`` if it is not known.

    Raises:
        StagingError: If it is one: of another class (AG105) or of another dtype (AG103).
    """
    dtype = leaf.dtype
    if isinstance(leaf, np.ndarray) and type(leaf) is not np.ndarray:
        who = name() or "an argument"
        of_file = "pass `np.asarray(x)`, an array of the same memory"
        help = of_file if type(leaf) is np.memmap else "pass a plain ndarray"
        words = f"{who} is {with_article(type(leaf).__name__)} of dtype {dtype}, which is not staged"
        raise staging_error("AG105", words, help)
    if not is_staged(dtype) and not (dtype in CARRIERS or dtype in PART):
        who = name() or "an argument"
        raise staging_error("AG103", f"{who} is of dtype {dtype}, which is not staged", _remedy(dtype))


def _remedy(dtype: np.dtype[Any]) -> str:
    if not dtype.isnative and dtype.kind not in _REMEDIES:
        return "bring its bytes into this machine's order: `x.astype(x.dtype.newbyteorder('='))`"
    return _REMEDIES.get(dtype.kind, f"convert with `.astype`; staged: {staged_dtypes()}")
