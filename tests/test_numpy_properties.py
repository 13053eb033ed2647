"""NumPy's functions over staged values equal NumPy's: value, dtype, shape, NaN and zero sizes."""

from __future__ import annotations

import operator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from numpy_cases import alike, filled, judge, one, two


def _names(text: str) -> list[Any]:
    return [getattr(np, name) for name in text.split()]


UNARY = _names("""
    negative absolute sign invert sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan
    sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint isnan isinf isfinite positive square
    reciprocal logical_not fabs degrees rad2deg radians deg2rad cbrt conjugate modf signbit frexp spacing
""") + [one for one in (getattr(np, "bitwise_count", None),) if one is not None]
BINARY = _names("""
    add subtract multiply divide floor_divide remainder fmod power maximum minimum arctan2 hypot
    bitwise_and bitwise_or bitwise_xor left_shift right_shift equal not_equal less less_equal greater
    greater_equal logical_and logical_or logical_xor logaddexp logaddexp2 fmax fmin divmod copysign
    heaviside float_power gcd lcm nextafter ldexp
""")
PRODUCTS = [getattr(np, name) for name in ("matmul", "vecdot", "matvec", "vecmat") if hasattr(np, name)]
PARTIAL = [np.reciprocal, np.signbit, np.copysign, np.bitwise_count]
"""Refused for integers, for small integers, or for NaN, whose sign graphs have not."""
UFUNCS = [*UNARY, *BINARY, *PRODUCTS]
REDUCTIONS = [np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean, np.argmax, np.argmin]


@pytest.mark.parametrize("ufunc", UNARY, ids=lambda u: u.__name__)
@given(x=one())
@settings(max_examples=15, deadline=None, derandomize=True)
def test_unary(ufunc: Any, x: Any) -> None:
    judge(lambda v: ufunc(v), x, may_refuse=ufunc in PARTIAL)


@pytest.mark.parametrize("ufunc", BINARY, ids=lambda u: u.__name__)
@given(pair=two())
@settings(max_examples=25, deadline=None, derandomize=True)
def test_binary(ufunc: Any, pair: Any) -> None:
    judge(lambda v, w: ufunc(v, w), *pair, may_refuse=ufunc in PARTIAL)


@pytest.mark.parametrize("ufunc", [np.signbit, np.reciprocal, np.bitwise_count], ids=lambda u: u.__name__)
@given(x=one(dtypes=["int64", "float64"], is_tame=True))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_partial_ufuncs(ufunc: Any, x: Any) -> None:
    """What is refused for some dtypes and for NaN is right for the others."""
    refused = (ufunc is np.reciprocal and x.dtype.kind == "i") or (
        ufunc is np.bitwise_count and x.dtype.kind == "f"
    )
    if not refused:
        judge(lambda v: ufunc(v), x)


@given(pair=alike(dtypes=["float64"], is_tame=True))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_copysign(pair: Any) -> None:
    judge(lambda v, w: 1 / np.copysign(v, -0.0 * w), *pair)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_parts_of_numbers_to_the_bit(dtype: str) -> None:
    """Also at the ends of the range, where the tolerance of the other tests says nothing."""
    limits = np.finfo(dtype)
    ends = np.array(
        [
            *(0.0, 0.5, 1, 2, 12, limits.max, limits.tiny, limits.tiny * 2, limits.tiny * 0.75),
            *(limits.smallest_subnormal, 1 - limits.epsneg, 1 + limits.eps, np.inf, np.nan),
        ]
    )
    random = np.random.default_rng(3)
    others = 2.0 ** random.uniform(limits.minexp - 20, limits.maxexp - 1, 400)
    powers = 2.0 ** np.arange(limits.minexp + 1, limits.maxexp, 5)
    sizes = np.concatenate([ends, others, powers])
    x = np.concatenate([sizes, -sizes]).astype(dtype)
    exponents = random.integers(-2200, 2200, x.size).astype(np.int32)
    programs: list[tuple[Any, tuple[Any, ...]]] = [
        (lambda v: np.frexp(v), (x,)),
        (lambda v: np.spacing(v), (x,)),
        (lambda v, w: np.nextafter(v, w), (x, random.permutation(x))),
        (lambda v: np.nextafter(v, 0), (x,)),
        (lambda v, n: np.ldexp(v, n), (x, exponents)),
        (lambda v, n: np.ldexp(v, n), (x, exponents // 100)),
    ]
    for program, arguments in programs:
        with np.errstate(all="ignore"):
            want = program(*arguments)
        got = ag.function(program)(*arguments)
        pairs = zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]
        for mine, other in pairs:
            np.testing.assert_array_equal(mine, other, strict=True)
            signs = [np.signbit(each[~np.isnan(each)]) for each in (mine, other)]
            np.testing.assert_array_equal(*signs)


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


@pytest.mark.parametrize("ufunc", PRODUCTS, ids=lambda u: u.__name__)
@given(stack=alike(low=2, side=1, is_tame=True), rank=st.integers(0, 1))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_products_of_stacks(ufunc: Any, stack: Any, rank: int) -> None:
    left, right = stack
    if ufunc.__name__ in ("matmul", "matvec"):
        left = np.swapaxes(left, -1, -2)[..., : right.shape[-2]]
    judge(lambda v, w: ufunc(v, w), left, right[(0,) * rank])
