"""Adjoints of elements that are taken by index, cut out, put in or padded."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused, refused_value
from autograph._src.tangent.helpers.containers import add_at
from autograph._src.tangent.helpers.forms import in_form, unbroadcast, zeros_like_array


def untake(bz, shape, indices, axis=None, mode="raise"):
    """Give the adjoint of `np.take(x, indices, axis, mode)`, from the shape of `x`."""
    bz = np.asarray(bz)
    size = int(np.prod(shape)) if axis is None else shape[axis]
    indices = np.asarray(indices)
    if mode == "clip":
        indices = np.clip(indices, 0, size - 1)
    elif mode == "wrap":
        indices = indices % size
    if axis is None:
        found = np.zeros(size, bz.dtype)
        add_at(found, indices, bz)
        return found.reshape(shape)
    found = np.zeros(shape, bz.dtype)
    axis = axis % len(shape)
    add_at(found, (slice(None),) * axis + (indices,), bz)
    return found


def untake_along(bz, shape, indices, axis):
    """Give the adjoint of `np.take_along_axis(x, indices, axis)`, from the shape of `x`."""
    if axis is None:
        return untake(bz, shape, indices)
    bz = np.asarray(bz)
    found = np.zeros(shape, bz.dtype)
    grid = list(np.ogrid[tuple(slice(size) for size in indices.shape)])
    grid[axis] = indices
    lead = tuple(
        np.broadcast_to(one, bz.shape) % np.maximum(size, 1) for one, size in zip(grid, shape, strict=True)
    )
    add_at(found, lead, bz)
    return found


def put_back(bz, numbers, shape):
    """Add elements where they were taken from, by flat number; a negative one is of no element."""
    numbers, bz = np.ravel(numbers), np.ravel(bz)
    found = np.zeros(int(np.prod(shape)), bz.dtype)
    is_there = numbers >= 0
    add_at(found, numbers[is_there], bz[is_there])
    return found.reshape(shape)


def numbers_of(shape):
    """Number the elements of a shape."""
    return np.arange(int(np.prod(shape))).reshape(shape)


def insert_numbers(arr, obj, values, axis):
    """Say for each element of `np.insert` which one of the array it is, or -1 less that of the values."""
    return np.insert(numbers_of(np.shape(arr)), obj, -1 - numbers_of(np.shape(values)), axis)


def insert_adjoint(bz, arr, obj, values, axis):
    """Give the adjoint of the array of `np.insert`."""
    return put_back(bz, insert_numbers(arr, obj, values, axis), np.shape(arr))


def insert_values_adjoint(bz, arr, obj, values, axis):
    """Give the adjoint of the values of `np.insert`."""
    numbers = -1 - insert_numbers(arr, obj, values, axis)
    return in_form(put_back(bz, numbers, np.shape(values)), values)


def pad_numbers(shape, pad_width, mode, reflect_type):
    """Say for each element of `np.pad` which one of the array it is; -1 where it is none."""
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise refused_value(
            "AG022",
            f"tangent has no rule of `np.pad` with mode {mode!r}",
            "the modes 'constant', 'edge', 'reflect', 'symmetric' and 'wrap' have one",
        )
    if reflect_type != "even":
        raise refused_value(
            "AG022",
            "tangent has no rule of `np.pad` with an odd reflection",
            "join the parts, `np.concatenate([2 * x[0] - x[n:0:-1], x, ...])`",
        )
    if mode == "constant":
        return np.pad(numbers_of(shape), pad_width, constant_values=-1)
    return np.pad(numbers_of(shape), pad_width, mode)


def pad_adjoint(bz, shape, pad_width, mode, reflect_type):
    """Give the adjoint of the array of `np.pad`, from its shape."""
    return put_back(bz, pad_numbers(shape, pad_width, mode, reflect_type), shape)


def pad_tangent(da, pad_width, mode, reflect_type):
    """Give the tangent of `np.pad` by the array."""
    numbers = pad_numbers(np.shape(da), pad_width, mode, reflect_type)
    return np.where(numbers < 0, 0, np.ravel(da)[numbers])


def undiag(bz, shape, k=0):
    """Give the adjoint of `np.diag(v, k)`, from the shape of `v`."""
    if len(shape) == 1:
        return np.diag(bz, k)
    _rows, _columns = shape
    found = np.zeros(shape, np.asarray(bz).dtype)
    places = np.arange(len(bz))
    found[places + max(-k, 0), places + max(k, 0)] = bz
    return found


def uncompress(bz, condition, shape, axis=None):
    """Give the adjoint of `np.compress(condition, x, axis)`, from the shape of `x`."""
    return untake(bz, shape, np.flatnonzero(condition), axis)


def delete_adjoint(bz, shape, obj, axis):
    """Give the adjoint of `np.delete(x, obj, axis)`, from the shape of `x`."""
    return put_back(bz, np.delete(numbers_of(shape), obj, axis), shape)


def trim_start(x, trim):
    """Count the zeros that `np.trim_zeros(x, trim)` drops before the first other number."""
    places = np.flatnonzero(x)
    if len(places) == 0:
        return 0
    return int(places[0]) if "f" in trim.lower() else 0


def untrim(bz, x, trim):
    """Give the adjoint of `np.trim_zeros(x, trim)`."""
    found, start = zeros_like_array(x), trim_start(x, trim)
    found[start : start + len(bz)] = bz
    return found


def trim_tangent(dx, x, z, trim):
    """Give the tangent of `z = np.trim_zeros(x, trim)`."""
    start = trim_start(x, trim)
    return np.asarray(dx)[start : start + len(z)]


def refuse_functions(funclist):
    """Raise `TypeError` where `np.piecewise` calls functions, of which a rule knows nothing."""
    for one in funclist:
        if callable(one):
            raise refused(
                "AG022", "tangent has no rule of `np.piecewise` with functions", "write it with `np.where`"
            )


def piecewise_by_argument(x, funclist):
    """Give the adjoint of the argument of `np.piecewise` with numbers: nothing varies with it."""
    refuse_functions(funclist)
    return zeros_like_array(x)


def piecewise_tangent_by_argument(dx, funclist):
    """Give the tangent of `np.piecewise` with numbers by its argument, which is 0."""
    refuse_functions(funclist)
    return 0 * dx


def piecewise_numbers(bz, condlist, funclist):
    """Give the adjoints of the numbers of `np.piecewise`."""
    refuse_functions(funclist)
    conditions = [np.asarray(condlist)] if np.ndim(condlist) <= np.ndim(bz) else list(np.asarray(condlist))
    rest = ~np.any(conditions, axis=0)
    found, left = [], bz
    for place, number in reversed(list(enumerate(funclist))):
        is_taken = conditions[place] if place < len(conditions) else rest
        found.append(unbroadcast(np.where(is_taken, left, 0), number))
        left = np.where(is_taken & (place < len(conditions)), 0, left)
    return found[::-1]


def piecewise_tangent(tangents, condlist, funclist, z):
    """Give the tangent of `np.piecewise` by its numbers."""
    refuse_functions(funclist)
    return np.piecewise(np.zeros(np.shape(z)), condlist, [0.0 if one is None else one for one in tangents])
