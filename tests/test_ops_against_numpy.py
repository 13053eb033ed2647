"""Each row of the table of ops is true: the op is the Python function that it names, for all dtypes it takes.

The graph of one op runs in the interpreter and in the engine, on arrays with zeros of both signs, infinities,
NaN and the ends of the ranges, on scalars and on empty arrays. `docs/ops.md` says how near floats are.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from autograph import _core
from numpy.typing import NDArray

TABLE = _core.op_table()


def function_of(means: str) -> Callable[..., Any]:
    module, name = means.rsplit(".", 1)
    function = getattr(importlib.import_module(module), name)
    if module == "numpy":
        return function  # type: ignore[no-any-return]
    return lambda x: np.vectorize(function, otypes=[float])(x.astype(float)).astype(x.dtype)


def values(dtype: str) -> NDArray[Any]:
    """Numbers of a dtype: those where something is special, and some that are not."""
    random = np.random.default_rng(7)
    if dtype == "bool":
        return np.array([False, True])
    if dtype.startswith("float"):
        limits = np.finfo(dtype)
        special = [0.0, 0.5, 1.0, 2.0, 3.0, 20.0, np.inf, limits.max, limits.tiny, limits.smallest_subnormal]
        numbers = np.array([*special, *np.negative(special), np.nan, 1 - limits.epsneg, 1 + limits.eps])
        return np.concatenate([numbers, random.normal(size=20), random.normal(size=10) * 30]).astype(dtype)
    ends = np.iinfo(dtype)
    return np.concatenate(
        [
            np.array([ends.min, ends.min + 1, ends.max, ends.max - 1, 0, 1, 2, 7, 63, 64], dtype),
            *([np.array([-1, -2, -7], dtype)] if ends.min < 0 else []),
            random.integers(max(ends.min, -100), 100, size=8).astype(dtype),
        ]
    )


def runs(build: Callable[..., int], *inputs: NDArray[Any]) -> list[NDArray[Any]]:
    """What the graph gives in the interpreter, and what in the engine."""
    builder = _core.GraphBuilder("f")
    params = [builder.param(str(one.dtype), one.shape) for one in inputs]
    graph = builder.finish([build(builder, *params)], [])
    # The memory of a scalar is that of an array of one.
    given = [one if one.shape else one.reshape(1) for one in inputs]
    interpreted = graph.interpret(given, pytest.fail)[0]
    room = np.empty(interpreted.shape or (1,), interpreted.dtype)
    graph.compile().run(given, [room], pytest.fail)
    return [interpreted, room.reshape(interpreted.shape)]


def require_near(got: NDArray[Any], want: Any, ulps: float, signs: bool = True) -> None:
    """The same dtype and shape, NaN where NaN is wanted, and numbers that are at most so far away."""
    want = np.asarray(want)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want)
        return
    with np.errstate(all="ignore"):
        is_same = (got == want) | (np.isnan(got) & np.isnan(want))
        room = ulps * np.maximum(np.spacing(np.abs(got)), np.spacing(np.abs(want)))
        is_near = np.isfinite(got) & np.isfinite(want) & (np.abs(got - want) <= room)
        is_lost = signs & (want == 0) & (np.signbit(got) != np.signbit(want))
    wrong = ~(is_same | is_near) | is_lost
    assert not wrong.any(), (got[wrong], want[wrong])


def rows(*families: str) -> list[Any]:
    return [
        pytest.param(*row[1:], dtype, id=f"{row[1]}-{dtype}")
        for row in TABLE
        if row[0] in families and not row[2].startswith("scipy.")  # See tests/test_special_functions.py.
        for dtype in row[3]
    ]


ROW = "name, means, dtypes, gives, ulps, dtype"


@pytest.mark.parametrize(ROW, rows("unary"))
def test_of_one_operand(name: str, means: str, dtypes: Any, gives: Any, ulps: int, dtype: str) -> None:
    function, numbers = function_of(means), values(dtype)
    for x in (numbers, numbers[:0], numbers[:6].reshape(2, -1), numbers[1].reshape(())):
        with np.errstate(all="ignore"):
            want = np.asarray(function(x))
        assert str(want.dtype) == (gives or dtype)
        for got in runs(lambda b, p: b.unary(name, p), x):
            require_near(got, want, ulps)


@pytest.mark.parametrize(ROW, rows("binary", "compare"))
def test_of_two_operands(name: str, means: str, dtypes: Any, gives: Any, ulps: int, dtype: str) -> None:
    function, numbers = function_of(means), values(dtype)
    x, y = (np.ascontiguousarray(one) for one in np.meshgrid(numbers, numbers))
    if name == "power" and dtype.startswith(("int", "uint")):
        x, y = (one[y >= 0] for one in (x, y))
    # Which of two zeros NumPy takes for the larger depends on the processor.
    signs = name not in ("maximum", "minimum")
    flat, scalar = x.ravel(), y.ravel()[-1].reshape(())
    pairs: list[Any] = [
        (x, y),
        (x[:0], y[:0]),
        (flat[:3].reshape(3, 1), y.ravel()),
        (x, scalar),
        (scalar, scalar),
    ]
    if not means.endswith(f".{name}"):
        # An op that is called otherwise than NumPy's function is of one number on the right.
        pairs = [(numbers, number.reshape(())) for number in numbers]
    for left, right in pairs:
        with np.errstate(all="ignore"):
            want = np.asarray(function(left, right))
        assert str(want.dtype) == (gives or dtype)
        for got in runs(lambda b, p, q: b.binary(name, p, q), left, right):
            require_near(got, want, ulps, signs)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_have_no_negative_powers(dtype: str) -> None:
    x = np.array([2, 3], dtype)
    builder = _core.GraphBuilder("f")
    params = [builder.param(dtype, x.shape) for _ in range(2)]
    graph = builder.finish([builder.binary("power", *params)], [])
    with pytest.raises(_core.GraphFailure):
        graph.interpret([x, -x], pytest.fail)
    with pytest.raises(_core.GraphFailure):
        graph.compile().run([x, -x], [np.empty_like(x)], pytest.fail)


@pytest.mark.parametrize(ROW, rows("reduce"))
def test_reductions(name: str, means: str, dtypes: Any, gives: Any, ulps: int, dtype: str) -> None:
    function = function_of(means)
    options = {"dtype": np.dtype(dtype)} if name in ("sum", "prod") else {}
    numbers = values(dtype)
    tame = (
        numbers[np.isfinite(numbers) & (np.abs(numbers) < 1e3) & (numbers != 0)]
        if dtype != "bool"
        else numbers
    )
    for x, axes in itertools.product(
        (numbers, tame, tame[: tame.size // 2 * 2].reshape(2, -1), tame[:0], tame[:0].reshape(0, 3)),
        ((0,), (0, 1), (1,)),
    ):
        if max(axes) >= x.ndim:
            continue
        for keepdims in (False, True):
            try:
                with np.errstate(all="ignore"):
                    want = np.asarray(function(x, axis=axes, keepdims=keepdims, **options))
            except ValueError:
                continue  # Of nothing: the graph is not made.
            for got in runs(lambda b, p, a=axes, k=keepdims: b.reduce(name, p, list(a), k), x):  # type: ignore[misc]
                if name in ("sum", "prod") and x is not numbers and dtype.startswith("float"):
                    # In whatever order: what all steps round, of the largest number on the way.
                    size = np.abs(x).sum() if name == "sum" else 0.0
                    room = size * np.finfo(dtype).eps + np.abs(want) * np.finfo(dtype).eps * x.size
                    assert np.all(np.abs(got - want) <= room)
                    assert (got.dtype, got.shape) == (want.dtype, want.shape)
                else:
                    require_near(got, want, ulps, signs=name not in ("max", "min"))
