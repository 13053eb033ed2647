"""Derivatives of differences of neighbours, slopes and integrals along an axis."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form, sum_to


def without_initial(bz, axis, include_initial):
    """Drop the adjoint of the initial 0 or 1 that stands before running sums or products."""
    return np.delete(bz, 0, 0 if axis is None else axis) if include_initial else bz


def with_initial(dz, axis, include_initial):
    """Put a 0 before the tangents of running products."""
    return np.insert(dz, 0, 0.0, 0 if axis is None else axis) if include_initial else dz


def undiff(bz, n=1, axis=-1):
    """Give the adjoint of `np.diff(a, n, axis)`."""
    bz = np.moveaxis(np.asarray(bz), axis, -1)
    for _ in range(n):
        edge = np.zeros((*bz.shape[:-1], 1), bz.dtype)
        bz = np.concatenate([edge, bz], axis=-1) - np.concatenate([bz, edge], axis=-1)
    return np.moveaxis(bz, -1, axis)


def diff_shapes(a, axis, prepend, append):
    """Give the shapes that `np.diff` broadcasts its borders to: one element for a number."""
    shape = list(np.shape(a))
    shapes = []
    for border in (prepend, append):
        if border is None:
            shapes.append([0 if place == axis % len(shape) else size for place, size in enumerate(shape)])
        elif np.ndim(border) == 0:
            shapes.append([1 if place == axis % len(shape) else size for place, size in enumerate(shape)])
        else:
            shapes.append(list(np.shape(border)))
    return shapes


def undiff_parts(bz, a, n, axis, prepend, append):
    """Give the adjoints of the array and both borders of `np.diff`."""
    whole = np.moveaxis(undiff(bz, n, axis), axis, 0)
    before, after = (shape[axis] for shape in diff_shapes(a, axis, prepend, append))
    parts = [whole[before : len(whole) - after], whole[:before], whole[len(whole) - after :]]
    given = [a, prepend, append]
    moved = [np.moveaxis(part, 0, axis) for part in parts]
    return [
        None if one is None else in_form(sum_to(part, np.shape(one)), one)
        for part, one in zip(moved, given, strict=True)
    ]


def diff_tangent(change, a, n, axis, prepend, append, which):
    """Give the tangent of `np.diff` by the array, or by one of the borders."""
    before, after = diff_shapes(a, axis, prepend, append)
    parts = [np.zeros(before), np.zeros(np.shape(a)), np.zeros(after)]
    place = (1, 0, 2)[which]
    parts[place] = np.broadcast_to(change, parts[place].shape)
    return np.diff(np.concatenate(parts, axis), n, axis)


def undiff_1d(bz, ary, to_end, to_begin):
    """Give the adjoints of the array and what stands around its differences, of `np.ediff1d`."""
    before, after = (0 if one is None else np.size(one) for one in (to_begin, to_end))
    bary = (
        np.reshape(undiff(bz[before : len(bz) - after]), np.shape(ary))
        if np.size(ary)
        else np.zeros(np.shape(ary))
    )
    ends = [bz[len(bz) - after :], bz[:before]]
    return [
        bary,
        *(
            None if one is None else in_form(np.reshape(part, np.shape(one)), one)
            for part, one in zip(ends, (to_end, to_begin), strict=True)
        ),
    ]


def diff_1d_tangent(change, ary, to_end, to_begin, which):
    """Give the tangent of `np.ediff1d` by the array, by what stands after it, or by what stands before it."""
    parts = [
        np.zeros(0 if to_begin is None else np.size(to_begin)),
        np.zeros(max(np.size(ary) - 1, 0)),
        np.zeros(0 if to_end is None else np.size(to_end)),
    ]
    parts[(1, 2, 0)[which]] = np.diff(np.ravel(change)) if which == 0 else np.ravel(change)
    return np.concatenate(parts)


def gradient_adjoint(bz, f, spacings, axis, edge_order):
    """Give the adjoint of the values of `np.gradient(f, *spacings)`."""
    axes = tuple(range(np.ndim(f))) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    parts = bz if isinstance(bz, (list, tuple)) else [bz]
    steps = (
        [1.0] * len(axes) if len(spacings) == 0 else spacings * len(axes) if len(spacings) == 1 else spacings
    )
    total = 0
    for part, one, step in zip(parts, axes, steps, strict=True):
        total = total + gradient_along(np.asarray(part), np.shape(f)[one], one, step, edge_order)
    return total


def gradient_of_values(dbz, f, spacings, axis, edge_order):
    """Give the values of `np.gradient(dbz, *spacings)`, a list where `gradient_adjoint` takes one."""
    return np.gradient(dbz, *spacings, axis=axis, edge_order=edge_order)


def gradient_along(bz, size, axis, step, edge_order):
    """Give the adjoint of slopes along one axis: each is a weighted sum of three neighbours."""
    left, right = slope_weights(size, step)
    bz = np.moveaxis(bz, axis, -1)
    found = np.zeros(bz.shape, bz.dtype)
    inner = bz[..., 1:-1]
    found[..., :-2] -= inner * left
    found[..., 1:-1] += inner * (left - right)
    found[..., 2:] += inner * right
    for end, weights in slope_weights_at_ends(size, step, edge_order):
        found[..., end[0] : end[1]] += bz[..., end[2], None] * weights
    return np.moveaxis(found, -1, axis)


def slope_gaps(size, step):
    """Give the distances of neighbours."""
    return np.full(size - 1, float(step)) if np.ndim(step) == 0 else np.diff(step)


def slope_weights(size, step):
    """Give the weights of the differences to the left and to the right in slopes between them."""
    gaps = slope_gaps(size, step)
    before, after = gaps[:-1], gaps[1:]
    return after / (before * (before + after)), before / (after * (before + after))


def slope_weights_at_ends(size, step, edge_order):
    """Give where the slopes at both ends are read of, which they are, and their weights."""
    gaps = slope_gaps(size, step)
    if edge_order == 1:
        first, last = np.array([-1, 1]) / gaps[0], np.array([-1, 1]) / gaps[-1]
        return [((0, 2, 0), first), ((size - 2, size, size - 1), last)]
    a, b = gaps[0], gaps[1]
    first = np.array([-(2 * a + b) / (a * (a + b)), (a + b) / (a * b), -a / (b * (a + b))])
    a, b = gaps[-2], gaps[-1]
    last = np.array([b / (a * (a + b)), -(b + a) / (a * b), (2 * b + a) / (b * (a + b))])
    return [((0, 3, 0), first), ((size - 3, size, size - 1), last)]


def trapezoid_gaps(y, x, dx, axis):
    """Give the widths of trapezoids, along the last axis."""
    if x is None:
        return np.asarray(dx)[..., None] * np.ones(np.shape(y)[axis] - 1)
    gaps = np.diff(x) if np.ndim(x) == 1 else np.moveaxis(np.diff(x, axis=axis), axis, -1)
    return gaps


def trapezoid_by_values(bz, y, x, dx, axis):
    """Give the adjoint of the heights of `np.trapezoid`."""
    halves = np.asarray(bz)[..., None] * trapezoid_gaps(y, x, dx, axis) / 2
    edge = np.zeros((*halves.shape[:-1], 1))
    found = np.concatenate([halves, edge], -1) + np.concatenate([edge, halves], -1)
    return in_form(
        np.moveaxis(sum_to(found, np.moveaxis(np.asarray(y), axis, -1).shape), -1, axis), np.asarray(y)
    )


def trapezoid_by_places(bz, y, x, axis):
    """Give the adjoint of the places of `np.trapezoid`."""
    y = np.moveaxis(np.asarray(y), axis, -1)
    found = undiff(np.asarray(bz)[..., None] * (y[..., 1:] + y[..., :-1]) / 2)
    return (
        sum_to(found, np.shape(x)) if np.ndim(x) == 1 else sum_to(np.moveaxis(found, -1, axis), np.shape(x))
    )


def trapezoid_tangent_by_places(dx, y, axis):
    """Give the tangent of `np.trapezoid` by the places."""
    y = np.moveaxis(np.asarray(y), axis, -1)
    gaps = np.diff(dx) if np.ndim(dx) == 1 else np.moveaxis(np.diff(dx, axis=axis), axis, -1)
    return np.sum(gaps * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)
