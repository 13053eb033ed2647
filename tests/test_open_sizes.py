"""Functions of arrays of open sizes: one graph gives what NumPy gives, for every size."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

VECTORS = [np.array([1.0, -2.0, 3.0, 4.0, -5.0, 6.0]), np.array([2.0, np.nan]), np.array([-1.5]), np.zeros(0)]
MATRICES = [
    np.array([[2.0, 1.0], [0.5, 3.0]]),
    np.diag([1.0, 2.0, -4.0]),
    np.ones((1, 1)),
    np.array([[2.0, 3.0, 1.0], [0.0, 1.0, 5.0]]),
]
COUNTS = [np.int64(0), np.int64(1), np.int64(2), np.int64(7)]


def put(x: Any) -> Any:
    np.putmask(x, x > 2, [0.0, 9.0])
    return x


def place(x: Any) -> Any:
    np.place(x, x > 2, [0.0, 9.0])
    return x


OF_VECTORS: list[Callable[..., Any]] = [
    put,
    place,
    lambda x: np.split(x, 2),
    lambda x: np.split(x, [1, 4]),
    lambda x: np.array_split(x, 4),
    lambda x: np.meshgrid(x, x[1:]),
    lambda x: np.broadcast_arrays(x, x[:1]),
    lambda x: np.nanmedian(x),
    lambda x: np.cov(x),
    lambda x: np.vander(x, 3),
    lambda x: np.histogram(x),
    lambda x: np.histogram(x, 3, density=True),
    lambda x: np.histogram(x, 4, (0.0, 5.0)),
    lambda x: np.eye(len(x), 3, 1),
    lambda x: np.linspace(0.0, 1.0, x.size),
    lambda x: np.linalg.solve(np.diag(np.isnan(x) + 1.0), np.nan_to_num(x)),
]

OF_MATRICES: list[Callable[..., Any]] = [
    lambda a: np.linalg.inv(a),
    lambda a: np.linalg.solve(a, a[0]),
    lambda a: np.linalg.det(a),
    lambda a: np.linalg.slogdet(a),
    lambda a: np.linalg.cholesky(a @ a.T + np.eye(len(a))),
    lambda a: np.abs(np.linalg.qr(a)[1]),
    lambda a: np.linalg.svdvals(a),
    lambda a: np.linalg.eigvalsh(a),
    lambda a: np.linalg.pinv(a),
    lambda a: np.linalg.matrix_rank(a),
    lambda a: np.linalg.cond(a),
    lambda a: np.linalg.matrix_power(a, 3),
    lambda a: np.linalg.lstsq(a, a[:, 0])[0],
]

OF_COUNTS: list[Callable[..., Any]] = [
    lambda n: np.eye(n),
    lambda n: np.identity(n, dtype=np.int32),
    lambda n: np.tri(n, n + 1, -1),
    lambda n: np.linspace(0.0, 1.0, n),
    lambda n: np.linspace(1, 10, n, endpoint=False, dtype=int),
    lambda n: np.linspace(np.ones(2), 3.0, n, axis=1),
    lambda n: np.histogram(np.array([1.0, 2.0, 4.0]), n),
]


def outcome(function: Callable[..., Any], given: Any) -> Any:
    """The result, or the exception."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        try:
            return function(given.copy())
        except Exception as error:
            return error


def assert_same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, Exception):
        assert type(ours) is type(theirs) and ag.errors.place_of(ours) is not None, (ours, theirs)
        assert str(ours) == str(theirs)
    elif isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
        assert np.shape(ours) == np.shape(theirs) and np.asarray(ours).dtype == np.asarray(theirs).dtype


def cases() -> list[Any]:
    tables = ((OF_VECTORS, VECTORS), (OF_MATRICES, MATRICES), (OF_COUNTS, COUNTS))
    return [pytest.param(function, inputs) for functions, inputs in tables for function in functions]


@pytest.mark.parametrize(("function", "inputs"), cases())
def test_one_graph_gives_what_numpy_gives(function: Callable[..., Any], inputs: list[Any]) -> None:
    spec = ag.ArraySpec((None,) * inputs[0].ndim, inputs[0].dtype)
    staged = ag.function(function, input_signature=[spec])
    for given in inputs:
        assert_same(outcome(staged, given), outcome(function, given))
    assert len(staged.signatures()) == 1 and ("?" in staged.signatures()[0]) == bool(spec.shape)


DRAWS: list[Callable[..., Any]] = [
    lambda g, n: g.random(n),
    lambda g, n: g.standard_normal((2, n), dtype=np.float32),
    lambda g, n: g.normal(1.0, 2.0, size=(n, 2)),
    lambda g, n: g.integers(0, 10, size=n),
    lambda g, n: g.permutation(n),
    lambda g, n: g.choice(5, size=n),
    lambda g, n: g.choice(n + 3, size=3, replace=False),
    lambda g, n: g.choice(n + 1),
    lambda g, n: (g.random(n), g.random(2)),
]


@pytest.mark.parametrize("draw", DRAWS)
def test_draws_do_not_depend_on_what_is_known(draw: Callable[..., Any]) -> None:
    known = ag.function(lambda n: draw(np.random.default_rng(5), n), static="n")
    staged = ag.function(lambda n: draw(np.random.default_rng(5), n))
    for count in (0, 1, 6):
        assert_same(staged(np.int64(count)), known(count))
    assert len(staged.signatures()) == 1


def test_draws_that_cannot_be_fail_as_in_numpy() -> None:
    uniform = ag.function(lambda x, n: np.random.default_rng(0).uniform(0.0, x, size=n))
    x = np.ones(3)
    assert uniform(x, np.int64(3)).shape == (3,)
    for size, words in ((1, "is not compatible with broadcast dimensions"), (-1, "negative dimensions")):
        with pytest.raises(ValueError, match=words):
            uniform(x, np.int64(size))
    choice = ag.function(lambda x: np.random.default_rng(0).choice(x[x > 5]))
    assert choice(np.array([1.0, 7.0])) == 7.0
    with pytest.raises(ValueError, match="a cannot be empty unless no samples are taken"):
        choice(x[:2])
    sample = ag.function(lambda n: np.random.default_rng(0).choice(3, size=n, replace=False))
    assert sorted(sample(np.int64(3)).tolist()) == [0, 1, 2]
    with pytest.raises(ValueError, match="Cannot take a larger sample than population"):
        sample(np.int64(4))
