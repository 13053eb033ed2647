"""Rules of sorting, quantiles and sets."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, newer, tangent_of


@adjoint(np.sort)
def sort(z, a, axis=-1, kind=None):
    d[a] = tangent.unorder(d[z], np.argsort(a, axis, kind="stable"), axis, np.shape(a))


@tangent_of(np.sort)
def sort_tangent(z, a, axis=-1, kind=None):
    if axis is None:
        d[z] = np.ravel(d[a])[np.argsort(a, None, kind="stable")]
    else:
        d[z] = np.take_along_axis(d[a], np.argsort(a, axis, kind="stable"), axis)


@adjoint(np.partition)
def partition(z, a, kth, axis=-1):
    d[a] = tangent.unorder(d[z], np.argpartition(a, kth, axis), axis, np.shape(a))


@tangent_of(np.partition)
def partition_tangent(z, a, kth, axis=-1):
    if axis is None:
        d[z] = np.ravel(d[a])[np.argpartition(a, kth, None)]
    else:
        d[z] = np.take_along_axis(d[a], np.argpartition(a, kth, axis), axis)


@adjoint(np.sort_complex)
def sort_complex(z, a):
    d[a] = tangent.unbroadcast(tangent.unorder(d[z], np.argsort(a, -1), -1, np.shape(a)), a)


@tangent_of(np.sort_complex)
def sort_complex_tangent(z, a):
    d[z] = np.take_along_axis(d[a], np.argsort(a, -1), -1)


@adjoint(np.median)
def median(z, a, axis=None, *, keepdims=False):
    d[a] = tangent.quantile_adjoint(d[z], a, 0.5, axis)


@tangent_of(np.median)
def median_tangent(z, a, axis=None, *, keepdims=False):
    d[z] = tangent.quantile_tangent(d[a], z, a, 0.5, axis)


@adjoint(np.nanmedian)
def nanmedian(z, a, axis=None, *, keepdims=False):
    d[a] = tangent.quantile_adjoint(d[z], a, 0.5, axis, skips_nan=True)


@tangent_of(np.nanmedian)
def nanmedian_tangent(z, a, axis=None, *, keepdims=False):
    d[z] = tangent.quantile_tangent(d[a], z, a, 0.5, axis, skips_nan=True)


@adjoint(np.quantile)
def quantile(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[a] = tangent.quantile_adjoint(d[z], a, q, axis, method=method)


@tangent_of(np.quantile)
def quantile_tangent(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[z] = tangent.quantile_tangent(d[a], z, a, q, axis, method)


@adjoint(np.percentile)
def percentile(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[a] = tangent.quantile_adjoint(d[z], a, np.divide(q, 100), axis, method=method)


@tangent_of(np.percentile)
def percentile_tangent(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[z] = tangent.quantile_tangent(d[a], z, a, np.divide(q, 100), axis, method)


@adjoint(np.nanquantile)
def nanquantile(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[a] = tangent.quantile_adjoint(d[z], a, q, axis, method=method, skips_nan=True)


@tangent_of(np.nanquantile)
def nanquantile_tangent(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[z] = tangent.quantile_tangent(d[a], z, a, q, axis, method, True)


@adjoint(np.nanpercentile)
def nanpercentile(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[a] = tangent.quantile_adjoint(d[z], a, np.divide(q, 100), axis, method=method, skips_nan=True)


@tangent_of(np.nanpercentile)
def nanpercentile_tangent(z, a, q, axis=None, *, method="linear", keepdims=False):
    d[z] = tangent.quantile_tangent(d[a], z, a, np.divide(q, 100), axis, method, True)


@adjoint(np.unique)
def unique(z, ar, return_index=False, return_inverse=False, return_counts=False):
    if return_index or return_inverse or return_counts:
        d[ar] = tangent.unset(d[z][0], z[0], ar)
    else:
        d[ar] = tangent.unset(d[z], z, ar)


@tangent_of(np.unique)
def unique_tangent(z, ar, return_index=False, return_inverse=False, return_counts=False):
    if return_index or return_inverse or return_counts:
        d[z] = tangent.first_result(z, tangent.set_tangent(d[ar], z[0], ar))
    else:
        d[z] = tangent.set_tangent(d[ar], z, ar)


@adjoint(newer("unique_values"))
def unique_values(z, x):
    d[x] = tangent.unset(d[z], z, x)


@tangent_of(newer("unique_values"))
def unique_values_tangent(z, x):
    d[z] = tangent.set_tangent(d[x], z, x)


@adjoint(newer("unique_all"), newer("unique_counts"), newer("unique_inverse"))
def unique_all(z, x):
    d[x] = tangent.unset(d[z][0], z[0], x)


@tangent_of(newer("unique_all"), newer("unique_counts"), newer("unique_inverse"))
def unique_all_tangent(z, x):
    d[z] = tangent.first_result(z, tangent.set_tangent(d[x], z[0], x))


@adjoint(np.union1d, np.setxor1d)
def union1d(z, ar1, ar2):
    d[ar1] = tangent.unset(d[z], z, ar1)
    d[ar2] = tangent.unset_second(d[z], z, ar1, ar2)


@tangent_of(np.union1d, np.setxor1d)
def union1d_tangent(z, ar1, ar2):
    d[z] = tangent.set_tangent(d[ar1], z, ar1)
    d[z] = tangent.set_tangent_second(d[ar2], z, ar1, ar2)


@adjoint(np.setdiff1d)
def setdiff1d(z, ar1, ar2, assume_unique=False):
    d[ar1] = tangent.unset(d[z], z, ar1)
    d[ar2] = tangent.zeros_like(ar2)


@tangent_of(np.setdiff1d)
def setdiff1d_tangent(z, ar1, ar2, assume_unique=False):
    d[z] = tangent.set_tangent(d[ar1], z, ar1)
    d[z] = tangent.constant_in(d[ar2], z)
