"""Functions of floats against exact values (`mpmath`), with each set of vector instructions.

The table in docs/numbers.md is that of `LIMITS`: `AG_BLESS=1` writes it.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import autograph as ag
import mpmath
import numpy as np
import pytest

PAGE = Path(__file__).parent.parent / "docs" / "numbers.md"
HEAD = "| functions | `float64` | `float32` |\n| --- | --- | --- |\n"

SETS = ("base", "avx2", "avx512")
"""Instruction sets; one that the processor lacks is the best that it has."""

LIMITS = {
    ("sin", "cos"): (1.0, 2.0),
    ("tan",): (1.0, 3.0),
    ("arcsin", "arccos", "arctan", "arctan2"): (1.0, 2.0),
    ("exp", "exp2", "expm1", "sinh", "cosh"): (1.0, 1.5),
    ("log", "log2", "log10", "log1p"): (1.0, 2.0),
    ("power",): (1.0, 2.0),
    ("hypot", "cbrt"): (1.0, 1.0),
    ("tanh", "arcsinh", "arccosh", "arctanh"): (3.0, 3.0),
}
"""How many units in the last place a result is from the exact one, at most: of `float64`, of `float32`."""

OF_ONE = [name for names in LIMITS for name in names if name not in ("power", "arctan2", "hypot")]
EXACT = {
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "log2": lambda x: mpmath.log(x, 2),
    "power": lambda x, y: mpmath.power(x, y if x >= 0 else int(y)),
    "arctan2": mpmath.atan2,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    **{f"arc{name}": getattr(mpmath, f"a{name}") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}
NEAR = {
    "arcsin": 1.0,
    "arccos": 1.0,
    "arctanh": 1.0,
    "sinh": 700.0,
    "cosh": 700.0,
    "expm1": 700.0,
    "exp": 700.0,
}
POSITIVE = ("log", "log2", "log10", "arccosh")


def limit(name: str, dtype: type) -> float:
    of_double, of_single = next(limits for names, limits in LIMITS.items() if name in names)
    return of_double if dtype is np.float64 else of_single


def numbers(name: str, dtype: type) -> Any:
    """Arguments: within a small range, and of all sizes for which the function has a result."""
    draws = np.random.default_rng(len(name))
    largest = NEAR.get(name, 1000.0 if name == "exp2" else 1e5)
    if dtype is np.float32:
        largest = min(largest, 87.0) if largest in (700.0, 1000.0) else largest
    sizes = 10.0 ** draws.uniform(-12, np.log10(largest), 400)
    x = np.concatenate([draws.uniform(-1, 1, 400) * min(largest, 5.0), sizes * draws.choice([-1, 1], 400)])
    if name in POSITIVE:
        x = np.concatenate([np.abs(x), 1 + 1e-2 * np.abs(x)])
    if name == "arccosh":
        x = 1 + x
    if name == "log1p":
        x = np.where(x > -1, x, -x)
    return x.astype(dtype)


def pairs(name: str, dtype: type) -> tuple[Any, Any]:
    draws = np.random.default_rng(1)
    if name in ("arctan2", "hypot"):
        return tuple(
            (draws.normal(size=800) * 10.0 ** draws.uniform(-5, 5, 800)).astype(dtype) for _ in range(2)
        )
    most = 9.0 if dtype is np.float64 else 1.2
    bases = [draws.uniform(0, 5, 300), 10.0 ** draws.uniform(-30, 30, 300), -draws.uniform(0.1, 5, 300)]
    exponents = [draws.uniform(-5, 5, 300), draws.uniform(-most, most, 300), draws.integers(-9, 10, 300)]
    return np.concatenate(bases).astype(dtype), np.concatenate(exponents).astype(dtype)


def special(dtype: type) -> Any:
    ends = np.finfo(dtype)
    sizes = [0.0, 0.5, 1.0, 2.0, 3.0, 150.0, 1e5, 1e10, 1024.0, 1100.0, 709.9, 88.9, 710.5, 745.5, np.inf]
    sizes += [ends.tiny, ends.smallest_subnormal, ends.max, ends.eps, 1 + ends.eps, 1 - ends.eps / 2]
    return np.array([*sizes, *(-size for size in sizes), np.nan], dtype)


def arguments(name: str, dtype: type) -> tuple[Any, ...]:
    """The arguments with finite results, and after them the special ones."""
    if name in OF_ONE:
        return (np.concatenate([numbers(name, dtype), special(dtype)]),)
    grid = np.meshgrid(special(dtype), special(dtype))
    return tuple(
        np.concatenate([one, other.ravel()]) for one, other in zip(pairs(name, dtype), grid, strict=True)
    )


def cases() -> list[tuple[str, type]]:
    return [(name, dtype) for names in LIMITS for name in names for dtype in (np.float64, np.float32)]


def compute(path: str) -> None:
    """Writes what staged functions give to a file; runs in a process with its own set of instructions."""
    found = {}
    for name, dtype in cases():
        function = getattr(np, name)
        given = arguments(name, dtype)
        staged = (
            ag.function(lambda x: function(x))
            if len(given) == 1
            else ag.function(lambda x, y: function(x, y))
        )
        found[f"{name} {np.dtype(dtype)}"] = staged(*given)
        found[f"{name} {np.dtype(dtype)} of scalars"] = ag.function(one_by_one(function))(*given)
    np.savez(path, **found)


def one_by_one(function: Any) -> Any:
    """A loop that computes a function of one number, or of two, at a time."""

    def of_one(x: Any) -> Any:
        found = np.zeros(len(x), x.dtype)
        for place in range(len(x)):
            found[place] = function(x[place])
        return found

    def of_two(x: Any, y: Any) -> Any:
        found = np.zeros(len(x), x.dtype)
        for place in range(len(x)):
            found[place] = function(x[place], y[place])
        return found

    return of_one if function.nin == 1 else of_two


@functools.cache
def results(which: str, folder: Path) -> Any:
    path = folder / f"{which}.npz"
    program = f"import test_functions; test_functions.compute({str(path)!r})"
    environment = {**os.environ, "AUTOGRAPH_ISA": which, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    return np.load(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("functions")


@functools.cache
def exact(name: str, dtype: type) -> list[Any]:
    function: Any = EXACT.get(name) or getattr(mpmath, name)
    given = (numbers(name, dtype),) if name in OF_ONE else pairs(name, dtype)
    with mpmath.workprec(200):
        return [function(*map(mpmath.mpf, map(float, point))) for point in zip(*given, strict=True)]


def units(value: Any, dtype: type) -> Any:
    """The unit in the last place of an exact value."""
    ends = np.finfo(dtype)
    exponent = mpmath.floor(mpmath.log(abs(value), 2)) if value else ends.minexp
    return mpmath.mpf(2) ** (max(exponent, ends.minexp) - ends.nmant)


@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("name, dtype", cases())
def test_results_are_near_the_exact_ones(name: str, dtype: type, which: str, folder: Path) -> None:
    found = results(which, folder)[f"{name} {np.dtype(dtype)}"]
    right = exact(name, dtype)
    assert found.dtype == dtype
    worst = max(
        (
            abs(mpmath.mpf(float(one)) - value) / units(value, dtype)
            for one, value in zip(found, right, strict=False)
        ),
    )
    # Without fused multiply-add those of `float64`, and some others, are those of the C library.
    assert worst <= (max(limit(name, dtype), 2.0) if which == "base" else limit(name, dtype))


@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("name, dtype", cases())
def test_special_values_are_those_of_numpy(name: str, dtype: type, which: str, folder: Path) -> None:
    found = results(which, folder)[f"{name} {np.dtype(dtype)}"]
    given = arguments(name, dtype)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(*given)
    start = len(exact(name, dtype))
    found, wanted = found[start:], wanted[start:]
    np.testing.assert_array_equal(np.signbit(found)[wanted == wanted], np.signbit(wanted)[wanted == wanted])
    # Four units: those of NumPy are not the exact ones either, at the ends of a range.
    ends = np.finfo(dtype)
    np.testing.assert_allclose(found, wanted, 4 * ends.eps, float(ends.smallest_subnormal))


@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("name, dtype", cases())
def test_scalars_are_computed_by_the_same_definition(
    name: str, dtype: type, which: str, folder: Path
) -> None:
    found = results(which, folder)[f"{name} {np.dtype(dtype)} of scalars"]
    # Scalars of `float64` are those of the C library, as in `math`.
    arrays = results("base" if dtype is np.float64 else which, folder)[f"{name} {np.dtype(dtype)}"]
    if name == "power":
        # These are a product, a root and a reciprocal where one number is the exponent.
        has_own = np.isin(arguments(name, dtype)[1], (2, 3, 4, 0.5, -1))
        found, arrays = found[~has_own], arrays[~has_own]
    np.testing.assert_array_equal(found, arrays)
    np.testing.assert_array_equal(np.signbit(found)[found == found], np.signbit(arrays)[found == found])


@pytest.mark.parametrize("name, dtype", cases())
def test_the_place_of_an_element_does_not_matter(name: str, dtype: type) -> None:
    function = getattr(np, name)
    given = arguments(name, dtype)
    staged = ag.function(lambda *given: function(*given))
    whole = staged(*given)
    for start, count in ((0, 1), (1, 2), (5, 7), (8, 16), (3, 40), (300, 33)):
        part = slice(start, start + count)
        np.testing.assert_array_equal(staged(*(one[part] for one in given)), whole[part])


def test_the_page_says_how_near() -> None:
    rows = [
        f"| `{'`, `'.join(names)}` | {first:g} | {second:g} |\n" for names, (first, second) in LIMITS.items()
    ]
    text = PAGE.read_text()
    before, _, rest = text.partition(HEAD)
    after = rest[rest.index("\n\n") :]
    wanted = before + HEAD + "".join(rows).rstrip("\n") + after
    if os.environ.get("AG_BLESS"):
        PAGE.write_text(wanted)
    assert PAGE.read_text() == wanted, "AG_BLESS=1 writes it anew"
