"""Rules of the series of `np.polynomial`.

A value is linear in the coefficients, and its slope is the value of the derivative of the series.
"""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.polynomial.chebyshev.chebval)
def chebval(z, x, c, tensor=True):
    d[x] = tangent.unbroadcast(
        d[z] * np.polynomial.chebyshev.chebval(x, np.polynomial.chebyshev.chebder(c), tensor), x
    )
    d[c] = tangent.series_coefficients(d[z], np.polynomial.chebyshev.chebvander(x, len(c) - 1), x, c, tensor)


@tangent_of(np.polynomial.chebyshev.chebval)
def chebval_tangent(z, x, c, tensor=True):
    d[z] = np.polynomial.chebyshev.chebval(x, np.polynomial.chebyshev.chebder(c), tensor) * d[x]
    d[z] = np.polynomial.chebyshev.chebval(x, d[c], tensor)


@adjoint(np.polynomial.chebyshev.chebvander)
def chebvander(z, x, deg):
    d[x] = tangent.series_places(d[z], z, np.polynomial.chebyshev.chebder(np.eye(deg + 1)), x)


@tangent_of(np.polynomial.chebyshev.chebvander)
def chebvander_tangent(z, x, deg):
    d[z] = tangent.series_slopes(z, np.polynomial.chebyshev.chebder(np.eye(deg + 1))) * np.expand_dims(
        d[x], -1
    )


@adjoint(np.polynomial.chebyshev.chebder)
def chebder(z, c, m=1, scl=1, axis=0):
    d[c] = tangent.from_matrix_along(
        d[z], np.polynomial.chebyshev.chebder(np.eye(np.shape(c)[axis]), m, scl), c, axis
    )


@tangent_of(np.polynomial.chebyshev.chebder)
def chebder_tangent(z, c, m=1, scl=1, axis=0):
    d[z] = np.polynomial.chebyshev.chebder(d[c], m, scl, axis)


@adjoint(np.polynomial.hermite.hermval)
def hermval(z, x, c, tensor=True):
    d[x] = tangent.unbroadcast(
        d[z] * np.polynomial.hermite.hermval(x, np.polynomial.hermite.hermder(c), tensor), x
    )
    d[c] = tangent.series_coefficients(d[z], np.polynomial.hermite.hermvander(x, len(c) - 1), x, c, tensor)


@tangent_of(np.polynomial.hermite.hermval)
def hermval_tangent(z, x, c, tensor=True):
    d[z] = np.polynomial.hermite.hermval(x, np.polynomial.hermite.hermder(c), tensor) * d[x]
    d[z] = np.polynomial.hermite.hermval(x, d[c], tensor)


@adjoint(np.polynomial.hermite.hermvander)
def hermvander(z, x, deg):
    d[x] = tangent.series_places(d[z], z, np.polynomial.hermite.hermder(np.eye(deg + 1)), x)


@tangent_of(np.polynomial.hermite.hermvander)
def hermvander_tangent(z, x, deg):
    d[z] = tangent.series_slopes(z, np.polynomial.hermite.hermder(np.eye(deg + 1))) * np.expand_dims(d[x], -1)


@adjoint(np.polynomial.hermite.hermder)
def hermder(z, c, m=1, scl=1, axis=0):
    d[c] = tangent.from_matrix_along(
        d[z], np.polynomial.hermite.hermder(np.eye(np.shape(c)[axis]), m, scl), c, axis
    )


@tangent_of(np.polynomial.hermite.hermder)
def hermder_tangent(z, c, m=1, scl=1, axis=0):
    d[z] = np.polynomial.hermite.hermder(d[c], m, scl, axis)


@adjoint(np.polynomial.hermite_e.hermeval)
def hermeval(z, x, c, tensor=True):
    d[x] = tangent.unbroadcast(
        d[z] * np.polynomial.hermite_e.hermeval(x, np.polynomial.hermite_e.hermeder(c), tensor), x
    )
    d[c] = tangent.series_coefficients(d[z], np.polynomial.hermite_e.hermevander(x, len(c) - 1), x, c, tensor)


@tangent_of(np.polynomial.hermite_e.hermeval)
def hermeval_tangent(z, x, c, tensor=True):
    d[z] = np.polynomial.hermite_e.hermeval(x, np.polynomial.hermite_e.hermeder(c), tensor) * d[x]
    d[z] = np.polynomial.hermite_e.hermeval(x, d[c], tensor)


@adjoint(np.polynomial.hermite_e.hermevander)
def hermevander(z, x, deg):
    d[x] = tangent.series_places(d[z], z, np.polynomial.hermite_e.hermeder(np.eye(deg + 1)), x)


@tangent_of(np.polynomial.hermite_e.hermevander)
def hermevander_tangent(z, x, deg):
    d[z] = tangent.series_slopes(z, np.polynomial.hermite_e.hermeder(np.eye(deg + 1))) * np.expand_dims(
        d[x], -1
    )


@adjoint(np.polynomial.hermite_e.hermeder)
def hermeder(z, c, m=1, scl=1, axis=0):
    d[c] = tangent.from_matrix_along(
        d[z], np.polynomial.hermite_e.hermeder(np.eye(np.shape(c)[axis]), m, scl), c, axis
    )


