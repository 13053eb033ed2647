"""The adjoints of convolutions and correlations of vectors."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np


def in_full(bz, size, other, mode, is_late=False):
    """Give the adjoint of a convolution of vectors of two sizes as that of the whole one, `mode="full"`."""
    if mode == "full":
        return bz
    short, whole = min(size, other), size + other - 1
    start = short - 1 if mode == "valid" else (short - (0 if is_late else 1)) // 2
    return np.pad(bz, (start, whole - start - len(bz)))


def convolve_left(bz, shape, v, mode):
    """Give the adjoint of an operand of `np.convolve`, from its shape and the other operand."""
    size, v = int(np.prod(shape)), np.ravel(v)
    return np.correlate(in_full(bz, size, len(v), mode), np.conj(v), "valid").reshape(shape)


def correlate_left(bz, shape, v, mode):
    """Give the adjoint of the left operand of `np.correlate(a, v)`, from the shape of `a`."""
    size, v = int(np.prod(shape)), np.ravel(v)
    return convolve_left(in_full(bz, size, len(v), mode, len(v) > size), shape, np.conj(v)[::-1], "full")


def correlate_right(bz, a, shape, mode):
    """Give the adjoint of the right operand of `np.correlate(a, v)`, from the shape of `v`."""
    size, a = int(np.prod(shape)), np.ravel(a)
    turned = convolve_left(in_full(bz, len(a), size, mode, size > len(a)), (size,), a, "full")
    return np.conj(turned[::-1]).reshape(shape)
