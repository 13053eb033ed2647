"""``convolve``, ``correlate``: sums of products of one sequence with shifts of another.

NumPy's own code (see `borrowed`) prepares the arguments and calls two compiled functions. This file
implements these two for staged values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.calls.borrowed import COMPILED, STANDINS
from autograph._src.numpy.elementwise.sequential import count_up
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.shapes.shapes import promoted, select
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import positions
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error

_LARGEST_TABLE = 1 << 12
"""The most products for which a table is made, whose rows are then summed."""


def _slide(long: Tensor, short: Tensor, mode: str) -> Tensor:
    """``sum_k long[n + k] * short[k]`` for each ``n`` of the mode, over the ``k`` inside ``long``."""
    size, width = long.shape[0], short.shape[0]
    left = {"full": width - 1, "same": width // 2, "valid": 0}[mode]
    count = {"full": size + width - 1, "same": size, "valid": size - width + 1}[mode]
    if count * width > _LARGEST_TABLE:
        return _slide_in_loop(long, short, left, count)
    places = np.arange(count)[:, np.newaxis] - left + np.arange(width)
    is_inside = (places >= 0) & (places < size)
    taken = long[np.clip(places, 0, size - 1)]
    products = apply(np.multiply, taken, short)
    if not is_inside.all():
        products = select(is_inside, products, lift(products).dtype.type(0))
    return wrap(emit("reduce", "sum", lift(products).read(), [1], False), Form.ARRAY)


def _slide_in_loop(long: Tensor, short: Tensor, left: int, count: int) -> Tensor:
    """The sums with the memory of one table row only: a loop over ``sums += long[k : k + count] * short[k]``.

    Beyond its ends `long` counts as zeros. Zero times infinity would be NaN, so unless all of `short` is
    finite, products beyond the ends are left out one by one.
    """
    size, width, dtype = long.shape[0], short.shape[0], long.dtype
    right = count + width - 1 - left - size
    edges = [emit("broadcast", lift(dtype.type(0)).read(), [one]) for one in (left, right)]
    padded = emit("concatenate", [edges[0], long.read(), edges[1]], 0)
    places, factors = positions(-left, 1, count), short.read()

    def product(k: Any) -> object:
        taken = wrap(emit("dynamic_slice", padded, k.read(), 0, count))
        return apply(np.multiply, taken, wrap(emit("gather", factors, [k.read()], 0)))

    def inner_product(k: object) -> Tensor:
        place = lift(apply(np.add, places, k))
        is_inside = apply(np.bitwise_and, apply(np.greater_equal, place, 0), apply(np.less, place, size))
        return select(is_inside, product(k), dtype.type(0))

    sums = wrap(emit("broadcast", lift(dtype.type(0)).read(), [count]), Form.ARRAY)
    if not (left or right) or dtype.kind != "f":
        return _sum_up(product, lift(width), sums)
    tame = lift(select(np.all(apply(np.isfinite, short)), np.int64(width), np.int64(0)))
    return _sum_up(inner_product, lift(apply(np.subtract, width, tame)), _sum_up(product, tame, sums))


_AT_ONCE = 8
"""The number of products that one pass over the sums adds."""


def _sum_up(product: Callable[[Tensor], Any], count: Tensor, sums: Tensor) -> Tensor:
    """The sums after adding the first ``count`` products, one after the other."""
    passes = lift(apply(np.floor_divide, count, _AT_ONCE))
    done = lift(apply(np.multiply, passes, _AT_ONCE))

    def several(index: int, value: int) -> int:
        first, total = apply(np.multiply, wrap(index), _AT_ONCE), wrap(value)
        for offset in range(_AT_ONCE):
            total = apply(np.add, total, product(lift(apply(np.add, first, offset))))
        return total.read()

    def single(index: int, value: int) -> int:
        return lift(apply(np.add, wrap(value), product(lift(apply(np.add, wrap(index), done))))).read()

    most = count_up(passes, sums.read(), several)
    return wrap(count_up(apply(np.subtract, count, done), most, single), Form.ARRAY)


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
    if x.dtype.kind == "b":
        return _correlate(x.astype(np.int64), y.astype(np.int64), mode, reverses=reverses).astype(bool)
    if x.size >= y.size:
        return _slide(x, y, mode)
    return _slide(y, x, mode)[::-1] if reverses else _slide(y, x, mode)


STANDINS[COMPILED.multiarray.correlate] = lambda a, v, mode: _correlate(a, v, mode, reverses=False)
STANDINS[COMPILED.multiarray.correlate2] = _correlate
