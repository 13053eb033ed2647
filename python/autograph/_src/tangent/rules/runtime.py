"""Rules of the helpers themselves: generated code can be differentiated again.

A helper without a rule is differentiated as a function of the user is.
"""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import (
    adjoint,
    d,
    reads_form_only,
    register_non_differentiable,
    tangent_of,
)

register_non_differentiable(
    *(
        tangent.zeros_like,
        tangent.zeros_like_array,
        tangent.constant_in,
        tangent.constant_in_union,
        tangent.count,
        tangent.nan_count,
    ),
    *(
        tangent.check_seed,
        tangent.form,
        tangent.require_apart,
        tangent.require_class,
        tangent.keys,
        tangent.untold_at,
        tangent.zeros_at,
        tangent.share_memory,
        tangent.arrays_in,
        tangent.require_number,
        tangent.require_separate,
        tangent.is_in,
        tangent.require_own_result,
        tangent.require_only_name,
        tangent.require_apart_again,
        tangent.require_no_common,
        tangent.require_no_common_object,
        tangent.refuse_written,
        tangent.require_sequence,
        tangent.is_view,
        tangent.is_held,
        tangent.is_still,
        tangent.is_sequence,
        tangent.is_mapping,
        tangent.require_no_part,
        tangent.require_told,
        tangent.evaluated,
        tangent.require_list,
        tangent.copied_to_change,
        tangent.require_storable,
        tangent.tried_store,
        tangent.tried_in_place,
        tangent.caught,
        tangent.holds_numbers,
        tangent.require_rebound,
        tangent.caught_plain,
        tangent.tried_item,
        tangent.tried_items,
        tangent.require_array,
        tangent.have_same_parts,
        tangent.have_same_objects,
        tangent.have_same_containers,
        tangent.is_attribute,
        tangent.written_parts,
        tangent.require_arguments,
        tangent.require_items,
        tangent.require_same_lengths,
        tangent.require_repeatable,
        tangent.may_repeat,
        tangent.numbers_of,
        tangent.segments,
        tangent.quantile_weights,
    ),
    *(tangent.largest_item, tangent.smallest_item, tangent.sorted_order, tangent.refuse_complex),
    *(tangent.share_of_larger, tangent.clip_share, tangent.clip_share_of_min, tangent.clip_share_of_max),
    *(
        tangent.extremum_shares,
        tangent.range_shares,
        tangent.weights_of_rows,
        tangent.places_in,
        tangent.bins_of,
        tangent.window_places,
    ),
    *(tangent.insert_numbers, tangent.pad_numbers, tangent.trim_start, tangent.lstsq_cut, tangent.block_size),
    *(tangent.put_numbers, tangent.putmask_numbers, tangent.place_numbers, tangent.copyto_numbers),
    *(tangent.units, tangent.directions, tangent.size_of, tangent.is_same),
    *(tangent.put_along_axis_numbers, tangent.fill_diagonal_numbers, tangent.linspace_parts, tangent.sign),
)

for function in (np.shape, np.ndim, np.size, np.zeros_like, np.ones_like, np.full_like):
    reads_form_only(function, "a")
for attribute in (np.ndarray.shape, np.ndarray.ndim, np.ndarray.size, np.ndarray.dtype):
    reads_form_only(attribute, "self")
reads_form_only(np.empty_like, "prototype")
reads_form_only(np.iscomplexobj, "x")
reads_form_only(len, "obj")
reads_form_only(tangent.quantile_tangent, "z")
reads_form_only(tangent.unbroadcast, "x")
reads_form_only(tangent.in_form, "x")
reads_form_only(tangent.broadcast, "z")
reads_form_only(tangent.unreduce, "x")
reads_form_only(tangent.uncast, "y", "x")
reads_form_only(tangent.cast, "z")
reads_form_only(tangent.through, "z")
reads_form_only(tangent.count, "x")
reads_form_only(tangent.zeros_like, "x")
reads_form_only(tangent.untold_at, "x")
reads_form_only(tangent.zeros_at, "x")
reads_form_only(tangent.own, "given")
reads_form_only(tangent.own_containers, "given")
reads_form_only(tangent.filled, "shape")
reads_form_only(tangent.dot_left, "shape")
reads_form_only(tangent.dot_right, "shape")
reads_form_only(tangent.matmul_left, "shape")
reads_form_only(tangent.matmul_right, "shape")
reads_form_only(tangent.tensordot_left, "axes")
reads_form_only(tangent.tensordot_right, "axes")
reads_form_only(tangent.zeros_like_array, "x")
reads_form_only(tangent.constant_in, "dx", "z")
reads_form_only(tangent.constant_in_union, "dx", "z")
reads_form_only(tangent.as_gradient, "x")
reads_form_only(tangent.check_seed, "by", "y")
reads_form_only(tangent.form, "x")
reads_form_only(tangent.split_like, "arrays")
reads_form_only(tangent.unstack_like, "arrays")
reads_form_only(tangent.split_rows_like, "arrays")
reads_form_only(tangent.split_columns_like, "arrays")
reads_form_only(tangent.split_depths_like, "arrays")
reads_form_only(tangent.unblock, "arrays")
reads_form_only(tangent.array_items, "z", "items")
reads_form_only(tangent.items_of, "items")
reads_form_only(tangent.unitem, "x")
reads_form_only(tangent.last_like, "p")
reads_form_only(tangent.spread_items, "items")
reads_form_only(tangent.items_like, "items")


