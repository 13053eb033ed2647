"""Rules of what makes arrays of numbers at even steps, and of windows."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.arange)
def arange(z, start, stop=None, step=1):
    if stop is None:
        d[start] = 0.0
    else:
        d[start] = np.sum(tangent.through(d[z], z))
        d[stop] = 0.0
    d[step] = np.dot(tangent.through(d[z], z), np.arange(len(z)))


@tangent_of(np.arange)
def arange_tangent(z, start, stop=None, step=1):
    if stop is None:
        d[z] = tangent.constant_in(d[start], z)
    else:
        d[z] = tangent.through(np.full(len(z), d[start]), z)
        d[z] = tangent.constant_in(d[stop], z)
    d[z] = tangent.through(np.arange(len(z)) * d[step], z)


@adjoint(np.linspace)
def linspace(z, start, stop, num=50, endpoint=True, *, dtype=None, axis=0):
    parts = tangent.linspace_parts(z, num, endpoint, axis)
    d[start] = tangent.unbroadcast(np.sum(tangent.through(d[z], z) * (1 - parts), axis), start)
    d[stop] = tangent.unbroadcast(np.sum(tangent.through(d[z], z) * parts, axis), stop)


@tangent_of(np.linspace)
def linspace_tangent(z, start, stop, num=50, endpoint=True, *, dtype=None, axis=0):
    parts = tangent.linspace_parts(z, num, endpoint, axis)
    d[z] = tangent.through((1 - parts) * tangent.spread_end(d[start], z, axis), z)
    d[z] = tangent.through(parts * tangent.spread_end(d[stop], z, axis), z)


@adjoint(np.logspace)
def logspace(z, start, stop, num=50, endpoint=True, base=10.0):
    parts = tangent.linspace_parts(z, num, endpoint, 0)
    d[start] = tangent.unbroadcast(np.sum(d[z] * z * np.log(base) * (1 - parts), 0), start)
    d[stop] = tangent.unbroadcast(np.sum(d[z] * z * np.log(base) * parts, 0), stop)


@tangent_of(np.logspace)
def logspace_tangent(z, start, stop, num=50, endpoint=True, base=10.0):
    parts = tangent.linspace_parts(z, num, endpoint, 0)
    d[z] = z * np.log(base) * (1 - parts) * d[start]
    d[z] = z * np.log(base) * parts * d[stop]


@adjoint(np.geomspace)
def geomspace(z, start, stop, num=50, endpoint=True):
    parts = tangent.linspace_parts(z, num, endpoint, 0)
    d[start] = tangent.unbroadcast(np.sum(d[z] * z * (1 - parts), 0) / start, start)
    d[stop] = tangent.unbroadcast(np.sum(d[z] * z * parts, 0) / stop, stop)


@tangent_of(np.geomspace)
def geomspace_tangent(z, start, stop, num=50, endpoint=True):
    parts = tangent.linspace_parts(z, num, endpoint, 0)
    d[z] = z * (1 - parts) / start * d[start]
    d[z] = z * parts / stop * d[stop]


@adjoint(np.kaiser)
def kaiser(z, M, beta):  # noqa: N803
    d[beta] = np.sum(d[z] * tangent.kaiser_slope(M, beta))


@tangent_of(np.kaiser)
def kaiser_tangent(z, M, beta):  # noqa: N803
    d[z] = tangent.kaiser_slope(M, beta) * d[beta]


@adjoint(np.float64, np.float32, np.complex128, np.complex64, elementwise=True)
def float64(z, x=0):
    d[x] = d[z]


@tangent_of(np.float64, np.float32, np.complex128, np.complex64)
def float64_tangent(z, x=0):
    d[z] = d[x]
