"""Programs with the series of `np.polynomial`, and with windows of arrays."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.3, -0.7, 0.4])
C = np.array([1.5, -2.0, 0.5, 0.25])
M = np.array([[1.5, 0.5], [-2.0, 0.25], [0.5, 1.0]])


@on((V, C), wrt=(0, 1))
def chebyshev_series(x, c):
    return np.sum(chebyshev.chebval(x, c) * x)


@on((V, C), (0.4, C), wrt=(0, 1))
def legendre_series_and_its_slope(x, c):
    return np.sum(legendre.legval(x, c) ** 2) + np.sum(legendre.legval(x, legendre.legder(c)))


@on((V, M), wrt=(0, 1))
def hermite_series_of_columns(x, c):
    return np.sum(hermite.hermval(x, c) * c[:2, :1])


@on((V[:2], M), wrt=(0, 1))
def laguerre_series_each_at_its_place(x, c):
    return np.sum(laguerre.lagval(x, c, tensor=False) ** 2)


@on(V)
def basis_of_hermite(x):
    basis = hermite_e.hermevander(x, 3)
    return np.sum(basis[:, 1:] * basis[:, :-1])


@on((V, C), wrt=(0, 1))
def powers_of_numpy_polynomial(x, c):
    y = 0.0
    for k in range(3):
        y = y + np.sum(polynomial.polyval(x, polynomial.polyder(c) * k))
    return y


@on(C)
def windows_of_an_array(x):
    return np.sum(np.max(sliding_window_view(x, 2), axis=1) * sliding_window_view(x * x, 2)[:, 0])


@on(M @ M.T)
def windows_of_a_matrix(x):
    w = sliding_window_view(x, (2, 2))
    return np.sum(np.prod(w, axis=(2, 3)))


@on(C)
def array_written_beside_its_windows(x):
    y = x * 1.0
    w = sliding_window_view(y, 2)
    y[1] = x[0] * x[3]
    return np.sum(y) + np.sum(x * w[0, 0])
