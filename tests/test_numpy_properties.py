"""NumPy's functions over staged values equal NumPy's: value, dtype, shape, NaN and zero sizes."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import autograph as ag
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

DTYPES = ["bool", "uint8", "int32", "int64", "float32", "float64"]
SHAPES = arrays_of.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=4)


@st.composite
def one(draw: Any) -> Any:
    shape = draw(arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
    return draw(filled(shape))


def filled(shape: tuple[int, ...]) -> Any:
    def elements(dtype: str) -> Any:
        limits = {"min_value": -100, "max_value": 100}
        if dtype.startswith("float"):
            special = st.sampled_from([0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1.0])
            number = st.floats(width=32 if dtype == "float32" else 64, **limits)
            return arrays_of.arrays(dtype, shape, elements=st.one_of(number, special))
        if dtype == "uint8":
            limits = {"min_value": 0, "max_value": 255}
        return arrays_of.arrays(dtype, shape, elements=None if dtype == "bool" else st.integers(**limits))

    return st.sampled_from(DTYPES).flatmap(elements)


@st.composite
def two(draw: Any) -> Any:
    shapes = draw(SHAPES).input_shapes
    return draw(filled(shapes[0])), draw(filled(shapes[1]))


def judge(function: Any, *args: Any) -> None:
    """The staged function gives what NumPy gives, or is refused where NumPy refuses."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            want = function(*args)
        except (TypeError, ValueError, IndexError) as error:
            with pytest.raises((type(error), ag.AutographError)):
                ag.function(function)(*args)
            return
    if not is_staged(want):
        with pytest.raises(ag.StagingError, match=r"not staged|not supported"):
            ag.function(function)(*args)
        return
    got = ag.function(function)(*args)
    assert type(got) is type(want), (type(got), type(want))
    assert got.dtype == want.dtype and got.shape == want.shape, (got.dtype, want.dtype)
    tolerance = 3e-6 if want.dtype == np.float32 else 1e-13
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def is_staged(value: Any) -> bool:
    return value.dtype.name in DTYPES


UNARY = [
    np.negative, np.absolute, np.sign, np.sqrt, np.exp, np.log, np.tanh, np.sin, np.floor, np.ceil, np.rint,
    np.isnan, np.isfinite, np.logical_not, np.square, np.invert, np.log1p, np.expm1, np.arctan, np.cosh,
]  # fmt: skip
BINARY = [
    np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.remainder, np.maximum, np.minimum,
    np.equal, np.less, np.greater_equal, np.bitwise_and, np.bitwise_xor, np.logical_or, np.arctan2,
    np.hypot, np.fmod,
]  # fmt: skip
REDUCTIONS = [np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean, np.argmax, np.argmin]


@pytest.mark.parametrize("ufunc", UNARY, ids=lambda u: u.__name__)
@given(x=one())
@settings(max_examples=15, deadline=None, derandomize=True)
def test_unary(ufunc: Any, x: Any) -> None:
    judge(lambda v: ufunc(v), x)


@pytest.mark.parametrize("ufunc", BINARY, ids=lambda u: u.__name__)
@given(pair=two())
@settings(max_examples=25, deadline=None, derandomize=True)
def test_binary(ufunc: Any, pair: Any) -> None:
    judge(lambda v, w: ufunc(v, w), *pair)


@pytest.mark.parametrize("op", [operator.add, operator.mul, operator.sub, operator.lt, operator.floordiv])
@pytest.mark.parametrize("scalar", [2, 2.5, True])
@given(x=one())
@settings(max_examples=10, deadline=None, derandomize=True)
def test_weak_scalars(op: Any, scalar: Any, x: Any) -> None:
    judge(lambda v: op(v, scalar), x)
    judge(lambda v: op(scalar, v), x)


@pytest.mark.parametrize("function", REDUCTIONS, ids=lambda f: f.__name__)
@given(x=one(), data=st.data())
@settings(max_examples=25, deadline=None, derandomize=True)
def test_reductions(function: Any, x: Any, data: Any) -> None:
    axis = data.draw(st.one_of(st.none(), st.integers(-x.ndim, x.ndim - 1)) if x.ndim else st.none())
    judge(lambda v: function(v, axis=axis), x)


@given(x=one(), data=st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_basic_indexing(x: Any, data: Any) -> None:
    index = data.draw(arrays_of.basic_indices(x.shape, max_dims=4, allow_newaxis=True))
    judge(lambda v: np.asarray(v[index]), x)


@given(x=one(), data=st.data())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_basic_writes(x: Any, data: Any) -> None:
    index = data.draw(arrays_of.basic_indices(x.shape))

    def write(v: Any) -> Any:
        y = np.copy(v)
        y[index] = 1
        return y

    if x.ndim:
        judge(write, x)


@given(data=st.data())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_products(data: Any) -> None:
    rows, inner, columns = (data.draw(st.integers(0, 5)) for _ in range(3))
    left = data.draw(filled((rows, inner)))
    right = data.draw(filled((inner, columns)))
    if np.isfinite(left).all() and np.isfinite(right).all():
        judge(lambda v, w: v @ w, left, right)
