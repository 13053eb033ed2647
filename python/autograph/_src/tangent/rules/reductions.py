"""Rules of reductions: sums, means, products, extrema, deviations, norms."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.sum, np.ndarray.sum)
def sum(z, a, axis=None, dtype=None, *, keepdims=False, where=True):
    if where is True:
        if dtype is None:
            if axis is None or keepdims:
                d[a] = tangent.unreduce(d[z], a)
            else:
                d[a] = tangent.unreduce(d[z], a, axis)
        else:
            d[a] = tangent.unreduce(tangent.through(d[z], z), a, axis, keepdims)
    else:
        d[a] = np.where(where, tangent.unreduce(tangent.through(d[z], z), a, axis, keepdims), 0)


@tangent_of(np.sum, np.ndarray.sum)
def sum_tangent(z, a, axis=None, dtype=None, *, keepdims=False, where=True):
    if where is True:
        if dtype is None:
            d[z] = np.sum(d[a], axis=axis, keepdims=keepdims)
        else:
            d[z] = tangent.through(np.sum(d[a], axis=axis, keepdims=keepdims), z)
    else:
        d[z] = tangent.through(np.sum(d[a], axis=axis, keepdims=keepdims, where=where), z)


@adjoint(np.nansum)
def nansum(z, a, axis=None, dtype=None, *, keepdims=False):
    d[a] = np.where(np.isnan(a), 0, tangent.unreduce(tangent.through(d[z], z), a, axis, keepdims))


@tangent_of(np.nansum)
def nansum_tangent(z, a, axis=None, dtype=None, *, keepdims=False):
    d[z] = tangent.through(np.sum(np.where(np.isnan(a), 0, d[a]), axis=axis, keepdims=keepdims), z)


@adjoint(np.mean, np.ndarray.mean)
def mean(z, a, axis=None, dtype=None, *, keepdims=False, where=True):
    if where is True:
        if axis is None:
            d[a] = tangent.unreduce(d[z], a) / np.size(a)
        elif keepdims:
            d[a] = tangent.unreduce(d[z], a) / tangent.count(a, axis)
        else:
            d[a] = tangent.unreduce(d[z], a, axis) / tangent.count(a, axis)
    else:
        shares = where / np.sum(np.broadcast_to(where, np.shape(a)), axis=axis, keepdims=True)
        d[a] = tangent.unreduce(d[z], a, axis, keepdims) * tangent.in_form(shares, np.asarray(d[z]))


@tangent_of(np.mean, np.ndarray.mean)
def mean_tangent(z, a, axis=None, dtype=None, *, keepdims=False, where=True):
    if where is True:
        d[z] = np.mean(d[a], axis=axis, keepdims=keepdims)
    else:
        d[z] = np.mean(d[a], axis=axis, keepdims=keepdims, where=where)


@adjoint(np.nanmean)
def nanmean(z, a, axis=None, dtype=None, *, keepdims=False):
    d[a] = np.where(np.isnan(a), 0, tangent.unreduce(d[z], a, axis, keepdims) / tangent.nan_count(a, axis))


@tangent_of(np.nanmean)
def nanmean_tangent(z, a, axis=None, dtype=None, *, keepdims=False):
    terms = np.where(np.isnan(a), 0, d[a] / tangent.nan_count(a, axis))
    d[z] = np.sum(terms, axis=axis, keepdims=keepdims)


@adjoint(np.average)
def average(z, a, axis=None, weights=None, returned=False, *, keepdims=False):
    bmean = d[z][0] if returned else d[z]
    mean = z[0] if returned else z
    if weights is None:
        d[a] = tangent.unreduce(bmean, a, axis, keepdims) / tangent.count(a, axis)
    else:
        shares = tangent.average_weights(a, axis, weights)
        d[a] = tangent.unreduce(bmean, a, axis, keepdims) * shares
        d[weights] = tangent.average_by_weights(bmean, mean, a, axis, weights, keepdims)
    if returned:
        d[weights] = tangent.average_sum_by_weights(d[z][1], a, axis, weights, keepdims)


@tangent_of(np.average)
def average_tangent(z, a, axis=None, weights=None, returned=False, *, keepdims=False):
    if returned:
        d[z] = tangent.average_tangent(d[a], a, axis, weights, keepdims), tangent.zeros_like(z[1])
        d[z] = tangent.average_tangents_by_weights(d[weights], z[0], a, axis, weights, keepdims)
    else:
        d[z] = tangent.average_tangent(d[a], a, axis, weights, keepdims)
        d[z] = tangent.average_tangents_by_weights(d[weights], z, a, axis, weights, keepdims)[0]


@adjoint(np.prod, np.ndarray.prod)
def prod(z, a, axis=None, dtype=None, *, keepdims=False):
    others = tangent.product_of_others(a, axis)
    d[a] = tangent.unreduce(tangent.through(d[z], z), a, axis, keepdims) * others


@tangent_of(np.prod, np.ndarray.prod)
def prod_tangent(z, a, axis=None, dtype=None, *, keepdims=False):
    others = tangent.product_of_others(a, axis)
    d[z] = tangent.through(np.sum(d[a] * others, axis=axis, keepdims=keepdims), z)


@adjoint(np.nanprod)
def nanprod(z, a, axis=None, dtype=None, *, keepdims=False):
    others = tangent.product_of_others(np.where(np.isnan(a), 1, a), axis)
    bterms = tangent.unreduce(tangent.through(d[z], z), a, axis, keepdims) * others
    d[a] = np.where(np.isnan(a), 0, bterms)


@tangent_of(np.nanprod)
def nanprod_tangent(z, a, axis=None, dtype=None, *, keepdims=False):
    others = tangent.product_of_others(np.where(np.isnan(a), 1, a), axis)
    terms = np.where(np.isnan(a), 0, d[a] * others)
    d[z] = tangent.through(np.sum(terms, axis=axis, keepdims=keepdims), z)


@adjoint(np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.ndarray.max, np.ndarray.min)
def max(z, a, axis=None, *, keepdims=False, initial=None, where=True):
    if axis is None and initial is None and where is True:
        best = np.equal(a, z)
        d[a] = d[z] * best / int(np.sum(best))
    else:
        shares = tangent.extremum_shares(z, a, axis, keepdims, initial, where)
        d[a] = tangent.unreduce(d[z], a, axis, keepdims) * shares


@tangent_of(np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.ndarray.max, np.ndarray.min)
def max_tangent(z, a, axis=None, *, keepdims=False, initial=None, where=True):
    shares = tangent.extremum_shares(z, a, axis, keepdims, initial, where)
    d[z] = np.sum(d[a] * shares, axis=axis, keepdims=keepdims)


@adjoint(np.ptp)
def ptp(z, a, axis=None, *, keepdims=False):
    d[a] = tangent.unreduce(d[z], a, axis, keepdims) * tangent.range_shares(a, axis)


@tangent_of(np.ptp)
def ptp_tangent(z, a, axis=None, *, keepdims=False):
    d[z] = np.sum(d[a] * tangent.range_shares(a, axis), axis=axis, keepdims=keepdims)


@adjoint(np.var, np.ndarray.var)
def var(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = 2 * tangent.deviations(a, axis) / (tangent.count(a, axis) - ddof)
    d[a] = tangent.unreduce(d[z], a, axis, keepdims) * slopes


@tangent_of(np.var, np.ndarray.var)
def var_tangent(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = 2 * tangent.deviations(a, axis) / (tangent.count(a, axis) - ddof)
    d[z] = np.real(np.sum(d[a] * slopes, axis=axis, keepdims=keepdims))


@adjoint(np.std, np.ndarray.std)
def std(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = tangent.deviations(a, axis) / (tangent.count(a, axis) - ddof)
    d[a] = tangent.unreduce(d[z] / np.where(z == 0, 1, z), a, axis, keepdims) * slopes


@tangent_of(np.std, np.ndarray.std)
def std_tangent(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = tangent.deviations(a, axis) / (tangent.count(a, axis) - ddof)
    d[z] = np.real(np.sum(d[a] * slopes, axis=axis, keepdims=keepdims)) / np.where(z == 0, 1, z)


@adjoint(np.nanvar)
def nanvar(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = 2 * tangent.nan_deviations(a, axis) / (tangent.nan_count(a, axis) - ddof)
    d[a] = tangent.unreduce(d[z], a, axis, keepdims) * slopes


@tangent_of(np.nanvar)
def nanvar_tangent(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = 2 * tangent.nan_deviations(a, axis) / (tangent.nan_count(a, axis) - ddof)
    d[z] = np.sum(d[a] * slopes, axis=axis, keepdims=keepdims)


@adjoint(np.nanstd)
def nanstd(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = tangent.nan_deviations(a, axis) / (tangent.nan_count(a, axis) - ddof)
    d[a] = tangent.unreduce(d[z] / np.where(z == 0, 1, z), a, axis, keepdims) * slopes


@tangent_of(np.nanstd)
def nanstd_tangent(z, a, axis=None, *, ddof=0, keepdims=False):
    slopes = tangent.nan_deviations(a, axis) / (tangent.nan_count(a, axis) - ddof)
    d[z] = np.sum(d[a] * slopes, axis=axis, keepdims=keepdims) / np.where(z == 0, 1, z)


@adjoint(np.linalg.norm)
def norm(z, x, ord=None, axis=None, keepdims=False):
    d[x] = tangent.unreduce(d[z], x, axis, keepdims) * tangent.norm_slope(x, z, ord, axis, keepdims)


@tangent_of(np.linalg.norm)
def norm_tangent(z, x, ord=None, axis=None, keepdims=False):
    slopes = tangent.norm_slope(x, z, ord, axis, keepdims)
    d[z] = np.real(np.sum(d[x] * slopes, axis=axis, keepdims=keepdims))


@adjoint(np.linalg.matrix_norm)
def matrix_norm(z, x, *, keepdims=False, ord="fro"):
    d[x] = tangent.unreduce(d[z], x, (-2, -1), keepdims) * tangent.norm_slope(x, z, ord, (-2, -1), keepdims)


@tangent_of(np.linalg.matrix_norm)
def matrix_norm_tangent(z, x, *, keepdims=False, ord="fro"):
    slopes = tangent.norm_slope(x, z, ord, (-2, -1), keepdims)
    d[z] = np.real(np.sum(d[x] * slopes, axis=(-2, -1), keepdims=keepdims))


@adjoint(np.linalg.vector_norm)
def vector_norm(z, x, *, axis=None, keepdims=False, ord=2):
    d[x] = tangent.unreduce(d[z], x, axis, keepdims) * tangent.vector_norm_slope(x, z, ord, axis, keepdims)


@tangent_of(np.linalg.vector_norm)
def vector_norm_tangent(z, x, *, axis=None, keepdims=False, ord=2):
    slopes = tangent.vector_norm_slope(x, z, ord, axis, keepdims)
    d[z] = np.real(np.sum(d[x] * slopes, axis=axis, keepdims=keepdims))
