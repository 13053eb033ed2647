"""Functions and the points of their domains where formulas of derivatives fail, with what is right there.

Where a derivative exists, it is that of the function in `mpmath`. Where none exists, it is a convention, a
row of the table in docs/gradients.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import numpy as np

inf, nan = np.inf, np.nan

Function = Callable[..., Any]


@dataclass
class Exact:
    """A function, what it is in `mpmath`, and points, each with as many numbers as it has arguments."""

    name: str
    function: Function
    exact: Function
    points: list[Any]

    def columns(self, dtype: Any) -> list[Any]:
        """The points that a dtype holds, with room for three derivatives: an array for each argument."""
        small, large = (1e-9, 1e9) if dtype == np.float32 else (0.0, inf)
        rows = [np.atleast_1d(point) for point in self.points]
        rows = [row for row in rows if all(x == 0 or small <= abs(x) <= large for x in row)]
        return [np.array(column, dtype) for column in zip(*rows, strict=True)]


def odd(function: Function) -> Function:
    """An odd function from what it is of positive numbers."""
    return lambda x: function(x) if x >= 0 else -function(-x)


ZEROS = [0.0, -0.0]

EXACT = [
    Exact("abs(x) ** 2", lambda x: np.abs(x) ** 2, lambda x: x * x, [*ZEROS, 1.0, -2.0]),
    Exact("abs(x) * abs(x)", lambda x: np.abs(x) * np.abs(x), lambda x: x * x, [*ZEROS, 1.0, -2.0]),
    Exact("square(abs(x))", lambda x: np.square(np.abs(x)), lambda x: x * x, [*ZEROS, 1.0, -2.0]),
    Exact("sqrt(x) ** 2", lambda x: np.sqrt(x) ** 2, lambda x: x, [0.0, 1.0, 2.5]),
    Exact("abs", np.abs, mp.fabs, [1.5, -2.0]),
    Exact("arccos", np.arccos, mp.acos, [*ZEROS, 0.5, -0.9, 0.999]),
    Exact("arccosh", np.arccosh, mp.acosh, [1.001, 1.5, 3.0, 1e7, 1e100]),
    Exact("arcsin", np.arcsin, mp.asin, [*ZEROS, 0.5, -0.9, 0.999]),
    Exact("arcsinh", np.arcsinh, mp.asinh, [*ZEROS, 1e-9, 0.5, -3.0, 1e7, 1e11, -1e100]),
    Exact("arctan", np.arctan, mp.atan, [*ZEROS, 1e-9, 0.5, -3.0, 1e7, 1e90]),
    Exact("arctanh", np.arctanh, mp.atanh, [*ZEROS, 3e-9, 0.5, -0.9]),
    Exact("cbrt", np.cbrt, odd(mp.cbrt), [1.0, -8.0, 27.0, 1e-60, -1e90]),
    Exact("cos", np.cos, mp.cos, [*ZEROS, 1.0, -2.0]),
    Exact("cosh", np.cosh, mp.cosh, [*ZEROS, 1.0, -2.0, 700.0]),
    Exact("degrees", np.degrees, mp.degrees, [0.0, 1.0]),
    Exact("exp", np.exp, mp.exp, [*ZEROS, 1.0, -700.0]),
    Exact("exp2", np.exp2, lambda x: mp.power(2, x), [*ZEROS, 1.0, -700.0]),
    Exact("expm1", np.expm1, mp.expm1, [*ZEROS, 1e-9, 1.0, -20.0]),
    Exact("fmod", lambda x: np.fmod(x, 2) * x, lambda x: (x - 2 * int(x / 2)) * x, [1.5, -1.5, 5.0]),
    Exact("i0", np.i0, lambda x: mp.besseli(0, x), [*ZEROS, 1e-9, 1e-5, 0.1, -2.0, 7.99, 8.0, 8.01, -20.0]),
    Exact("ldexp", lambda x: np.ldexp(x, 2) * x, lambda x: 4 * x * x, [*ZEROS, 1.5, -1.5, 1e-300]),
    Exact("log", np.log, mp.log, [1.0, 1e-100, 1e100]),
    Exact("log10", np.log10, mp.log10, [1.0, 1e-100, 1e100]),
    Exact("log1p", np.log1p, mp.log1p, [*ZEROS, -0.5, 1e-9, 1e100]),
    Exact("log2", np.log2, lambda x: mp.log(x, 2), [1.0, 1e-100, 1e100]),
    Exact("mod", lambda x: np.mod(x, 2) * x, lambda x: (x % 2) * x, [1.5, -1.5, 5.0]),
    Exact("modf", lambda x: np.modf(x)[0] * x, lambda x: (x - int(x)) * x, [*ZEROS, 1.5, -1.5]),
    Exact("nan_to_num", lambda x: np.nan_to_num(x) ** 2, lambda x: x * x, [*ZEROS, 1.5, -1.5]),
    Exact("nextafter", lambda x: np.nextafter(x, 3.0) * x, lambda x: x * x, [*ZEROS, 1.0, 3.0, 4.0]),
    Exact("radians", np.radians, mp.radians, [0.0, 1.0]),
    Exact("reciprocal", np.reciprocal, lambda x: 1 / x, [1.0, -8.0, 1e-50, -1e50]),
    Exact("sin", np.sin, mp.sin, [*ZEROS, 1.0, -2.0]),
    Exact("sinc", np.sinc, mp.sincpi, [*ZEROS, 1e-9, 1e-5, 1e-3, -0.01, 0.1, 0.5, 0.63, 0.64, 1.0, 7.25]),
    Exact("sinh", np.sinh, mp.sinh, [*ZEROS, 1.0, -2.0, 700.0]),
    Exact("sqrt", np.sqrt, mp.sqrt, [1.0, 4.0, 1e-90, 1e90]),
    Exact("square", np.square, lambda x: x * x, [*ZEROS, -8.0, 1e-50, -1e50]),
    Exact("tan", np.tan, mp.tan, [*ZEROS, 1.0, -2.0]),
    Exact("tanh", np.tanh, mp.tanh, [*ZEROS, 1.0, -2.0, 20.0, -400.0]),
    Exact("unwrap", lambda x: np.unwrap(x) ** 2, lambda x: x * x, [0.0, 1.0, 1.5, 2.0]),
    Exact("x ** 0", lambda x: x**0.0, lambda x: mp.mpf(1), [*ZEROS, 1.5, -1.5]),
    Exact("x ** 1", lambda x: x**1.0, lambda x: x, [*ZEROS, 1.5, -1.5]),
    Exact("x ** 2", lambda x: x**2, lambda x: x * x, [*ZEROS, 1.5, -1.5]),
    Exact("x ** 3", lambda x: x**3, lambda x: x**3, [*ZEROS, 1.5, -1.5]),
    Exact("x ** -1", lambda x: x**-1.0, lambda x: 1 / x, [1.5, -2.0]),
    Exact("x ** 1.5", lambda x: x**1.5, lambda x: x ** mp.mpf(1.5), [1.5, 1e-50]),
    Exact("2 ** x", lambda x: 2.0**x, lambda x: mp.power(2, x), [*ZEROS, 1.5, -1.5]),
    Exact("arctan2", np.arctan2, mp.atan2, [(1.0, 2.0), (0.0, 1.0), (-0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]),
    Exact("arctan2", np.arctan2, mp.atan2, [(3e-90, 1e-90), (1e-90, 2e-90), (1e90, 1e90), (-3.0, 3.0)]),
    Exact("divide", np.divide, lambda x, y: x / y, [(0.0, 1.0), (1.0, 2.0), (1e90, 1e30)]),
    Exact(
        "float_power",
        lambda x, y: np.float_power(x, y).astype(x.dtype),
        lambda x, y: x**y,
        [(2.0, 0.0), (1.0, 1.0)],
    ),
    Exact("hypot", np.hypot, mp.hypot, [(3.0, 4.0), (0.0, 1.0), (1.0, -0.0), (-1.0, 0.0), (1e-90, 1e-90)]),
    Exact(
        "logaddexp",
        np.logaddexp,
        lambda x, y: mp.log(mp.exp(x) + mp.exp(y)),
        [(0.0, 0.0), (1.0, 2.0), (80.0, 80.0)],
    ),
    Exact(
        "logaddexp2",
        np.logaddexp2,
        lambda x, y: mp.log(mp.power(2, x) + mp.power(2, y), 2),
        [(0.0, 0.0), (1.0, 2.0), (80.0, 80.0)],
    ),
    Exact("multiply", np.multiply, lambda x, y: x * y, [(0.0, 0.0), (0.0, 1.0)]),
    Exact(
        "power",
        np.power,
        lambda x, y: x**y,
        [(2.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1e-5, 1.0), (3.0, -1.0)],
    ),
    Exact(
        "abs(x + 1j * y) ** 2",
        lambda x, y: np.abs(x + 1j * y) ** 2,
        lambda x, y: x * x + y * y,
        [(0.0, 0.0), (1.0, 0.0), (0.0, -1.0), (1.0, 2.0)],
    ),
]


@dataclass
class Convention:
    """A row of the table, and what it says at points: the value of each order, or arrays of first order."""

    function: str
    where: str
    derivative: str
    points: list[tuple[Function, tuple[Any, ...], Any]] = field(default_factory=list)
    arrays: list[tuple[Function, Any, Any]] = field(default_factory=list)


def of_two(first: Any, second: Any = None) -> list[Any]:
    """The first derivatives by two arguments, and the second ones, row by row; they may be left out."""
    return [first] if second is None else [first, second]


NONE = ((0.0, 0.0), (0.0, 0.0))
TIED = np.array([1.0, 3.0, 3.0, 0.0])
KNOTS = np.array([0.0, 1.0, 2.0])
EXTREMES = (np.maximum, np.minimum, np.fmax, np.fmin)
FLAT = (np.arccosh, np.reciprocal, np.log, np.sqrt, np.cbrt)

CONVENTIONS = [
    Convention(
        "`abs(x)`, `fabs(x)`, `copysign(x, y)`",
        "`x == 0`",
        "0, of each order; of `abs(x)` this is `sign(x)` (JAX: 1). `abs(x) ** 2` has all derivatives",
        [
            (np.abs, (0.0,), (0.0, 0.0, 0.0)),
            (np.fabs, (-0.0,), (0.0, 0.0, 0.0)),
            (np.copysign, (0.0, 2.0), of_two((0.0, 0.0), NONE)),
        ],
    ),
    Convention(
        "`sign`, `floor`, `ceil`, `trunc`, `rint`, `round`, `//`, `heaviside`",
        "everywhere",
        "0, at the jumps too",
        [
            *((one, (2.0,), (0.0, 0.0, 0.0)) for one in (np.sign, np.floor, np.ceil, np.trunc, np.rint)),
            (np.round, (2.5,), (0.0, 0.0, 0.0)),
            (np.sign, (0.0,), (0.0, 0.0, 0.0)),
            (np.floor_divide, (4.0, 2.0), of_two((0.0, 0.0), NONE)),
            (np.heaviside, (0.0, 0.5), of_two((0.0, 1.0), NONE)),
        ],
    ),
    Convention(
        "`maximum(x, y)`, `minimum(x, y)`, `fmax`, `fmin`, `clip`",
        "`x == y`",
        "a half by each",
        [
            *((one, (1.0, 1.0), of_two((0.5, 0.5), NONE)) for one in EXTREMES),
            (np.maximum, (0.0, -0.0), of_two((0.5, 0.5), NONE)),
            (lambda x: np.clip(x, 0.0, 1.0), (1.0,), (0.5, 0.0, 0.0)),
        ],
    ),
    Convention(
        "`max`, `min` over axes",
        "equal elements",
        "shared evenly among those that are the largest, or the smallest",
        arrays=[(np.max, TIED, [0.0, 0.5, 0.5, 0.0]), (np.min, -TIED, [0.0, 0.5, 0.5, 0.0])],
    ),
    Convention(
        "`max`, `min` over axes",
        "a NaN among the elements",
        "NaN by all of them",
        arrays=[(np.max, np.array([1.0, nan, 3.0]), [nan, nan, nan])],
    ),
    Convention(
        "`sqrt(x)`, `cbrt(x)`, `x ** 0.5`",
        "`x == 0`",
        "infinite, of each order, with the signs to the right of 0; of `sqrt(-0.0)` the opposite ones",
        [
            (np.sqrt, (0.0,), (inf, -inf, inf)),
            (np.sqrt, (-0.0,), (-inf, inf, -inf)),
            (np.cbrt, (0.0,), (inf, -inf, inf)),
            (np.cbrt, (-0.0,), (inf, -inf, inf)),
            (lambda x: x**0.5, (0.0,), (inf, -inf, inf)),
            (lambda x: x**1.5, (0.0,), (0.0, inf, -inf)),
        ],
    ),
    Convention(
        "`linalg.norm(x)` of order 2, `std(x)`, `nanstd(x)`",
        "`x == 0` everywhere; equal elements",
        "0, of each order (JAX: NaN)",
        [(lambda x: np.linalg.norm(np.stack([x, x])), (0.0,), (0.0, 0.0, 0.0))],
        arrays=[
            (np.linalg.norm, np.zeros(3), np.zeros(3)),
            (lambda x: np.linalg.norm(x, axis=0), np.zeros(3), np.zeros(3)),
            (np.std, np.full(3, 2.0), np.zeros(3)),
            (np.nanstd, np.array([2.0, nan, 2.0]), np.zeros(3)),
        ],
    ),
    Convention(
        "`log(x)`, `log2(x)`, `log10(x)`, `1 / x`",
        "`x == 0`",
        "infinite, of each order, with the sign of `1 / x`, `1 / x ** 2`, …",
        [
            (np.log, (0.0,), (inf, -inf, inf)),
            (np.log, (-0.0,), (-inf, -inf, -inf)),
            (np.log2, (0.0,), (inf, -inf, inf)),
            (np.log10, (0.0,), (inf, -inf, inf)),
            (np.log1p, (-1.0,), (inf, -inf, inf)),
            (np.reciprocal, (0.0,), (-inf, inf, -inf)),
        ],
    ),
    Convention(
        "`arcsin(x)`, `arccos(x)`, `arctanh(x)`, `arccosh(x)`",
        "at the ends of their domains",
        "infinite, of each order; the third one of `arccosh(1)` is NaN",
        [
            (np.arcsin, (1.0,), (inf, inf, inf)),
            (np.arcsin, (-1.0,), (inf, -inf, inf)),
            (np.arccos, (1.0,), (-inf, -inf, -inf)),
            (np.arccos, (-1.0,), (-inf, inf, -inf)),
            (np.arctanh, (1.0,), (inf, inf, inf)),
            (np.arctanh, (-1.0,), (inf, -inf, inf)),
            (np.arccosh, (1.0,), (inf, -inf, nan)),
        ],
    ),
    Convention(
        "`log(x)`, `arctanh(x)`",
        "outside of their domains",
        "that of the formula, although the value is NaN: `1 / x` of `log(x)`",
        [(np.log, (-1.0,), (-1.0, -1.0, -2.0))],
    ),
    Convention(
        "`x ** y` by `x`",
        "`y == 0`",
        "0, whatever `x` is (JAX: NaN where `x == 0`)",
        [
            (np.power, (0.0, 0.0), of_two((0.0, 0.0), NONE)),
            (lambda x: x**0.0, (inf,), (0.0, 0.0, 0.0)),
            (lambda x: np.power(x, 0.0), (1e-320,), (0.0, 0.0, 0.0)),
        ],
    ),
    Convention(
        "`x ** y` by `y`",
        "`x == 0`",
        "0 where `y >= 0`, of each order, also of a derivative by `x`; NaN where `y < 0`",
        [
            (np.power, (0.0, 0.5), of_two((inf, 0.0), ((-inf, 0.0), (0.0, 0.0)))),
            (np.power, (0.0, 1.0), of_two((1.0, 0.0), NONE)),
            (np.power, (0.0, 1.5), of_two((0.0, 0.0), ((inf, 0.0), (0.0, 0.0)))),
            (np.power, (0.0, 2.0), of_two((0.0, 0.0), ((2.0, 0.0), (0.0, 0.0)))),
            (np.power, (0.0, 3.0), of_two((0.0, 0.0), NONE)),
            (np.power, (0.0, -1.0), of_two((-inf, nan))),
        ],
    ),
    Convention(
        "`x ** y` by `y`",
        "`x < 0`",
        "NaN: next to `y` there is no real power",
        [(np.power, (-2.0, 2.0), of_two((-4.0, nan), ((2.0, nan), (nan, nan))))],
    ),
    Convention(
        "`x % y`",
        "everywhere",
        "1 by `x`, `-floor(x / y)` by `y`, at the jumps too",
        [
            (np.mod, (4.0, 2.0), of_two((1.0, -2.0), NONE)),
            (np.mod, (0.0, 2.0), of_two((1.0, 0.0), NONE)),
            (np.mod, (-3.5, 2.0), of_two((1.0, 2.0), NONE)),
        ],
    ),
    Convention(
        "`fmod(x, y)`",
        "everywhere",
        "1 by `x`, `-trunc(x / y)` by `y`, at the jumps too",
        [
            (np.fmod, (4.0, 2.0), of_two((1.0, -2.0), NONE)),
            (np.fmod, (-3.5, 2.0), of_two((1.0, 1.0), NONE)),
        ],
    ),
    Convention(
        "`arctan2(y, x)`",
        "`x == y == 0`",
        "NaN by both",
        [(np.arctan2, (0.0, 0.0), of_two((nan, nan)))],
    ),
    Convention(
        "`hypot(x, y)`, `abs(z)`",
        "`x == y == 0`",
        "0 by both, of each order (JAX: a half). `abs(z) ** 2` has all derivatives",
        [
            (np.hypot, (0.0, 0.0), of_two((0.0, 0.0), NONE)),
            (lambda x, y: np.abs(x + 1j * y), (0.0, 0.0), of_two((0.0, 0.0), NONE)),
        ],
    ),
    Convention(
        "`hypot(x, y)`, `abs(z)`",
        "one of them is infinite",
        "NaN by that one, 0 by the other (JAX: NaN by both)",
        [(np.hypot, (inf, 2.0), of_two((nan, 0.0))), (np.hypot, (2.0, -inf), of_two((0.0, nan)))],
    ),
    Convention(
        "`where(test, x, y)`",
        "everywhere",
        "of what is taken only: that of the other is exactly 0, even if it is infinite or NaN; what that was"
        " computed with may still make NaN of `0 * inf`",
        [(lambda x: np.where(x > 0, x, 2.0 * x), (0.0,), (2.0, 0.0, 0.0))],
    ),
    Convention(
        "`interp(x, xp, fp)` by `x`",
        "at a knot",
        "the slope of the interval on its right; at the last knot, of the last interval",
        [
            (lambda x: np.interp(x, KNOTS, KNOTS**2), (1.0,), (3.0, 0.0, 0.0)),
            (lambda x: np.interp(x, KNOTS, KNOTS**2), (2.0,), (3.0, 0.0, 0.0)),
        ],
    ),
    Convention(
        "`modf(x)[0]`",
        "everywhere",
        "1, at the jumps too; 0 at an infinity",
        [
            (lambda x: np.modf(x)[0], (2.0,), (1.0, 0.0, 0.0)),
            (lambda x: np.modf(x)[0], (-0.0,), (1.0, 0.0, 0.0)),
            (lambda x: np.modf(x)[0], (inf,), (0.0, 0.0, 0.0)),
        ],
    ),
    Convention(
        "`ldexp(x, n)`, `frexp(x)[0]`, `nextafter(x, y)`, `spacing(x)`",
        "everywhere",
        "by `x`: `2 ** n`, `2 ** -frexp(x)[1]`, 1 and 0",
        [
            (lambda x: np.ldexp(x, 3), (0.0,), (8.0, 0.0, 0.0)),
            (lambda x: np.ldexp(x, 3), (inf,), (8.0, 0.0, 0.0)),
            (lambda x: np.frexp(x)[0], (1.0,), (0.5, 0.0, 0.0)),
            (lambda x: np.frexp(x)[0], (0.0,), (1.0, 0.0, 0.0)),
            (np.nextafter, (1.0, 1.0), of_two((1.0, 0.0), NONE)),
            (np.spacing, (1.0,), (0.0, 0.0, 0.0)),
        ],
    ),
    Convention(
        "`xlogy(x, y)`, `xlog1py`, `entr`, `rel_entr` of `scipy.special`",
        "`x == 0`",
        "by `x` the logarithm, which may be infinite; by `y` 0, at its pole too (JAX: NaN);"
        " 0 of `rel_entr(0, 0)`",
    ),
    Convention(
        "`arctan`, `arcsinh`, `arccosh`, `tanh`, `erf`, `exp`, `1 / x`",
        "at an infinity",
        "the limit, of each order",
        [
            *((one, (x,), (0.0, 0.0, 0.0)) for one in (np.arctan, np.arcsinh, np.tanh) for x in (inf, -inf)),
            *((one, (inf,), (0.0, 0.0, 0.0)) for one in FLAT),
            (np.exp, (-inf,), (0.0, 0.0, 0.0)),
            (np.exp, (inf,), (inf, inf, inf)),
            (np.i0, (-inf,), (-inf, inf, -inf)),
            (np.i0, (800.0,), (inf, inf, inf)),
            (np.arctan2, (1.0, inf), of_two((0.0, 0.0), NONE)),
            (np.arctan2, (-inf, 1.0), of_two((0.0, 0.0), NONE)),
        ],
    ),
    Convention(
        "`prod`, `cumprod`",
        "zeros among the factors",
        "exact, as nothing is divided by a factor",
        arrays=[
            (np.prod, np.array([0.0, 2.0, 3.0]), [6.0, 0.0, 0.0]),
            (np.prod, np.array([0.0, 0.0, 3.0]), [0.0, 0.0, 0.0]),
            (lambda x: np.sum(np.cumprod(x)), np.array([2.0, 0.0, 3.0]), [1.0, 8.0, 0.0]),
        ],
    ),
    Convention(
        "`x[i] = v` with an index that is there twice", "everywhere", "of the value written last only"
    ),
    Convention(
        "`argmax`, `argsort`, comparisons, casts to integers",
        "everywhere",
        "0",
        arrays=[(lambda x: np.sum(np.argsort(x) * x), TIED, [3.0, 0.0, 1.0, 2.0])],
    ),
    Convention("random draws", "everywhere", "0: they depend on the key and on how many were drawn"),
]
