"""The adjoints of products of vectors and matrices, by how many dimensions the operands have."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import sum_to


def dot_left(bz, shape, y):
    """Give the adjoint of the left operand of `np.dot(x, y)`, from the shape of `x`."""
    if isinstance(y, np.ndarray) and y.ndim == 2 and len(shape) == 2:
        return np.dot(bz, y.T)
    y = np.asarray(y)
    if not shape or y.ndim == 0:
        return sum_to(np.asarray(bz * y), shape)[()]
    if y.ndim == 1:
        return np.expand_dims(bz, -1) * y
    axes = [axis for axis in range(y.ndim) if axis != y.ndim - 2]
    return np.tensordot(bz, y, (list(range(len(shape) - 1, np.ndim(bz))), axes))


def dot_right(bz, x, shape):
    """Give the adjoint of the right operand of `np.dot(x, y)`, from the shape of `y`."""
    if isinstance(x, np.ndarray) and x.ndim == 2 and len(shape) == 2:
        return np.dot(x.T, bz)
    x = np.asarray(x)
    if not shape or x.ndim == 0:
        return sum_to(np.asarray(bz * x), shape)[()]
    lead = list(range(x.ndim - 1))
    by = np.tensordot(x, bz, (lead, lead))
    return by if len(shape) <= 2 else np.moveaxis(by, 0, -2)


def matmul_left(bz, shape, y):
    """Give the adjoint of the left operand of `x @ y`, from the shape of `x`."""
    if isinstance(y, np.ndarray) and y.ndim == 2 and len(shape) == 2:
        return bz @ y.T
    y = np.asarray(y)
    if len(shape) == 1:
        if y.ndim == 1:
            return bz * y
        return sum_to((y @ np.expand_dims(bz, -1))[..., 0], shape)
    if y.ndim == 1:
        return np.expand_dims(bz, -1) * y
    return sum_to(bz @ np.swapaxes(y, -1, -2), shape)


def matmul_right(bz, x, shape):
    """Give the adjoint of the right operand of `x @ y`, from the shape of `y`."""
    if isinstance(x, np.ndarray) and x.ndim == 2 and len(shape) == 2:
        return x.T @ bz
    x = np.asarray(x)
    if len(shape) == 1:
        if x.ndim == 1:
            return bz * x
        return np.tensordot(bz, x, np.ndim(bz))
    if x.ndim == 1:
        return sum_to(np.expand_dims(x, -1) * np.expand_dims(bz, -2), shape)
    return sum_to(np.swapaxes(x, -1, -2) @ bz, shape)


def inner_left(bz, shape, y):
    """Give the adjoint of the left operand of `np.inner(x, y)`, from the shape of `x`."""
    y = np.asarray(y)
    if not shape or y.ndim == 0:
        return sum_to(np.asarray(bz * y), shape)[()]
    lead = list(range(y.ndim - 1))
    return np.tensordot(bz, y, (list(range(len(shape) - 1, np.ndim(bz))), lead))


def inner_right(bz, x, shape):
    """Give the adjoint of the right operand of `np.inner(x, y)`, from the shape of `y`."""
    x = np.asarray(x)
    if not shape or x.ndim == 0:
        return sum_to(np.asarray(bz * x), shape)[()]
    lead = list(range(x.ndim - 1))
    return np.tensordot(bz, x, (lead, lead))


def contracted(axes, left, right):
    """Give the axes that `np.tensordot` sums over as lists, for operands of so many axes."""
    if isinstance(axes, int):
        return list(range(left - axes, left)), list(range(axes))
    first, second = ([one] if isinstance(one, int) else list(one) for one in axes)
    return [axis % left for axis in first], [axis % right for axis in second]


def tensordot_left(bz, shape, y, axes):
    """Give the adjoint of the left operand of `np.tensordot(x, y, axes)`, from the shape of `x`."""
    mine, others = contracted(axes, len(shape), np.ndim(y))
    rest = [axis for axis in range(np.ndim(y)) if axis not in others]
    places = list(range(len(shape) - len(mine), np.ndim(bz)))
    found = np.tensordot(bz, y, (places, rest))
    # Its axes are those of x that were not summed over, and then the others in the order of y.
    free = [axis for axis in range(len(shape)) if axis not in mine]
    order = free + [mine[others.index(axis)] for axis in sorted(others)]
    return np.transpose(found, np.argsort(order))


def tensordot_right(bz, x, shape, axes):
    """Give the adjoint of the right operand of `np.tensordot(x, y, axes)`, from the shape of `y`."""
    others, mine = contracted(axes, np.ndim(x), len(shape))
    rest = [axis for axis in range(np.ndim(x)) if axis not in others]
    found = np.tensordot(x, bz, (rest, list(range(len(rest)))))
    free = [axis for axis in range(len(shape)) if axis not in mine]
    order = [mine[others.index(axis)] for axis in sorted(others)] + free
    return np.transpose(found, np.argsort(order))


def kron_left(bz, shape, y):
    """Give the adjoint of the left operand of `np.kron(x, y)`, from the shape of `x`."""
    blocks, sizes, others = kron_blocks(bz, shape, np.shape(y))
    y = np.reshape(y, [one for other in others for one in (1, other)])
    return np.sum(blocks * y, axis=tuple(range(1, 2 * len(sizes), 2))).reshape(shape)


def kron_right(bz, x, shape):
    """Give the adjoint of the right operand of `np.kron(x, y)`, from the shape of `y`."""
    blocks, sizes, _others = kron_blocks(bz, np.shape(x), shape)
    x = np.reshape(x, [one for size in sizes for one in (size, 1)])
    return np.sum(blocks * x, axis=tuple(range(0, 2 * len(sizes), 2))).reshape(shape)


def kron_blocks(bz, left, right):
    """Give an adjoint of `np.kron` two axes for each: that of the left operand and that of the right one."""
    rank = max(len(left), len(right))
    sizes, others = (1,) * (rank - len(left)) + left, (1,) * (rank - len(right)) + right
    pairs = [one for pair in zip(sizes, others, strict=True) for one in pair]
    return np.reshape(bz, pairs), sizes, others


def undiagonal(bz, shape, offset=0, axis1=0, axis2=1):
    """Put the adjoint of `np.diagonal(x, offset, axis1, axis2)` where it was taken, from the shape of `x`."""
    bz = np.asarray(bz)
    rows, columns = shape[axis1], shape[axis2]
    rest = [size for axis, size in enumerate(shape) if axis not in (axis1 % len(shape), axis2 % len(shape))]
    found = np.zeros((*rest, rows, columns), bz.dtype)
    places = np.arange(max(min(rows + min(offset, 0), columns - max(offset, 0)), 0))
    found[..., places - min(offset, 0), places + max(offset, 0)] = bz
    return np.moveaxis(found, (-2, -1), (axis1, axis2))


def cross_operand(x, axis):
    """Move the axis of vectors to the end, and give vectors of two numbers a third one."""
    x = np.moveaxis(np.asarray(x), axis, -1)
    if x.shape[-1] == 3:
        return x
    return np.concatenate([x, np.zeros((*x.shape[:-1], 1), x.dtype)], axis=-1)


def cross_result(bz, a, b, axisa, axisb, axisc):
    """Give the adjoint of `np.cross` as vectors of three numbers, on the last axis."""
    if np.shape(a)[axisa] == 2 and np.shape(b)[axisb] == 2:
        bz = np.asarray(bz)[..., None]
        return np.concatenate([0 * bz, 0 * bz, bz], axis=-1)
    return np.moveaxis(bz, axisc, -1)


def cross_left(bz, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Give the adjoint of the left operand of `np.cross(a, b)`."""
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    found = np.cross(cross_operand(b, axisb), cross_result(bz, a, b, axisa, axisb, axisc))
    found = found[..., : np.shape(a)[axisa]]
    return np.moveaxis(sum_to(found, np.moveaxis(np.asarray(a), axisa, -1).shape), -1, axisa)


def cross_right(bz, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Give the adjoint of the right operand of `np.cross(a, b)`."""
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    found = np.cross(cross_result(bz, a, b, axisa, axisb, axisc), cross_operand(a, axisa))
    found = found[..., : np.shape(b)[axisb]]
    return np.moveaxis(sum_to(found, np.moveaxis(np.asarray(b), axisb, -1).shape), -1, axisb)
