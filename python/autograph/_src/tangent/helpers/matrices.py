"""Derivatives of functions of matrices: determinants, inverses, solutions, powers.

Matrices are the last two axes; the others are stacks of them.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import sum_to
from autograph._src.tangent.helpers.norms import norm_slope


def turned(x):
    """Exchange rows and columns."""
    return np.swapaxes(x, -1, -2)


def cofactors(a):
    """Give the derivatives of a determinant by the elements of the matrix; of a singular one, too."""
    u, s, vh = np.linalg.svd(a)
    others = (
        np.stack([np.prod(np.delete(s, place, -1), axis=-1) for place in range(s.shape[-1])], axis=-1)
        if s.shape[-1]
        else s
    )
    signs = np.linalg.det(u) * np.linalg.det(vh)
    return signs[..., None, None] * np.conj((u * others[..., None, :]) @ vh)


def cofactor_change(change, z, a):
    """Give the tangent of `z = cofactors(a)`, its own adjoint; of a singular matrix it is not finite."""
    determinant = np.expand_dims(np.sum(a[..., 0, :] * z[..., 0, :], axis=-1), (-2, -1))
    along = np.sum(z * change, axis=(-2, -1), keepdims=True)
    return (z * along - z @ turned(change) @ z) / determinant


def slogdet_adjoint(bz, z, a):
    """Give the adjoint of `np.linalg.slogdet(a)`."""
    bsign, blog = bz
    by = np.asarray(blog)
    if np.iscomplexobj(a):
        by = by + 1j * np.imag(bsign * z[0])
    return by[..., None, None] * turned(np.linalg.inv(a))


def slogdet_tangent(da, z, a):
    """Give the tangents of the sign and the logarithm."""
    change = np.trace(np.linalg.solve(a, da), axis1=-2, axis2=-1)
    return 1j * np.imag(change) * z[0] if np.iscomplexobj(a) else np.zeros(np.shape(z[0])), np.real(change)


def solve_right(bz, a, shape):
    """Give the adjoint of `b` in `np.linalg.solve(a, b)`, from its shape."""
    if len(shape) == 1:
        return sum_to(np.linalg.solve(turned(a), np.asarray(bz)[..., None])[..., 0], shape)
    return sum_to(np.linalg.solve(turned(a), bz), shape)


def solve_left(bz, z, a, is_vector):
    """Give the adjoint of `a` in `z = np.linalg.solve(a, b)`; `b` is a vector, or it is matrices."""
    z, bz = (np.asarray(z)[..., None], np.asarray(bz)[..., None]) if is_vector else (z, bz)
    return sum_to(-np.linalg.solve(turned(a), bz) @ turned(z), np.shape(a))


def solve_tangent_left(da, z, a, is_vector):
    """Give the tangent of `z = np.linalg.solve(a, b)` by `a`."""
    if is_vector:
        return -np.linalg.solve(a, da @ np.asarray(z)[..., None])[..., 0]
    return -np.linalg.solve(a, da @ z)


def solve_tangent_right(db, a, is_vector):
    """Give the tangent of `np.linalg.solve(a, b)` by `b`."""
    return np.linalg.solve(a, db[..., None])[..., 0] if is_vector else np.linalg.solve(a, db)


def matrix_power_adjoint(bz, a, n):
    """Give the adjoint of `np.linalg.matrix_power(a, n)`."""
    if n == 0:
        return 0 * np.asarray(a)
    base = np.linalg.inv(a) if n < 0 else np.asarray(a)
    other, found = turned(base), 0
    powers = [np.linalg.matrix_power(other, place) for place in range(abs(n))]
    for before, after in zip(powers, powers[::-1], strict=True):
        found = found + before @ bz @ after
    return -other @ found @ other if n < 0 else found


def matrix_power_tangent(da, a, n):
    """Give the tangent of `np.linalg.matrix_power(a, n)`."""
    if n == 0:
        return 0 * np.asarray(a)
    base = np.linalg.inv(a) if n < 0 else np.asarray(a)
    change = -base @ da @ base if n < 0 else da
    powers = [np.linalg.matrix_power(base, place) for place in range(abs(n))]
    found = 0
    for before, after in zip(powers, powers[::-1], strict=True):
        found = found + before @ change @ after
    return found


def multi_dot_adjoint(bz, arrays):
    """Give the adjoints of the matrices of `np.linalg.multi_dot(arrays)`."""
    first, last = np.ndim(arrays[0]) == 1, np.ndim(arrays[-1]) == 1
    matrices = [np.asarray(one) for one in arrays]
    if first:
        matrices[0] = matrices[0][None, :]
    if last:
        matrices[-1] = matrices[-1][:, None]
    after = np.reshape(bz, (matrices[0].shape[0], matrices[-1].shape[1]))
    found = []
    for place in range(len(matrices)):
        part = after
        for one in matrices[:place]:
            part = one.T @ part if place else part
        for one in matrices[:place:-1]:
            part = part @ one.T
        found.append(np.reshape(part, np.shape(arrays[place])))
    return found


def multi_dot_tangent(tangents, arrays):
    """Give the tangent of `np.linalg.multi_dot(arrays)`."""
    total = 0
    for place, change in enumerate(tangents):
        if change is not None:
            total = total + np.linalg.multi_dot([*arrays[:place], change, *arrays[place + 1 :]])
    return total


def pinv_adjoint(bz, z, a):
    """Give the adjoint of `z = np.linalg.pinv(a)`, among matrices of its rank."""
    outside, inside = -a @ z, -z @ a
    outside, inside = (
        outside + np.eye(outside.shape[-1], dtype=outside.dtype),
        inside + np.eye(inside.shape[-1], dtype=inside.dtype),
    )
    back = turned(bz)
    first = -turned(z) @ bz @ turned(z)
    return first + outside @ back @ z @ turned(z) + turned(z) @ z @ back @ inside


def pinv_tangent(da, z, a):
    """Give the tangent of `z = np.linalg.pinv(a)`, among matrices of its rank."""
    outside, inside = -a @ z, -z @ a
    outside, inside = (
        outside + np.eye(outside.shape[-1], dtype=outside.dtype),
        inside + np.eye(inside.shape[-1], dtype=inside.dtype),
    )
    first = -z @ da @ z
    return first + z @ turned(z) @ turned(da) @ outside + inside @ turned(da) @ turned(z) @ z


def cond_slope(x, z, p=None):
    """Give the derivative of `z = np.linalg.cond(x, p)` by each element of `x`."""
    if p is None or p in (2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        large, small = s[..., 0, None, None], s[..., -1, None, None]
        largest = u[..., :, :1] * vh[..., :1, :]
        smallest = u[..., :, -1:] * vh[..., -1:, :]
        if p == -2:
            return smallest / large - small / large**2 * largest
        return largest / small - large / small**2 * smallest
    inverse = np.linalg.inv(x)
    size, other = np.linalg.norm(x, p, (-2, -1), True), np.linalg.norm(inverse, p, (-2, -1), True)
    of_inverse = norm_slope(inverse, other, p, (-2, -1), True)
    return norm_slope(x, size, p, (-2, -1), True) * other - size * (
        turned(inverse) @ of_inverse @ turned(inverse)
    )
