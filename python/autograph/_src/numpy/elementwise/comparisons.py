"""Equality of arrays (``allclose``, ``array_equal``), which gives a Python ``bool``, and membership."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload
from autograph._src.numpy.elementwise.ufuncs import apply, lift_operand
from autograph._src.numpy.shapes.searching import places
from autograph._src.numpy.shapes.shapes import promoted
from autograph._src.operators.logic import and_
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import both, compare
from autograph._src.staging.tensors.sizes import may_be_equal
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap


def as_python(result: object) -> Tensor:
    """A scalar result as the Python number that NumPy's function returns."""
    return wrap(lift(result).read(), Form.PYTHON)


@overload(np.isclose)
def _isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: object = 1e-8, equal_nan: bool = False) -> object:
    x, y = lift_operand(a), lift_operand(b)
    if isinstance(y, int):
        y = float(y)
    elif isinstance(y, Tensor) and y.dtype.kind != "f":
        y = y.astype(np.result_type(y.dtype, 1.0))
    # Python floats are weakly typed: if `y` is one, Python computes the bound, which may overflow a float32.
    is_near = apply(np.less_equal, abs(x - y), atol + rtol * abs(y))
    result = apply(np.bitwise_and, is_near, apply(np.isfinite, y))
    result = apply(np.bitwise_or, result, apply(np.equal, x, y))
    if equal_nan:
        both = apply(np.bitwise_and, apply(np.isnan, x), apply(np.isnan, y))
        result = apply(np.bitwise_or, result, both)
    return result


@overload(np.allclose)
def _allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False
) -> Tensor:
    return as_python(np.all(np.isclose(lift(a), lift(b), rtol=rtol, atol=atol, equal_nan=equal_nan)))


def _all_equal(x: Tensor, y: Tensor) -> Tensor:
    return as_python(np.all(apply(np.equal, x, y)))


@overload(np.array_equal)
def _array_equal(a1: object, a2: object, equal_nan: bool = False) -> object:
    if _is_ragged(a1) or _is_ragged(a2):
        return False
    x, y = lift(a1), lift(a2)
    if not may_be_equal(x.sizes, y.sizes):
        return False
    if None not in (*x.sizes, *y.sizes):
        return _all_the_same(x, y, equal_nan)
    pairs = zip(x.shape, y.shape, strict=True)
    is_same = functools.reduce(both, (compare("equal", lift(one), other) for one, other in pairs))
    return and_(is_same, lambda: _all_the_same(x, y, equal_nan))


def _is_ragged(value: object) -> bool:
    """Whether a value is a plain nested sequence whose rows differ in length, so that it is not an array."""
    if not isinstance(value, (list, tuple)) or holds_staged(value):
        return False
    try:
        np.asarray(value)
    except ValueError:
        return True
    return False


def _all_the_same(x: Tensor, y: Tensor, equal_nan: bool) -> Tensor:
    if not equal_nan:
        return _all_equal(x, y)
    both_nan = apply(np.bitwise_and, apply(np.not_equal, x, x), apply(np.not_equal, y, y))
    return as_python(np.all(apply(np.bitwise_or, apply(np.equal, x, y), both_nan)))


@overload(np.array_equiv)
def _array_equiv(a1: object, a2: object) -> Tensor | bool:
    if _is_ragged(a1) or _is_ragged(a2):
        return False
    x, y = lift(a1), lift(a2)
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return _all_equal(x, y)


_FEW = 8
"""Up to this many elements are compared one by one; more are sorted and searched."""


@overload(np.isin)
def _isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: object = None,
) -> Tensor:
    x, known = promoted([lift(element), np.ravel(lift(test_elements))])
    count = known.sizes[0]
    if count == 0:
        found = lift(apply(np.less, x, x))
    elif count is not None and count <= _FEW:
        each = (lift(apply(np.equal, x, known[number])) for number in range(count))
        found = functools.reduce(lambda one, other: lift(apply(np.bitwise_or, one, other)), each)
    else:
        # The first element that is not less is the element itself, if that is there; NaN equals nothing.
        ordered = lift(np.sort(known))
        place = places(ordered, x, "left")
        if count is None:
            last = lift(ordered.dtype.type(0))
            ordered = lift(np.concatenate([ordered, np.reshape(last, (1,))]))
            is_within = apply(np.less, place, ordered.shape[0] - 1)
        else:
            is_within = apply(np.less, place, count)
            place = apply(np.minimum, place, count - 1)
        found = lift(apply(np.bitwise_and, is_within, apply(np.equal, ordered[place], x)))
    result = lift(np.logical_not(found)) if invert else found
    return wrap(result.read(), Form.ARRAY)
