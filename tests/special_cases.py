"""Functions of `scipy.special` that are ops, with their exact values in `mpmath` and points to try."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import mpmath as mp

special: Any = import_module("scipy.special")


class OfOne(NamedTuple):
    """A function of one number.

    Attributes:
        exact: Its value in `mpmath`.
        low: The lower end of the range that values are drawn from.
        high: The upper end.
        points: Points of its derivatives.
        ulps: How near its values are to the exact ones, in units of the last place.
    """

    exact: Callable[[Any], Any]
    low: float
    high: float
    points: list[float]
    ulps: float = 4.0


def scaled_erfc(x: Any) -> Any:
    return mp.exp(x * x) * mp.erfc(x)


def log_gamma(x: Any) -> Any:
    return mp.log(abs(mp.gamma(x)))


def distribution(x: Any) -> Any:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def quantile(p: Any) -> Any:
    return mp.sqrt(2) * mp.erfinv(2 * p - 1)


def scaled_bessel(order: int) -> Callable[[Any], Any]:
    return lambda x: mp.exp(-abs(x)) * mp.besseli(order, x)


OF_ONE: dict[str, OfOne] = {
    "gamma": OfOne(mp.gamma, 0.001, 170.0, [0.3, 1.0, 1.4616321449683622, 2.5, 20.0, -0.5, -3.25], 6.0),
    "gammaln": OfOne(log_gamma, 0.001, 300.0, [0.3, 1.0, 1.4616321449683622, 2.0, 5.5, 1e5, -0.5, -3.25]),
    "psi": OfOne(mp.digamma, 1.5, 300.0, [0.3, 1.0, 1.4616321449683622, 9.99, 10.0, 1e5, -0.5, -3.25]),
    "erfc": OfOne(mp.erfc, -3.0, 26.0, [0.0, -0.0, 0.5, -1.5, 3.0, 9.0]),
    "erfcx": OfOne(scaled_erfc, -5.0, 40.0, [0.0, -0.0, 0.5, 0.999, 1.0, -1.5, 3.0, 9.9, 10.1, 200.0]),
    "erfinv": OfOne(mp.erfinv, -0.999, 0.999, [0.0, -0.0, 0.25, -0.5, 0.75, 0.9995]),
    "ndtr": OfOne(distribution, -4.0, 4.0, [0.0, -0.0, 0.5, -0.70710678, 1.0, -1.5, 3.0, -9.0], 60.0),
    "log_ndtr": OfOne(
        lambda x: mp.log(distribution(x)), -30.0, 3.0, [0.0, 0.5, -1.0, -1.001, 2.0, -5.0, -20.0], 16.0
    ),
    "ndtri": OfOne(quantile, 0.001, 0.999, [0.01, 0.25, 0.5, 0.7, 0.75, 0.999, 1e-9]),
    "i0": OfOne(lambda x: mp.besseli(0, x), -100.0, 100.0, [0.0, -0.0, 0.5, -3.0, 29.9, 30.1], 6.0),
    "i1": OfOne(lambda x: mp.besseli(1, x), -100.0, 100.0, [0.0, -0.0, 0.5, -3.0, 29.9, 30.1], 6.0),
    "i0e": OfOne(scaled_bessel(0), -700.0, 700.0, [0.5, -3.0, 9.0, -12.5], 6.0),
    "i1e": OfOne(scaled_bessel(1), -700.0, 700.0, [0.5, -3.0, 9.0, -12.5], 6.0),
}
"""By SciPy's names."""

OF_TWO: dict[str, tuple[Callable[..., Any], list[tuple[float, float]]]] = {
    "beta": (mp.beta, [(0.3, 0.7), (1.0, 2.5), (5.5, 3.0), (-0.5, 2.25)]),
    "betaln": (lambda a, b: mp.log(abs(mp.beta(a, b))), [(0.3, 0.7), (1.0, 2.5), (5.5, 30.0), (12.0, 11.0)]),
}
