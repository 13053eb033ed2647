"""Derivatives and `ag.vmap` of programs that read numbers of narrow dtypes."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from narrow_cases import NARROW, is_same

W = np.array([1.5, -2.0, 0.25])


def weighted(w: Any, x: Any) -> Any:
    total = 0.0
    for place in range(len(x)):
        total = total + w[place] * w[place] * x[place]
    return total


@pytest.mark.parametrize("dtype", NARROW)
def test_gradients_beside_them(dtype: str) -> None:
    """With respect to floats, beside data of a narrow dtype: in reverse, forward, and staged."""
    x = np.array([3, 0, 100], dtype)
    want = 2 * W * x.astype(float)
    assert np.array_equal(ag.grad(weighted)(W, x), want)
    assert np.array_equal(ag.function(lambda w, x: ag.grad(weighted)(w, x))(W, x), want)
    assert np.array_equal(ag.jvp(lambda w: weighted(w, x), (W,), (np.ones(3),))[1], want.sum())
    assert np.array_equal(ag.jacrev(lambda w: w * x)(W), np.diag(x.astype(float)))
    assert np.array_equal(ag.grad(lambda w: (w * ag.stop_gradient(x)).sum())(W), x.astype(float))


@pytest.mark.parametrize("dtype", [one for one in NARROW if one != "float16"])
def test_integers_have_no_slope(dtype: str) -> None:
    assert np.array_equal(ag.grad(lambda w: (w * np.abs(w).astype(dtype)).sum())(W), [1, 2, 0])
    with pytest.raises(ag.errors.DtypeError, match=f"with respect to floats, and `x` is an array of {dtype}"):
        ag.grad(lambda x: x.sum() * 1.0)(np.ones(2, dtype))


def test_a_conversion_to_float16_has_the_slope_of_one() -> None:
    """Rounding is no staircase for derivatives, as no conversion of floats is."""

    def program(w: Any) -> Any:
        return (w.astype(np.float16) * np.float16(3)).astype(float).sum()

    assert np.array_equal(ag.grad(program)(W), [3, 3, 3])
    assert np.array_equal(ag.jvp(program, (W,), (np.ones(3),))[1], 9)


def test_derivatives_of_float16_are_refused() -> None:
    h = np.ones(2, np.float16)
    for call in (lambda: ag.grad(lambda x: x.sum())(h), lambda: ag.jvp(lambda x: x, (h,), (h,))):
        with pytest.raises(
            ag.errors.DtypeError, match="float16, which is too narrow for derivatives"
        ) as found:
            call()
        assert found.value.code == "AG141" and found.value.location is not None
    with pytest.raises(ag.errors.DtypeError, match="returns a float16 scalar"):
        ag.grad(lambda w: w.astype(np.float16).sum())(W)


@pytest.mark.parametrize("dtype", NARROW)
def test_rows(dtype: str) -> None:
    def program(row: Any, scale: Any) -> Any:
        if row[0] > 1:
            row = row + row
        return row * scale, row.max()

    x = np.array([[1, 2], [100, 120]], dtype)
    k = np.array([3, 5], dtype)
    with np.errstate(all="ignore"):
        want = [
            np.stack(column)
            for column in zip(*(program(*pair) for pair in zip(x, k, strict=True)), strict=True)
        ]
    assert is_same(tuple(want), ag.vmap(program)(x, k))
