"""Shapes and dtypes: from the shape of a result to that of an operand, and back.

The form of a value is its class, shape and dtype: a Python float stays one, a `float32` stays one.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused
from autograph._src.tangent.helpers.objects import attributes


def in_form(bx, x):
    """Give an adjoint that has the shape of `x` its class and dtype; an integer has a float as adjoint."""
    if isinstance(x, np.ndarray):
        kind = x.dtype.kind
        if kind not in "fc":
            return np.asarray(bx).real if np.iscomplexobj(bx) else np.asarray(bx, np.result_type(bx, 0.0))
        bx = np.asarray(bx)
        if kind == "f" and bx.dtype.kind == "c":
            bx = bx.real
        return bx if bx.dtype == x.dtype else bx.astype(x.dtype)
    if isinstance(x, np.inexact):
        return x.dtype.type(bx if np.iscomplexobj(x) else np.real(bx))
    if isinstance(x, complex):
        return complex(bx)
    return float(np.real(bx))


def form(x):
    """Give what stands for the form of `x`, without its memory: for helpers that read no value of it."""
    if isinstance(x, np.ndarray):
        return np.broadcast_to(x.dtype.type(), x.shape)
    if isinstance(x, (list, tuple)):
        return [form(item) for item in x]
    if isinstance(x, dict):
        return {key: form(item) for key, item in x.items()}
    if isinstance(x, (float, int, np.generic)):
        return x
    found = attributes(x)
    return x if found is None else {name: form(item) for name, item in found.items()}


def unbroadcast(bx, x):
    """Sum over what broadcasting repeated: an adjoint in the shape and dtype of the operand `x`."""
    if isinstance(x, np.ndarray):
        if isinstance(bx, np.ndarray) and bx.dtype == x.dtype:
            shape = x.shape
            if bx.shape == shape:
                return bx
            extra = bx.ndim - x.ndim
            if extra > 0 and shape and bx.shape[extra:] == shape:
                return bx.sum(axis=0 if extra == 1 else tuple(range(extra)))
    elif isinstance(x, float) and isinstance(bx, float):
        return np.float64(bx) if isinstance(x, np.float64) else float(bx)
    elif bx is None or isinstance(bx, dict):
        return bx
    elif isinstance(bx, list):
        # Of a list that was stored, and no adjoint of `xs + ys`.
        if isinstance(x, (list, tuple)) and len(x) == len(bx):
            return bx
        raise refused(
            "AG022",
            "tangent has no rule of `+` and `*` of lists, or of a slice of a list that is written",
            "`extend`, `append` or a comprehension has one",
        )
    elif isinstance(x, (list, tuple)):
        parts = unbroadcast(bx, np.asarray(x))
        return [unbroadcast(part, item) for part, item in zip(parts, x, strict=True)]
    shape = np.shape(x)
    if np.shape(bx) != shape:
        bx = sum_to(np.asarray(bx), shape)
    return in_form(bx, x)


def sum_to(bx, shape):
    """Sum an array to a shape that broadcasts to its own; repeat it where its own is the smaller one."""
    extra = bx.ndim - len(shape)
    if extra < 0:
        bx = bx.reshape((1,) * -extra + bx.shape)
        extra = 0
    if extra:
        bx = np.sum(bx, axis=tuple(range(extra)))
    # One after the other: which axes are repeated, only the run knows where their sizes are those of the run.
    for axis, size in enumerate(shape):
        if size == 1 and bx.shape[axis] != 1:
            bx = np.sum(bx, axis=axis, keepdims=True)
    return bx if bx.shape == shape else np.broadcast_to(bx, shape).copy()


def broadcast(dx, z):
    """Repeat a tangent over the shape of the result `z`, in its dtype."""
    if isinstance(z, np.ndarray):
        if isinstance(dx, np.ndarray) and dx.shape == z.shape and dx.dtype == z.dtype:
            return dx
    elif isinstance(z, float) and isinstance(dx, float):
        return np.float64(dx) if isinstance(z, np.float64) else float(dx)
    if dx is None or isinstance(dx, dict) or z is None:
        return None if z is None else dx  # Of an object or a dict that was stored.
    if isinstance(z, (list, tuple)):
        if isinstance(dx, list) and len(dx) == len(z):
            return dx
        parts = broadcast(dx, np.asarray(z))
        return [broadcast(part, item) for part, item in zip(parts, z, strict=True)]
    if np.shape(dx) != np.shape(z):
        dx = np.broadcast_to(dx, np.shape(z)).copy()
    return in_form(dx, z)


def unreduce(by, x, axis=None, keepdims=False):
    """Spread the adjoint of a sum of `x` over axes to each of its elements."""
    x = np.asarray(x)
    kind = x.dtype.kind
    bx = np.empty(x.shape, x.dtype if kind in "fc" else float)
    if kind != "c" and not isinstance(by, float) and np.iscomplexobj(by):
        by = np.real(by)
    if axis is not None and not keepdims:
        shape = list(x.shape)
        for one in axis if isinstance(axis, tuple) else (axis,):
            shape[one] = 1
        by = np.asarray(by).reshape(shape)
    bx[...] = by
    return bx


def filled(by, shape):
    """Give an array of floats of a shape that holds `by`, repeated where that has axes of length one."""
    bx = np.empty(shape)
    bx[...] = by
    return bx


def uncast(by, y, x):
    """Give the adjoint of a conversion of `x` to the dtype of `y` back: nothing passes through integers."""
    if np.asarray(y).dtype.kind not in "fc":
        return zeros_like_array(x)
    return unbroadcast(by, x)


def zeros_like_array(x):
    """Zeros in the shape of an array or a nested list, as an adjoint of it."""
    x = np.asarray(x)
    return np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else float)
