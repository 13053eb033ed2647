"""``convolve``, ``correlate``: sums of products of one sequence with shifts of another.

NumPy's own code (see `borrowed`) prepares the arguments and calls two compiled functions. This file
implements these two for staged values.
"""

from __future__ import annotations

from typing import Any

from autograph._src.numpy.calls.borrowed import COMPILED, STANDINS
from autograph._src.numpy.shapes.shapes import promoted
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error


def _slide(long: Tensor, short: Tensor, mode: str) -> Tensor:
    """``sum_k long[n + k] * short[k]`` for each ``n`` of the mode, over the ``k`` inside ``long``."""
    size, width = long.shape[0], short.shape[0]
    left = {"full": width - 1, "same": width // 2, "valid": 0}[mode]
    count = {"full": size + width - 1, "same": size, "valid": size - width + 1}[mode]
    return wrap(emit("correlate", long.read(), short.read(), left, count), Form.ARRAY)


def _correlate(a: object, v: object, mode: str = "valid", *, reverses: bool = True) -> Any:
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
    if x.size >= y.size:
        return _slide(x, y, mode)
    return _slide(y, x, mode)[::-1] if reverses else _slide(y, x, mode)


STANDINS[COMPILED.multiarray.correlate] = lambda a, v, mode: _correlate(a, v, mode, reverses=False)
STANDINS[COMPILED.multiarray.correlate2] = _correlate
