"""Rules of functions of polynomials."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.polyval)
def polyval(z, p, x):
    d[p] = tangent.polyval_coefficients(d[z], p, x)
    d[x] = d[z] * np.polyval(np.polyder(p), x)


@tangent_of(np.polyval)
def polyval_tangent(z, p, x):
    d[z] = np.polyval(d[p], x)
    d[z] = np.polyval(np.polyder(p), x) * d[x]


@adjoint(np.polyadd)
def polyadd(z, a1, a2):
    d[a1] = tangent.last_like(d[z], a1)
    d[a2] = tangent.last_like(d[z], a2)


@tangent_of(np.polyadd)
def polyadd_tangent(z, a1, a2):
    d[z] = tangent.front_padded(d[a1], len(z))
    d[z] = tangent.front_padded(d[a2], len(z))


@adjoint(np.polysub)
def polysub(z, a1, a2):
    d[a1] = tangent.last_like(d[z], a1)
    d[a2] = tangent.last_like(-d[z], a2)


@tangent_of(np.polysub)
def polysub_tangent(z, a1, a2):
    d[z] = tangent.front_padded(d[a1], len(z))
    d[z] = -tangent.front_padded(d[a2], len(z))


@adjoint(np.polymul)
def polymul(z, a1, a2):
    d[a1] = tangent.polymul_adjoint(d[z], a1, a2)
    d[a2] = tangent.polymul_adjoint(d[z], a2, a1)


@tangent_of(np.polymul)
def polymul_tangent(z, a1, a2):
    d[z] = np.convolve(d[a1], a2)[-len(z) :]
    d[z] = np.convolve(a1, d[a2])[-len(z) :]


@adjoint(np.polydiv)
def polydiv(z, u, v):
    bu, bv = tangent.polydiv_adjoints(d[z], z, u, v)
    d[u] = bu
    d[v] = bv


@tangent_of(np.polydiv)
def polydiv_tangent(z, u, v):
    d[z] = tangent.polydiv_tangent(d[u], None, z, u, v)
    d[z] = tangent.polydiv_tangent(None, d[v], z, u, v)


@adjoint(np.polyder)
def polyder(z, p, m=1):
    d[p] = tangent.polyder_adjoint(d[z], np.shape(p), m)


@tangent_of(np.polyder)
def polyder_tangent(z, p, m=1):
    d[z] = np.polyder(d[p], m)


@adjoint(np.polyint)
def polyint(z, p, m=1, k=None):
    bp, bk = tangent.polyint_adjoints(d[z], np.shape(p), m, k)
    d[p] = bp
    d[k] = bk


@tangent_of(np.polyint)
def polyint_tangent(z, p, m=1, k=None):
    d[z] = np.polyint(d[p], m)
    d[z] = np.polyint(np.zeros(np.shape(p)), m, d[k])


@adjoint(np.poly)
def poly(z, seq_of_zeros):
    d[seq_of_zeros] = tangent.poly_adjoint(d[z], seq_of_zeros)


@tangent_of(np.poly)
def poly_tangent(z, seq_of_zeros):
    d[z] = tangent.poly_tangent(d[seq_of_zeros], seq_of_zeros)


@adjoint(np.vander)
def vander(z, x, N=None, increasing=False):  # noqa: N803
    d[x] = np.sum(d[z] * tangent.vander_slopes(x, z, increasing), axis=1)


@tangent_of(np.vander)
def vander_tangent(z, x, N=None, increasing=False):  # noqa: N803
    d[z] = tangent.vander_slopes(x, z, increasing) * np.expand_dims(d[x], 1)


@adjoint(np.polyfit)
def polyfit(z, x, y, deg, *, w=None):
    d[x] = tangent.polyfit_places(d[z], z, x, y, deg, w)
    d[y] = np.transpose(tangent.polyfit_matrix(x, deg, w)) @ d[z]
    d[w] = tangent.polyfit_weights(d[z], z, x, y, deg, w)


@tangent_of(np.polyfit)
def polyfit_tangent(z, x, y, deg, *, w=None):
    d[z] = tangent.polyfit_tangent_by_places(d[x], z, x, y, deg, w)
    d[z] = tangent.polyfit_matrix(x, deg, w) @ d[y]
    d[z] = tangent.polyfit_tangent_by_weights(d[w], z, x, y, deg, w)
