"""Refusals of arrays that a staged function does not take as arguments, with the argument's name.

f(np.memmap("samples.bin"))         # another class, whose views and copies NumPy makes of that class
f(x.astype(">i4"))                  # bytes in the other order, which copies and views keep
f(np.array(["2024-01-01"], "M8"))   # dates
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.tensors.lifting import is_staged, staged_dtypes
from autograph._src.staging.trace.active import staging_error


def refuse_argument(leaf: Any, name: Callable[[], str | None]) -> None:
    """Refuses an array or NumPy scalar of another class or dtype than graphs take.

    Args:
        leaf: The argument, or what is at a place in one.
        name: The argument's name; ``None`` if it is not known.

    Raises:
        StagingError: If it is one: of another class (AG105) or of another dtype (AG103).
    """
    if isinstance(leaf, np.ndarray) and type(leaf) is not np.ndarray:
        kind = type(leaf).__name__
        of_file = "pass `np.asarray(x)`, an array of the same memory"
        help = of_file if type(leaf) is np.memmap else "pass a plain ndarray"
        raise staging_error("AG105", f"{_who(name)}a {kind} cannot be staged", help)
    dtype = leaf.dtype
    if not is_staged(dtype) and not (dtype in CARRIERS or (dtype.kind == "c" and dtype.isnative)):
        raise staging_error("AG103", f"{_who(name)}arrays of dtype {dtype} are not staged", _remedy(dtype))


def _who(name: Callable[[], str | None]) -> str:
    found = name()
    return "" if found is None else f"argument `{found}`: "


def _remedy(dtype: np.dtype[Any]) -> str:
    if not dtype.isnative:
        return "bring its bytes into this machine's order: `x.astype(x.dtype.newbyteorder('='))`"
    if dtype.kind in "mM":
        return "pass numbers, in the unit that the program counts in: `x.astype(np.int64)`"
    return f"convert with `.astype`; staged: {staged_dtypes()}"
