"""Rules of comparisons and choices: extrema, signs, parts, what is taken of several."""
# mypy: ignore-errors

import builtins
import operator

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.absolute, np.fabs, operator.abs, builtins.abs, elementwise=True)
def absolute(z, x):
    d[x] = d[z] * np.conj(np.sign(x))


@tangent_of(np.absolute, np.fabs, operator.abs, builtins.abs)
def absolute_tangent(z, x):
    d[z] = np.real(np.conj(np.sign(x)) * d[x])


@adjoint(np.copysign, elementwise=True)
def copysign(z, x1, x2):
    d[x1] = d[z] * np.sign(x1) * np.copysign(1, x2)
    d[x2] = tangent.zeros_like(d[z])


@tangent_of(np.copysign)
def copysign_tangent(z, x1, x2):
    d[z] = np.sign(x1) * np.copysign(1, x2) * d[x1]
    d[z] = tangent.zeros_like(d[x2])


@adjoint(np.heaviside, elementwise=True)
def heaviside(z, x1, x2):
    d[x1] = tangent.zeros_like(d[z])
    d[x2] = d[z] * np.equal(x1, 0)


@tangent_of(np.heaviside)
def heaviside_tangent(z, x1, x2):
    d[z] = tangent.zeros_like(d[x1])
    d[z] = np.equal(x1, 0) * d[x2]


@adjoint(np.maximum, np.fmax, elementwise=True)
def maximum(z, x1, x2):
    d[x1] = np.where(np.equal(x1, x2), d[z] / 2, d[z] * np.greater(x1, x2))
    d[x2] = np.where(np.equal(x1, x2), d[z] / 2, d[z] * np.greater(x2, x1))


@tangent_of(np.maximum, np.fmax)
def maximum_tangent(z, x1, x2):
    d[z] = np.where(np.equal(x1, x2), d[x1] / 2, np.greater(x1, x2) * d[x1])
    d[z] = np.where(np.equal(x1, x2), d[x2] / 2, np.greater(x2, x1) * d[x2])


@adjoint(np.minimum, np.fmin, elementwise=True)
def minimum(z, x1, x2):
    d[x1] = np.where(np.equal(x1, x2), d[z] / 2, d[z] * np.less(x1, x2))
    d[x2] = np.where(np.equal(x1, x2), d[z] / 2, d[z] * np.less(x2, x1))


@tangent_of(np.minimum, np.fmin)
def minimum_tangent(z, x1, x2):
    d[z] = np.where(np.equal(x1, x2), d[x1] / 2, np.less(x1, x2) * d[x1])
    d[z] = np.where(np.equal(x1, x2), d[x2] / 2, np.less(x2, x1) * d[x2])


@adjoint(np.clip, elementwise=True)
def clip(z, a, a_min=None, a_max=None, *, min=None, max=None):
    if min is None and max is None:
        d[a] = d[z] * tangent.clip_share(a, a_min, a_max)
        d[a_min] = d[z] * tangent.clip_share_of_min(a, a_min, a_max)
        d[a_max] = d[z] * tangent.clip_share_of_max(a, a_min, a_max)
    else:
        d[a] = d[z] * tangent.clip_share(a, min, max)
        d[min] = d[z] * tangent.clip_share_of_min(a, min, max)
        d[max] = d[z] * tangent.clip_share_of_max(a, min, max)


@tangent_of(np.clip)
def clip_tangent(z, a, a_min=None, a_max=None, *, min=None, max=None):
    if min is None and max is None:
        d[z] = tangent.clip_share(a, a_min, a_max) * d[a]
        d[z] = tangent.clip_share_of_min(a, a_min, a_max) * d[a_min]
        d[z] = tangent.clip_share_of_max(a, a_min, a_max) * d[a_max]
    else:
        d[z] = tangent.clip_share(a, min, max) * d[a]
        d[z] = tangent.clip_share_of_min(a, min, max) * d[min]
        d[z] = tangent.clip_share_of_max(a, min, max) * d[max]


@adjoint(np.ndarray.clip, elementwise=True)
def clip_method(z, a, min=None, max=None):
    d[a] = d[z] * tangent.clip_share(a, min, max)
    d[min] = d[z] * tangent.clip_share_of_min(a, min, max)
    d[max] = d[z] * tangent.clip_share_of_max(a, min, max)