@adjoint(tangent.unbroadcast, tangent.in_form)
def unbroadcast(z, bx, x):
    d[bx] = tangent.broadcast(d[z], bx)


@tangent_of(tangent.unbroadcast)
def unbroadcast_tangent(z, bx, x):
    d[z] = tangent.unbroadcast(d[bx], x)


@tangent_of(tangent.in_form)
def in_form_tangent(z, bx, x):
    d[z] = tangent.in_form(d[bx], x)


@adjoint(tangent.broadcast)
def broadcast(result, dx, z):
    d[dx] = tangent.unbroadcast(d[result], dx)


@tangent_of(tangent.broadcast)
def broadcast_tangent(result, dx, z):
    d[result] = tangent.broadcast(d[dx], z)


@adjoint(tangent.sum_to)
def sum_to(z, bx, shape):
    d[bx] = np.broadcast_to(d[z], np.shape(bx))


@tangent_of(tangent.sum_to)
def sum_to_tangent(z, bx, shape):
    d[z] = tangent.sum_to(d[bx], shape)


@adjoint(tangent.unreduce)
def unreduce(z, by, x, axis=None, keepdims=False):
    if axis is None or keepdims:
        d[by] = tangent.unbroadcast(d[z], by)
    else:
        d[by] = np.sum(d[z], axis=axis)


@tangent_of(tangent.unreduce)
def unreduce_tangent(z, by, x, axis=None, keepdims=False):
    d[z] = tangent.unreduce(d[by], x, axis, keepdims)


@adjoint(tangent.filled)
def filled(z, by, shape):
    d[by] = tangent.unbroadcast(d[z], by)


@tangent_of(tangent.filled)
def filled_tangent(z, by, shape):
    d[z] = tangent.filled(d[by], shape)


@adjoint(tangent.uncast)
def uncast(z, by, y, x):
    d[by] = tangent.uncast(d[z], y, by)


@tangent_of(tangent.uncast)
def uncast_tangent(z, by, y, x):
    d[z] = tangent.uncast(d[by], y, x)


@adjoint(tangent.through)
def through(result, bz, z):
    d[bz] = tangent.through(d[result], z)


@tangent_of(tangent.through)
def through_tangent(result, bz, z):
    d[result] = tangent.through(d[bz], z)


@adjoint(tangent.cast)
def cast(result, dx, z):
    d[dx] = tangent.uncast(d[result], z, dx)


@tangent_of(tangent.cast)
def cast_tangent(result, dx, z):
    d[result] = tangent.cast(d[dx], z)


@adjoint(tangent.add_grad)
def add_grad(z, bx, more):
    d[bx] = d[z]
    d[more] = d[z]


@tangent_of(tangent.add_grad)
def add_grad_tangent(z, bx, more):
    d[z] = d[bx]
    d[z] = d[more]


@adjoint(tangent.copy)
def copy(z, x):
    d[x] = d[z]


@tangent_of(tangent.copy)
def copy_tangent(z, x):
    d[z] = tangent.copy(d[x])


@adjoint(tangent.own_array)
def own_array(z, x, name):
    d[x] = d[z]


@tangent_of(tangent.own_array)
def own_array_tangent(z, x, name):
    d[z] = tangent.copy(d[x])


@adjoint(tangent.own_copy)
def own_copy(z, x, name):
    d[x] = d[z]


