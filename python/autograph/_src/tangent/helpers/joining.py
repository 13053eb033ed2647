"""The adjoints of arrays that are joined or split."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import unbroadcast


def split_like(bz, arrays, axis=0):
    """Split the adjoint of `np.concatenate(arrays, axis)` into those of the arrays."""
    if axis is None:
        sizes = [np.size(one) for one in arrays]
        bz = np.ravel(bz)
        axis = 0
    else:
        sizes = [np.shape(one)[axis] if np.ndim(one) else 1 for one in arrays]
    parts = np.split(bz, np.cumsum(sizes)[:-1], axis)
    return [
        unbroadcast(np.reshape(part, np.shape(one)), one) for part, one in zip(parts, arrays, strict=True)
    ]


def unstack_like(bz, arrays, axis=0):
    """Take the adjoint of `np.stack(arrays, axis)` apart into those of the arrays."""
    return [unbroadcast(part, one) for part, one in zip(np.moveaxis(bz, axis, 0), arrays, strict=True)]


def split_rows_like(bz, arrays):
    """Split the adjoint of `np.vstack(arrays)` into those of the arrays."""
    rows = np.split(bz, np.cumsum([len(np.atleast_2d(one)) for one in arrays])[:-1], 0)
    return [unbroadcast(np.reshape(part, np.shape(one)), one) for part, one in zip(rows, arrays, strict=True)]


def split_columns_like(bz, arrays):
    """Split the adjoint of `np.column_stack(arrays)` into those of the arrays."""
    counts = [np.shape(one)[1] if np.ndim(one) > 1 else 1 for one in arrays]
    columns = np.split(bz, np.cumsum(counts)[:-1], 1)
    return [
        unbroadcast(np.reshape(part, np.shape(one)), one) for part, one in zip(columns, arrays, strict=True)
    ]


def split_depths_like(bz, arrays):
    """Split the adjoint of `np.dstack(arrays)` into those of the arrays."""
    counts = [np.shape(np.atleast_3d(one))[2] for one in arrays]
    depths = np.split(bz, np.cumsum(counts)[:-1], 2)
    return [
        unbroadcast(np.reshape(part, np.shape(one)), one) for part, one in zip(depths, arrays, strict=True)
    ]


def unblock(bz, arrays):
    """Take the adjoint of `np.block(arrays)` apart as the lists are nested."""
    depth = block_depth(arrays)
    rank = max(depth, np.ndim(bz))
    return unblock_along(np.reshape(bz, (1,) * (rank - np.ndim(bz)) + np.shape(bz)), arrays, -depth)


def block_depth(arrays):
    """Count how deep the lists of blocks are nested."""
    return 1 + block_depth(arrays[0]) if isinstance(arrays, list) else 0


def unblock_along(bz, arrays, axis):
    """Split along an axis what a list of blocks joined along it."""
    if not isinstance(arrays, list):
        return unbroadcast(np.reshape(bz, np.shape(arrays)), arrays)
    sizes = [block_size(one, axis) for one in arrays]
    parts = np.split(bz, np.cumsum(sizes)[:-1], axis)
    return [unblock_along(part, one, axis + 1) for part, one in zip(parts, arrays, strict=True)]


def block_size(arrays, axis):
    """Give the size of blocks along an axis that deeper lists do not join."""
    while isinstance(arrays, list):
        arrays = arrays[0]
    return np.shape(arrays)[axis] if np.ndim(arrays) >= -axis else 1


def at_least_vectors(arrays):
    """Give numbers among arrays that are joined an axis."""
    return [np.atleast_1d(one) for one in arrays]
