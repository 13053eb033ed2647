"""Rules of what takes elements, cuts them out, puts them in, or pads."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.take, np.ndarray.take)
def take(z, a, indices, axis=None, *, mode="raise"):
    d[a] = tangent.untake(d[z], np.shape(a), indices, axis, mode)


@tangent_of(np.take, np.ndarray.take)
def take_tangent(z, a, indices, axis=None, *, mode="raise"):
    d[z] = np.take(d[a], indices, axis, mode=mode)


@adjoint(np.take_along_axis)
def take_along_axis(z, arr, indices, axis=-1):
    d[arr] = tangent.untake_along(d[z], np.shape(arr), indices, axis)


@tangent_of(np.take_along_axis)
def take_along_axis_tangent(z, arr, indices, axis=-1):
    d[z] = np.take_along_axis(d[arr], indices, axis)


@adjoint(np.compress)
def compress(z, condition, a, axis=None):
    d[a] = tangent.uncompress(d[z], condition, np.shape(a), axis)


@tangent_of(np.compress)
def compress_tangent(z, condition, a, axis=None):
    d[z] = np.compress(condition, d[a], axis)


@adjoint(np.ndarray.compress)
def compress_method(z, a, condition, axis=None):
    d[a] = tangent.uncompress(d[z], condition, np.shape(a), axis)


@tangent_of(np.ndarray.compress)
def compress_method_tangent(z, a, condition, axis=None):
    d[z] = np.compress(condition, d[a], axis)


@adjoint(np.extract)
def extract(z, condition, arr):
    d[arr] = tangent.uncompress(d[z], np.ravel(condition), np.shape(arr))


@tangent_of(np.extract)
def extract_tangent(z, condition, arr):
    d[z] = np.extract(condition, d[arr])


@adjoint(np.diag)
def diag(z, v, k=0):
    d[v] = tangent.undiag(d[z], np.shape(v), k)


@tangent_of(np.diag)
def diag_tangent(z, v, k=0):
    d[z] = np.diag(d[v], k)


@adjoint(np.diagflat)
def diagflat(z, v, k=0):
    d[v] = np.reshape(np.diag(d[z], k), np.shape(v))


@tangent_of(np.diagflat)
def diagflat_tangent(z, v, k=0):
    d[z] = np.diagflat(d[v], k)


@adjoint(np.diagonal, np.ndarray.diagonal)
def diagonal(z, a, offset=0, axis1=0, axis2=1):
    d[a] = tangent.undiagonal(d[z], np.shape(a), offset, axis1, axis2)


@tangent_of(np.diagonal, np.ndarray.diagonal)
def diagonal_tangent(z, a, offset=0, axis1=0, axis2=1):
    d[z] = np.diagonal(d[a], offset, axis1, axis2)


@adjoint(np.linalg.diagonal)
def linalg_diagonal(z, x, /, *, offset=0):
    d[x] = tangent.undiagonal(d[z], np.shape(x), offset, -2, -1)


@tangent_of(np.linalg.diagonal)
def linalg_diagonal_tangent(z, x, /, *, offset=0):
    d[z] = np.linalg.diagonal(d[x], offset=offset)


@adjoint(np.tril)
def tril(z, m, k=0):
    d[m] = tangent.sum_to(np.tril(d[z], k), np.shape(m))


@tangent_of(np.tril)
def tril_tangent(z, m, k=0):
    d[z] = np.tril(d[m], k)


@adjoint(np.triu)
def triu(z, m, k=0):
    d[m] = tangent.sum_to(np.triu(d[z], k), np.shape(m))


@tangent_of(np.triu)
def triu_tangent(z, m, k=0):
    d[z] = np.triu(d[m], k)


@adjoint(np.delete)
def delete(z, arr, obj, axis=None):
    d[arr] = tangent.delete_adjoint(d[z], np.shape(arr), obj, axis)


@tangent_of(np.delete)
def delete_tangent(z, arr, obj, axis=None):
    d[z] = np.delete(d[arr], obj, axis)


@adjoint(np.insert)
def insert(z, arr, obj, values, axis=None):
    d[arr] = tangent.insert_adjoint(d[z], arr, obj, values, axis)
    d[values] = tangent.insert_values_adjoint(d[z], arr, obj, values, axis)


@tangent_of(np.insert)
def insert_tangent(z, arr, obj, values, axis=None):
    d[z] = np.insert(d[arr], obj, np.zeros(np.shape(values)), axis)
    d[z] = np.insert(np.zeros(np.shape(arr)), obj, d[values], axis)


@adjoint(np.pad)
def pad(z, array, pad_width, mode="constant", constant_values=0, reflect_type="even"):
    if mode == "constant":
        d[array] = tangent.unpad(d[z], np.shape(array), pad_width)
    else:
        d[array] = tangent.pad_adjoint(d[z], np.shape(array), pad_width, mode, reflect_type)


@tangent_of(np.pad)
def pad_tangent(z, array, pad_width, mode="constant", constant_values=0, reflect_type="even"):
    if mode == "constant":
        d[z] = np.pad(d[array], pad_width)
    else:
        d[z] = tangent.pad_tangent(d[array], pad_width, mode, reflect_type)


@adjoint(np.trim_zeros)
def trim_zeros(z, filt, trim="fb"):
    d[filt] = tangent.untrim(d[z], filt, trim)


@tangent_of(np.trim_zeros)
def trim_zeros_tangent(z, filt, trim="fb"):
    d[z] = tangent.trim_tangent(d[filt], filt, z, trim)


@adjoint(np.piecewise)
def piecewise(z, x, condlist, funclist):
    d[x] = tangent.piecewise_by_argument(x, funclist)
    d[funclist] = tangent.piecewise_numbers(d[z], condlist, funclist)


@tangent_of(np.piecewise)
def piecewise_tangent(z, x, condlist, funclist):
    d[z] = tangent.piecewise_tangent_by_argument(d[x], funclist)
    d[z] = tangent.piecewise_tangent(d[funclist], condlist, funclist, z)


@adjoint(np.bincount)
def bincount(z, x, weights=None, minlength=0):
    d[weights] = np.take(d[z], x)


@tangent_of(np.bincount)
def bincount_tangent(z, x, weights=None, minlength=0):
    d[z] = np.bincount(x, d[weights], minlength)


@adjoint(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(z, x, window_shape, axis=None, *, subok=False, writeable=False):
    d[x] = tangent.windows_adjoint(d[z], x, window_shape, axis)


@tangent_of(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view_tangent(z, x, window_shape, axis=None, *, subok=False, writeable=False):
    d[z] = np.lib.stride_tricks.sliding_window_view(d[x], window_shape, axis)
