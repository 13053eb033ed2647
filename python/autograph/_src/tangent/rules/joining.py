"""Rules of joining arrays and splitting them."""
# mypy: ignore-errors

import operator

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, newer, tangent_of


@adjoint(np.concatenate)
def concatenate(z, arrays, axis=0):
    d[arrays] = tangent.split_like(d[z], arrays, axis)


@tangent_of(np.concatenate)
def concatenate_tangent(z, arrays, axis=0):
    d[z] = np.concatenate(d[arrays], axis)


@adjoint(np.stack)
def stack(z, arrays, axis=0):
    d[arrays] = tangent.unstack_like(d[z], arrays, axis)


@tangent_of(np.stack)
def stack_tangent(z, arrays, axis=0):
    d[z] = np.stack(d[arrays], axis)


@adjoint(np.hstack)
def hstack(z, tup):
    d[tup] = tangent.split_like(d[z], tup, 1 if np.ndim(z) > 1 else 0)


@tangent_of(np.hstack)
def hstack_tangent(z, tup):
    d[z] = np.hstack(d[tup])


@adjoint(np.vstack, newer("row_stack"))
def vstack(z, tup):
    d[tup] = tangent.split_rows_like(d[z], tup)


@tangent_of(np.vstack, newer("row_stack"))
def vstack_tangent(z, tup):
    d[z] = np.vstack(d[tup])


@adjoint(np.dstack)
def dstack(z, tup):
    d[tup] = tangent.split_depths_like(d[z], tup)


@tangent_of(np.dstack)
def dstack_tangent(z, tup):
    d[z] = np.dstack(d[tup])


@adjoint(np.column_stack)
def column_stack(z, tup):
    d[tup] = tangent.split_columns_like(d[z], tup)


@tangent_of(np.column_stack)
def column_stack_tangent(z, tup):
    d[z] = np.column_stack(d[tup])


@adjoint(np.block)
def block(z, arrays):
    d[arrays] = tangent.unblock(d[z], arrays)


@tangent_of(np.block)
def block_tangent(z, arrays):
    d[z] = np.block(d[arrays])


@adjoint(np.append)
def append(z, arr, values, axis=None):
    barr, bvalues = tangent.split_like(d[z], [arr, values], axis)
    d[arr] = barr
    d[values] = bvalues


@tangent_of(np.append)
def append_tangent(z, arr, values, axis=None):
    d[z] = np.append(d[arr], np.zeros(np.shape(values)), axis)
    d[z] = np.append(np.zeros(np.shape(arr)), d[values], axis)


@adjoint(np.split, np.array_split)
def split(z, ary, indices_or_sections, axis=0):
    d[ary] = np.concatenate(d[z], axis)


@tangent_of(np.split, np.array_split)
def split_tangent(z, ary, indices_or_sections, axis=0):
    d[z] = np.array_split(d[ary], indices_or_sections, axis)


@adjoint(np.hsplit)
def hsplit(z, ary, indices_or_sections):
    d[ary] = np.concatenate(d[z], 1 if np.ndim(ary) > 1 else 0)


@tangent_of(np.hsplit)
def hsplit_tangent(z, ary, indices_or_sections):
    d[z] = np.hsplit(d[ary], indices_or_sections)


@adjoint(np.vsplit)
def vsplit(z, ary, indices_or_sections):
    d[ary] = np.concatenate(d[z], 0)


@tangent_of(np.vsplit)
def vsplit_tangent(z, ary, indices_or_sections):
    d[z] = np.vsplit(d[ary], indices_or_sections)


@adjoint(np.dsplit)
def dsplit(z, ary, indices_or_sections):
    d[ary] = np.concatenate(d[z], 2)


@tangent_of(np.dsplit)
def dsplit_tangent(z, ary, indices_or_sections):
    d[z] = np.dsplit(d[ary], indices_or_sections)


@adjoint(newer("unstack"))
def unstack(z, x, *, axis=0):
    d[x] = np.stack(d[z], axis)


@tangent_of(newer("unstack"))
def unstack_tangent(z, x, *, axis=0):
    d[z] = np.unstack(d[x], axis=axis)


@adjoint(operator.concat)
def concat(z, a, b):
    d[a] = d[z][: len(a)]
    d[b] = d[z][len(a) :]


@tangent_of(operator.concat)
def concat_tangent(z, a, b):
    d[z] = d[a] + tangent.zeros_like(b)
    d[z] = tangent.zeros_like(a) + d[b]
