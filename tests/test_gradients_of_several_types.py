"""Derivatives of numbers that are of one type or of another: those of the float, or zero."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest


def rectified(x: Any) -> Any:
    return x * 1.0 if x > 0 else 0


def last_square_above(v: Any, limit: Any) -> Any:
    found = 0
    for e in v:
        if e > limit:
            found = e * e
    return found


V = np.arange(4.0)


def test_gradients_are_of_the_float_or_zero() -> None:
    assert [ag.grad(rectified)(x) for x in (2.0, -1.0)] == [1.0, 0.0]
    assert ag.grad(last_square_above)(V, 1.5).tolist() == [0.0, 0.0, 0.0, 6.0]
    assert ag.grad(last_square_above)(V, 9.0).tolist() == [0.0] * 4
    assert ag.hessian(last_square_above)(V, 1.5)[3, 3] == 2.0


@pytest.mark.parametrize("limit", [1.5, 9.0])
def test_values_beside_derivatives_have_their_own_type(limit: float) -> None:
    want = last_square_above(V, limit)
    for value in (
        ag.value_and_grad(last_square_above)(V, limit)[0],
        ag.vjp(lambda v: last_square_above(v, limit), V)[0],
        ag.jvp(lambda v: last_square_above(v, limit), (V,), (np.ones(4),))[0],
    ):
        assert type(value) is type(want) and value == want


def test_forward_and_reverse_agree() -> None:
    def f(v: Any) -> Any:
        return last_square_above(v, 0.5)

    _, tangent = ag.jvp(f, (V,), (np.array([0.0, 0.0, 0.0, 2.0]),))
    assert tangent == 12.0
    assert ag.vjp(f, V)[1](2.0)[0].tolist() == [0.0, 0.0, 0.0, 12.0]
    assert ag.jacrev(f)(V).tolist() == ag.jacfwd(f)(V).tolist() == [0.0, 0.0, 0.0, 6.0]


def test_rows_are_of_the_dtype_of_all() -> None:
    rows = ag.vmap(rectified)(np.array([1.0, -1.0]))
    assert rows.dtype == np.float64 and rows.tolist() == [1.0, 0.0]
    assert ag.vmap(ag.grad(rectified))(np.array([1.0, -1.0])).tolist() == [1.0, 0.0]


def test_functions_with_rules_and_annotations_take_them() -> None:
    @ag.custom_vjp
    def tripled(x: Any) -> Any:
        return x * 3.0

    tripled.defvjp(lambda x: (tripled(x), None), lambda _, cotangent: (cotangent * 30.0,))
    assert ag.grad(lambda x: tripled(x if x > 1 else np.float32(2.0)))(3.0) == 30.0
    assert ag.grad(lambda x: ag.stop_gradient(x if x > 1 else 0) * x)(3.0) == 3.0
    assert ag.grad(lambda x: ag.checkpoint(lambda q: q * q)(x if x > 1 else 0))(3.0) == 6.0
    assert ag.grad(lambda x: ag.grad(lambda q: q * q * q)(x if x > 1 else np.float32(2.0)))(3.0) == 18.0


def halves(x: Any) -> Any:
    found = []
    k = x
    while k > 0.1:
        found.append(k if k > 1.0 else 0)
        k = k / 2
    return found


@pytest.mark.parametrize("x", [2.0, 9.0])
def test_lists_of_numbers_have_a_tangent_for_each_element(x: float) -> None:
    value, tangent = ag.jvp(halves, (np.float64(x),), (np.float64(1.0),))
    want = halves(np.float64(x))
    assert value == want and [type(one) for one in value] == [type(one) for one in want]
    assert tangent == [one / x if type(one) is np.float64 else 0.0 for one in want]
