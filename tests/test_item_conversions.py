"""``x[i] = v`` of every kind of value into every dtype: NumPy's result, or NumPy's exception."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

DTYPES = ["bool", "uint8", "int32", "int64", "float32", "float64"]
NAN, INF = float("nan"), float("inf")
NUMBERS = [
    True,
    5,
    -1,
    300,
    2**31,
    2**40,
    1.5,
    -1.5,
    -0.5,
    255.9,
    256.0,
    300.7,
    2147483647.5,
    -2147483648.5,
    1e10,
]
NUMBERS += [9.3e18, -9.3e18, 2.0**63, -(2.0**63), 1e30, NAN, INF, -INF]
SCALARS = [np.float64(value) for value in (1.5, -1.5, 300.7, 1e10, 1e30, NAN, INF)]
SCALARS += [np.float32(value) for value in (1.5, 300.7, 1e10, 1e30, NAN, INF)]
SCALARS += [np.int64(300), np.int64(2**40), np.int64(-1), np.int32(-1), np.uint8(200), np.bool_(True)]
ARRAYS = [np.array(value) for value in SCALARS] + [np.array([value]) for value in SCALARS]
SEQUENCES = [
    [300],
    [1e30],
    [NAN],
    [2**40],
    [np.float64(1e30)],
    [np.int64(2**40)],
    [5],
    (5,),
    [2.5],
    [np.array(1e30)],
]


def element(x, v):
    x[0] = v
    return x


def part(x, v):
    x[0:1] = v
    return x


def picked(x, v):
    x[[0]] = v
    return x


def masked(x, v):
    x[np.array([True, False])] = v
    return x


def whole(x, v):
    x[...] = v
    return x


def filled(x, v):
    x.fill(v)
    return x


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        result = function(*args)
    except Exception as error:
        return error
    return result.dtype, result.tobytes()


def check(write: Callable[..., Any], dtype: str, value: Any) -> None:
    def fixed(x):
        return write(x, value)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = outcome(write, np.zeros(2, dtype), value)
        results = [
            outcome(ag.function(write), np.zeros(2, dtype), value),
            outcome(ag.function(fixed), np.zeros(2, dtype)),
        ]
    for result in results:
        if isinstance(expected, Exception):
            assert isinstance(result, type(expected)), (value, result, expected)
            assert str(expected) in str(result)
        else:
            assert result == expected, (value, result)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("write", [element, part, picked, masked, whole])
def test_numbers(write, dtype):
    for value in NUMBERS + SCALARS:
        check(write, dtype, value)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("write", [element, part, picked, masked, whole])
def test_arrays_and_sequences(write, dtype):
    for value in ARRAYS + SEQUENCES:
        check(write, dtype, value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_fill(dtype):
    for value in NUMBERS + SCALARS:
        check(filled, dtype, value)


def written_in_a_loop(x, start):
    for i in range(len(x)):
        x[i] = start + i
    return x


def only_sometimes(x, v):
    if x[1] > 0:
        x[0] = v
    return x


def of_staged_list(x, v):
    x[:] = [v, v + 1]
    return x


def test_in_blocks():
    staged = ag.function(written_in_a_loop)
    assert staged(np.zeros(3, np.uint8), 253).tolist() == [253, 254, 255]
    with pytest.raises(OverflowError, match="Python integer 256 out of bounds for uint8"):
        staged(np.zeros(4, np.uint8), 253)

    def fixed(x):
        return only_sometimes(x, 300)

    for function in (ag.function(fixed), lambda x: ag.function(only_sometimes)(x, 300)):
        assert function(np.zeros(2, np.uint8)).tolist() == [0, 0]
        with pytest.raises(OverflowError, match="Python integer 300 out of bounds for uint8"):
            function(np.ones(2, np.uint8))


def test_staged_elements_of_a_list():
    staged = ag.function(of_staged_list)
    assert staged(np.zeros(2, np.int32), 7.9).tolist() == [7, 8]
    with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
        staged(np.zeros(2, np.int32), NAN)
    with pytest.raises(OverflowError, match="Python integer 256 out of bounds for uint8"):
        staged(np.zeros(2, np.uint8), 255)


def test_the_interpreter_agrees():
    staged = ag.function(element)
    arguments = [np.zeros(2, np.int32), 2.5]
    graph = staged.concrete_function(*arguments)
    assert graph.interpret(arguments).tolist() == [2, 0]
    with pytest.raises(OverflowError, match="Python integer 10000000000 out of bounds for int32"):
        graph.interpret([np.zeros(2, np.int32), 1e10])
