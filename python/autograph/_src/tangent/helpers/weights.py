"""Weighted means: the derivatives of `np.average` by values and by weights."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form
from autograph._src.tangent.helpers.reductions import kept


def average_axes(a, axis):
    """Give the axes that 1-d weights, or those of several axes, stand along."""
    return [one % np.ndim(a) for one in (axis if isinstance(axis, tuple) else (axis,))]


def spread_weights(weights, a, axis):
    """Give weights, or tangents of them, the shape of `a`."""
    weights = np.asarray(weights)
    if weights.shape == np.shape(a):
        return weights
    axes = average_axes(a, axis)
    sizes = [size if place in axes else 1 for place, size in enumerate(np.shape(a))]
    return np.broadcast_to(np.transpose(weights, np.argsort(axes)).reshape(sizes), np.shape(a))


def gather_weights(bweights, weights, a, axis):
    """Sum what is of the shape of `a` to the shape of the weights: `spread_weights` backwards."""
    if np.shape(weights) != np.shape(a):
        axes = average_axes(a, axis)
        others = tuple(one for one in range(np.ndim(a)) if one not in axes)
        bweights = np.transpose(np.sum(bweights, axis=others), np.argsort(np.argsort(axes)))
    if isinstance(weights, (list, tuple)):
        return list(bweights)
    return in_form(bweights, weights)


def average_weights(a, axis, weights):
    """Give the weights of `np.average`, of the shape of `a` and divided by their sum."""
    if weights is None:
        weights = np.ones(np.shape(a))
    weights = spread_weights(weights, a, axis)
    return weights / np.sum(weights, axis=axis, keepdims=True)


def average_by_weights(bz, z, a, axis, weights, keepdims):
    """Give the adjoint of the weights of `z = np.average(a, axis, weights)`."""
    bz, z = kept(bz, axis, keepdims), kept(z, axis, keepdims)
    total = np.sum(spread_weights(weights, a, axis), axis=axis, keepdims=True)
    return gather_weights(bz * (a - z) / total, weights, a, axis)


def average_sum_by_weights(bsum, a, axis, weights, keepdims):
    """Give the adjoint of the weights through the sum of them that `np.average` returns."""
    return gather_weights(np.broadcast_to(kept(bsum, axis, keepdims), np.shape(a)), weights, a, axis)


def average_tangent(da, a, axis, weights, keepdims):
    """Give the tangent of `np.average(a, axis, weights)` by `a`."""
    return np.sum(da * average_weights(a, axis, weights), axis=axis, keepdims=keepdims)


def average_tangents_by_weights(dweights, z, a, axis, weights, keepdims):
    """Give the tangents of the average `z` and of the sum of the weights, by the weights."""
    dweights = spread_weights(dweights, a, axis)
    total = np.sum(spread_weights(weights, a, axis), axis=axis, keepdims=keepdims)
    dmean = np.sum(dweights * (a - kept(z, axis, keepdims)), axis=axis, keepdims=keepdims) / total
    return dmean, np.sum(dweights, axis=axis, keepdims=keepdims)
