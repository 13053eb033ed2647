"""Derivatives of functions of numbers that are longer than a line."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import unbroadcast


def power_by_base(x, y):
    """Give the derivative of `x ** y` by `x`; where `y` is 0 it is 0, whatever `x` is."""
    if isinstance(y, list):
        y = np.asarray(y)
    return y * np.where(np.equal(y, 0), 1.0, x) ** (y - 1)


def power_by_exponent(x, z):
    """Give the derivative of `z = x ** y` by `y`; the logarithm of 0 counts as 0."""
    return np.log(np.where(np.equal(x, 0), 1, x)) * z


def over_squares(x, y):
    """Give `x / (x * x + y * y)`; the larger is divided by, so that no square overflows."""
    is_wide = np.greater_equal(np.abs(x), np.abs(y))
    large, small = np.where(is_wide, x, y), np.where(is_wide, y, x)
    ratio = small / large
    return np.where(is_wide, 1, ratio) / (large + small * ratio)


def share_of_larger(x, y):
    """Give 1 where `x` is larger than `y`, a half where they are equal, else 0."""
    return np.greater(x, y) + 0.5 * np.equal(x, y)


def clip_share(a, low, high):
    """Give the derivative of `np.clip(a, low, high)` by `a`; a half where it is equal to a bound."""
    share = np.ones(()) if low is None else share_of_larger(a, low)
    if high is not None:
        share = share * share_of_larger(high, a if low is None else np.maximum(a, low))
    return share


def clip_share_of_min(a, low, high):
    """Give the derivative of `np.clip(a, low, high)` by `low`."""
    share = share_of_larger(low, a)
    return share if high is None else share * share_of_larger(high, np.maximum(a, low))


def clip_share_of_max(a, low, high):
    """Give the derivative of `np.clip(a, low, high)` by `high`."""
    return share_of_larger(a if low is None else np.maximum(a, low), high)


def sinc_slope(x):
    """Give the derivative of `np.sinc`: a series near 0, where the formula is a small difference."""
    t = np.pi * np.asarray(x)
    is_near = np.abs(t) < 0.3
    far = np.where(is_near, 1, t)
    near = np.where(is_near, t, 0)
    square = near * near
    series = near * (
        -1 / 3 + square * (1 / 30 + square * (-1 / 840 + square * (1 / 45360 - square / 3991680)))
    )
    return np.pi * np.where(is_near, series, (np.cos(far) - np.sin(far) / far) / far)


def bessel_i1(x):
    """Give the modified Bessel function of order 1, the mean of `exp(x cos(t)) cos(t)` over a circle."""
    cosines = np.cos(np.arange(512) * (np.pi / 256))
    return np.mean(np.exp(np.expand_dims(x, -1) * cosines) * cosines, axis=-1)


def select_choices(bz, condlist, choicelist):
    """Give the adjoints of the choices of `np.select`: each is of the elements that were taken of it."""
    found = []
    for place, choice in enumerate(choicelist):
        taken = [np.where(place == other, bz, 0) for other in range(len(choicelist))]
        found.append(unbroadcast(np.select(condlist, taken, 0), choice))
    return found


def choose_choices(bz, a, choices, mode):
    """Give the adjoints of the choices of `np.choose`."""
    found = []
    for place, choice in enumerate(choices):
        taken = [np.where(place == other, bz, 0) for other in range(len(choices))]
        found.append(unbroadcast(np.choose(a, taken, mode=mode), choice))
    return found
