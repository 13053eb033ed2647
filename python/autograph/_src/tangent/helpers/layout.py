"""Adjoints of what moves, repeats and converts elements."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.containers import add_at
from autograph._src.tangent.helpers.forms import in_form, unbroadcast, zeros_like_array


def untranspose(bz, axes):
    """Give the adjoint of a transposition by axes, or of `x.transpose(*axes)`."""
    if len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]
    if axes is None or len(axes) == 0:
        return np.transpose(bz)
    return np.transpose(bz, np.argsort([axis % len(axes) for axis in axes]))


def unrollaxis(bz, axis, start):
    """Give the adjoint of `np.rollaxis(x, axis, start)`."""
    axis, start = axis % bz.ndim, start + bz.ndim if start < 0 else start
    return np.moveaxis(bz, start - 1 if start > axis else start, axis)


def reshape_each(bz, arrays):
    """Give the adjoints of arrays that got more dimensions: one result of one, several of several."""
    parts = [bz] if len(arrays) == 1 else bz
    return [
        unbroadcast(np.reshape(part, np.shape(one)), one) for part, one in zip(parts, arrays, strict=True)
    ]


def reshape_like_results(tangents, z):
    """Give tangents the shapes of the results, of one or of several."""
    if len(tangents) == 1:
        return np.reshape(tangents[0], np.shape(z))
    return [np.reshape(one, np.shape(result)) for one, result in zip(tangents, z, strict=True)]


def untile(bz, shape, reps):
    """Sum the copies of `np.tile(x, reps)`, from the shape of `x`."""
    reps = tuple(reps) if isinstance(reps, (list, tuple, np.ndarray)) else (reps,)
    rank = max(len(reps), len(shape))
    reps = (1,) * (rank - len(reps)) + reps
    sizes = (1,) * (rank - len(shape)) + tuple(shape)
    pairs = [size for pair in zip(reps, sizes, strict=True) for size in pair]
    return np.sum(np.reshape(bz, pairs), axis=tuple(range(0, 2 * rank, 2))).reshape(shape)


def unrepeat(bz, shape, repeats, axis):
    """Sum the copies of `np.repeat(x, repeats, axis)`, from the shape of `x`."""
    if axis is None:
        return unrepeat(bz, (int(np.prod(shape)),), repeats, 0).reshape(shape)
    bz = np.moveaxis(bz, axis, 0)
    size = shape[axis]
    owners = np.repeat(np.arange(size), repeats)
    found = np.zeros((size, *bz.shape[1:]), bz.dtype)
    add_at(found, owners, bz)
    return np.moveaxis(found, 0, axis)


def unresize(bz, shape):
    """Sum the copies of `np.resize(x, ...)`, from the shape of `x`."""
    size = int(np.prod(shape))
    found = np.zeros(size, bz.dtype)
    if size:
        add_at(found, np.arange(np.size(bz)) % size, np.ravel(bz))
    return found.reshape(shape)


def ungrid(bz, arrays, indexing):
    """Sum the adjoints of `np.meshgrid(*arrays)` along the axes that the arrays do not have."""
    found = []
    for place, (part, one) in enumerate(zip(bz, arrays, strict=True)):
        axis = 1 - place if indexing == "xy" and place < 2 and len(arrays) > 1 else place
        others = tuple(other for other in range(part.ndim) if other != axis)
        found.append(unbroadcast(np.sum(part, axis=others).reshape(np.shape(one)), one))
    return found


def grids_of(arrays, grids, indexing):
    """Give arrays as `np.meshgrid` gives them, in the shapes of its results `grids`."""
    found = []
    for place, one in enumerate(arrays):
        axis = 1 - place if indexing == "xy" and place < 2 and len(arrays) > 1 else place
        shape = [-1 if other == axis else 1 for other in range(np.ndim(grids[place]))]
        found.append(np.broadcast_to(np.reshape(one, shape), np.shape(grids[place])).copy())
    return found


def array_items(bz, z, items):
    """Give the adjoint of `z = np.array(items)`: a list for a list, as deep as it is nested."""
    if np.asarray(z).dtype.kind not in "fc":
        bz = np.zeros(np.shape(z))
    return items_of(np.reshape(bz, np.shape(items)), items)


def items_of(bz, items):
    """Take an adjoint apart as a nested list is."""
    if isinstance(items, (list, tuple)):
        return [items_of(part, item) for part, item in zip(bz, items, strict=True)]
    return in_form(bz, items)


def cast(dx, z):
    """Give a tangent the dtype of the result `z`; the tangent of an integer is 0."""
    z = np.asarray(z)
    if z.dtype.kind not in "fc":
        return np.zeros(z.shape)
    return in_form(dx, z)


def unitem(bz, x, args):
    """Give the adjoint of `x.item(*args)`."""
    index = args[0] if len(args) == 1 else args
    if not isinstance(index, tuple):
        index = np.unravel_index(index, np.shape(x))
    found = zeros_like_array(x)
    found[index if len(args) else ...] = bz
    return found


def unpad(bz, shape, pad_width):
    """Cut the border of `np.pad(x, pad_width)` off, from the shape of `x`."""
    lows = pad_lows(shape, pad_width)
    return bz[tuple(slice(low, low + size) for low, size in zip(lows, shape, strict=True))]


def pad_lows(shape, pad_width):
    """Count the elements that stand before `x` in `np.pad(x, pad_width)`, along each axis."""
    return [int(pair[0]) for pair in np.broadcast_to(np.asarray(pad_width), (len(shape), 2))]
