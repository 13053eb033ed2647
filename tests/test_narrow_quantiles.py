"""Quantiles and histograms of integers of all dtypes: as NumPy computes them, its overflows too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same

DTYPES = [np.int8, np.int16, np.uint16, np.uint32, np.uint64, np.uint8, np.int32, np.int64]
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "percentile": lambda x: np.percentile(x, 30),
    "quantiles": lambda x: np.quantile(x, [0.1, 0.5, 0.77]),
    "lower": lambda x: np.quantile(x, 0.3, method="lower"),
    "midpoint": lambda x: np.quantile(x, 0.33, method="midpoint"),
    "nearest": lambda x: np.percentile(x, 33, method="nearest", keepdims=True),
    "hazen": lambda x: np.quantile(x, 0.33, method="hazen"),
    "of_single": lambda x: np.quantile(x, np.float32(0.3)),
    "axis": lambda x: np.quantile(np.stack([x, x[::-1]]), 0.4, axis=1),
    "kept": lambda x: np.percentile(np.stack([x, x[::-1]]), 40, axis=0, keepdims=True),
    "nanquantile": lambda x: np.nanquantile(x, 0.9),
    "nanpercentile": lambda x: np.nanpercentile(x, 30),
    "used": lambda x: (np.quantile(x, 0.3, method="higher") + x.dtype.type(1), x - x[0]),
    "histogram": lambda x: np.histogram(x, 3),
    "histogram_of_a_range": lambda x: np.histogram(x, bins=3, range=(0, 3)),
    "histogram_by_edges": lambda x: np.histogram(x, bins=[0, 1, 2, 4]),
    "density": lambda x: np.histogram(x, bins=4, density=True),
    "edges": lambda x: np.histogram_bin_edges(x, 5),
}


def _arrays(dtype: Any) -> list[Any]:
    info = np.iinfo(dtype)
    drawn = np.random.default_rng(1).integers(info.min, info.max, 20, dtype=dtype, endpoint=True)
    given = [[1, 3, 0, 1, 2], [1, 3, 2], [5], [2, 2, 2], [info.min, info.max, 3, info.max, info.min, 7]]
    return [*(np.array(one, dtype) for one in given), drawn]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_numpy(name: str) -> None:
    function = FUNCTIONS[name]
    staged = ag.function(function)
    for dtype in DTYPES:
        for x in _arrays(dtype):
            with np.errstate(all="ignore"):
                assert_same(staged(x), function(x))
                assert_same(staged(x), function(x))


def test_a_staged_integer_that_says_which_quantile() -> None:
    def quantile(x, q):
        return np.quantile(x, q)

    staged = ag.function(quantile)
    assert_same(staged(np.arange(3.0), 1), quantile(np.arange(3.0), 1))
    for x, q in ((np.arange(3), np.int64(1)), (np.arange(3), 0), (np.arange(3.0), np.int64(1))):
        try:
            assert_same(staged(x, q), quantile(x, q))
        except ag.StagingError as error:
            assert (error.code, error.location is None) == ("AG108", False)


@pytest.mark.parametrize("name", ["percentile", "nanquantile", "edges"])
def test_of_nothing(name: str) -> None:
    function = FUNCTIONS[name]
    for dtype in DTYPES:
        x = np.zeros(0, dtype)
        try:
            want = function(x)
        except IndexError as error:
            with pytest.raises(IndexError) as caught:
                ag.function(function)(x)
            assert str(error) in str(caught.value)
        else:
            try:
                assert_same(ag.function(function)(x), want)
            except ag.StagingError as error:
                assert error.location is not None


@pytest.mark.parametrize("name", ["percentile", "nanquantile", "histogram"])
def test_halves_are_refused(name: str) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(FUNCTIONS[name])(np.ones(3, np.float16))
    assert (caught.value.code, caught.value.location is None) == ("AG103", False)
    assert caught.value.help
