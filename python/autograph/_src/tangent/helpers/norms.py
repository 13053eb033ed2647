"""Derivatives of norms of vectors and matrices."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form
from autograph._src.tangent.helpers.reductions import kept


def vector_norm_slope(x, z, ord=2, axis=None, keepdims=False):
    """Give the derivative of `z = np.linalg.vector_norm(x, axis, ord=ord)` by each element of `x`."""
    x = np.asarray(x)
    z = kept(z, axis, keepdims)
    if ord is None or ord == 2:
        return (np.conj(x) if np.iscomplexobj(x) else x) / np.where(z == 0, 1, z)
    size, sign = np.abs(x), np.conj(np.sign(x))
    if ord in (np.inf, -np.inf):
        best = size == z
        return in_form(sign * best / np.sum(best, axis=axis, keepdims=True), x)
    if ord == 0:
        return 0 * x
    if ord == 1:
        return sign
    return sign * (size / np.where(z == 0, 1, z)) ** (ord - 1)


def norm_slope(x, z, ord=None, axis=None, keepdims=False):
    """Give the derivative of `z = np.linalg.norm(x, ord, axis)` by each element of `x`."""
    x = np.asarray(x)
    is_vector = x.ndim == 1 if axis is None else not isinstance(axis, tuple) or len(axis) == 1
    if is_vector or ord is None or ord == "fro":
        return vector_norm_slope(x, z, 2 if ord in (None, "fro") else ord, axis, keepdims)
    z = kept(z, axis, keepdims)
    axes = (0, 1) if axis is None else axis
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=axes[0] if abs(ord) == 1 else axes[1], keepdims=True)
        best = sums == z
        return in_form(np.conj(np.sign(x)) * best / np.sum(best, axis=axes, keepdims=True), x)
    u, s, vh = np.linalg.svd(np.moveaxis(x, axes, (-2, -1)), full_matrices=False)
    places = np.arange(np.shape(s)[-1])
    taken = places >= 0 if ord == "nuc" else places == (0 if ord == 2 else len(places) - 1)
    return np.moveaxis(np.conj((u * taken) @ vh), (-2, -1), axes)