@tangent_of(tangent.own_copy)
def own_copy_tangent(z, x, name):
    d[z] = tangent.copy(d[x])


@adjoint(tangent.own)
def own(z, y, given, passes=0):
    d[y] = d[z]


@tangent_of(tangent.own)
def own_tangent(z, y, given, passes=0):
    d[z] = tangent.copy(d[y])


@adjoint(tangent.copy_containers)
def copy_containers(z, x):
    d[x] = d[z]


@tangent_of(tangent.copy_containers)
def copy_containers_tangent(z, x):
    d[z] = tangent.copy_containers(d[x])


@adjoint(tangent.own_containers)
def own_containers(z, y, given):
    d[y] = d[z]


@tangent_of(tangent.own_containers)
def own_containers_tangent(z, y, given):
    d[z] = tangent.copy_containers(d[y])


@adjoint(tangent.concat)
def concat(z, *parts):
    d[parts] = tangent.concat_adjoint(d[z], parts)


@tangent_of(tangent.concat)
def concat_tangent(z, *parts):
    d[z] = tangent.concat_tangent(d[parts], parts)


@adjoint(tangent.repeated)
def repeated(z, items, count):
    d[items] = tangent.repeated_adjoint(d[z], items)


@tangent_of(tangent.repeated)
def repeated_tangent(z, items, count):
    d[z] = tangent.repeated(d[items], count)


@adjoint(tangent.as_gradient)
def as_gradient(z, bx, x):
    d[bx] = tangent.as_gradient(d[z], bx)


@tangent_of(tangent.as_gradient)
def as_gradient_tangent(z, bx, x):
    d[z] = tangent.as_gradient(d[bx], x)


@adjoint(tangent.split_like)
def split_like(z, bz, arrays, axis=0):
    d[bz] = np.reshape(np.concatenate(tangent.at_least_vectors(d[z]), axis), np.shape(bz))


@tangent_of(tangent.split_like)
def split_like_tangent(z, bz, arrays, axis=0):
    d[z] = tangent.split_like(d[bz], arrays, axis)


@adjoint(tangent.unstack_like)
def unstack_like(z, bz, arrays, axis=0):
    d[bz] = np.stack(d[z], axis)


@tangent_of(tangent.unstack_like)
def unstack_like_tangent(z, bz, arrays, axis=0):
    d[z] = tangent.unstack_like(d[bz], arrays, axis)


@adjoint(tangent.array_items)
def array_items(result, bz, z, items):
    d[bz] = np.reshape(np.array(d[result]), np.shape(bz))


@tangent_of(tangent.array_items)
def array_items_tangent(result, bz, z, items):
    d[result] = tangent.array_items(d[bz], z, items)


@adjoint(tangent.dot_left)
def dot_left(bx, bz, shape, y):
    d[bz] = np.dot(d[bx], y)
    d[y] = tangent.dot_right(bz, d[bx], np.shape(y))


@tangent_of(tangent.dot_left)
def dot_left_tangent(bx, bz, shape, y):
    d[bx] = tangent.dot_left(d[bz], shape, y)
    d[bx] = tangent.dot_left(bz, shape, d[y])


@adjoint(tangent.dot_right)
def dot_right(by, bz, x, shape):
    d[bz] = np.dot(x, d[by])
    d[x] = tangent.dot_left(bz, np.shape(x), d[by])


@tangent_of(tangent.dot_right)
def dot_right_tangent(by, bz, x, shape):
    d[by] = tangent.dot_right(d[bz], x, shape)
    d[by] = tangent.dot_right(bz, d[x], shape)


@adjoint(tangent.matmul_left)
def matmul_left(bx, bz, shape, y):
    d[bz] = d[bx] @ y
    d[y] = tangent.matmul_right(bz, d[bx], np.shape(y))


@tangent_of(tangent.matmul_left)
def matmul_left_tangent(bx, bz, shape, y):
    d[bx] = tangent.matmul_left(d[bz], shape, y)
    d[bx] = tangent.matmul_left(bz, shape, d[y])


@adjoint(tangent.matmul_right)
def matmul_right(by, bz, x, shape):
    d[bz] = x @ d[by]
    d[x] = tangent.matmul_left(bz, np.shape(x), d[by])


@tangent_of(tangent.matmul_right)
def matmul_right_tangent(by, bz, x, shape):
    d[by] = tangent.matmul_right(d[bz], x, shape)
    d[by] = tangent.matmul_right(bz, d[x], shape)


