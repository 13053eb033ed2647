"""``np.fft.fftfreq`` and ``rfftfreq`` for a number of points that only the run knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.calls.options import is_unsigned
from autograph._src.numpy.calls.registry import creator
from autograph._src.staging.tensors.sizes import positions, size_of, sizes_given
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import type_error, value_error


def _points(n: object) -> Any:
    is_integer = (
        n.dtype.kind in "iu" and n.form is not Form.ARRAY
        if isinstance(n, Tensor)
        else isinstance(n, (int, np.integer))
    )
    if not is_integer:
        raise value_error("n should be an integer")
    if is_unsigned(n):
        raise type_error("NumPy counts down from an unsigned `n`, which has no negative numbers: `int(n)`")
    return size_of(n)


def _require_device(device: object) -> None:
    if device not in (None, "cpu"):
        raise value_error(f'Device not understood. Only "cpu" is allowed, but received: {device}')


@creator(np.fft.fftfreq)
def _fftfreq(n: Any, d: Any = 1.0, device: object = None) -> object:
    """``np.fft.fftfreq``: the frequencies from 0 up, then the negative ones."""
    _require_device(device)
    points, step = _points(n), 1.0 / (n * d)
    (count,) = sizes_given(points)
    places = positions(0, 1, count)
    turned = np.where(places <= (count - 1) // 2, places, places - count)
    return turned * step


@creator(np.fft.rfftfreq)
def _rfftfreq(n: Any, d: Any = 1.0, device: object = None) -> object:
    _require_device(device)
    return positions(0, 1, _points(n) // 2 + 1) * (1.0 / (n * d))
