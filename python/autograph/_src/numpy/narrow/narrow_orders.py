"""Orders and tests of narrow values: extremes, sorting, searching, which elements are not zero, equality.

np.max(x)           that of the part; of uint64 with the highest bits turned
np.unique(x)        the sorted parts without those that repeat
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import call_function
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.narrow.narrow_dispatch import (
    is_unsigned_64,
    narrow_overload,
    promoted,
    real_version,
)
from autograph._src.numpy.narrow.narrow_ufuncs import refused
from autograph._src.numpy.narrow.narrow_uint64 import turned
from autograph._src.staging.narrow.carriers import FLOAT16, UINT64
from autograph._src.staging.narrow.narrow_casts import converted, widened
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor, is_narrow
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor

# Orders


def _key(x: Any) -> Tensor:
    """A tensor of the graph that orders as the narrow values do."""
    return lift(turned(x.part)) if is_unsigned_64(x) else lift(x.part)


def _of_key(found: Any, dtype: np.dtype[Any]) -> NarrowTensor:
    return NarrowTensor(lift(turned(found) if dtype == UINT64 else found), dtype)


def _ordered(function: Any, *, gives_values: bool) -> None:
    """Registers a function that compares the elements of its first argument."""

    @narrow_overload(function)
    def implementation(a: object, *args: object, **options: object) -> Any:
        given = {"initial", "where"} & options.keys()
        if given or any(map(is_narrow, (*args, *options.values()))):
            raise refused(function, (a,))
        x = lift(a)
        if not isinstance(x, NarrowTensor):
            raise refused(function, (a, *args))
        found = real_version(function)(_key(x), *args, **options)
        return _of_key(found, x.dtype) if gives_values else found


for _name in ("max", "min", "amax", "amin", "sort", "partition"):
    _ordered(getattr(np, _name), gives_values=True)
for _name in ("argmax", "argmin", "argsort", "argpartition"):
    _ordered(getattr(np, _name), gives_values=False)


@narrow_overload(np.ptp)
def _ptp(a: object, axis: object = None, out: object = None, keepdims: object = False) -> object:
    ends = (call_function(one, (lift(a), axis), {"keepdims": keepdims}) for one in (np.max, np.min))
    return apply(np.subtract, *ends)


@narrow_overload(np.unique)
def _unique(ar: object, *args: object, **options: object) -> object:
    x = lift(ar)
    assert isinstance(x, NarrowTensor)
    found = real_version(np.unique)(_key(x), *args, **options)
    if isinstance(found, tuple):
        return (_of_key(found[0], x.dtype), *found[1:])
    return _of_key(found, x.dtype)


@narrow_overload(np.searchsorted)
def _searchsorted(a: object, v: object, side: object = "left", sorter: object = None) -> object:
    dtype = promoted([a, v], is_weak=False)
    ends = [converted(one, dtype) for one in (a, v)]
    keys = [_key(one) if isinstance(one, NarrowTensor) else one for one in ends]
    sorter = widened(sorter) if is_narrow(sorter) else sorter
    return call_function(np.searchsorted, (*keys, side, sorter), {})


# Tests


def _truth(function: Any) -> None:
    """Registers a function that only uses which elements are not zero."""

    @narrow_overload(function)
    def implementation(a: object, *args: object, **options: object) -> Any:
        if any(map(is_narrow, (*args, *options.values()))):
            raise refused(function, (a, *args))
        x = lift(a)
        return real_version(function)(x.part if isinstance(x, NarrowTensor) else x, *args, **options)


for _name in ("any", "all", "nonzero", "argwhere", "flatnonzero", "count_nonzero"):
    _truth(getattr(np, _name))


def _by_values(function: Any) -> None:
    """Registers a comparison of two arrays by their values, which a wider dtype has too."""

    @narrow_overload(function)
    def implementation(a: Any, b: Any, *args: object, **options: object) -> Any:
        if is_unsigned_64(a) or is_unsigned_64(b) or any(map(is_narrow, (*args, *options.values()))):
            raise refused(function, (a, b))
        if any(is_narrow(one) and one.dtype == FLOAT16 for one in (a, b)) and function is not np.array_equal:
            raise refused(function, (a, b))  # The tolerance is a float16 there.
        return call_function(function, (_wide(a), _wide(b), *args), options)


def _wide(value: object) -> object:
    return widened(value) if is_narrow(value) else value


for _name in ("array_equal", "array_equiv", "isclose", "allclose", "isin"):
    _by_values(getattr(np, _name))