@adjoint(tangent.tensordot_left)
def tensordot_left(bx, bz, shape, y, axes):
    d[bz] = np.tensordot(d[bx], y, axes)
    d[y] = tangent.tensordot_right(bz, d[bx], np.shape(y), axes)


@tangent_of(tangent.tensordot_left)
def tensordot_left_tangent(bx, bz, shape, y, axes):
    d[bx] = tangent.tensordot_left(d[bz], shape, y, axes)
    d[bx] = tangent.tensordot_left(bz, shape, d[y], axes)


@adjoint(tangent.tensordot_right)
def tensordot_right(by, bz, x, shape, axes):
    d[bz] = np.tensordot(x, d[by], axes)
    d[x] = tangent.tensordot_left(bz, np.shape(x), d[by], axes)


@tangent_of(tangent.tensordot_right)
def tensordot_right_tangent(by, bz, x, shape, axes):
    d[by] = tangent.tensordot_right(d[bz], x, shape, axes)
    d[by] = tangent.tensordot_right(bz, d[x], shape, axes)


@adjoint(tangent.reverse_cumsum)
def reverse_cumsum(z, bz, axis):
    d[bz] = np.cumsum(d[z], axis)


@tangent_of(tangent.reverse_cumsum)
def reverse_cumsum_tangent(z, bz, axis):
    d[z] = tangent.reverse_cumsum(d[bz], axis)


@adjoint(tangent.untake)
def untake(z, bz, shape, indices, axis=None, mode="raise"):
    d[bz] = np.take(d[z], indices, axis, mode=mode)


@tangent_of(tangent.untake)
def untake_tangent(z, bz, shape, indices, axis=None, mode="raise"):
    d[z] = tangent.untake(d[bz], shape, indices, axis, mode)


@adjoint(tangent.untake_along)
def untake_along(z, bz, shape, indices, axis):
    d[bz] = np.take_along_axis(d[z], indices, axis)


@tangent_of(tangent.untake_along)
def untake_along_tangent(z, bz, shape, indices, axis):
    d[z] = tangent.untake_along(d[bz], shape, indices, axis)


@adjoint(tangent.put_back)
def put_back(z, bz, numbers, shape):
    d[bz] = np.reshape(np.where(np.ravel(numbers) < 0, 0, np.ravel(d[z])[np.ravel(numbers)]), np.shape(bz))


@tangent_of(tangent.put_back)
def put_back_tangent(z, bz, numbers, shape):
    d[z] = tangent.put_back(d[bz], numbers, shape)


@adjoint(tangent.unorder)
def unorder(z, bz, order, axis, shape):
    if axis is None:
        d[bz] = np.reshape(np.ravel(d[z])[np.ravel(order)], np.shape(bz))
    else:
        d[bz] = np.take_along_axis(d[z], order, axis)


@tangent_of(tangent.unorder)
def unorder_tangent(z, bz, order, axis, shape):
    d[z] = tangent.unorder(d[bz], order, axis, shape)


@adjoint(tangent.unrepeat)
def unrepeat(z, bz, shape, repeats, axis):
    d[bz] = np.repeat(d[z], repeats, axis)


@tangent_of(tangent.unrepeat)
def unrepeat_tangent(z, bz, shape, repeats, axis):
    d[z] = tangent.unrepeat(d[bz], shape, repeats, axis)


@adjoint(tangent.unresize)
def unresize(z, bz, shape):
    d[bz] = np.resize(d[z], np.shape(bz))


@tangent_of(tangent.unresize)
def unresize_tangent(z, bz, shape):
    d[z] = tangent.unresize(d[bz], shape)


@adjoint(tangent.undiag)
def undiag(z, bz, shape, k=0):
    d[bz] = np.diag(d[z], k)


@tangent_of(tangent.undiag)
def undiag_tangent(z, bz, shape, k=0):
    d[z] = tangent.undiag(d[bz], shape, k)


@adjoint(tangent.undiagonal)
def undiagonal(z, bz, shape, offset=0, axis1=0, axis2=1):
    d[bz] = tangent.sum_to(np.diagonal(d[z], offset, axis1, axis2), np.shape(bz))


@tangent_of(tangent.undiagonal)
def undiagonal_tangent(z, bz, shape, offset=0, axis1=0, axis2=1):
    d[z] = tangent.undiagonal(d[bz], shape, offset, axis1, axis2)


@adjoint(tangent.unpad)
def unpad(z, bz, shape, pad_width):
    d[bz] = np.pad(d[z], pad_width)


