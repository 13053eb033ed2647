"""``np.round``: to decimals, half to even."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.numpy.registry import overload, unsupported_option
from autograph.numpy.ufuncs import apply, store
from autograph.staging.tensor import Tensor, emit, lift, wrap


@overload(np.round, np.around)
def round_to(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """``np.round``: scaled, rounded and scaled back, as NumPy does it."""
    x = lift(a)
    if isinstance(decimals, Tensor):
        raise unsupported_option(np.round, "decimals")
    if x.dtype.kind in "iu" and decimals >= 0:
        return store(wrap(emit("reshape", x.read(), list(x.shape))), out)
    if x.dtype.kind != "f":
        raise unsupported_option(np.round, "decimals")
    if decimals == 0:
        return store(apply(np.rint, x), out)
    power = 10.0 ** abs(decimals)
    scale, back = (np.multiply, np.divide) if decimals > 0 else (np.divide, np.multiply)
    return store(apply(back, apply(np.rint, apply(scale, x, power)), power), out)
