"""Rules of trigonometric and hyperbolic functions."""
# mypy: ignore-errors

import math

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.sin, elementwise=True)
def sin(z, x):
    d[x] = d[z] * np.cos(x)


@tangent_of(np.sin)
def sin_tangent(z, x):
    d[z] = np.cos(x) * d[x]


@adjoint(np.cos, elementwise=True)
def cos(z, x):
    d[x] = -d[z] * np.sin(x)


@tangent_of(np.cos)
def cos_tangent(z, x):
    d[z] = -np.sin(x) * d[x]


@adjoint(np.tan, elementwise=True)
def tan(z, x):
    d[x] = d[z] * (1 + z * z)


@tangent_of(np.tan)
def tan_tangent(z, x):
    d[z] = (1 + z * z) * d[x]


@adjoint(np.arcsin, elementwise=True)
def arcsin(z, x):
    d[x] = d[z] / np.sqrt((1 - x) * (1 + x))


@tangent_of(np.arcsin)
def arcsin_tangent(z, x):
    d[z] = d[x] / np.sqrt((1 - x) * (1 + x))


@adjoint(np.arccos, elementwise=True)
def arccos(z, x):
    d[x] = -d[z] / np.sqrt((1 - x) * (1 + x))


@tangent_of(np.arccos)
def arccos_tangent(z, x):
    d[z] = -d[x] / np.sqrt((1 - x) * (1 + x))


@adjoint(np.arctan, elementwise=True)
def arctan(z, x):
    d[x] = d[z] / (1 + x * x)


@tangent_of(np.arctan)
def arctan_tangent(z, x):
    d[z] = d[x] / (1 + x * x)


@adjoint(np.arctan2, elementwise=True)
def arctan2(z, x1, x2):
    d[x1] = d[z] * tangent.over_squares(x2, x1)
    d[x2] = -d[z] * tangent.over_squares(x1, x2)


@tangent_of(np.arctan2)
def arctan2_tangent(z, x1, x2):
    d[z] = tangent.over_squares(x2, x1) * d[x1]
    d[z] = -tangent.over_squares(x1, x2) * d[x2]


@adjoint(np.hypot, elementwise=True)
def hypot(z, x1, x2):
    radius = np.where(z == 0, 1, z)
    d[x1] = d[z] * (x1 / radius)
    d[x2] = d[z] * (x2 / radius)


@tangent_of(np.hypot)
def hypot_tangent(z, x1, x2):
    radius = np.where(z == 0, 1, z)
    d[z] = x1 / radius * d[x1]
    d[z] = x2 / radius * d[x2]


@adjoint(np.sinh, elementwise=True)
def sinh(z, x):
    d[x] = d[z] * np.cosh(x)


@tangent_of(np.sinh)
def sinh_tangent(z, x):
    d[z] = np.cosh(x) * d[x]


@adjoint(np.cosh, elementwise=True)
def cosh(z, x):
    d[x] = d[z] * np.sinh(x)


@tangent_of(np.cosh)
def cosh_tangent(z, x):
    d[z] = np.sinh(x) * d[x]


@adjoint(np.tanh, elementwise=True)
def tanh(z, x):
    d[x] = d[z] * (1 - z * z)


@tangent_of(np.tanh)
def tanh_tangent(z, x):
    d[z] = (1 - z * z) * d[x]


@adjoint(np.arcsinh, elementwise=True)
def arcsinh(z, x):
    d[x] = d[z] / np.hypot(x, 1)


@tangent_of(np.arcsinh)
def arcsinh_tangent(z, x):
    d[z] = d[x] / np.hypot(x, 1)


@adjoint(np.arccosh, elementwise=True)
def arccosh(z, x):
    d[x] = d[z] / (np.sqrt(x - 1) * np.sqrt(x + 1))


@tangent_of(np.arccosh)
def arccosh_tangent(z, x):
    d[z] = d[x] / (np.sqrt(x - 1) * np.sqrt(x + 1))


@adjoint(np.arctanh, elementwise=True)
def arctanh(z, x):
    d[x] = d[z] / ((1 - x) * (1 + x))


@tangent_of(np.arctanh)
def arctanh_tangent(z, x):
    d[z] = d[x] / ((1 - x) * (1 + x))


@adjoint(np.deg2rad, np.radians, elementwise=True)
def deg2rad(z, x):
    d[x] = d[z] * (math.pi / 180)


@tangent_of(np.deg2rad, np.radians)
def deg2rad_tangent(z, x):
    d[z] = d[x] * (math.pi / 180)


@adjoint(np.rad2deg, np.degrees, elementwise=True)
def rad2deg(z, x):
    d[x] = d[z] * (180 / math.pi)


@tangent_of(np.rad2deg, np.degrees)
def rad2deg_tangent(z, x):
    d[z] = d[x] * (180 / math.pi)


@adjoint(np.unwrap)
def unwrap(z, p, discont=None, axis=-1):
    d[p] = d[z]


@tangent_of(np.unwrap)
def unwrap_tangent(z, p, discont=None, axis=-1):
    d[z] = d[p]


@adjoint(np.sinc, elementwise=True)
def sinc(z, x):
    d[x] = d[z] * tangent.sinc_slope(x)


@tangent_of(np.sinc)
def sinc_tangent(z, x):
    d[z] = tangent.sinc_slope(x) * d[x]


@adjoint(np.i0, elementwise=True)
def i0(z, x):
    d[x] = d[z] * tangent.bessel_i1(x)


@tangent_of(np.i0)
def i0_tangent(z, x):
    d[z] = tangent.bessel_i1(x) * d[x]
