"""Rules of what moves elements and changes none: shapes, axes, repetition, conversion."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, newer, tangent_of


@adjoint(np.reshape)
def reshape(z, a, shape, *, copy=None):
    d[a] = np.reshape(d[z], np.shape(a))


@tangent_of(np.reshape)
def reshape_tangent(z, a, shape, *, copy=None):
    d[z] = np.reshape(d[a], np.shape(z))


@adjoint(np.ndarray.reshape)
def reshape_method(z, a, *shape):
    d[a] = np.reshape(d[z], np.shape(a))


@tangent_of(np.ndarray.reshape)
def reshape_method_tangent(z, a, *shape):
    d[z] = np.reshape(d[a], np.shape(z))


@adjoint(np.ravel, np.ndarray.ravel, np.ndarray.flatten)
def ravel(z, a):
    d[a] = np.reshape(d[z], np.shape(a))


@tangent_of(np.ravel, np.ndarray.ravel, np.ndarray.flatten)
def ravel_tangent(z, a):
    d[z] = np.ravel(d[a])


@adjoint(np.transpose, np.permute_dims)
def transpose(z, a, axes=None):
    if axes is None:
        d[a] = np.transpose(d[z])
    else:
        d[a] = tangent.untranspose(d[z], axes)


@tangent_of(np.transpose, np.permute_dims)
def transpose_tangent(z, a, axes=None):
    d[z] = np.transpose(d[a], axes)


@adjoint(np.ndarray.transpose)
def transpose_method(z, a, *axes):
    d[a] = tangent.untranspose(d[z], axes)


@tangent_of(np.ndarray.transpose)
def transpose_method_tangent(z, a, *axes):
    d[z] = d[a].transpose(*axes)


@adjoint(np.ndarray.T)
def t_attribute(z, a):
    d[a] = d[z].T


@tangent_of(np.ndarray.T)
def t_attribute_tangent(z, a):
    d[z] = d[a].T


@adjoint(np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT)
def matrix_transpose(z, x):
    d[x] = np.matrix_transpose(d[z])


@tangent_of(np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT)
def matrix_transpose_tangent(z, x):
    d[z] = np.matrix_transpose(d[x])


@adjoint(np.swapaxes, np.ndarray.swapaxes)
def swapaxes(z, a, axis1, axis2):
    d[a] = np.swapaxes(d[z], axis1, axis2)


@tangent_of(np.swapaxes, np.ndarray.swapaxes)
def swapaxes_tangent(z, a, axis1, axis2):
    d[z] = np.swapaxes(d[a], axis1, axis2)


@adjoint(np.moveaxis)
def moveaxis(z, a, source, destination):
    d[a] = np.moveaxis(d[z], destination, source)


@tangent_of(np.moveaxis)
def moveaxis_tangent(z, a, source, destination):
    d[z] = np.moveaxis(d[a], source, destination)


@adjoint(np.rollaxis)
def rollaxis(z, a, axis, start=0):
    d[a] = tangent.unrollaxis(d[z], axis, start)


@tangent_of(np.rollaxis)
def rollaxis_tangent(z, a, axis, start=0):
    d[z] = np.rollaxis(d[a], axis, start)


@adjoint(np.squeeze, np.ndarray.squeeze)
def squeeze(z, a, axis=None):
    d[a] = np.reshape(d[z], np.shape(a))


@tangent_of(np.squeeze, np.ndarray.squeeze)
def squeeze_tangent(z, a, axis=None):
    d[z] = np.squeeze(d[a], axis)


@adjoint(np.expand_dims)
def expand_dims(z, a, axis):
    d[a] = np.reshape(d[z], np.shape(a))


@tangent_of(np.expand_dims)
def expand_dims_tangent(z, a, axis):
    d[z] = np.expand_dims(d[a], axis)


@adjoint(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def atleast(z, *arys):
    d[arys] = tangent.reshape_each(d[z], arys)


@tangent_of(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def atleast_tangent(z, *arys):
    d[z] = tangent.reshape_like_results(d[arys], z)


@adjoint(np.broadcast_to)
def broadcast_to(z, array, shape):
    d[array] = tangent.unbroadcast(d[z], array)


@tangent_of(np.broadcast_to)
def broadcast_to_tangent(z, array, shape):
    d[z] = np.broadcast_to(d[array], np.shape(z))


@adjoint(np.broadcast_arrays)
def broadcast_arrays(z, *args):
    d[args] = [tangent.unbroadcast(bz, arg) for bz, arg in zip(d[z], args, strict=True)]


@tangent_of(np.broadcast_arrays)
def broadcast_arrays_tangent(z, *args):
    d[z] = [tangent.broadcast(darg, one) for darg, one in zip(d[args], z, strict=True)]


@adjoint(np.tile)
def tile(z, A, reps):  # noqa: N803
    d[A] = tangent.untile(d[z], np.shape(A), reps)


@tangent_of(np.tile)
def tile_tangent(z, A, reps):  # noqa: N803
    d[z] = np.tile(d[A], reps)


@adjoint(np.repeat, np.ndarray.repeat)
def repeat(z, a, repeats, axis=None):
    d[a] = tangent.unrepeat(d[z], np.shape(a), repeats, axis)


@tangent_of(np.repeat, np.ndarray.repeat)
def repeat_tangent(z, a, repeats, axis=None):
    d[z] = np.repeat(d[a], repeats, axis)


@adjoint(np.resize)
def resize(z, a, new_shape):
    d[a] = tangent.unresize(d[z], np.shape(a))


@tangent_of(np.resize)
def resize_tangent(z, a, new_shape):
    d[z] = np.resize(d[a], new_shape)


@adjoint(np.flip)
def flip(z, m, axis=None):
    d[m] = np.flip(d[z], axis)


@tangent_of(np.flip)
def flip_tangent(z, m, axis=None):
    d[z] = np.flip(d[m], axis)


@adjoint(np.fliplr)
def fliplr(z, m):
    d[m] = np.fliplr(d[z])


@tangent_of(np.fliplr)
def fliplr_tangent(z, m):
    d[z] = np.fliplr(d[m])


@adjoint(np.flipud)
def flipud(z, m):
    d[m] = np.flipud(d[z])


@tangent_of(np.flipud)
def flipud_tangent(z, m):
    d[z] = np.flipud(d[m])


@adjoint(np.roll)
def roll(z, a, shift, axis=None):
    d[a] = np.roll(d[z], np.negative(shift), axis)


@tangent_of(np.roll)
def roll_tangent(z, a, shift, axis=None):
    d[z] = np.roll(d[a], shift, axis)


@adjoint(np.rot90)
def rot90(z, m, k=1, axes=(0, 1)):
    d[m] = np.rot90(d[z], -k, axes)


@tangent_of(np.rot90)
def rot90_tangent(z, m, k=1, axes=(0, 1)):
    d[z] = np.rot90(d[m], k, axes)


@adjoint(np.meshgrid)
def meshgrid(z, *xi, copy=True, sparse=False, indexing="xy"):
    d[xi] = tangent.ungrid(d[z], xi, indexing)


@tangent_of(np.meshgrid)
def meshgrid_tangent(z, *xi, copy=True, sparse=False, indexing="xy"):
    d[z] = list(np.meshgrid(*d[xi], copy=copy, sparse=sparse, indexing=indexing))


@adjoint(np.copy)
def copy(z, a, order="K"):
    d[a] = d[z]


@tangent_of(np.copy)
def copy_tangent(z, a, order="K"):
    d[z] = d[a]


@adjoint(np.ndarray.copy)
def copy_method(z, a, order="C"):
    d[a] = d[z]


@tangent_of(np.ndarray.copy)
def copy_method_tangent(z, a, order="C"):
    d[z] = d[a]


@adjoint(np.array)
def array(z, object, dtype=None, *, copy=True, order="K", ndmin=0):
    d[object] = tangent.array_items(d[z], z, object)


@tangent_of(np.array)
def array_tangent(z, object, dtype=None, *, copy=True, order="K", ndmin=0):
    d[z] = tangent.cast(np.array(d[object], ndmin=ndmin), z)


@adjoint(np.asarray, np.asanyarray, np.ascontiguousarray, np.asarray_chkfinite)
def asarray(z, a, dtype=None):
    d[a] = tangent.array_items(d[z], z, a)


@tangent_of(np.asarray, np.asanyarray, np.ascontiguousarray, np.asarray_chkfinite)
def asarray_tangent(z, a, dtype=None):
    d[z] = tangent.cast(np.reshape(d[a], np.shape(z)), z)


@adjoint(np.ndarray.astype, newer("astype"))
def astype(z, x, dtype, *, copy=True):
    d[x] = tangent.uncast(d[z], z, x)


@tangent_of(np.ndarray.astype, newer("astype"))
def astype_tangent(z, x, dtype, *, copy=True):
    d[z] = tangent.cast(d[x], z)


@adjoint(np.ndarray.item)
def item(z, a, *args):
    d[a] = tangent.unitem(d[z], a, args)


@tangent_of(np.ndarray.item)
def item_tangent(z, a, *args):
    d[z] = np.asarray(d[a]).item(*args)


@adjoint(np.ndarray.tolist)
def tolist(z, a):
    d[a] = tangent.unbroadcast(np.array(d[z]), a)


@tangent_of(np.ndarray.tolist)
def tolist_tangent(z, a):
    d[z] = d[a].tolist()


@adjoint(np.full)
def full(z, shape, fill_value, dtype=None):
    d[fill_value] = tangent.unbroadcast(tangent.through(d[z], z), fill_value)


@tangent_of(np.full)
def full_tangent(z, shape, fill_value, dtype=None):
    d[z] = tangent.through(np.full(shape, d[fill_value]), z)


@adjoint(np.full_like)
def full_like(z, a, fill_value, dtype=None, *, shape=None):
    d[a] = tangent.zeros_like(a)
    d[fill_value] = tangent.unbroadcast(tangent.through(d[z], z), fill_value)


@tangent_of(np.full_like)
def full_like_tangent(z, a, fill_value, dtype=None, *, shape=None):
    d[z] = tangent.constant_in(d[a], z)
    d[z] = tangent.through(np.full(np.shape(z), d[fill_value]), z)
