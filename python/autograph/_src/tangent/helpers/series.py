"""Derivatives of the series of `np.polynomial`: of their values, bases and derivatives; and of windows."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form, unbroadcast


def series_coefficients(bz, basis, x, c, tensor):
    """Give the adjoint of the coefficients `c` of a series at `x`, where its `basis` has these values."""
    basis = np.reshape(basis, (*np.shape(x), len(c)))
    if tensor:
        return in_form(np.moveaxis(np.tensordot(bz, basis, np.ndim(x)), -1, 0), c)
    basis = np.moveaxis(basis, -1, 0)
    basis = np.reshape(basis, (len(c), *(1,) * (np.ndim(bz) - np.ndim(x)), *np.shape(x)))
    return in_form(np.reshape(unbroadcast(bz * basis, last_axes(c, np.ndim(bz))), np.shape(c)), c)


def last_axes(c, ndim):
    """Give coefficients axes of one element after the first, so that their items have `ndim` of them."""
    return np.reshape(c, (len(c), *(1,) * (ndim + 1 - np.ndim(c)), *np.shape(c)[1:]))


def series_slopes(z, derivatives):
    """Give the slopes of the functions of a basis, of which `z` has the values: sums of those below."""
    return z[..., : len(derivatives)] @ derivatives


def series_places(bz, z, derivatives, x):
    """Give the adjoint of the places `x` of the values `z` of a basis."""
    return unbroadcast(np.sum(bz * series_slopes(z, derivatives), axis=-1), x)


def from_matrix_along(bz, matrix, c, axis):
    """Give the adjoint of `c`, which a matrix has multiplied along an axis."""
    return in_form(np.moveaxis(np.tensordot(matrix, bz, ([0], [axis])), 0, axis), c)


def window_places(shape, window_shape, axis):
    """Give the places of the elements of each window, in an array of this shape that is flat."""
    places = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    return np.ravel(np.lib.stride_tricks.sliding_window_view(places, window_shape, axis))


def windows_adjoint(bz, x, window_shape, axis):
    """Give the adjoint of the array whose windows `np.lib.stride_tricks.sliding_window_view` gives."""
    found = np.zeros(np.size(x), dtype=np.asarray(bz).dtype)
    np.add.at(found, window_places(np.shape(x), window_shape, axis), np.ravel(bz))
    return in_form(np.reshape(found, np.shape(x)), x)
