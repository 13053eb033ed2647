"""Rules of functions that write into their first argument, by the helpers that give a new array instead.

``np.put(a, ind, v)`` is ``a[...] = tangent.put(a, ind, v)``.
"""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, register_write, tangent_of

register_write(np.put, tangent.put)
register_write(np.putmask, tangent.putmask)
register_write(np.place, tangent.place)
register_write(np.copyto, tangent.copyto)
register_write(np.put_along_axis, tangent.put_along_axis)
register_write(np.fill_diagonal, tangent.fill_diagonal)
register_write(np.ndarray.put, tangent.put)
register_write(np.ndarray.sort, np.sort)
register_write(np.ndarray.partition, np.partition)
register_write(np.ndarray.fill, np.full_like)


@adjoint(tangent.put)
def put(z, a, ind, v, mode="raise"):
    numbers = tangent.put_numbers(a, ind, v, mode)
    d[a] = tangent.put_back(d[z], numbers, np.shape(a))
    d[v] = tangent.written_values(d[z], numbers, v)


@tangent_of(tangent.put)
def put_tangent(z, a, ind, v, mode="raise"):
    numbers = tangent.put_numbers(a, ind, v, mode)
    d[z] = tangent.written_tangent(d[a], numbers, False)
    d[z] = tangent.written_tangent(d[v], numbers, True)


@adjoint(tangent.putmask)
def putmask(z, a, mask, values):
    numbers = tangent.putmask_numbers(a, mask, values)
    d[a] = tangent.put_back(d[z], numbers, np.shape(a))
    d[values] = tangent.written_values(d[z], numbers, values)


@tangent_of(tangent.putmask)
def putmask_tangent(z, a, mask, values):
    numbers = tangent.putmask_numbers(a, mask, values)
    d[z] = tangent.written_tangent(d[a], numbers, False)
    d[z] = tangent.written_tangent(d[values], numbers, True)


@adjoint(tangent.place)
def place(z, arr, mask, vals):
    numbers = tangent.place_numbers(arr, mask, vals)
    d[arr] = tangent.put_back(d[z], numbers, np.shape(arr))
    d[vals] = tangent.written_values(d[z], numbers, vals)


@tangent_of(tangent.place)
def place_tangent(z, arr, mask, vals):
    numbers = tangent.place_numbers(arr, mask, vals)
    d[z] = tangent.written_tangent(d[arr], numbers, False)
    d[z] = tangent.written_tangent(d[vals], numbers, True)


@adjoint(tangent.copyto)
def copyto(z, dst, src, casting="same_kind", where=True):
    numbers = tangent.copyto_numbers(dst, src, where)
    d[dst] = tangent.put_back(d[z], numbers, np.shape(dst))
    d[src] = tangent.written_values(d[z], numbers, src)


@tangent_of(tangent.copyto)
def copyto_tangent(z, dst, src, casting="same_kind", where=True):
    numbers = tangent.copyto_numbers(dst, src, where)
    d[z] = tangent.written_tangent(d[dst], numbers, False)
    d[z] = tangent.written_tangent(d[src], numbers, True)


@adjoint(tangent.put_along_axis)
def put_along_axis(z, arr, indices, values, axis):
    numbers = tangent.put_along_axis_numbers(arr, indices, values, axis)
    d[arr] = tangent.put_back(d[z], numbers, np.shape(arr))
    d[values] = tangent.written_values(d[z], numbers, values)


@tangent_of(tangent.put_along_axis)
def put_along_axis_tangent(z, arr, indices, values, axis):
    numbers = tangent.put_along_axis_numbers(arr, indices, values, axis)
    d[z] = tangent.written_tangent(d[arr], numbers, False)
    d[z] = tangent.written_tangent(d[values], numbers, True)


@adjoint(tangent.fill_diagonal)
def fill_diagonal(z, a, val, wrap=False):
    numbers = tangent.fill_diagonal_numbers(a, val, wrap)
    d[a] = tangent.put_back(d[z], numbers, np.shape(a))
    d[val] = tangent.written_values(d[z], numbers, val)


@tangent_of(tangent.fill_diagonal)
def fill_diagonal_tangent(z, a, val, wrap=False):
    numbers = tangent.fill_diagonal_numbers(a, val, wrap)
    d[z] = tangent.written_tangent(d[a], numbers, False)
    d[z] = tangent.written_tangent(d[val], numbers, True)
