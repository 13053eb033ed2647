"""Derivatives of reductions and running reductions along axes."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form


def count(x, axis=None):
    """Count the elements of `x` that a reduction over axes makes one of."""
    if axis is None:
        return np.size(x)
    shape = np.shape(x)
    number = 1
    for one in axis if isinstance(axis, tuple) else (axis,):
        number = number * shape[one]
    return number


def through(bz, z):
    """Give a derivative as it is, and zeros where the value `z` is of integers."""
    return bz if np.asarray(z).dtype.kind in "fc" else np.zeros(np.shape(z))


def kept(z, axis, keepdims):
    """Give a reduced value its reduced axes back, with size 1."""
    return z if axis is None or keepdims else np.expand_dims(z, axis)


def deviations(x, axis=None):
    """Give the deviations from the mean over axes; of complex numbers the conjugate ones."""
    found = x - np.mean(x, axis=axis, keepdims=True)
    return np.conj(found) if np.iscomplexobj(found) else found


def nan_count(x, axis=None):
    """Count the elements over axes that are not NaN; the axes are kept."""
    return np.sum(~np.isnan(x), axis=axis, keepdims=True, dtype=np.result_type(x, np.float32))


def nan_deviations(x, axis=None):
    """Give the deviations from the mean of what is not NaN; those of NaN are 0."""
    known = np.where(np.isnan(x), 0, x)
    mean = np.sum(known, axis=axis, keepdims=True) / nan_count(x, axis)
    return np.where(np.isnan(x), 0, known - mean)


def product_of_others(x, axis=None):
    """For each element the product of the others over axes: zeros among the factors are exact."""
    x = np.asarray(x)
    if axis is None:
        return others_along_last(x.reshape(-1)).reshape(x.shape)
    axes = [one % x.ndim for one in (axis if isinstance(axis, tuple) else (axis,))]
    order = [one for one in range(x.ndim) if one not in axes] + axes
    moved = np.transpose(x, order)
    size = count(x, axis)
    flat = moved.reshape((*moved.shape[: x.ndim - len(axes)], size))
    return np.transpose(others_along_last(flat).reshape(moved.shape), np.argsort(order))


def others_along_last(x):
    """For each element the product of the others along the last axis."""
    ones = np.ones((*x.shape[:-1], 1), x.dtype)
    before = np.cumprod(np.concatenate([ones, x[..., :-1]], axis=-1), axis=-1)[..., : x.shape[-1]]
    after = np.cumprod(np.concatenate([ones, x[..., :0:-1]], axis=-1), axis=-1)[..., : x.shape[-1]]
    return before * after[..., ::-1]


def reverse_cumsum(bz, axis):
    """Sum from the end of an axis: the adjoint of `np.cumsum`."""
    return np.flip(np.cumsum(np.flip(bz, axis), axis), axis)


def cumprod_tangent(dx, x, axis):
    """Give the tangent of `np.cumprod(x, axis)` by doubling, without a division by a factor."""
    product, change = np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(dx), axis, -1)
    size, distance = product.shape[-1], 1
    while distance < size:
        ones = np.ones((*product.shape[:-1], distance), product.dtype)
        earlier = np.concatenate([ones, product[..., :-distance]], axis=-1)
        earlier_change = np.concatenate([0 * ones, change[..., :-distance]], axis=-1)
        change = change * earlier + product * earlier_change
        product = product * earlier
        distance = distance * 2
    return np.moveaxis(change, -1, axis)


def cumprod_adjoint(bz, x, axis):
    """Give the adjoint of `np.cumprod(x, axis)`: the steps of `cumprod_tangent` backwards."""
    x, bz = np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(bz), axis, -1)
    products, size, distance = [x], x.shape[-1], 1
    while distance < size:
        ones = np.ones((*x.shape[:-1], distance), x.dtype)
        products.append(products[-1] * np.concatenate([ones, products[-1][..., :-distance]], axis=-1))
        distance = distance * 2
    for product in products[-2::-1]:
        distance = distance // 2
        ones = np.ones((*x.shape[:-1], distance), x.dtype)
        earlier = np.concatenate([ones, product[..., :-distance]], axis=-1)
        later = np.concatenate([(bz * product)[..., distance:], 0 * ones], axis=-1)
        bz = bz * earlier + later
    return np.moveaxis(bz, -1, axis)


def extremum_shares(z, a, axis=None, keepdims=False, initial=None, where=True):
    """Share the derivative of a largest or smallest element `z` evenly among those that are equal to it."""
    z = kept(z, axis, keepdims)
    best = np.equal(a, z) if where is True else np.equal(a, z) & where
    counts = np.sum(best, axis=axis, keepdims=True)
    if initial is not None:
        counts = counts + np.equal(z, initial)
    return in_form(best / counts, np.asarray(a))


def range_shares(a, axis=None):
    """Give the derivative of `np.ptp(a, axis)` by each element of `a`."""
    largest, smallest = np.max(a, axis=axis, keepdims=True), np.min(a, axis=axis, keepdims=True)
    return extremum_shares(largest, a, axis, True) - extremum_shares(smallest, a, axis, True)
