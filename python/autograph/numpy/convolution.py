"""``convolve``, ``correlate``: sums of products of one sequence against the shifts of another.

NumPy's own code (see `borrowed`) prepares the arguments and calls two compiled functions; this is what
those are for staged values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.numpy.borrowed import COMPILED, STANDINS
from autograph.numpy.shapes import promoted, select
from autograph.numpy.ufuncs import apply
from autograph.staging.tensor import Kind, Tensor, emit, lift, wrap
from autograph.staging.trace import value_error


def _slide(long: Tensor, short: Tensor, mode: str) -> Tensor:
    """``sum_k long[n + k] * short[k]`` for each place ``n`` of the mode, of the ``k`` inside ``long``."""
    size, width = long.shape[0], short.shape[0]
    left = {"full": width - 1, "same": width // 2, "valid": 0}[mode]
    count = {"full": size + width - 1, "same": size, "valid": size - width + 1}[mode]
    places = np.arange(count)[:, np.newaxis] - left + np.arange(width)
    is_inside = (places >= 0) & (places < size)
    taken = long[np.clip(places, 0, size - 1)]
    products = apply(np.multiply, taken, short)
    if not is_inside.all():
        products = select(is_inside, products, lift(products).dtype.type(0))
    return wrap(emit("reduce", "sum", lift(products).read(), [1], False), Kind.ARRAY)


def _correlate(a: Any, v: Any, mode: Any = "valid", *, reverses: bool = True) -> Any:
    x, y = (lift(one) for one in promoted([lift(a), lift(v)]))
    for one, which in ((x, "first"), (y, "second")):
        if one.ndim != 1:
            raise value_error(
                "object too deep for desired array" if one.ndim else "object of too small depth"
            )
        if not one.size:
            raise value_error(f"{which} array argument cannot be empty")
    if mode not in ("full", "same", "valid"):
        raise value_error(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    if x.dtype.kind == "b":
        return _correlate(x.astype(np.int64), y.astype(np.int64), mode, reverses=reverses).astype(bool)
    if x.size >= y.size:
        return _slide(x, y, mode)
    return _slide(y, x, mode)[::-1] if reverses else _slide(y, x, mode)


STANDINS[COMPILED.multiarray.correlate] = lambda a, v, mode: _correlate(a, v, mode, reverses=False)
STANDINS[COMPILED.multiarray.correlate2] = _correlate
