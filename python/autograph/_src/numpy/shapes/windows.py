"""``np.lib.stride_tricks.sliding_window_view``: all stretches of an array, as views of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from autograph._src.numpy.calls.registry import overload, unsupported_option
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import note_view
from autograph._src.staging.tensors.sizes import at_least, ensure, positions, size_of
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import value_error


@overload(sliding_window_view)
def _sliding_window_view(
    x: object, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Tensor:
    if writeable:
        raise unsupported_option(sliding_window_view, "writeable")
    array: Any = lift(x)
    wanted = window_shape if isinstance(window_shape, (tuple, list)) else (window_shape,)
    sizes = [size_of(one) for one in wanted]
    for size in sizes:
        ensure(at_least(size, 0), value_error("`window_shape` cannot contain negative values"))
    if axis is None:
        axes = list(range(array.ndim))
        if len(sizes) != len(axes):
            raise value_error(
                "Since axis is None, must provide window_shape for all dimensions of `x`; got"
                f" {len(sizes)} window_shape elements and `x.ndim` is {array.ndim}."
            )
    else:
        given = axis if isinstance(axis, (tuple, list)) else (axis,)
        axes = [normal_axis(one, array.ndim) for one in given]
        if len(sizes) != len(axes):
            raise value_error(
                "Must provide matching length window_shape and axis; got"
                f" {len(sizes)} window_shape elements and {len(axes)} axes elements."
            )
    result = array
    for place, size in zip(axes, sizes, strict=True):
        count = result.shape[place] - size + 1
        ensure(at_least(count, 1), value_error("window shape cannot be larger than input array shape"))
        starts = np.reshape(positions(0, 1, count), (count, 1))
        windows = np.take(result, starts + positions(0, 1, size), axis=place)
        result = np.moveaxis(windows, place + 1, -1)
    made = wrap(lift(result).read(), Form.ARRAY)
    if array.form is Form.ARRAY:
        note_view(made, array)
    return made
