"""Derivatives of what orders elements: sorting, quantiles, sets.

A quantile is a weighted sum of sorted elements. Its weights are found by the quantile of 0, 1, 2, …, which
says the place that it is taken from: so each method of NumPy has its own.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.containers import add_at
from autograph._src.tangent.helpers.forms import zeros_like_array


def unorder(bz, order, axis, shape):
    """Put the adjoint of elements taken in an order along an axis where they were, from their shape."""
    if axis is None:
        return unorder(np.ravel(bz), np.ravel(order), 0, (int(np.prod(shape)),)).reshape(shape)
    found = np.zeros(shape, np.asarray(bz).dtype)
    np.put_along_axis(found, order, bz, axis)
    return found


def in_rows(x, axis):
    """Give an array as rows of what a reduction over axes makes one of."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [one % x.ndim for one in axes]
    order = [one for one in range(x.ndim) if one not in axes] + axes
    moved = np.transpose(x, order)
    size = int(np.prod([x.shape[one] for one in axes]))
    return moved.reshape((*moved.shape[: x.ndim - len(axes)], size)), moved.shape, order


def quantile_weights(size, q, method):
    """Give the weights of sorted elements in quantiles, a row for each of `q`."""
    places = np.quantile(np.arange(float(size)), np.ravel(q), method=method)
    below = np.floor(places).astype(int)
    part = places - below
    weights = np.zeros((len(places), size))
    rows = np.arange(len(places))
    weights[rows, below] += 1 - part
    weights[rows, np.minimum(below + 1, size - 1)] += part
    return weights


def weights_of_rows(rows, q, method, skips_nan):
    """Give the weights of each row of sorted elements, in which NaN stand last."""
    size = rows.shape[-1]
    if not skips_nan:
        return quantile_weights(size, q, method)
    counts = np.sum(~np.isnan(rows), axis=-1)
    weights = np.zeros((*counts.shape, np.size(q), size))
    for count in np.unique(counts):
        if count:
            weights[counts == count, :, :count] = quantile_weights(int(count), q, method)
    return weights


def quantile_adjoint(bz, a, q, axis=None, keepdims=False, method="linear", skips_nan=False):
    """Give the adjoint of `a` of `np.quantile(a, q, axis)`."""
    rows, shape, order = in_rows(a, axis)
    weights = weights_of_rows(rows, q, method, skips_nan)
    bz = np.reshape(bz, (np.size(q), *rows.shape[:-1]))
    bsorted = (np.expand_dims(np.moveaxis(bz, 0, -1), -2) @ weights)[..., 0, :]
    found = zeros_like_array(rows)
    np.put_along_axis(found, np.argsort(rows, axis=-1, kind="stable"), bsorted, -1)
    return np.transpose(found.reshape(shape), np.argsort(order))


def quantile_tangent(da, z, a, q, axis=None, method="linear", skips_nan=False):
    """Give the tangent of `z = np.quantile(a, q, axis)` by `a`."""
    rows, _, _ = in_rows(a, axis)
    weights = weights_of_rows(rows, q, method, skips_nan)
    moved = np.take_along_axis(in_rows(da, axis)[0], np.argsort(rows, axis=-1, kind="stable"), -1)
    found = (weights @ np.expand_dims(moved, -1))[..., 0]
    return np.reshape(np.moveaxis(found, -1, 0), np.shape(z))


def places_in(z, x):
    """Give for each element of `z` its first place in the flat `x`, and whether it is there."""
    flat = np.ravel(x)
    order = np.argsort(flat, kind="stable")
    places = np.minimum(np.searchsorted(flat[order], z), max(len(flat) - 1, 0))
    places = order[places] if len(flat) else np.zeros(np.shape(z), int)
    return places, flat[places] == z if len(flat) else np.zeros(np.shape(z), bool)


def unset(bz, z, x):
    """Give the adjoint of `x` of a function that gives some of its elements, each once, as `z`."""
    bx = np.zeros(np.size(x), np.asarray(bz).dtype)
    places, is_there = places_in(z, x)
    add_at(bx, places[is_there], bz[is_there])
    return bx.reshape(np.shape(x))


def set_tangent(dx, z, x):
    """Give the tangent of a function that gives some elements of `x`, each once, as `z`; else 0."""
    places, is_there = places_in(z, x)
    return np.where(is_there, np.ravel(dx)[places], 0) if np.size(x) else np.zeros(np.shape(z))


def unset_second(bz, z, x, y):
    """Give the adjoint of `y` of a function that gives elements of `x`, and those of `y` that `x` lacks."""
    return unset(np.where(places_in(z, x)[1], 0, bz), z, y)


def set_tangent_second(dy, z, x, y):
    """Give the tangent by `y` of a function that gives elements of `x`, and those of `y` that `x` lacks."""
    return np.where(places_in(z, x)[1], 0, set_tangent(dy, z, y))


def first_result(z, values):
    """Give tangents or adjoints of the first of several results, zeros of the others."""
    rest = [np.zeros(np.shape(one)) for one in z[1:]]
    return type(z)(*([values, *rest] if hasattr(z, "_fields") else [(values, *rest)]))
