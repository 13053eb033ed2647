"""Derivatives of what makes arrays of numbers at even steps, and of windows."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.slopes import bessel_i1

__all__ = ["along_axis", "kaiser_slope", "linspace_parts", "spread_end"]


def along_axis(values, rank, axis):
    """Shape a vector so that it broadcasts along one of so many axes."""
    shape = [1] * rank
    shape[axis] = len(values)
    return np.reshape(values, shape)


def linspace_parts(z, num, endpoint, axis):
    """Give how far each element of `z = np.linspace(...)` is on the way from the first number to the last."""
    parts = np.arange(float(num)) / max(num - 1 if endpoint else num, 1)
    return along_axis(parts, np.ndim(z), axis)


def spread_end(dend, z, axis):
    """Give the tangent of an end of `z = np.linspace(...)` the axis that its elements are along."""
    shape = list(np.shape(z))
    shape.pop(axis)
    return np.expand_dims(np.broadcast_to(dend, shape), axis)


def kaiser_slope(size, beta):
    """Give the derivative of `np.kaiser(size, beta)` by `beta`."""
    if size == 1:
        return np.zeros(1)
    half = (size - 1) / 2
    roots = np.sqrt(np.maximum(1 - ((np.arange(size) - half) / half) ** 2, 0))
    whole = np.i0(beta)
    return (bessel_i1(beta * roots) * roots * whole - np.i0(beta * roots) * bessel_i1(beta)) / whole**2