@tangent_of(tangent.unpad)
def unpad_tangent(z, bz, shape, pad_width):
    d[z] = tangent.unpad(d[bz], shape, pad_width)


@adjoint(tangent.unitem)
def unitem(z, bz, x, args):
    d[bz] = np.asarray(d[z]).item(*args)


@tangent_of(tangent.unitem)
def unitem_tangent(z, bz, x, args):
    d[z] = tangent.unitem(d[bz], x, args)


@adjoint(tangent.untrim)
def untrim(z, bz, x, trim):
    d[bz] = tangent.trim_tangent(d[z], x, bz, trim)


@tangent_of(tangent.untrim)
def untrim_tangent(z, bz, x, trim):
    d[z] = tangent.untrim(d[bz], x, trim)


@adjoint(tangent.quotient)
def quotient(z, x, y):
    d[x] = tangent.quotient(d[z], y)
    d[y] = -tangent.quotient(d[z] * z, y)


@tangent_of(tangent.quotient)
def quotient_tangent(z, x, y):
    d[z] = tangent.quotient(d[x], y)
    d[z] = -tangent.quotient(z * d[y], y)


@adjoint(tangent.spread_items)
def spread_items(z, bz, items):
    d[bz] = tangent.unbroadcast(sum(tangent.tangents_of_items(d[z])), bz)


@tangent_of(tangent.spread_items)
def spread_items_tangent(z, bz, items):
    d[z] = tangent.spread_items(d[bz], items)


@adjoint(tangent.deviations)
def deviations(z, x, axis=None):
    d[x] = tangent.deviations(d[z], axis)


@tangent_of(tangent.deviations)
def deviations_tangent(z, x, axis=None):
    d[z] = tangent.deviations(d[x], axis)


@adjoint(tangent.cofactors)
def cofactors(z, a):
    d[a] = tangent.cofactor_change(d[z], z, a)


@tangent_of(tangent.cofactors)
def cofactors_tangent(z, a):
    d[z] = tangent.cofactor_change(d[a], z, a)


@adjoint(tangent.quantile_adjoint)
def quantile_adjoint(ba, bz, a, q, axis=None, keepdims=False, method="linear", skips_nan=False):
    d[bz] = tangent.quantile_tangent(d[ba], bz, a, q, axis, method, skips_nan)
    d[a] = tangent.zeros_like(a)


@tangent_of(tangent.quantile_adjoint)
def quantile_adjoint_tangent(ba, bz, a, q, axis=None, keepdims=False, method="linear", skips_nan=False):
    d[ba] = tangent.quantile_adjoint(d[bz], a, q, axis, keepdims, method, skips_nan)
    d[ba] = tangent.constant_in(d[a], ba)


@adjoint(tangent.quantile_tangent)
def quantile_tangent(dz, da, z, a, q, axis=None, method="linear", skips_nan=False):
    d[da] = tangent.quantile_adjoint(d[dz], a, q, axis, False, method, skips_nan)
    d[a] = tangent.zeros_like(a)


@tangent_of(tangent.quantile_tangent)
def quantile_tangent_tangent(dz, da, z, a, q, axis=None, method="linear", skips_nan=False):
    d[dz] = tangent.quantile_tangent(d[da], z, a, q, axis, method, skips_nan)
    d[dz] = tangent.constant_in(d[a], dz)


@adjoint(tangent.unset)
def unset(bx, bz, z, x):
    d[bz] = tangent.set_tangent(d[bx], z, x)
    d[z] = tangent.zeros_like(z)
    d[x] = tangent.zeros_like(x)


@tangent_of(tangent.unset)
def unset_tangent(bx, bz, z, x):
    d[bx] = tangent.unset(d[bz], z, x)
    d[bx] = tangent.constant_in(d[z], bx)
    d[bx] = tangent.constant_in(d[x], bx)


@adjoint(tangent.set_tangent)
def set_tangent(dz, dx, z, x):
    d[dx] = tangent.unset(d[dz], z, x)
    d[z] = tangent.zeros_like(z)
    d[x] = tangent.zeros_like(x)


@tangent_of(tangent.set_tangent)
def set_tangent_tangent(dz, dx, z, x):
    d[dz] = tangent.set_tangent(d[dx], z, x)
    d[dz] = tangent.constant_in(d[z], dz)
    d[dz] = tangent.constant_in(d[x], dz)
