"""Derivatives of complex functions on the axes, the cuts, and elsewhere: those of the function in `mpmath`.

A function of ``z`` is differentiated by both parts of ``z``: ``f'(z)`` and ``1j * f'(z)``. On a cut, the sign
of a zero says on which side; the exact derivative is taken next to the point, on that side. Of derivatives by
several variables each two of the variables, the modes and the part of the result meet; `make cross` runs each
three.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import autograph as ag
import mpmath as mp
import numpy as np
import pytest
from test_domains import MODES, nested
from whole import in_turn

AXES = [(size, zero) for size in (0.5, -0.5, 2.0, -2.0, 1.0, -1.0) for zero in (0.0, -0.0)]
POINTS = [*AXES, *((zero, size) for size, zero in AXES)]
POINTS += [
    (0.0, 0.0),
    (0.0, -0.0),
    (1.0, 1.0),
    (-0.3, 0.4),
    (0.6, 0.8),
    (30.0, 1.0),
    (-30.0, 1.0),
    (1e-8, 1e-8),
]

FUNCTIONS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "exp": (np.exp, mp.exp),
    "exp2": (np.exp2, lambda z: mp.power(2, z)),
    "expm1": (np.expm1, mp.expm1),
    "log": (np.log, mp.log),
    "log2": (np.log2, lambda z: mp.log(z) / mp.log(2)),
    "log10": (np.log10, lambda z: mp.log(z) / mp.log(10)),
    "log1p": (np.log1p, lambda z: mp.log(1 + z)),
    "sqrt": (np.sqrt, mp.sqrt),
    "square": (np.square, lambda z: z * z),
    "reciprocal": (np.reciprocal, lambda z: 1 / z),
    "sin": (np.sin, mp.sin),
    "cos": (np.cos, mp.cos),
    "tan": (np.tan, mp.tan),
    "sinh": (np.sinh, mp.sinh),
    "cosh": (np.cosh, mp.cosh),
    "tanh": (np.tanh, mp.tanh),
    "arcsin": (np.arcsin, mp.asin),
    "arccos": (np.arccos, mp.acos),
    "arctan": (np.arctan, mp.atan),
    "arcsinh": (np.arcsinh, mp.asinh),
    "arccosh": (np.arccosh, mp.acosh),
    "arctanh": (np.arctanh, mp.atanh),
    "z ** 0": (lambda z: z**0, lambda z: mp.mpc(1)),
    "z ** 1": (lambda z: z**1, lambda z: z),
    "z ** 2": (lambda z: z**2, lambda z: z * z),
    "z ** 3": (lambda z: z**3, lambda z: z**3),
    "z ** -1": (lambda z: z**-1, lambda z: 1 / z),
    "z ** -2": (lambda z: z**-2, lambda z: 1 / z**2),
    "z ** 0.5": (lambda z: z**0.5, mp.sqrt),
    "z ** (2 + 0j)": (lambda z: z ** np.full(z.shape, 2 + 0j), lambda z: z * z),
    "z ** (1 + 2j)": (lambda z: z ** (1 + 2j), lambda z: mp.exp((1 + 2j) * mp.log(z))),
    "2 ** z": (lambda z: 2.0**z, lambda z: mp.power(2, z)),
    "1j ** z": (lambda z: 1j**z, lambda z: mp.exp(z * mp.log(1j))),
    "1 / z": (lambda z: 1 / z, lambda z: 1 / z),
    "z / (z + 3j)": (lambda z: z / (z + 3j), lambda z: z / (z + 3j)),
    "z * z": (lambda z: z * z, lambda z: z * z),
}

SINGULAR = {
    "z ** 0.5": (0.0,),
    "z ** (1 + 2j)": (0.0,),
    "z ** (2 + 0j)": (0.0, abs(1e-8 + 1e-8j)),
}
"""Sizes of ``z`` without a derivative, or where that of ``exp(w * log(z))`` is rounded too much."""


def of_parts(x: Any, y: Any) -> Any:
    z = np.zeros(x.shape, complex)
    z.real = x
    z.imag = y
    return z


def exact_at(function: Callable[[Any], Any], point: tuple[float, float], order: int) -> complex:
    """The derivative next to a point, on the side that the signs of zeros say."""
    with mp.workdps(100):
        aside = mp.mpc(*(mp.mpf(10) ** -44 * (-1 if np.signbit(part) else 1) for part in point))
        try:
            return complex(mp.diff(function, mp.mpc(*point) + aside, order, h=mp.mpf(10) ** -60))
        except ZeroDivisionError:
            return complex(np.nan)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_are_exact(name: str, order: int) -> None:
    function, exact = FUNCTIONS[name]
    points, slopes = [], []
    for point in POINTS:
        slope = exact_at(exact, point, order)
        # An infinite derivative is huge next to the point.
        if abs(slope) < 1e12 and abs(complex(*point)) not in SINGULAR.get(name, ()):
            points.append(point)
            slopes.append(slope)
    columns = [np.array(column) for column in zip(*points, strict=True)]
    for places in itertools.product(range(2), repeat=order):
        wanted = np.array(slopes) * 1j ** sum(places)
        for (column, part), (number, modes) in itertools.product(
            enumerate(("real", "imag")), enumerate(MODES[order])
        ):
            if order > 1 and not in_turn(sum(places), number, column, among=2):
                continue
            found = nested(lambda x, y, part=part: getattr(function(of_parts(x, y)), part), modes, places)(
                *columns
            )
            off = np.abs(found - getattr(wanted, part)) > 1e-9 * np.maximum(1, np.abs(wanted))
            message = f"{name} by {places}, {modes}, {part}"
            assert not np.any(off | np.isnan(found)), (
                f"{message}: {[points[one] for one in np.flatnonzero(off)]}"
            )


@pytest.mark.parametrize("exponent", [-2, -1, 0, 1, 2, 3, 1.0, 2.5, 1 + 2j])
@pytest.mark.parametrize("base", [1 + 0j, 1j, -2 + 0j, 0.5 - 0.25j])
def test_powers_of_python_numbers(base: complex, exponent: complex) -> None:
    def power(base_real: float, base_imag: float, real: float, imag: float) -> Any:
        z, w = complex(base_real, base_imag), complex(real, imag)
        return (z**w).real

    args = (base.real, base.imag, complex(exponent).real, complex(exponent).imag)
    slope = exponent * base ** (exponent - 1)
    log = base**exponent * complex(np.log(base))
    wanted = [slope.real, -slope.imag, log.real, -log.imag]
    np.testing.assert_allclose(ag.grad(power, (0, 1, 2, 3))(*args), wanted, 1e-12, 1e-12)
    np.testing.assert_allclose(ag.jacfwd(power, (0, 1, 2, 3))(*args), wanted, 1e-12, 1e-12)


def test_the_sign_of_zero_has_no_slope() -> None:
    parts = ag.jacfwd(lambda x: np.sign(x + 0j * x).real)
    assert parts(np.array([0.0])).tolist() == [[0.0]]
    assert ag.grad(lambda x: np.sign(x + 0j).real)(np.float64(0.0)) == 0.0
