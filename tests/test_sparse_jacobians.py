"""`ag.jacobian`: the entries that may differ from zero, found from the graph, in few directions."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.gradients.sparse import coloured
from fuzzer.smooth import ARGUMENTS, function_of
from fuzzer.smooth_writer import SmoothWriter
from fuzzer.ways import remember

X = np.linspace(0.2, 1.3, 6)
BAND = np.diag(np.arange(1.0, 7)) + np.diag(np.ones(5), 1)


def steps(x: Any) -> Any:
    return x[1:] * x[:-1]


def heat(x: Any) -> Any:
    for _ in range(2):
        x = x + 0.1 * (x**2)[[1, 2, 3, 4, 5, 5]] - 0.2 * x
    return x


def by_index(x: Any) -> Any:
    y = np.zeros(len(x))
    for i in range(len(x)):
        if i > 0:
            y[i] = x[i] * x[i - 1]
        else:
            y[i] = np.sin(x[i])
    return y


def banded(x: Any) -> Any:
    return np.tanh(BAND @ x) + np.where(x > 0.5, x, x**2)


def outer(x: Any) -> Any:
    return x.reshape(6, 1) * np.ones(3)


def sums(x: Any) -> Any:
    return np.sum((x * x).reshape(2, 3), axis=0)


def halved(x: Any) -> Any:
    if x[0] > 0.3:
        return x * x[0]
    return x[::-1].copy()


def written(x: Any) -> Any:
    x[0] = x[5]
    x[2:4] *= x[1]
    return x


def sorted_ones(x: Any) -> Any:
    return np.sort(x) * 2.0


def helper(x: Any, n: Any) -> Any:
    if n == 0:
        return x
    return helper(np.concatenate([x[1:], x[:1]]) * x, n - 1)


def recursive(x: Any) -> Any:
    return helper(x, 2)


def until(x: Any) -> Any:
    while np.sum(x) > 1.0:
        x = x * 0.5
    return x


ENTRIES = {
    steps: 10,
    heat: 15,
    by_index: 11,
    banded: 11,
    outer: 18,
    sums: 6,
    halved: 16,
    written: 8,
    sorted_ones: 36,
    recursive: 18,
    until: 6,
}


@pytest.mark.parametrize("program", list(ENTRIES), ids=[one.__name__ for one in ENTRIES])
def test_entries_are_those_of_the_dense_matrix(program: Any) -> None:
    jacobian = ag.jacobian(program)
    for x in (X, X[::-1].copy(), -X, X * 0.1):
        found, dense = jacobian(x), ag.jacfwd(program)(x)
        assert found.shape == (dense.size // 6, 6)
        assert len(found.data) == len(found.indices) == ENTRIES[program]
        np.testing.assert_allclose(found.todense(), dense.reshape(found.shape), rtol=1e-12, atol=1e-14)
    assert np.array_equal(X, np.linspace(0.2, 1.3, 6))


def test_random_programs_have_no_entries_elsewhere() -> None:
    counts = {"dense": 0, "sparse": 0}
    for seed in range(90):
        writer = SmoothWriter(seed)
        if writer.has_complex:  # `ag.jacobian` refuses complex numbers on the way.
            continue
        function = function_of(remember(writer.program(), f"<sparse {seed}>"))
        a, b, x, n = ARGUMENTS[seed % 3]()
        jacobian = ag.jacobian(function, 2)
        for point in (x, x * 0.3, -x):
            try:
                dense = ag.jacfwd(function, 2)(a, b, point.copy(), n)
            except ag.AutographError:
                continue
            if isinstance(dense, np.ndarray) and dense.dtype == np.float64:
                found = jacobian(a, b, point.copy(), n)
                np.testing.assert_allclose(found.todense(), dense.reshape(found.shape), rtol=1e-9, atol=1e-12)
                counts["sparse" if len(found.data) < dense.size else "dense"] += 1
    assert counts["sparse"] > 20


def test_colours_of_columns_have_no_row_in_common() -> None:
    draws = np.random.default_rng(0)
    for density in (0.05, 0.2, 0.7):
        pattern = draws.random((30, 20)) < density
        colours = coloured(pattern)
        for colour in range(colours.max() + 1):
            assert pattern[:, colours == colour].sum(axis=1).max() <= 1
    band = np.abs(np.subtract.outer(np.arange(40), np.arange(40))) <= 1
    assert coloured(band).max() + 1 == 3


def test_few_directions_are_computed() -> None:
    """The width of what a graph computes says how many directions it has."""

    def widths(jacobian: Any, x: Any) -> Any:
        graph = ag.function(lambda x: jacobian(x).data).concrete_function(x).graph.optimised()
        values = [one for function in graph.functions for node in function.nodes for one in node.results]
        return max(one.shape[0] for one in values if one.shape and len(one.shape) == 2)

    x = np.linspace(0.0, 1.0, 50)
    band = np.abs(np.subtract.outer(np.arange(49), np.arange(50)) + 0.5) < 1
    assert widths(ag.jacobian(steps, sparsity=band), x) == 2
    column = np.ones((1, 50), bool)
    assert widths(ag.jacobian(lambda x: np.sum(x * x), sparsity=column), x) <= 50
    found = ag.jacobian(lambda x: np.sum(x * x), sparsity=column)(x)
    np.testing.assert_allclose(found.data, 2 * x)


def test_a_sparsity_is_given() -> None:
    band = np.abs(np.subtract.outer(np.arange(6), np.arange(6))) <= 2
    found = ag.jacobian(heat, sparsity=band)(X)
    assert len(found.data) == band.sum()
    np.testing.assert_allclose(found.todense(), np.where(band, ag.jacrev(heat)(X), 0.0))
    staged = ag.function(lambda x: ag.jacobian(heat, sparsity=band)(x).data)
    np.testing.assert_allclose(staged(X), found.data)
    for wrong, words in ((band[:, :5], "its columns are the 6 elements"), (band[:4], "its rows are the 6")):
        with pytest.raises(ag.StagingError, match=words) as caught:
            ag.jacobian(heat, sparsity=wrong)(X)
        assert caught.value.code == "AG144"


def test_other_arguments_and_changes_around() -> None:
    weights = np.eye(6)

    def program(k: Any, x: Any, w: Any) -> Any:
        return weights @ x + np.roll(x, k) * w

    jacobian = ag.jacobian(program, 1)
    for k in (1, 2):
        for w in (np.zeros(6), np.ones(6)):
            found = jacobian(k, X, w)
            assert len(found.data) == 12
            np.testing.assert_allclose(found.todense(), np.eye(6) + np.roll(np.eye(6), k, 0) * w[:, None])
    weights[0, 3] = 2.0
    found = jacobian(1, X, np.ones(6))
    np.testing.assert_allclose(found.todense(), weights + np.roll(np.eye(6), 1, 0))


def test_what_has_no_sparse_jacobian_is_refused() -> None:
    def inside(x: Any) -> Any:
        return ag.jacobian(heat)(x).data

    with pytest.raises(ag.StagingError, match="is not known in staged code") as caught:
        ag.function(inside)(X)
    assert caught.value.code == "AG144" and caught.value.location.file == __file__
    with pytest.raises(ag.StagingError, match="a size depends on the run") as caught:
        ag.jacobian(lambda x: x[x > 0.5])(X)
    assert caught.value.code == "AG144"
    with pytest.raises(ag.StagingError, match="returns a float array or number") as caught:
        ag.jacobian(lambda x: (x, x))(X)
    assert caught.value.code == "AG142"
    with pytest.raises(ag.StagingError, match="with respect to a float array") as caught:
        ag.jacobian(heat)(np.arange(6))
    assert caught.value.code == "AG141"
