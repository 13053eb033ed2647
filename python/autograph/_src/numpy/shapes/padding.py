"""``np.pad``: all modes except a user's function and the median of a part.

For modes that repeat elements, NumPy itself pads the positions of each axis; those before and after the array
select the elements that are put there::

    np.pad([5, 6, 7], 2, mode="reflect")  ->  x[[2, 1]], x, x[[1, 0]]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload, rank_of, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.shapes.shapes import concatenate
from autograph._src.staging.tensors.item_conversions import as_items
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import type_error, value_error

_FEW_AXES = 3
_REPEATING = ("edge", "wrap", "reflect", "symmetric")

_OPTIONS = {
    "constant": ("constant_values",),
    "empty": (),
    "edge": (),
    "wrap": (),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "maximum": ("stat_length",),
    "minimum": ("stat_length",),
    "mean": ("stat_length",),
}


@overload(np.pad)
def _pad(array: object, pad_width: object, mode: object = "constant", **options: object) -> Tensor:
    if not isinstance(mode, str) or mode not in _OPTIONS:
        raise unsupported_option(np.pad, "mode")
    for name in options:
        if name not in _OPTIONS[mode]:
            raise value_error(f"unsupported keyword arguments for mode '{mode}': {{{name!r}}}")
    x = lift(array)
    widths = _widths(pad_width, x.ndim)
    if mode in ("constant", "empty"):
        return _with_constants(x, widths, options.get("constant_values", 0))
    result = wrap(emit("reshape", x.read(), list(x.shape)), Form.ARRAY)
    for axis, (before, after) in enumerate(widths):
        if x.shape[axis] == 0 and before + after:
            raise value_error(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    if x.size == 0:
        return _with_constants(x, widths, 0)
    if mode in _REPEATING:
        if options.get("reflect_type", "even") != "even":
            raise unsupported_option(np.pad, "reflect_type")
        result = _with_repeated(result, widths, mode)
    else:
        if options.get("stat_length") is not None:
            raise unsupported_option(np.pad, "stat_length")
        for axis, width in enumerate(widths):
            result = _with_statistic(result, axis, width, mode)
    return wrap(result.read(), Form.ARRAY)


def _widths(pad_width: object, rank: int) -> list[tuple[int, int]]:
    if isinstance(pad_width, dict):
        whole: list[Any] = [(0, 0)] * rank
        for axis, width in pad_width.items():
            whole[axis] = (width, width) if isinstance(width, int) else width
        pad_width = whole
    if holds_staged(pad_width):
        raise unsupported_option(np.pad, "pad_width")
    given = np.asarray(pad_width)
    if given.dtype.kind != "i":
        raise type_error("`pad_width` must be of integral type.")
    if (given < 0).any():
        raise value_error("index can't contain negative values")
    return [(int(before), int(after)) for before, after in np.broadcast_to(given, (rank, 2))]


def _block(shape: tuple[int, ...], axis: int, count: int, value: object, x: Tensor) -> Tensor:
    """``count`` layers of one value along an axis, in the dtype of ``x``."""
    sizes = [count if place == axis else size for place, size in enumerate(shape)]
    # NumPy converts the values to arrays and then stores their elements.
    source = as_items(wrap(lift(value).read()), x.dtype, is_picked=False)
    read = source.read() if source.dtype == x.dtype else emit("cast", source.read(), dtype_name(x.dtype))
    return wrap(emit("broadcast", read, sizes), Form.ARRAY)


def _with_constants(x: Tensor, widths: list[tuple[int, int]], values: object) -> Tensor:
    pairs: Any = [(values, values)] * x.ndim
    if not isinstance(values, Tensor) and rank_of(values):
        if holds_staged(values):
            raise unsupported_option(np.pad, "constant_values")
        pairs = np.broadcast_to(np.asarray(values), (x.ndim, 2)).tolist()
    result = wrap(emit("reshape", x.read(), list(x.shape)), Form.ARRAY)
    for axis, ((before, after), (first, last)) in enumerate(zip(widths, pairs, strict=True)):
        left = _block(result.shape, axis, before, first, x)
        right = _block(result.shape, axis, after, last, x)
        result = concatenate([left, result, right], axis)
    return result


def _with_repeated(x: Tensor, widths: list[tuple[int, int]], mode: str) -> Tensor:
    """``x`` with elements of itself around it.

    What is before and after it along the last axis is taken first, and padded as ``x`` is along the others.
    So each element is copied once, to its place in the result; there are three pieces for each axis, of few
    axes.
    """
    axes = [axis for axis, width in enumerate(widths) if any(width)]
    if not axes:
        return x
    axis, (before, after) = axes[-1], widths[axes[-1]]
    places = np.pad(np.arange(x.shape[axis]), (before, after), mode=mode)  # type: ignore[call-overload]
    sides = places[:before], places[len(places) - after :]
    others = [(0, 0) if place == axis else width for place, width in enumerate(widths)]
    if len(axes) > _FEW_AXES:
        x, others = _with_repeated(x, others, mode), []
    left, right = (lift(np.take(x, side, axis=axis)) for side in sides)
    return concatenate([_with_repeated(piece, others, mode) for piece in (left, x, right)], axis)


def _with_statistic(x: Tensor, axis: int, width: tuple[int, int], mode: str) -> Tensor:
    function: Any = {"maximum": np.max, "minimum": np.min, "mean": np.mean}[mode]
    value = lift(function(x, axis=axis, keepdims=True))
    if x.dtype.kind in "iu" and mode == "mean":
        value = apply(np.rint, value).astype(x.dtype)
    value = value.astype(x.dtype)
    return concatenate(
        [_block(x.shape, axis, width[0], value, x), x, _block(x.shape, axis, width[1], value, x)], axis
    )
