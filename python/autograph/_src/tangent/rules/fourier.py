"""Rules of Fourier transforms."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.fft.fft)
def fft(z, a, n=None, axis=-1, norm=None):
    d[a] = tangent.unbroadcast(tangent.fft_adjoint(d[z], np.shape(a), axis, norm), a)


@tangent_of(np.fft.fft)
def fft_tangent(z, a, n=None, axis=-1, norm=None):
    d[z] = np.fft.fft(d[a], n, axis, norm)


@adjoint(np.fft.ifft)
def ifft(z, a, n=None, axis=-1, norm=None):
    d[a] = tangent.unbroadcast(tangent.ifft_adjoint(d[z], np.shape(a), axis, norm), a)


@tangent_of(np.fft.ifft)
def ifft_tangent(z, a, n=None, axis=-1, norm=None):
    d[z] = np.fft.ifft(d[a], n, axis, norm)


@adjoint(np.fft.rfft)
def rfft(z, a, n=None, axis=-1, norm=None):
    d[a] = tangent.rfft_adjoint(d[z], np.shape(a), n, axis, norm)


@tangent_of(np.fft.rfft)
def rfft_tangent(z, a, n=None, axis=-1, norm=None):
    d[z] = np.fft.rfft(d[a], n, axis, norm)


@adjoint(np.fft.irfft)
def irfft(z, a, n=None, axis=-1, norm=None):
    d[a] = tangent.unbroadcast(tangent.irfft_adjoint(d[z], np.shape(a), axis, norm), a)


@tangent_of(np.fft.irfft)
def irfft_tangent(z, a, n=None, axis=-1, norm=None):
    d[z] = np.fft.irfft(d[a], n, axis, norm)


@adjoint(np.fft.hfft)
def hfft(z, a, n=None, axis=-1, norm=None):
    d[a] = tangent.unbroadcast(
        np.conj(tangent.irfft_adjoint(d[z], np.shape(a), axis, tangent.turned_norm(norm))), a
    )


@tangent_of(np.fft.hfft)
def hfft_tangent(z, a, n=None, axis=-1, norm=None):
    d[z] = np.fft.hfft(d[a], n, axis, norm)


@adjoint(np.fft.ihfft)
def ihfft(z, a, n=None, axis=-1, norm=None):
    d[a] = tangent.rfft_adjoint(np.conj(d[z]), np.shape(a), n, axis, tangent.turned_norm(norm))


@tangent_of(np.fft.ihfft)
def ihfft_tangent(z, a, n=None, axis=-1, norm=None):
    d[z] = np.fft.ihfft(d[a], n, axis, norm)


@adjoint(np.fft.fft2)
def fft2(z, a, s=None, axes=(-2, -1), norm=None):
    d[a] = tangent.unbroadcast(tangent.fftn_adjoint(d[z], np.shape(a), s, axes, norm), a)


@tangent_of(np.fft.fft2)
def fft2_tangent(z, a, s=None, axes=(-2, -1), norm=None):
    d[z] = np.fft.fft2(d[a], s, axes, norm)


@adjoint(np.fft.fftn)
def fftn(z, a, s=None, axes=None, norm=None):
    d[a] = tangent.unbroadcast(tangent.fftn_adjoint(d[z], np.shape(a), s, axes, norm), a)


@tangent_of(np.fft.fftn)
def fftn_tangent(z, a, s=None, axes=None, norm=None):
    d[z] = np.fft.fftn(d[a], s, axes, norm)


@adjoint(np.fft.ifft2)
def ifft2(z, a, s=None, axes=(-2, -1), norm=None):
    d[a] = tangent.unbroadcast(tangent.ifftn_adjoint(d[z], np.shape(a), s, axes, norm), a)


@tangent_of(np.fft.ifft2)
def ifft2_tangent(z, a, s=None, axes=(-2, -1), norm=None):
    d[z] = np.fft.ifft2(d[a], s, axes, norm)


@adjoint(np.fft.ifftn)
def ifftn(z, a, s=None, axes=None, norm=None):
    d[a] = tangent.unbroadcast(tangent.ifftn_adjoint(d[z], np.shape(a), s, axes, norm), a)


@tangent_of(np.fft.ifftn)
def ifftn_tangent(z, a, s=None, axes=None, norm=None):
    d[z] = np.fft.ifftn(d[a], s, axes, norm)


@adjoint(np.fft.rfft2)
def rfft2(z, a, s=None, axes=(-2, -1), norm=None):
    d[a] = tangent.rfftn_adjoint(d[z], np.shape(a), s, axes, norm)


@tangent_of(np.fft.rfft2)
def rfft2_tangent(z, a, s=None, axes=(-2, -1), norm=None):
    d[z] = np.fft.rfft2(d[a], s, axes, norm)


@adjoint(np.fft.rfftn)
def rfftn(z, a, s=None, axes=None, norm=None):
    d[a] = tangent.rfftn_adjoint(d[z], np.shape(a), s, axes, norm)


@tangent_of(np.fft.rfftn)
def rfftn_tangent(z, a, s=None, axes=None, norm=None):
    d[z] = np.fft.rfftn(d[a], s, axes, norm)


@adjoint(np.fft.irfft2)
def irfft2(z, a, s=None, axes=(-2, -1), norm=None):
    d[a] = tangent.unbroadcast(tangent.irfftn_adjoint(d[z], np.shape(a), s, axes, norm), a)


@tangent_of(np.fft.irfft2)
def irfft2_tangent(z, a, s=None, axes=(-2, -1), norm=None):
    d[z] = np.fft.irfft2(d[a], s, axes, norm)


@adjoint(np.fft.irfftn)
def irfftn(z, a, s=None, axes=None, norm=None):
    d[a] = tangent.unbroadcast(tangent.irfftn_adjoint(d[z], np.shape(a), s, axes, norm), a)


@tangent_of(np.fft.irfftn)
def irfftn_tangent(z, a, s=None, axes=None, norm=None):
    d[z] = np.fft.irfftn(d[a], s, axes, norm)


@adjoint(np.fft.fftshift)
def fftshift(z, x, axes=None):
    d[x] = np.fft.ifftshift(d[z], axes)


@tangent_of(np.fft.fftshift)
def fftshift_tangent(z, x, axes=None):
    d[z] = np.fft.fftshift(d[x], axes)


@adjoint(np.fft.ifftshift)
def ifftshift(z, x, axes=None):
    d[x] = np.fft.fftshift(d[z], axes)


@tangent_of(np.fft.ifftshift)
def ifftshift_tangent(z, x, axes=None):
    d[z] = np.fft.ifftshift(d[x], axes)


@adjoint(np.fft.fftfreq, np.fft.rfftfreq)
def fftfreq(z, n, spacing=1.0):
    d[spacing] = -np.sum(d[z] * z) / spacing


@tangent_of(np.fft.fftfreq, np.fft.rfftfreq)
def fftfreq_tangent(z, n, spacing=1.0):
    d[z] = -z / spacing * d[spacing]
