"""The functions of `math` over staged numbers: what CPython gives and raises, also at special values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph.errors import GraphRuntimeError
from program_texts import run_text

VALUES = [0.0, -0.0, 0.4, -0.4, 1.0, -1.0, 2.0, -1.5, 3.0, -3.0, 1e308, -1e308, 5e-324, 710.0, -750.0, 171.7]
VALUES += [1024.5, math.inf, -math.inf, math.nan, True, 3, -7]
OF_ONE = """
    acos acosh asin asinh atan atanh cbrt cos cosh degrees exp exp2 expm1 fabs gamma lgamma isnan isinf
    isfinite log log10 log1p log2 radians sin sinh sqrt tan tanh modf erf erfc hypot
""".split()
OF_TWO = ["atan2", "hypot", "copysign", "fmod", "pow", "isclose", "log"]


def defined(expression: str, parameters: str) -> Callable[..., Any]:
    text = f"def f({parameters}):\n    return {expression}\n"
    function: Callable[..., Any] = run_text(text, f"<math {expression}>", math=math, np=np)["f"]
    return function


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return function(*args)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        kind = next(one for one in (ValueError, OverflowError, ZeroDivisionError) if isinstance(error, one))
        return kind, str(error).split("\n")[0].removeprefix("error: ")


def assert_same(found: Any, wanted: Any, where: str, ulps: float = 4) -> None:
    assert type(found) is type(wanted), (where, found, wanted)
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other, where)
    elif not isinstance(wanted, float) or not math.isfinite(wanted):
        assert repr(found) == repr(wanted), where
    else:
        # What is near a zero of the function is exact to the size of its terms.
        assert abs(found - wanted) <= ulps * math.ulp(max(abs(wanted), 0.5 if "gamma" in where else 0.0)), (
            where
        )
        assert wanted or math.copysign(1, found) == math.copysign(1, wanted), where


@pytest.mark.parametrize("name", [name for name in OF_ONE if hasattr(math, name)])
def test_functions_of_one(name: str) -> None:
    function = defined(f"math.{name}(x)", "x")
    staged = ag.function(function)
    for x in VALUES:
        assert_same(outcome(staged, (x,)), outcome(function, (x,)), f"{name} {x}")


@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two(name: str) -> None:
    function = defined(f"math.{name}(x, y)", "x, y")
    staged = ag.function(function)
    for args in itertools.product(VALUES, VALUES):
        if name == "copysign" and math.isnan(args[1]):
            with pytest.raises(GraphRuntimeError, match="the sign of a NaN"):
                staged(*args)
            continue
        assert_same(outcome(staged, args), outcome(function, args), f"{name} {args}")


PROGRAMS = {
    "hypot of three": ("math.hypot(x, y, x * y)", (3.0, 4.0)),
    "distance": ("math.dist((x, y), (1.0, 2.0))", (3.0, 4.0)),
    "distance of lists": ("math.dist([x, y, 1.0], [y, 0.5, x])", (3.0, 4.0)),
    "distance of one": ("math.dist([x], [y])", (3.0, 5.5)),
    "close within": ("math.isclose(x, y, rel_tol=0.1)", (1.0, 1.05)),
    "close to zero": ("math.isclose(x, 0.0, abs_tol=y)", (1e-3, 1e-2)),
    "in a branch": ("math.atan2(y, x) if math.hypot(x, y) > 1.0 else math.degrees(x)", (0.3, 0.4)),
    "of elements": ("[math.atan2(v, y) for v in [x, y, -x]]", (0.3, 0.4)),
    "of NumPy": ("math.pow(np.float32(x), y)", (0.5, 2.0)),
    "parts": ("math.modf(x * y)[0] + math.modf(-y)[1]", (1.3, 2.7)),
}


@pytest.mark.parametrize(("expression", "args"), PROGRAMS.values(), ids=PROGRAMS)
def test_programs(expression: str, args: tuple[float, float]) -> None:
    function = defined(expression, "x, y")
    staged = ag.function(function)
    for given in (args, (-args[0], args[1])):
        found, wanted = staged(*given), function(*given)
        if isinstance(wanted, list):
            found, wanted = tuple(found), tuple(wanted)
        assert_same(found, wanted, expression)


def test_points_of_two_dimensions() -> None:
    with pytest.raises(ValueError, match="both points must have the same number of dimensions"):
        ag.function(defined("math.dist((x, y), (x,))", "x, y"))(1.0, 2.0)


@pytest.mark.parametrize(
    "expression",
    ["math.remainder(x, y)", "math.frexp(x)", "math.nextafter(x, y)", "math.ulp(x)", "math.ldexp(x, n)"],
)
def test_parts_of_floats(expression: str) -> None:
    """To the bit, and with CPython's errors, at all pairs of special numbers."""
    numbers = [0.0, -0.0, 1.0, -1.5, 2.5, 7.0, 1e300, -1e-310, 5e-324, math.inf, -math.inf, math.nan]
    program = defined(expression, "x, y, n")
    staged = ag.function(program)
    for x, y in itertools.product(numbers, numbers):
        for n in (0, -1, 1000, -2000, 10**9) if "ldexp" in expression else (0,):
            try:
                want = program(x, y, n)
            except (ValueError, OverflowError) as error:
                with pytest.raises(type(error), match=str(error)):
                    staged(x, y, n)
                continue
            assert repr(staged(x, y, n)) == repr(want), (x, y, n)


def test_tolerances() -> None:
    with pytest.raises(ValueError, match="tolerances must be non-negative"):
        ag.function(defined("math.isclose(x, y, abs_tol=-x)", "x, y"))(1.0, 2.0)


SMOOTH = {
    "asin": "math.asin(x) * y",
    "acos": "math.acos(x) * y",
    "asinh": "math.asinh(x) * y",
    "acosh": "math.acosh(x + 1.5) * y",
    "atanh": "math.atanh(x) * y",
    "cbrt": "math.cbrt(x) * y" if hasattr(math, "cbrt") else "x ** (1 / 3) * y",
    "atan2": "math.atan2(x, y)",
    "hypot": "math.hypot(x, y, x * y)",
    "dist": "math.dist((x, y), (y * y, 1.0))",
    "degrees": "math.degrees(x) + math.radians(y)",
    "copysign": "math.copysign(x * y, -1.0)",
    "fmod": "math.fmod(7.0 * x, y)",
    "pow": "math.pow(x, y)",
    "lgamma": "math.lgamma(x + y)",
    "gamma": "math.gamma(x + y)",
    "modf": "math.modf(3.3 * x)[0] * y",
}


@pytest.mark.parametrize("expression", SMOOTH.values(), ids=SMOOTH)
def test_gradients(expression: str) -> None:
    function = defined(expression, "x, y")
    x, y, step = 0.37, 1.3, 1e-6
    found = ag.grad(function, argnums=(0, 1))(x, y)
    wanted = (
        (function(x + step, y) - function(x - step, y)) / (2 * step),
        (function(x, y + step) - function(x, y - step)) / (2 * step),
    )
    assert np.allclose(found, wanted, rtol=1e-7, atol=1e-8)
