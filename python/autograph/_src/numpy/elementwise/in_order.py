"""``reduce``, ``accumulate`` and ``reduceat`` of ufuncs whose result depends on the order.

NumPy takes one element after the other, and so does a loop in the graph::

    np.divide.reduce(x)      # ((x[0] / x[1]) / x[2]) / ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.registry import unsupported_option
from autograph._src.numpy.elementwise.sequential import count_up
from autograph._src.numpy.elementwise.ufunc_methods import reduceat_of
from autograph._src.numpy.elementwise.ufuncs import METHODS, apply, resolve
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.staging.tensors.lifting import check_dtype, lift
from autograph._src.staging.tensors.sizes import at_least, ensure
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error
from autograph._src.staging.trace.recorder import Value

_NAMES = """
    subtract divide floor_divide remainder fmod hypot logaddexp logaddexp2 gcd lcm copysign nextafter
    heaviside float_power
"""


def _rows(ufunc: np.ufunc, array: object, axis: Any, dtype: DTypeLike | None) -> tuple[Tensor, int]:
    """The array with the axis first, in the dtype of the results; and the axis."""
    x = lift(array) if dtype is None else lift(array).astype(dtype)
    if not isinstance(axis, (int, np.integer)):
        raise unsupported_option(ufunc, "axis")
    place = normal_axis(axis, x.ndim)
    kind = resolve(ufunc, (x.dtype, x.dtype))[-1]
    check_dtype(kind)
    moved: Any = np.moveaxis(x.astype(kind), place, 0)
    return wrap(moved.read(), Form.ARRAY), place


def _row(rows: Value, place: Value) -> Tensor:
    return wrap(emit("gather", rows, [place], 0))


def _reduce(ufunc: np.ufunc) -> Callable[..., Any]:
    def reduce(
        array: object,
        axis: Any = 0,
        dtype: DTypeLike | None = None,
        keepdims: object = False,
        **options: object,
    ) -> Any:
        for option in options:
            raise unsupported_option(ufunc, option)
        x, place = _rows(ufunc, array, axis, dtype)
        count, shape = x.shape[0], list(x.shape[1:])
        if ufunc.identity is None:
            message = f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
            ensure(at_least(count, 1), value_error(message))
            first: Any = x[0]
        else:
            first = np.full(shape, ufunc.identity, x.dtype)
        begin = 1 if ufunc.identity is None else 0
        rows = x.read()

        def step(index: Value, value: Value) -> Value:
            at = wrap(index) + begin if begin else wrap(index)
            return lift(apply(ufunc, wrap(value), _row(rows, lift(at).read()))).read()

        result = count_up(count - begin, lift(first).read(), step)
        if keepdims is True:
            shape.insert(place, 1)
        return wrap(emit("reshape", result, shape), Form.ARRAY if shape else None)

    return reduce


def _accumulate(ufunc: np.ufunc) -> Callable[..., Any]:
    def accumulate(array: object, axis: Any = 0, dtype: DTypeLike | None = None) -> Any:
        x, place = _rows(ufunc, array, axis, dtype)
        rows = x.read()

        def step(index: Value, made: Value) -> Value:
            at = lift(wrap(index) + 1).read()
            new = lift(apply(ufunc, _row(made, index), _row(rows, at)))
            return emit("scatter", made, new.read(), [at], 0)

        count = x.shape[0]
        steps = count - 1 if isinstance(count, int) else np.maximum(count - 1, 0)
        made = wrap(count_up(max(steps, 0) if isinstance(steps, int) else steps, rows, step), Form.ARRAY)
        moved: Any = np.moveaxis(made, 0, place)  # type: ignore[type-var]
        return wrap(moved.read(), Form.ARRAY)

    return accumulate


for _ufunc in (getattr(np, name) for name in _NAMES.split()):
    METHODS[_ufunc, "reduce"] = _reduce(_ufunc)
    METHODS[_ufunc, "accumulate"] = _accumulate(_ufunc)
    METHODS[_ufunc, "reduceat"] = reduceat_of(_ufunc)
# NumPy's `reduce` of these leaves out elements on some processors: `np.power.reduce([-3.0, 2, 5])` is -243.
for _ufunc in (np.power, np.arctan2):
    METHODS[_ufunc, "accumulate"] = _accumulate(_ufunc)
