"""Rules of running sums and products, and of differences."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, newer, tangent_of


@adjoint(np.cumsum, np.ndarray.cumsum)
def cumsum(z, a, axis=None, dtype=None):
    if axis is None:
        d[a] = np.reshape(tangent.reverse_cumsum(tangent.through(d[z], z), 0), np.shape(a))
    else:
        d[a] = tangent.reverse_cumsum(tangent.through(d[z], z), axis)


@tangent_of(np.cumsum, np.ndarray.cumsum)
def cumsum_tangent(z, a, axis=None, dtype=None):
    d[z] = tangent.through(np.cumsum(d[a], axis), z)


@adjoint(np.nancumsum)
def nancumsum(z, a, axis=None, dtype=None):
    bz = tangent.through(d[z], z)
    if axis is None:
        d[a] = np.where(np.isnan(a), 0, np.reshape(tangent.reverse_cumsum(bz, 0), np.shape(a)))
    else:
        d[a] = np.where(np.isnan(a), 0, tangent.reverse_cumsum(bz, axis))


@tangent_of(np.nancumsum)
def nancumsum_tangent(z, a, axis=None, dtype=None):
    d[z] = tangent.through(np.cumsum(np.where(np.isnan(a), 0, d[a]), axis), z)


@adjoint(np.cumprod, np.ndarray.cumprod)
def cumprod(z, a, axis=None, dtype=None):
    bz = tangent.through(d[z], z)
    if axis is None:
        d[a] = np.reshape(tangent.cumprod_adjoint(bz, np.ravel(a), 0), np.shape(a))
    else:
        d[a] = tangent.cumprod_adjoint(bz, a, axis)


@tangent_of(np.cumprod, np.ndarray.cumprod)
def cumprod_tangent(z, a, axis=None, dtype=None):
    if axis is None:
        d[z] = tangent.through(tangent.cumprod_tangent(np.ravel(d[a]), np.ravel(a), 0), z)
    else:
        d[z] = tangent.through(tangent.cumprod_tangent(d[a], a, axis), z)


@adjoint(np.nancumprod)
def nancumprod(z, a, axis=None, dtype=None):
    bz, known = tangent.through(d[z], z), np.where(np.isnan(a), 1, a)
    if axis is None:
        d[a] = np.where(
            np.isnan(a), 0, np.reshape(tangent.cumprod_adjoint(bz, np.ravel(known), 0), np.shape(a))
        )
    else:
        d[a] = np.where(np.isnan(a), 0, tangent.cumprod_adjoint(bz, known, axis))


@tangent_of(np.nancumprod)
def nancumprod_tangent(z, a, axis=None, dtype=None):
    da, known = np.where(np.isnan(a), 0, d[a]), np.where(np.isnan(a), 1, a)
    if axis is None:
        d[z] = tangent.through(tangent.cumprod_tangent(np.ravel(da), np.ravel(known), 0), z)
    else:
        d[z] = tangent.through(tangent.cumprod_tangent(da, known, axis), z)


@adjoint(newer("cumulative_sum"))
def cumulative_sum(z, x, /, *, axis=None, dtype=None, include_initial=False):
    bz = tangent.without_initial(tangent.through(d[z], z), axis, include_initial)
    d[x] = tangent.reverse_cumsum(bz, 0 if axis is None else axis)


@tangent_of(newer("cumulative_sum"))
def cumulative_sum_tangent(z, x, /, *, axis=None, dtype=None, include_initial=False):
    d[z] = tangent.through(np.cumulative_sum(d[x], axis=axis, include_initial=include_initial), z)


@adjoint(newer("cumulative_prod"))
def cumulative_prod(z, x, /, *, axis=None, dtype=None, include_initial=False):
    bz = tangent.without_initial(tangent.through(d[z], z), axis, include_initial)
    d[x] = tangent.cumprod_adjoint(bz, x, 0 if axis is None else axis)


@tangent_of(newer("cumulative_prod"))
def cumulative_prod_tangent(z, x, /, *, axis=None, dtype=None, include_initial=False):
    dz = tangent.cumprod_tangent(d[x], x, 0 if axis is None else axis)
    d[z] = tangent.through(tangent.with_initial(dz, axis, include_initial), z)


@adjoint(np.diff)
def diff(z, a, n=1, axis=-1, prepend=None, append=None):
    if prepend is None and append is None:
        d[a] = tangent.undiff(d[z], n, axis)
    else:
        ba, bprepend, bappend = tangent.undiff_parts(d[z], a, n, axis, prepend, append)
        d[a] = ba
        d[prepend] = bprepend
        d[append] = bappend


@tangent_of(np.diff)
def diff_tangent(z, a, n=1, axis=-1, prepend=None, append=None):
    d[z] = tangent.diff_tangent(d[a], a, n, axis, prepend, append, 0)
    d[z] = tangent.diff_tangent(d[prepend], a, n, axis, prepend, append, 1)
    d[z] = tangent.diff_tangent(d[append], a, n, axis, prepend, append, 2)


@adjoint(np.ediff1d)
def ediff1d(z, ary, to_end=None, to_begin=None):
    bary, bto_end, bto_begin = tangent.undiff_1d(d[z], ary, to_end, to_begin)
    d[ary] = bary
    d[to_end] = bto_end
    d[to_begin] = bto_begin


@tangent_of(np.ediff1d)
def ediff1d_tangent(z, ary, to_end=None, to_begin=None):
    d[z] = tangent.diff_1d_tangent(d[ary], ary, to_end, to_begin, 0)
    d[z] = tangent.diff_1d_tangent(d[to_end], ary, to_end, to_begin, 1)
    d[z] = tangent.diff_1d_tangent(d[to_begin], ary, to_end, to_begin, 2)


@adjoint(np.gradient)
def gradient(z, f, *varargs, axis=None, edge_order=1):
    d[f] = tangent.gradient_adjoint(d[z], f, varargs, axis, edge_order)


@tangent_of(np.gradient)
def gradient_tangent(z, f, *varargs, axis=None, edge_order=1):
    d[z] = np.gradient(d[f], *varargs, axis=axis, edge_order=edge_order)


@adjoint(np.trapezoid)
def trapezoid(z, y, x=None, dx=1.0, axis=-1):
    d[y] = tangent.trapezoid_by_values(d[z], y, x, dx, axis)
    d[x] = tangent.trapezoid_by_places(d[z], y, x, axis)
    d[dx] = np.sum(d[z] * np.trapezoid(y, axis=axis))


@tangent_of(np.trapezoid)
def trapezoid_tangent(z, y, x=None, dx=1.0, axis=-1):
    d[z] = np.trapezoid(d[y], x, dx, axis)
    d[z] = tangent.trapezoid_tangent_by_places(d[x], y, axis)
    d[z] = np.trapezoid(y, axis=axis) * d[dx]
