"""Sorting, selecting and counting, against NumPy: every dtype, size, pattern and axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

SIZES = (0, 1, 2, 7, 63, 64, 65, 1000, 5000)
DTYPES = ("bool", "uint8", "int32", "int64", "float32", "float64")


def patterns(size: int, dtype: str) -> list[Any]:
    """Lines of a size: by chance, rising, falling, equal, of few values, up and down, special floats."""
    rng = np.random.default_rng(size)
    places = np.arange(size)
    lines = [rng.permutation(size), places, places[::-1], np.full(size, 3), rng.integers(0, 4, size)]
    lines.append(np.minimum(places, size - places))
    made = [line.astype(dtype) for line in lines]
    if dtype.startswith("f"):
        special = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-310, -1e-40, 2.5])
        made += [rng.standard_normal(size).astype(dtype), rng.choice(special, size).astype(dtype)]
    return made


def same(got: Any, want: Any) -> None:
    assert type(got) is type(want)
    assert np.asarray(got).dtype == np.asarray(want).dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_lines_are_sorted_and_parted(dtype: str, size: int) -> None:
    kth = [size // 3, -1] if size else np.zeros(0, int)
    sort, order = ag.function(lambda x: np.sort(x)), ag.function(lambda x: np.argsort(x))
    part = ag.function(lambda x: (np.partition(x, kth), np.argpartition(x, kth)))
    for line in patterns(size, dtype):
        want = np.argsort(line, kind="stable")
        got = sort(line)
        same(got, line[want])
        same(np.signbit(got), np.signbit(line[want])) if dtype.startswith("f") else None
        same(order(line), want)
        parted, places = part(line)
        same(parted, line[places])
        same(np.sort(places), np.arange(size))
        for cut in kth:
            same(parted[cut], np.sort(line)[cut])
        # The others stand in the order in which they stand in the line.
        before, after = places[: size // 3], places[size // 3 + 1 : -1]
        assert (np.diff(before) > 0).all() and (np.diff(after) > 0).all()


@pytest.mark.parametrize("axis", [0, 1, 2, None])
def test_every_axis(axis: int | None) -> None:
    whole = np.random.default_rng(1).standard_normal((9, 70, 18))
    functions: list[Callable[[Any], Any]] = [
        lambda x: np.sort(x, axis=axis),
        lambda x: (
            np.partition(x, 5, axis=axis)[..., :1] * 0 + np.take(np.partition(x, 5, axis=axis), [5], axis)
        ),
        lambda x: np.median(x, axis=axis),
        lambda x: np.percentile(x, [0, 12.5, 50, 100], axis=axis),
        lambda x: np.quantile(x, 0.3, axis=axis, method="lower"),
        lambda x: np.nanmedian(x, axis=axis),
    ]
    for x in (whole, whole.astype(np.float32), whole[::-1, ::2, ::3], (whole * 9).astype(np.int32)):
        for function in functions:
            want = function(x)
            np.testing.assert_allclose(ag.function(function)(x), want, rtol=1e-6)


def test_medians_and_quantiles_of_lines_with_nan_and_infinities() -> None:
    for size in (1, 2, 7, 100, 1001):
        for line in patterns(size, "float64")[-2:]:
            for function in (np.median, lambda x: np.percentile(x, [5, 50, 99])):
                with np.errstate(all="ignore"):
                    np.testing.assert_array_equal(
                        ag.function(lambda x, f=function: f(x))(line), function(line)
                    )


def test_gradients_and_rows() -> None:
    x = np.random.default_rng(2).standard_normal((4, 9))
    weights = np.arange(9.0) + 1

    def sums(x: Any) -> Any:
        return np.sum(np.sort(x, axis=0)[:, ::-1] * weights) + np.sum(np.partition(x, [2, 5])[:, [2, 5]] ** 2)

    def middles(x: Any) -> Any:
        return np.sum(np.median(x, axis=1) ** 2) + np.sum(np.percentile(x, [20, 70], axis=0) ** 3)

    for function in (sums, middles):
        ag.check_grads(function, (x,), order=2)
    slopes = ag.grad(lambda x: np.sum(np.partition(x, [2, 5]) * weights))(x)
    places = ag.function(lambda x: np.argpartition(x, [2, 5]))(x)
    same(np.take_along_axis(slopes, places, 1), np.broadcast_to(weights, x.shape))
    for row in (np.sort, np.median, lambda x: np.partition(x, 3), lambda x: np.argpartition(x, 3)):
        batched = ag.vmap(lambda x, row=row: row(x))(x)
        alone = ag.function(lambda x, row=row: row(x))
        same(batched, np.stack([alone(one) for one in x]))


@pytest.mark.filterwarnings("ignore:Converting input from bool")
@pytest.mark.parametrize("dtype", DTYPES)
def test_counts(dtype: str) -> None:
    for size in (0, 1, 64, 5000):
        for line in patterns(size, dtype):
            if dtype in ("bool", "uint8", "int32", "int64"):
                same(ag.function(lambda x: np.bincount(x, minlength=3))(line), np.bincount(line, minlength=3))
            finite = line[np.isfinite(line)]
            for bins, limits in ((10, None), (7, (0, 3)), (1, (-2.5, 2.5)), (50, (-3.1, 900.7))):
                if dtype == "bool" and limits is None:
                    continue
                got = ag.function(lambda x, b=bins, r=limits: np.histogram(x, b, r))(finite)
                want = np.histogram(finite, bins, limits)
                same(got[0], want[0])
                np.testing.assert_allclose(got[1], want[1], rtol=1e-6)
            same(
                ag.function(lambda x: np.histogram(x, 9, (-1, 8))[0])(line), np.histogram(line, 9, (-1, 8))[0]
            )


def test_what_is_among_others() -> None:
    rng = np.random.default_rng(3)
    for dtype in ("int64", "float64", "float32", "uint8"):
        x, known = rng.integers(0, 99, 500).astype(dtype), rng.integers(0, 99, 40).astype(dtype)
        if dtype.startswith("f"):
            x[::7], known[::5] = np.nan, np.nan
        same(ag.function(lambda x, y: np.isin(x, y))(x, known), np.isin(x, known))
        chosen = ag.function(lambda x, y: np.isin(x, y[y > 200]))
        same(chosen(x, known), np.isin(x, known[known > 200]))


def test_padding() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        for width in (0, 1, 5, ((0, 2), (3, 0), (1, 9))):
            same(ag.function(lambda x, m=mode, w=width: np.pad(x, w, mode=m))(x), np.pad(x, width, mode=mode))


def lines_of(dtype: str, size: int, seed: int) -> Any:
    """Few values, so that many are equal; floats are NaN and zeros of both signs too."""
    rng = np.random.default_rng(seed)
    line = rng.integers(0, 20, size).astype(dtype)
    if dtype.startswith("f"):
        line = np.where(rng.random(size) < 0.2, rng.choice([np.nan, -0.0, 0.0, np.inf], size), line).astype(
            dtype
        )
    return line


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_places_in_sorted_lines(dtype: str, side: Any) -> None:
    find = ag.function(lambda ordered, values: np.searchsorted(ordered, values, side))
    by_order = ag.function(lambda x, values, order: np.searchsorted(x, values, side, sorter=order))
    is_in = ag.function(lambda values, x: np.isin(values, x))
    for number, size in enumerate((0, 1, 2, 3, 17, 64, 100)):
        for wanted in (0, 1, 8, 63, 64, 65, 200):
            x, values = lines_of(dtype, size, number), lines_of(dtype, wanted, wanted + 1)
            order = np.argsort(x, kind="stable")
            same(find(x[order], values), np.searchsorted(x[order], values, side))
            same(by_order(x, values, order), np.searchsorted(x, values, side, sorter=order))
            same(is_in(values, x), np.isin(values, x))
            square = np.concatenate([values, values]).reshape(2, -1)
            same(find(x[order], square), np.searchsorted(x[order], square, side))
            same(find(x[order][::-1][::-1], values[::2]), np.searchsorted(x[order], values[::2], side))


def test_a_place_of_other_types() -> None:
    find = ag.function(lambda ordered, values: np.searchsorted(ordered, values))
    for ordered in (np.arange(5), np.arange(5.0), np.arange(5, dtype="float32"), np.arange(5, dtype="uint8")):
        for values in (2, 2.5, np.float32(2.5), np.arange(7) / 2, np.array(3), np.array([[True, False]])):
            same(find(ordered, values), np.searchsorted(ordered, values))
    rows = np.sort(np.random.default_rng(1).random((3, 10)), axis=1)
    values = np.random.default_rng(2).random((3, 4))
    want = np.stack([np.searchsorted(row, value) for row, value in zip(rows, values, strict=True)])
    same(ag.vmap(find)(rows, values), want)
    same(ag.vmap(lambda one: np.searchsorted(rows[0], one))(values), np.searchsorted(rows[0], values))


@pytest.mark.parametrize("right", [False, True])
def test_bins_that_rise_and_fall(right: bool) -> None:
    place = ag.function(lambda x, bins: np.digitize(x, bins, right))
    values = lines_of("float64", 300, 5)
    for bins in ([0.0, 3.0, 3.0, 7.5], [7.5, 3.0, 3.0, -0.0], [2.0], [2.0, 2.0], []):
        same(place(values, np.array(bins)), np.digitize(values, np.array(bins), right))


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_counts_between_edges(dtype: str) -> None:
    count = ag.function(lambda x, edges: np.histogram(x, edges)[0])
    for size in (0, 1, 500):
        values = lines_of(dtype, size, size)
        for edges in ([0, 1, 5, 5, 20], [-3, 40], [19, 19], [3, 3, 4], [0.5, 1.5, 7.25]):
            same(count(values, np.array(edges)), np.histogram(values, np.array(edges))[0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_running_extremes(dtype: str) -> None:
    for ufunc in (np.maximum, np.minimum, np.logical_and, np.logical_or):
        for shape in ((0,), (1,), (31,), (32,), (33,), (1000,), (6, 70), (2, 40, 3), (3, 0), (0, 3)):
            x = lines_of(dtype, int(np.prod(shape)), len(shape)).reshape(shape)
            for axis in range(len(shape)):
                run = ag.function(lambda x, ufunc=ufunc, axis=axis: ufunc.accumulate(x, axis))
                same(run(x), ufunc.accumulate(x, axis))
                same(run(x[..., ::-1]), ufunc.accumulate(x[..., ::-1], axis))
    grow = ag.function(lambda x: np.maximum.accumulate(x[x > 3]))
    x = lines_of(dtype, 100, 7)
    same(grow(x), np.maximum.accumulate(x[x > 3]))


def test_derivatives_of_running_extremes() -> None:
    weights = np.arange(1.0, 7.0)
    total = ag.function(lambda x: np.sum(np.minimum.accumulate(x) * weights))
    x = np.array([5.0, 6.0, 2.0, 3.0, 2.0, 1.0])
    np.testing.assert_array_equal(ag.grad(total)(x), [3.0, 0.0, 7.0, 0.0, 5.0, 6.0])


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_orders_of_keys_that_are_longer_than_what_is_compared(dtype: str) -> None:
    order = ag.function(lambda x: np.argsort(x))
    rng = np.random.default_rng(3)
    for size in (3, 100, 70_000):
        near = (1 + rng.integers(0, 5, size) * 2.0**-50).astype(dtype)
        if dtype == "int64":
            near = rng.integers(0, 5, size)
        far = near.copy()
        far[rng.integers(0, size, 2)] = [np.iinfo("int64").max, np.iinfo("int64").min]
        wide = rng.integers(-(2**63), 2**63 - 1, size).view(dtype)
        for line in (near, far, wide, np.sort(wide)[::-1]):
            same(order(line), np.argsort(line, kind="stable"))
