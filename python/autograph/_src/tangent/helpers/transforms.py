"""Adjoints of Fourier transforms, which are symmetric: that of `np.fft.fft` is itself.

Cotangents are not conjugated: two complex arrays are paired by the real part of the sum of their products.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np


def fitted(bz, size, axis):
    """Cut an axis to a size, or fill it with zeros: what a transform did to its operand, back."""
    bz = np.moveaxis(bz, axis, -1)[..., :size]
    if bz.shape[-1] < size:
        rest = np.zeros((*bz.shape[:-1], size - bz.shape[-1]), bz.dtype)
        bz = np.concatenate([bz, rest], axis=-1)
    return np.moveaxis(bz, -1, axis)


def fft_adjoint(bz, shape, axis=-1, norm=None):
    """Give the adjoint of `np.fft.fft`, from the shape of its operand."""
    return fitted(np.fft.fft(bz, axis=axis, norm=norm), shape[axis], axis)


def ifft_adjoint(bz, shape, axis=-1, norm=None):
    """Give the adjoint of `np.fft.ifft`, from the shape of its operand."""
    return fitted(np.fft.ifft(bz, axis=axis, norm=norm), shape[axis], axis)


def rfft_adjoint(bz, shape, n=None, axis=-1, norm=None):
    """Give the adjoint of `np.fft.rfft`, from the shape of its operand."""
    points = shape[axis] if n is None else n
    return fitted(np.real(np.fft.fft(bz, points, axis, norm)), shape[axis], axis)


def irfft_adjoint(bz, shape, axis=-1, norm=None):
    """Give the adjoint of `np.fft.irfft`, from the shape of its operand; inner frequencies count twice."""
    points = np.shape(bz)[axis]
    found = np.moveaxis(np.fft.ifft(bz, axis=axis, norm=norm), axis, -1)[..., : points // 2 + 1]
    places = np.arange(points // 2 + 1)
    found = found * np.where((places == 0) | (2 * places == points), 1, 2)
    return fitted(np.moveaxis(found, -1, axis), shape[axis], axis)


def turned_norm(norm):
    """Give the `norm` of the transform in the other direction with the same factor."""
    return {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)


def transformed_axes(shape, s, axes):
    """Give the axes that a transform of several is along."""
    if axes is None:
        return list(range(len(shape) - (len(shape) if s is None else len(s)), len(shape)))
    return [axis % len(shape) for axis in axes]


def fftn_adjoint(bz, shape, s=None, axes=None, norm=None):
    """Give the adjoint of `np.fft.fftn`, from the shape of its operand."""
    for axis in transformed_axes(shape, s, axes):
        bz = fft_adjoint(bz, shape, axis, norm)
    return bz


def ifftn_adjoint(bz, shape, s=None, axes=None, norm=None):
    """Give the adjoint of `np.fft.ifftn`, from the shape of its operand."""
    for axis in transformed_axes(shape, s, axes):
        bz = ifft_adjoint(bz, shape, axis, norm)
    return bz


def rfftn_adjoint(bz, shape, s=None, axes=None, norm=None):
    """Give the adjoint of `np.fft.rfftn`, from the shape of its operand."""
    axes = transformed_axes(shape, s, axes)
    for axis in axes[:-1]:
        bz = fft_adjoint(bz, shape, axis, norm)
    return rfft_adjoint(bz, shape, None if s is None else s[-1], axes[-1], norm)


def irfftn_adjoint(bz, shape, s=None, axes=None, norm=None):
    """Give the adjoint of `np.fft.irfftn`, from the shape of its operand."""
    axes = transformed_axes(shape, s, axes)
    bz = irfft_adjoint(bz, shape, axes[-1], norm)
    for axis in axes[:-1]:
        bz = ifft_adjoint(bz, shape, axis, norm)
    return bz