@tangent_of(np.polynomial.hermite_e.hermeder)
def hermeder_tangent(z, c, m=1, scl=1, axis=0):
    d[z] = np.polynomial.hermite_e.hermeder(d[c], m, scl, axis)


@adjoint(np.polynomial.laguerre.lagval)
def lagval(z, x, c, tensor=True):
    d[x] = tangent.unbroadcast(
        d[z] * np.polynomial.laguerre.lagval(x, np.polynomial.laguerre.lagder(c), tensor), x
    )
    d[c] = tangent.series_coefficients(d[z], np.polynomial.laguerre.lagvander(x, len(c) - 1), x, c, tensor)


@tangent_of(np.polynomial.laguerre.lagval)
def lagval_tangent(z, x, c, tensor=True):
    d[z] = np.polynomial.laguerre.lagval(x, np.polynomial.laguerre.lagder(c), tensor) * d[x]
    d[z] = np.polynomial.laguerre.lagval(x, d[c], tensor)


@adjoint(np.polynomial.laguerre.lagvander)
def lagvander(z, x, deg):
    d[x] = tangent.series_places(d[z], z, np.polynomial.laguerre.lagder(np.eye(deg + 1)), x)


@tangent_of(np.polynomial.laguerre.lagvander)
def lagvander_tangent(z, x, deg):
    d[z] = tangent.series_slopes(z, np.polynomial.laguerre.lagder(np.eye(deg + 1))) * np.expand_dims(d[x], -1)


@adjoint(np.polynomial.laguerre.lagder)
def lagder(z, c, m=1, scl=1, axis=0):
    d[c] = tangent.from_matrix_along(
        d[z], np.polynomial.laguerre.lagder(np.eye(np.shape(c)[axis]), m, scl), c, axis
    )


@tangent_of(np.polynomial.laguerre.lagder)
def lagder_tangent(z, c, m=1, scl=1, axis=0):
    d[z] = np.polynomial.laguerre.lagder(d[c], m, scl, axis)


@adjoint(np.polynomial.legendre.legval)
def legval(z, x, c, tensor=True):
    d[x] = tangent.unbroadcast(
        d[z] * np.polynomial.legendre.legval(x, np.polynomial.legendre.legder(c), tensor), x
    )
    d[c] = tangent.series_coefficients(d[z], np.polynomial.legendre.legvander(x, len(c) - 1), x, c, tensor)


@tangent_of(np.polynomial.legendre.legval)
def legval_tangent(z, x, c, tensor=True):
    d[z] = np.polynomial.legendre.legval(x, np.polynomial.legendre.legder(c), tensor) * d[x]
    d[z] = np.polynomial.legendre.legval(x, d[c], tensor)


@adjoint(np.polynomial.legendre.legvander)
def legvander(z, x, deg):
    d[x] = tangent.series_places(d[z], z, np.polynomial.legendre.legder(np.eye(deg + 1)), x)


@tangent_of(np.polynomial.legendre.legvander)
def legvander_tangent(z, x, deg):
    d[z] = tangent.series_slopes(z, np.polynomial.legendre.legder(np.eye(deg + 1))) * np.expand_dims(d[x], -1)


@adjoint(np.polynomial.legendre.legder)
def legder(z, c, m=1, scl=1, axis=0):
    d[c] = tangent.from_matrix_along(
        d[z], np.polynomial.legendre.legder(np.eye(np.shape(c)[axis]), m, scl), c, axis
    )


@tangent_of(np.polynomial.legendre.legder)
def legder_tangent(z, c, m=1, scl=1, axis=0):
    d[z] = np.polynomial.legendre.legder(d[c], m, scl, axis)


@adjoint(np.polynomial.polynomial.polyval)
def series_polyval(z, x, c, tensor=True):
    d[x] = tangent.unbroadcast(
        d[z] * np.polynomial.polynomial.polyval(x, np.polynomial.polynomial.polyder(c), tensor), x
    )
    d[c] = tangent.series_coefficients(d[z], np.polynomial.polynomial.polyvander(x, len(c) - 1), x, c, tensor)


@tangent_of(np.polynomial.polynomial.polyval)
def series_polyval_tangent(z, x, c, tensor=True):
    d[z] = np.polynomial.polynomial.polyval(x, np.polynomial.polynomial.polyder(c), tensor) * d[x]
    d[z] = np.polynomial.polynomial.polyval(x, d[c], tensor)


@adjoint(np.polynomial.polynomial.polyvander)
def series_polyvander(z, x, deg):
    d[x] = tangent.series_places(d[z], z, np.polynomial.polynomial.polyder(np.eye(deg + 1)), x)


@tangent_of(np.polynomial.polynomial.polyvander)
def series_polyvander_tangent(z, x, deg):
    d[z] = tangent.series_slopes(z, np.polynomial.polynomial.polyder(np.eye(deg + 1))) * np.expand_dims(
        d[x], -1
    )


@adjoint(np.polynomial.polynomial.polyder)
def series_polyder(z, c, m=1, scl=1, axis=0):
    d[c] = tangent.from_matrix_along(
        d[z], np.polynomial.polynomial.polyder(np.eye(np.shape(c)[axis]), m, scl), c, axis
    )


@tangent_of(np.polynomial.polynomial.polyder)
def series_polyder_tangent(z, c, m=1, scl=1, axis=0):
    d[z] = np.polynomial.polynomial.polyder(d[c], m, scl, axis)
