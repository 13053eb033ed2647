"""Derivatives of solutions of least squares, and of equations of tensors."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.decompositions import refuse_complex, svdvals_adjoint, svdvals_tangent
from autograph._src.tangent.helpers.matrices import pinv_adjoint, pinv_tangent


def lstsq_adjoints(bz, z, a, b, rcond=None):
    """Give the adjoints of `a` and `b` of `z = np.linalg.lstsq(a, b, rcond)`."""
    refuse_complex("lstsq", a)
    bx, bresiduals, _, bvalues = bz
    a, side = np.asarray(a), np.asarray(b)
    inverse = np.linalg.pinv(a, lstsq_cut(a, rcond))
    columns = side.reshape(len(side), -1)
    bx = np.reshape(bx, (a.shape[1], columns.shape[1]))
    ba = pinv_adjoint(bx @ columns.T, inverse, a) + svdvals_adjoint(bvalues, a)
    bb = inverse.T @ bx
    if np.size(z[1]):
        x = np.reshape(z[0], bx.shape)
        error = 2 * (columns - a @ x) * np.reshape(bresiduals, (1, -1))
        ba, bb = ba - error @ x.T, bb + error
    return ba, bb.reshape(side.shape)


def lstsq_cut(a, rcond):
    """Give the ratio of singular values below which `np.linalg.lstsq` takes them for 0."""
    return np.finfo(a.dtype).eps * max(a.shape) if rcond is None else rcond


def lstsq_tangent(da, db, z, a, b, rcond=None):
    """Give the tangent of `z = np.linalg.lstsq(a, b, rcond)`; one of `da` and `db` may be `None`."""
    refuse_complex("lstsq", a)
    a, side = np.asarray(a), np.asarray(b)
    inverse = np.linalg.pinv(a, lstsq_cut(a, rcond))
    x = np.reshape(z[0], (a.shape[1], -1))
    columns = side.reshape(len(side), -1)
    da = np.zeros(a.shape) if da is None else da
    db = np.zeros(columns.shape) if db is None else np.reshape(db, columns.shape)
    dx = pinv_tangent(da, inverse, a) @ columns + inverse @ db
    dresiduals = np.zeros(np.shape(z[1]))
    if np.size(z[1]):
        dresiduals = np.sum(2 * (columns - a @ x) * (db - da @ x), axis=0)
    return np.reshape(dx, np.shape(z[0])), dresiduals, 0.0, svdvals_tangent(da, a)


def tensorinv_adjoint(bz, z, shape):
    """Give the adjoint of `z = np.linalg.tensorinv(a)`, from the shape of `a`."""
    size = int(np.sqrt(np.size(z)))
    matrix = np.reshape(z, (size, size)).T
    return np.reshape(-matrix @ np.reshape(bz, (size, size)) @ matrix, shape)


def tensorinv_tangent(da, z):
    """Give the tangent of `z = np.linalg.tensorinv(a)`."""
    size = int(np.sqrt(np.size(z)))
    matrix = np.reshape(z, (size, size))
    return np.reshape(-matrix @ np.reshape(da, (size, size)) @ matrix, np.shape(z))


def tensorsolve_order(a, axes):
    """Give the order of the axes of `a` in `np.linalg.tensorsolve`, which moves some to the end."""
    order = list(range(np.ndim(a)))
    for axis in axes or ():
        order.remove(axis)
        order.append(axis)
    return order


def tensorsolve_adjoints(bz, z, a, b, axes=None):
    """Give the adjoints of `a` and `b` of `z = np.linalg.tensorsolve(a, b, axes)`."""
    order = tensorsolve_order(a, axes)
    moved = np.transpose(a, order)
    matrix = moved.reshape(np.size(b), -1)
    bside = np.linalg.solve(matrix.T, np.ravel(bz))
    ba = np.reshape(-np.outer(bside, np.ravel(z)), moved.shape)
    return np.transpose(ba, np.argsort(order)), np.reshape(bside, np.shape(b))


def tensorsolve_tangent(da, db, z, a, b, axes=None):
    """Give the tangent of `z = np.linalg.tensorsolve(a, b, axes)`; one of `da` and `db` may be `None`."""
    order = tensorsolve_order(a, axes)
    matrix = np.transpose(a, order).reshape(np.size(b), -1)
    change = np.zeros(np.size(b)) if db is None else np.ravel(db)
    if da is not None:
        change = change - np.transpose(da, order).reshape(np.size(b), -1) @ np.ravel(z)
    return np.reshape(np.linalg.solve(matrix, change), np.shape(z))
