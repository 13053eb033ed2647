"""Rules of random draws: a draw is a function of its parameters and of what was drawn for fixed ones."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of

LOCATED = (np.random.normal, np.random.laplace, np.random.gumbel, np.random.logistic)
LOCATED_METHODS = (
    *(np.random.Generator.normal, np.random.Generator.laplace),
    *(np.random.Generator.gumbel, np.random.Generator.logistic),
)


@adjoint(*LOCATED)
def normal(z, loc=0.0, scale=1.0, size=None):
    d[loc] = tangent.unbroadcast(d[z], loc)
    d[scale] = tangent.unbroadcast(d[z] * (z - loc) / scale, scale)


@tangent_of(*LOCATED)
def normal_tangent(z, loc=0.0, scale=1.0, size=None):
    d[z] = d[loc]
    d[z] = (z - loc) / scale * d[scale]


@adjoint(*LOCATED_METHODS)
def normal_method(z, generator, loc=0.0, scale=1.0, size=None):
    d[loc] = tangent.unbroadcast(d[z], loc)
    d[scale] = tangent.unbroadcast(d[z] * (z - loc) / scale, scale)


@tangent_of(*LOCATED_METHODS)
def normal_method_tangent(z, generator, loc=0.0, scale=1.0, size=None):
    d[z] = d[loc]
    d[z] = (z - loc) / scale * d[scale]


@adjoint(np.random.uniform)
def uniform(z, low=0.0, high=1.0, size=None):
    d[low] = tangent.unbroadcast(d[z] * (high - z) / (high - low), low)
    d[high] = tangent.unbroadcast(d[z] * (z - low) / (high - low), high)


@tangent_of(np.random.uniform)
def uniform_tangent(z, low=0.0, high=1.0, size=None):
    d[z] = (high - z) / (high - low) * d[low]
    d[z] = (z - low) / (high - low) * d[high]


@adjoint(np.random.Generator.uniform)
def uniform_method(z, generator, low=0.0, high=1.0, size=None):
    d[low] = tangent.unbroadcast(d[z] * (high - z) / (high - low), low)
    d[high] = tangent.unbroadcast(d[z] * (z - low) / (high - low), high)


@tangent_of(np.random.Generator.uniform)
def uniform_method_tangent(z, generator, low=0.0, high=1.0, size=None):
    d[z] = (high - z) / (high - low) * d[low]
    d[z] = (z - low) / (high - low) * d[high]


@adjoint(np.random.exponential, np.random.rayleigh)
def exponential(z, scale=1.0, size=None):
    d[scale] = tangent.unbroadcast(d[z] * z / scale, scale)


@tangent_of(np.random.exponential, np.random.rayleigh)
def exponential_tangent(z, scale=1.0, size=None):
    d[z] = z / scale * d[scale]


@adjoint(np.random.Generator.exponential, np.random.Generator.rayleigh)
def exponential_method(z, generator, scale=1.0, size=None):
    d[scale] = tangent.unbroadcast(d[z] * z / scale, scale)


@tangent_of(np.random.Generator.exponential, np.random.Generator.rayleigh)
def exponential_method_tangent(z, generator, scale=1.0, size=None):
    d[z] = z / scale * d[scale]


@adjoint(np.random.lognormal)
def lognormal(z, mean=0.0, sigma=1.0, size=None):
    d[mean] = tangent.unbroadcast(d[z] * z, mean)
    d[sigma] = tangent.unbroadcast(d[z] * z * (np.log(z) - mean) / sigma, sigma)


@tangent_of(np.random.lognormal)
def lognormal_tangent(z, mean=0.0, sigma=1.0, size=None):
    d[z] = z * d[mean]
    d[z] = z * (np.log(z) - mean) / sigma * d[sigma]


@adjoint(np.random.Generator.lognormal)
def lognormal_method(z, generator, mean=0.0, sigma=1.0, size=None):
    d[mean] = tangent.unbroadcast(d[z] * z, mean)
    d[sigma] = tangent.unbroadcast(d[z] * z * (np.log(z) - mean) / sigma, sigma)


@tangent_of(np.random.Generator.lognormal)
def lognormal_method_tangent(z, generator, mean=0.0, sigma=1.0, size=None):
    d[z] = z * d[mean]
    d[z] = z * (np.log(z) - mean) / sigma * d[sigma]


@adjoint(np.random.weibull)
def weibull(z, a, size=None):
    d[a] = tangent.unbroadcast(-d[z] * z * np.log(z) / a, a)


@tangent_of(np.random.weibull)
def weibull_tangent(z, a, size=None):
    d[z] = -z * np.log(z) / a * d[a]


@adjoint(np.random.Generator.weibull)
def weibull_method(z, generator, a, size=None):
    d[a] = tangent.unbroadcast(-d[z] * z * np.log(z) / a, a)


@tangent_of(np.random.Generator.weibull)
def weibull_method_tangent(z, generator, a, size=None):
    d[z] = -z * np.log(z) / a * d[a]
