"""Sizes that only the run knows: what fails when the graph runs, and which arguments stay known."""

from __future__ import annotations

import warnings
from typing import Any

import autograph as ag
import numpy as np
import pytest

X = np.array([1.0, -2.0, 3.0, -4.0])


def masked_write(x: Any, values: Any) -> Any:
    y = x.copy()
    y[y < 0] = values
    return y


def slice_write(x: Any, n: Any) -> Any:
    y = np.zeros(4)
    y[:n] = x
    return y


def step_of_zero(x: Any, n: Any) -> Any:
    return x[:: n - n]


def one_truth(x: Any, n: Any) -> Any:
    return x if x[:n] else -x


@pytest.mark.parametrize(
    ("function", "argument"),
    [(masked_write, np.ones(3)), (slice_write, np.int64(3)), (step_of_zero, np.int64(1))],
)
def test_what_does_not_fit_fails_with_the_class_that_numpy_raises(function: Any, argument: Any) -> None:
    with pytest.raises(ValueError):
        function(X, argument)
    with pytest.raises(ValueError) as caught:
        ag.function(function)(X, argument)
    assert type(caught.value) is ValueError and ag.errors.place_of(caught.value) is not None


def test_the_truth_of_an_array_of_unknown_size_is_refused() -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(one_truth)(X, np.int64(1))
    assert caught.value.code == "AG106"


def test_an_argument_that_is_a_size_stays_known() -> None:
    """Its second value does not make it an input: sizes are known where they can be."""

    @ag.function
    def ones(x: Any, n: int) -> Any:
        return np.ones(n) * x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (2, 3, 4):
            assert ones(2.0, n).tolist() == [2.0] * n
    assert [text.split("n: ")[1] for text in ones.signatures()] == ["2)", "3)", "4)"]


def test_dynamic_makes_such_an_argument_an_input() -> None:
    @ag.function(dynamic="n")
    def ones(x: Any, n: int) -> Any:
        return np.ones(n) * x

    for n in (2, 3, 0):
        assert ones(2.0, n).tolist() == [2.0] * n
    assert len(ones.signatures()) == 1


def test_one_graph_serves_results_of_all_sizes() -> None:
    @ag.function
    def positive(x: Any) -> Any:
        return x[x > 0]

    for sign in (1.0, -1.0, 0.0):
        assert positive(X * sign).tolist() == [value for value in (X * sign).tolist() if value > 0]
    assert len(positive.signatures()) == 1


def test_a_result_is_an_array_of_its_own() -> None:
    positive = ag.function(lambda x: x[x > 0])
    first, second = positive(X), positive(X)
    first[0] = 100.0
    assert second.tolist() == [1.0, 3.0]
    assert X.tolist() == [1.0, -2.0, 3.0, -4.0]
