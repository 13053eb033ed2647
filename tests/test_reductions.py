"""Reductions of what is made where it is reduced: the bits of one of a stored array, and NumPy's values."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum,
    "prod": np.prod,
    "max": np.max,
    "min": np.min,
    "any": np.any,
    "all": np.all,
    "mean": np.mean,
    "var": np.var,
    "std": np.std,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "count_nonzero": np.count_nonzero,
    "norm": lambda x, axis, keepdims: np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims)),
    "norm of one": lambda x, axis, keepdims: np.sum(np.abs(x), axis=axis, keepdims=keepdims),
}

MAPS: dict[str, Callable[..., Any]] = {
    "nothing": lambda x, y: x,
    "square of a difference": lambda x, y: (x - y) ** 2,
    "product": lambda x, y: x * y,
    "exp": lambda x, y: np.exp(x.astype(np.float64) if x.dtype.kind != "f" else x),
    "cast": lambda x, y: x.astype(np.float64),
    "comparison": lambda x, y: x > y,
    "where": lambda x, y: np.where(x > 0, x, y),
    "row": lambda x, y: x - y[..., :1, :],
    "column": lambda x, y: x + y[..., :1],
    "power of integers": lambda x, y: np.where(x > 0, x, 1) ** 3,
}

# Small arrays are stored before they are reduced.
SHAPES = [(1, 1), (2, 0), (0, 3), (3, 7), (2100, 1), (2050, 2), (300, 7), (90, 23), (86, 24)]
SHAPES += [(3, 1023), (2, 1024), (1025, 2), (3, 5000), (70, 40), (40, 3, 60)]

Case = tuple[str, str, str, tuple[int, ...], Any, bool, bool, bool]


def cases(seed: int, count: int) -> Iterator[Case]:
    """Some of all pairs of a reduction, a map, a dtype, a shape, axes and a layout."""
    rng = np.random.default_rng(seed)
    table = list(itertools.product(REDUCTIONS, MAPS, ("f4", "f8", "i4", "i8", "?")))
    for number in rng.permutation(len(table))[:count]:
        name, map_name, dtype = table[number]
        shape = SHAPES[rng.integers(len(SHAPES))]
        axes: list[Any] = [None, *range(len(shape))]
        if not name.startswith("arg"):
            axes += list(itertools.combinations(range(len(shape)), 2))
        axis = axes[rng.integers(len(axes))]
        keepdims, is_strided, is_special = (bool(one) for one in rng.integers(2, size=3))
        yield name, map_name, dtype, shape, axis, keepdims, is_strided, is_special


def array(rng: np.random.Generator, dtype: str, shape: tuple[int, ...], strided: bool, special: bool) -> Any:
    whole = tuple(2 * size + 1 for size in shape) if strided else shape
    x = rng.standard_normal(whole) * 2 if dtype[0] == "f" else rng.integers(-3, 4, whole)
    x = np.asarray(x).astype(dtype)
    if special and dtype[0] == "f" and x.size:
        places = rng.integers(x.size, size=max(1, x.size // 50))
        x.reshape(-1)[places] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0], places.size)
    return (
        x[tuple(slice(size, None, -2) if size else slice(0, 0) for size in whole)][
            tuple(slice(size) for size in shape)
        ]
        if strided
        else x
    )


def same_bits(a: Any, b: Any) -> bool:
    """Whether two results have the same bits, but for which NaN a NaN is."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    is_nan = (a != a) & (b != b)
    return bool(
        np.all(is_nan | ((a == b) & (np.signbit(a) == np.signbit(b) if a.dtype.kind == "f" else True)))
    )


def is_near(name: str, got: Any, want: Any, mapped: Any, axis: Any, keepdims: bool) -> bool:
    got, want = np.asarray(got), np.asarray(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    if want.dtype.kind != "f":
        return bool(np.array_equal(got, want))
    epsilon = float(np.finfo(want.dtype).eps)
    with np.errstate(all="ignore"):
        size = np.sum(np.abs(mapped.astype(np.float64)) + 1, axis=axis, keepdims=keepdims)
        scale = np.where(np.isfinite(size), size, 1) if name != "prod" else size * np.abs(want)
        near = np.abs(got.astype(np.float64) - want) <= 32 * epsilon * (
            scale + np.abs(want) + scale * np.abs(want)
        )
    return bool(np.all(near | (got == want) | (np.isnan(got) & np.isnan(want))))


def check(case: Case, seed: int) -> None:
    name, map_name, dtype, shape, axis, keepdims, is_strided, is_special = case
    reduction, mapping = REDUCTIONS[name], MAPS[map_name]
    rng = np.random.default_rng(seed)
    x, y = (array(rng, dtype, shape, is_strided, is_special) for _ in range(2))

    def fused(x: Any, y: Any) -> Any:
        return reduction(mapping(x, y), axis=axis, keepdims=keepdims)

    def stored(x: Any, y: Any) -> Any:
        mapped = mapping(x, y)
        return reduction(mapped, axis=axis, keepdims=keepdims), mapped

    def several(x: Any, y: Any) -> Any:
        mapped = mapping(x, y)
        first = np.sum(mapped, axis=axis, keepdims=keepdims)
        return reduction(mapped, axis=axis, keepdims=keepdims), first, np.any(mapped, axis=axis)

    with np.errstate(all="ignore"):
        try:
            want, mapped = stored(x, y)
        except (ValueError, TypeError) as error:
            # What NumPy does not reduce is not recorded either.
            with pytest.raises(type(error)):
                ag.function(fused)(x, y)
            return
    got = ag.function(fused)(x, y)
    kept, _ = ag.function(stored)(x, y)
    assert same_bits(got, kept), (case, got, kept)
    assert same_bits(ag.function(several)(x, y)[0], kept), case
    assert is_near(name, got, want, mapped, axis, keepdims), (case, got, want)


@pytest.mark.parametrize("which", ["base", "avx2", "avx512"])
@pytest.mark.parametrize("seed", range(2))
def test_mapped_reductions_have_the_bits_of_stored_ones_and_values_of_numpy(which: str, seed: int) -> None:
    program = f"import test_reductions; test_reductions.run({seed})"
    environment = {**os.environ, "AUTOGRAPH_ISA": which, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


def run(seed: int) -> None:
    for number, case in enumerate(cases(seed, 250)):
        check(case, number)


def test_long_reductions_have_the_bits_of_stored_ones() -> None:
    rng = np.random.default_rng(3)
    for shape, axis in [((2**21 + 1000,), None), ((2100, 1030), 0), ((1030, 2100), 1), ((2, 3000, 500), 1)]:
        x = rng.standard_normal(shape).astype(np.float32)

        def total(x: Any, axis: Any = axis) -> Any:
            return np.sum((x - 0.25) ** 2, axis=axis)

        def stored(x: Any, axis: Any = axis) -> Any:
            y = (x - 0.25) ** 2
            return np.sum(y, axis=axis), y

        got, kept = ag.function(total)(x), ag.function(stored)(x)[0]
        assert same_bits(got, kept)
        np.testing.assert_allclose(got, total(x.astype(np.float64)), rtol=1e-5)


def test_a_softmax_and_a_layer_norm_are_numpy_s() -> None:
    def softmax(x: Any) -> Any:
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def layer_norm(x: Any) -> Any:
        return (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)

    rng = np.random.default_rng(4)
    for shape in [(1, 1), (7, 300), (300, 7), (3, 5000)]:
        x = rng.standard_normal(shape)
        for function in (softmax, layer_norm):
            np.testing.assert_allclose(ag.function(function)(x), function(x), rtol=1e-12, atol=1e-12)
