"""`x.view()` and `np.vectorize` with its options, as NumPy has them; what is refused says what to write."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same


def _written_through(x):
    y = x.view()
    y[0] = 7
    x[1] = 5
    return x, y


def _of_a_result(x):
    y = x + x
    z = y.view()
    y[1] = 9
    z[0] = 1
    return y, z


def _in_a_loop(x):
    for i in range(len(x)):
        x.view()[i] += i
    return x


VIEWS: dict[str, Callable[[Any], Any]] = {
    "plain": lambda x: x.view() + x,
    "same_dtype": lambda x: x.view(x.dtype) + x,
    "keyword": lambda x: x.view(dtype=x.dtype) * x,
    "type": lambda x: (x.view(np.ndarray) + x, x.view(type=np.ndarray)),
    "item": lambda x: x[0].view() + x[1].view(x.dtype),
    "written_through": _written_through,
    "of_a_result": _of_a_result,
    "in_a_loop": _in_a_loop,
}


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.int8, np.uint16, np.complex128])
def test_views(name: str, dtype: Any) -> None:
    function = VIEWS[name]
    staged = ag.function(function)
    for x in (np.array([3, 1, 2]).astype(dtype), np.array([4, 5, 6, 7]).astype(dtype)):
        given, taken = copy.deepcopy(x), copy.deepcopy(x)
        assert_same(staged(taken), function(given))
        assert_same(taken, given)


@pytest.mark.parametrize("name", ["written_through", "of_a_result"])
def test_gradients_through_views(name: str) -> None:
    def total(x):
        first, second = VIEWS[name](x * 1.0)
        return np.sum(first * second)

    def of_copies(x):
        y = x * 1.0 if name == "written_through" else 2.0 * x
        keep = np.array([0.0, 0.0, 1.0])
        put = np.array([7.0, 5.0, 0.0]) if name == "written_through" else np.array([1.0, 9.0, 0.0])
        z = y * keep + put
        return np.sum(z * z)

    x = np.array([3.0, 1.0, 2.0])
    np.testing.assert_allclose(ag.grad(total)(x), ag.grad(of_copies)(x))


REFUSED = {
    "bits": lambda x: x.view(np.int64),
    "parts": lambda x: (x * 1j).view(np.float64),
    "pairs": lambda x: x.view(complex),
    "bytes": lambda x: x.view(np.uint8),
    "matrix": lambda x: x.view(np.matrix),
    "resize": lambda x: (x * 2.0).resize(6),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(REFUSED[name])(np.array([3.0, 1.0]))
    assert caught.value.location is not None
    assert caught.value.help


VECTORIZED: dict[str, Callable[[Any], Any]] = {
    "excluded_by_name": lambda x: np.vectorize(lambda v, k: v * k, excluded=["k"], otypes=[float])(x, k=3),
    "excluded_by_place": lambda x: np.vectorize(lambda v, k: v * k[0], excluded={1}, otypes="d")(x, [3.0]),
    "an_array_excluded": lambda x: np.vectorize(lambda p, v: (p * v).sum(), excluded={0}, otypes="d")(x, x),
    "polyval": lambda x: np.vectorize(np.polyval, excluded=["p"])(p=[1.0, 2, 3], x=x),
    "staged_and_excluded": lambda x: np.vectorize(lambda a, b, c=1.0: (a * c, b), excluded={"c"})(
        x, x[:, np.newaxis], c=x[0]
    ),
    "branches": lambda x: np.vectorize(lambda v, k: v if v > k else k, excluded={1}, otypes=[float])(x, 1.5),
    "cache": lambda x: np.vectorize(lambda a, b: a + b, excluded=[1], cache=True)(x, 2.0),
    "doc": lambda x: np.vectorize(lambda v: v + 1, doc="text", otypes=[float])(x),
    "decorator": lambda x: np.vectorize(otypes=[float])(lambda v: v * 3)(x),
}


@pytest.mark.parametrize("name", VECTORIZED)
def test_vectorize(name: str) -> None:
    function = VECTORIZED[name]
    staged = ag.function(function)
    for x in (np.array([3.0, 1.0, 2.0]), np.array([4.0, 5.0]), np.array([4.0, 5.0])):
        assert_same(staged(x), function(x))
