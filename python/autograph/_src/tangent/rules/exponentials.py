"""Rules of exponentials and logarithms."""
# mypy: ignore-errors

import math

import numpy as np

from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.exp, elementwise=True)
def exp(z, x):
    d[x] = d[z] * z


@tangent_of(np.exp)
def exp_tangent(z, x):
    d[z] = z * d[x]


@adjoint(np.exp2, elementwise=True)
def exp2(z, x):
    d[x] = d[z] * z * math.log(2)


@tangent_of(np.exp2)
def exp2_tangent(z, x):
    d[z] = z * math.log(2) * d[x]


@adjoint(np.expm1, elementwise=True)
def expm1(z, x):
    d[x] = d[z] * (z + 1)


@tangent_of(np.expm1)
def expm1_tangent(z, x):
    d[z] = (z + 1) * d[x]


@adjoint(np.log, elementwise=True)
def log(z, x):
    d[x] = d[z] / x


@tangent_of(np.log)
def log_tangent(z, x):
    d[z] = d[x] / x


@adjoint(np.log2, elementwise=True)
def log2(z, x):
    d[x] = d[z] / (x * math.log(2))


@tangent_of(np.log2)
def log2_tangent(z, x):
    d[z] = d[x] / (x * math.log(2))


@adjoint(np.log10, elementwise=True)
def log10(z, x):
    d[x] = d[z] / (x * math.log(10))


@tangent_of(np.log10)
def log10_tangent(z, x):
    d[z] = d[x] / (x * math.log(10))


@adjoint(np.log1p, elementwise=True)
def log1p(z, x):
    d[x] = d[z] / (1 + x)


@tangent_of(np.log1p)
def log1p_tangent(z, x):
    d[z] = d[x] / (1 + x)


@adjoint(np.logaddexp, elementwise=True)
def logaddexp(z, x1, x2):
    d[x1] = d[z] * np.exp(x1 - z)
    d[x2] = d[z] * np.exp(x2 - z)


@tangent_of(np.logaddexp)
def logaddexp_tangent(z, x1, x2):
    d[z] = np.exp(x1 - z) * d[x1]
    d[z] = np.exp(x2 - z) * d[x2]


@adjoint(np.logaddexp2, elementwise=True)
def logaddexp2(z, x1, x2):
    d[x1] = d[z] * np.exp2(x1 - z)
    d[x2] = d[z] * np.exp2(x2 - z)


@tangent_of(np.logaddexp2)
def logaddexp2_tangent(z, x1, x2):
    d[z] = np.exp2(x1 - z) * d[x1]
    d[z] = np.exp2(x2 - z) * d[x2]
