"""Derivatives of functions of the coefficients of polynomials, the highest first."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused
from autograph._src.tangent.helpers.convolutions import convolve_left
from autograph._src.tangent.helpers.forms import in_form, unbroadcast


def polyval_coefficients(bz, p, x):
    """Give the adjoint of the coefficients of `np.polyval(p, x)`."""
    degrees = np.arange(len(p))[::-1]
    powers = np.expand_dims(x, -1) ** degrees
    return np.tensordot(bz, powers, np.ndim(x))


def last_like(bz, p):
    """Give the adjoint of coefficients to which zeros were added at the front."""
    return in_form(np.reshape(bz[len(bz) - np.size(p) :], np.shape(p)), p)


def front_padded(dp, size):
    """Add zeros at the front of coefficients."""
    return np.concatenate([np.zeros(size - np.size(dp)), np.ravel(dp)])


def polyder_adjoint(bz, shape, m=1):
    """Give the adjoint of `np.polyder(p, m)`, from the shape of `p`."""
    found = np.asarray(bz)
    for size in range(shape[0] - m, shape[0]):
        found = np.concatenate([found[:size] * np.arange(size, 0, -1), [0.0]])
    return found[: shape[0]]


def polyint_adjoints(bz, shape, m=1, k=None):
    """Give the adjoints of the coefficients and of the constants of `np.polyint(p, m, k)`."""
    found, constants = np.asarray(bz), []
    for size in range(shape[0] + m, shape[0], -1):
        constants.append(found[-1])
        found = found[:-1] / np.arange(size - 1, 0, -1)
    constants = np.array(constants[::-1])
    return found, None if k is None else unbroadcast(constants, k)


def polymul_adjoint(bz, a, b):
    """Give the adjoint of `a` in `np.polymul(a, b)`, which drops zeros at the front."""
    other, shape = np.atleast_1d(b), np.shape(np.atleast_1d(a))
    whole = front_padded(bz, shape[0] + len(other) - 1) if len(bz) < shape[0] + len(other) - 1 else bz
    return in_form(np.reshape(convolve_left(whole, shape, other, "full"), np.shape(a)), a)


def division_matrices(z, u, v):
    """Give the matrices of products with the divisor and with the quotient, for `np.polydiv(u, v)`."""
    v = np.atleast_1d(v)
    size = len(np.atleast_1d(u))
    count = max(size - len(v) + 1, 1)
    by_divisor, by_quotient = np.zeros((size, count)), np.zeros((size, len(v)))
    if size >= len(v):
        for place in range(count):
            by_divisor[place : place + len(v), place] = v
            by_quotient[np.arange(len(v)) + place, np.arange(len(v))] += z[0][place]
    return by_divisor, by_quotient


def polydiv_adjoints(bz, z, u, v):
    """Give the adjoints of both operands of `z = np.polydiv(u, v)`: `u` is `v * z[0] + z[1]`."""
    by_divisor, by_quotient = division_matrices(z, u, v)
    count, size = by_divisor.shape[1], len(by_divisor)
    bquotient, bremainder = np.asarray(bz[0]), front_padded(bz[1], size)
    if not np.any(by_divisor):
        return in_form(np.reshape(bremainder, np.shape(u)), u), 0.0 * np.asarray(v)
    # The first elements of u are those of the product: they say the quotient.
    head = bquotient - by_divisor.T @ bremainder
    bhead = np.linalg.solve(by_divisor[:count].T, head)
    bu = bremainder + np.concatenate([bhead, np.zeros(size - count)])
    bv = -by_quotient.T @ bu
    return in_form(np.reshape(bu, np.shape(u)), u), in_form(np.reshape(bv, np.shape(v)), v)


def polydiv_tangent(du, dv, z, u, v):
    """Give the tangents of quotient and remainder; one of `du` and `dv` may be `None`."""
    by_divisor, by_quotient = division_matrices(z, u, v)
    count, size = by_divisor.shape[1], len(by_divisor)
    change = np.zeros(size) if du is None else np.array(du, float).reshape(size)
    if not np.any(by_divisor):
        return np.zeros(np.shape(z[0])), change[size - len(z[1]) :]
    if dv is not None:
        change = change - by_quotient @ np.ravel(dv)
    dquotient = np.linalg.solve(by_divisor[:count], change[:count])
    return dquotient, (change - by_divisor @ dquotient)[size - len(z[1]) :]


def poly_products(roots):
    """Give for each root the coefficients of the polynomial of the others, with a 0 in front."""
    roots = np.atleast_1d(roots)
    rows = [
        np.concatenate([[0.0], np.poly(np.delete(roots, place)) * np.ones(1)]) for place in range(len(roots))
    ]
    return np.array(rows).reshape(len(roots), len(roots) + 1)


def poly_adjoint(bz, roots):
    """Give the adjoint of the roots of `np.poly`."""
    refuse_matrix(roots)
    return -poly_products(roots) @ bz


def poly_tangent(droots, roots):
    """Give the tangent of `np.poly` of roots."""
    refuse_matrix(roots)
    return -np.asarray(droots) @ poly_products(roots)


def refuse_matrix(roots):
    """Raise `TypeError` for the polynomial of a matrix, of which there is no rule."""
    if np.ndim(roots) != 1:
        raise refused("AG022", "tangent has no rule of `np.poly` of a matrix", "give it the roots")


def vander_slopes(x, z, increasing):
    """Give the derivatives of the columns of `np.vander` by the elements of `x`."""
    degrees = np.arange(np.shape(z)[1])
    degrees = degrees if increasing else degrees[::-1]
    return degrees * np.expand_dims(x, -1) ** np.maximum(degrees - 1, 0)


def polyfit_matrix(x, deg, w):
    """Give the matrix that turns heights into the coefficients of `np.polyfit`."""
    columns = np.vander(x, deg + 1)
    weights = np.ones(len(x)) if w is None else np.asarray(w)
    return np.linalg.pinv(columns * weights[:, None]) * weights


def polyfit_places(bz, z, x, y, deg, w):
    """Give the adjoint of the places `x` of `z = np.polyfit(x, y, deg, w=w)`."""
    weights = np.ones(len(x)) if w is None else np.asarray(w)
    columns = np.vander(x, deg + 1)
    inverse = np.linalg.pinv(columns * weights[:, None])
    z, bz, y = (np.reshape(one, (len(one), -1)) for one in (z, bz, y))
    error = weights[:, None] * (y - columns @ z)
    back = inverse.T @ bz
    bcolumns = -back @ z.T + error @ (inverse @ back).T
    return np.sum(weights[:, None] * bcolumns * vander_slopes(x, columns, False), axis=1)


def polyfit_weights(bz, z, x, y, deg, w):
    """Give the adjoint of the weights of `z = np.polyfit(x, y, deg, w=w)`."""
    columns = np.vander(x, deg + 1)
    weights = np.asarray(w)
    inverse = np.linalg.pinv(columns * weights[:, None])
    z, bz, y = (np.reshape(one, (len(one), -1)) for one in (z, bz, y))
    return 2 * np.sum((inverse.T @ bz) * (y - columns @ z), axis=1)


def polyfit_tangent_by_places(dx, z, x, y, deg, w):
    """Give the tangent of `z = np.polyfit(x, y, deg, w=w)` by its places."""
    rows = [polyfit_places(one, z, x, y, deg, w) for one in units_like(z)]
    return np.reshape(np.array(rows) @ dx, np.shape(z))


def polyfit_tangent_by_weights(dw, z, x, y, deg, w):
    """Give the tangent of `z = np.polyfit(x, y, deg, w=w)` by its weights."""
    rows = [polyfit_weights(one, z, x, y, deg, w) for one in units_like(z)]
    return np.reshape(np.array(rows) @ dw, np.shape(z))


def units_like(z):
    """Give for each element of `z` an array that is 1 there and else 0."""
    return np.eye(np.size(z)).reshape((np.size(z), *np.shape(z)))
