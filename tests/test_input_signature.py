"""``ag.function(input_signature=…)`` and ``ag.ArraySpec``."""

from __future__ import annotations

import warnings
from typing import Any

import autograph as ag
import numpy as np
import pytest


@ag.function(input_signature=[ag.ArraySpec((None, 3), np.float32), ag.ArraySpec((), np.float32)])
def scaled(x: Any, rate: Any = 0.5) -> Any:
    return x * rate


def test_plain_numbers_become_what_the_signature_says() -> None:
    result = scaled(np.ones((2, 3), np.float32), 0.25)
    assert result.dtype == np.float32 and result.tolist() == [[0.25] * 3] * 2
    assert scaled(np.ones((2, 3), np.float32)).tolist() == [[0.5] * 3] * 2
    assert scaled(np.ones((2, 3), np.float32), 2).tolist() == [[2.0] * 3] * 2
    assert scaled(np.ones((4, 3), np.float32), rate=1.0).shape == (4, 3)
    assert scaled.signatures() == ["(x: f32[?, 3], rate: f32)"] and scaled.retraces == []


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_one_graph_for_all_sizes(size: int) -> None:
    x, y = np.arange(size * 2.0).reshape(size, 2) - 3.0, np.arange(size) + 1.0
    expected_x, given_x = x.copy(), x.copy()
    assert_same(centred(given_x, y), centred.__wrapped__(expected_x, y))
    np.testing.assert_array_equal(given_x, expected_x)
    assert centred.signatures() == ["(x: f64[?, 2], y: f64[?])"]


@ag.function(input_signature=[ag.ArraySpec((None, 2)), ag.ArraySpec((None,))])
def centred(x: Any, y: Any) -> Any:
    x[0] = x.mean(axis=0)
    total, rows = 0.0, []
    for row in x:
        if row[0] > 0:
            total = total + row.sum()
        rows.append(row * 2)
    if len(x) > 2:
        total = -total
    return total, np.stack(rows), x.shape, x[x[:, 0] > 0], x * y[:, None], y.sum() / len(y)


def assert_same(ours: Any, theirs: Any) -> None:
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other)
        assert np.asarray(one).dtype == np.asarray(other).dtype


def test_arrays_that_do_not_fit_fail_as_in_numpy() -> None:
    f = ag.function(lambda x, y: x + y, input_signature=[ag.ArraySpec((None,))] * 2)
    assert f(np.ones(3), np.ones(1)).shape == (3,)
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(3,\) \(2,\)"):
        f(np.ones(3), np.ones(2))
    same = np.ones(4)
    assert f(same, same).tolist() == [2.0] * 4


def test_a_program_that_needs_the_size_is_traced_for_each() -> None:
    f = ag.function(lambda x: np.gradient(x, axis=0), input_signature=[ag.ArraySpec((None, None))])
    with pytest.warns(UserWarning, match=r"is retraced for each size .*`np.gradient` of an array whose"):
        assert f(np.eye(2)).tolist() == np.gradient(np.eye(2), axis=0).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        f(np.eye(3))
    assert f.signatures() == ["(x: f64[2, 2])", "(x: f64[3, 3])"]
    with pytest.raises(ag.StagingError, match="has no sizes to trace with"):
        f.concrete_function()


def test_a_program_that_is_refused_in_every_size_says_so() -> None:
    def append(x: Any) -> Any:
        x.resize(7)
        return x

    f = ag.function(append, input_signature=[ag.ArraySpec((None,))])
    with warnings.catch_warnings(), pytest.raises(ag.StagingError, match="resize"):
        warnings.simplefilter("error", UserWarning)
        f(np.ones(2))


def test_arrays_of_other_libraries() -> None:
    class Foreign:
        def __init__(self, array: Any) -> None:
            self.__array_interface__ = array.__array_interface__
            self.array = array

    given = Foreign(np.ones((2, 3), np.float32))
    assert scaled(given).tolist() == [[0.5] * 3] * 2


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((np.ones((2, 3)), 0.5), "argument `x` of `scaled` is f64[2, 3], and"),
        ((np.ones((2, 4), np.float32), 0.5), "argument `x` of `scaled` is f32[2, 4], and"),
        ((np.ones(3, np.float32), 0.5), "argument `x` of `scaled` is f32[3], and"),
        ((np.ones((2, 3), np.float32), np.float64(0.5)), "argument `rate` of `scaled` is f64, and"),
        ((np.ones((2, 3), np.float32), "a"), "argument `rate` of `scaled` is str, and"),
        (((np.ones((2, 3), np.float32),), 0.5), "the arguments of `scaled` are another tree"),
    ],
)
def test_other_arguments_are_refused(arguments: tuple[Any, ...], text: str) -> None:
    before = scaled.signatures()
    with pytest.raises(ag.StagingError) as caught:
        scaled(*arguments)
    assert caught.value.code == "AG126" and text in caught.value.message
    assert caught.value.location is not None and caught.value.location.function == "scaled"
    assert scaled.signatures() == before


def test_numbers_that_do_not_fit_are_refused() -> None:
    f = ag.function(lambda n: n + 1, input_signature=[ag.ArraySpec((), np.uint8)])
    assert f(3) == 4
    for wrong in (300, 1.5):
        with pytest.raises(ag.StagingError, match="AG126"):
            f(wrong)


def test_trees_methods_and_python_numbers() -> None:
    class Model:
        bias = 2.0

        @ag.function(input_signature=[{"w": ag.ArraySpec((2,))}, float])
        def __call__(self, parameters: Any, scale: Any) -> Any:
            return np.sum(parameters["w"]) * scale + self.bias

    assert Model()({"w": np.array([1.0, 2.0])}, 3) == 11.0
    with pytest.raises(ag.StagingError, match=r"`parameters\['w'\]`"):
        Model()({"w": np.array([1.0])}, 3)


def test_a_concrete_function_needs_no_data() -> None:
    f = ag.function(lambda x, n: np.sum(x) * n)
    concrete = f.concrete_function(ag.ArraySpec((3,)), 4)
    assert str(concrete.signature) == "(x: f64[3], n: 4)"
    assert f(np.ones(3), 4) == 12.0 and len(f.signatures()) == 1
    g = ag.function(lambda x: x + 1, input_signature=[ag.ArraySpec((2,), np.int64)])
    assert str(g.concrete_function().signature) == "(x: i64[2])"
    assert str(scaled.concrete_function().signature) == "(x: f32[?, 3], rate: f32)"
    with pytest.raises(ag.StagingError, match="has no sizes to trace with"):
        f.concrete_function(ag.ArraySpec((None,)), 4)


def test_signatures_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="has 1 parameters, and the input signature 2"):
        ag.function(lambda x: x, input_signature=[float, float])
    with pytest.raises(TypeError, match="not 'f32'"):
        ag.function(lambda x: x, input_signature=["f32"])


def test_specifications_compare() -> None:
    assert ag.ArraySpec((3, None), "float32") == ag.ArraySpec([3, None], np.float32)
    assert len({ag.ArraySpec((3,)), ag.ArraySpec((3,), np.float64), ag.ArraySpec((4,))}) == 2
    assert ag.ArraySpec.of(np.float32(1)) == ag.ArraySpec((), np.float32)