@tangent_of(np.ndarray.clip)
def clip_method_tangent(z, a, min=None, max=None):
    d[z] = tangent.clip_share(a, min, max) * d[a]
    d[z] = tangent.clip_share_of_min(a, min, max) * d[min]
    d[z] = tangent.clip_share_of_max(a, min, max) * d[max]


@adjoint(np.where, elementwise=True)
def where(z, condition, x=None, y=None):
    d[condition] = tangent.zeros_like(d[z])
    d[x] = np.where(condition, d[z], 0)
    d[y] = np.where(condition, 0, d[z])


@tangent_of(np.where)
def where_tangent(z, condition, x=None, y=None):
    d[z] = tangent.zeros_like(d[condition])
    d[z] = np.where(condition, d[x], 0)
    d[z] = np.where(condition, 0, d[y])


@adjoint(np.select)
def select(z, condlist, choicelist, default=0):
    d[choicelist] = tangent.select_choices(d[z], condlist, choicelist)
    d[default] = tangent.unbroadcast(np.select(condlist, [0.0] * len(condlist), d[z]), default)


@tangent_of(np.select)
def select_tangent(z, condlist, choicelist, default=0):
    d[z] = np.select(condlist, d[choicelist], 0.0)
    d[z] = np.select(condlist, [0.0] * len(condlist), d[default])


@adjoint(np.choose)
def choose(z, a, choices, mode="raise"):
    d[choices] = tangent.choose_choices(d[z], a, choices, mode)


@tangent_of(np.choose)
def choose_tangent(z, a, choices, mode="raise"):
    d[z] = np.choose(a, d[choices], mode=mode)


@adjoint(np.nan_to_num, elementwise=True)
def nan_to_num(z, x, *, nan=0.0, posinf=None, neginf=None):
    d[x] = np.where(np.isfinite(x), d[z], 0)
    d[nan] = np.where(np.isnan(x), d[z], 0)
    d[posinf] = np.where(np.isposinf(x), d[z], 0)
    d[neginf] = np.where(np.isneginf(x), d[z], 0)


@tangent_of(np.nan_to_num)
def nan_to_num_tangent(z, x, *, nan=0.0, posinf=None, neginf=None):
    d[z] = np.where(np.isfinite(x), d[x], 0)
    d[z] = np.where(np.isnan(x), d[nan], 0)
    d[z] = np.where(np.isposinf(x), d[posinf], 0)
    d[z] = np.where(np.isneginf(x), d[neginf], 0)


@adjoint(np.real, np.ndarray.real, elementwise=True)
def real(z, val):
    d[val] = d[z]


@tangent_of(np.real, np.ndarray.real)
def real_tangent(z, val):
    d[z] = np.real(d[val])


@adjoint(np.imag, np.ndarray.imag, elementwise=True)
def imag(z, val):
    d[val] = -1j * d[z]


@tangent_of(np.imag, np.ndarray.imag)
def imag_tangent(z, val):
    d[z] = np.imag(d[val])


@adjoint(np.real_if_close, elementwise=True)
def real_if_close(z, a, tol=100):
    d[a] = d[z]


@tangent_of(np.real_if_close)
def real_if_close_tangent(z, a, tol=100):
    d[z] = d[a] if np.iscomplexobj(z) else np.real(d[a])


@adjoint(np.conjugate, np.ndarray.conj, np.ndarray.conjugate, elementwise=True)
def conjugate(z, x):
    d[x] = np.conj(d[z])


@tangent_of(np.conjugate, np.ndarray.conj, np.ndarray.conjugate)
def conjugate_tangent(z, x):
    d[z] = np.conj(d[x])


@adjoint(np.angle, elementwise=True)
def angle(result, z, deg=False):
    if deg:
        d[z] = -1j * d[result] / z * (180 / np.pi)
    else:
        d[z] = -1j * d[result] / z


@tangent_of(np.angle)
def angle_tangent(result, z, deg=False):
    if deg:
        d[result] = np.imag(d[z] / z) * (180 / np.pi)
    else:
        d[result] = np.imag(d[z] / z)
