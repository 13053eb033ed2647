"""Lists and dicts that have two names and grow, in loops too; and the remedy of what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph._src.tangent.guard_errors import GuardTypeError


def named_in_a_loop(x):
    ys = [x]
    for i in range(3):
        zs = ys
        ys.append(zs[i] * x)
    return ys[3] * zs[2]


def dict_named_in_a_loop(x):
    d = {"a": x}
    for _ in range(3):
        e = d
        d["b"] = e["a"] * x
    return d["b"] * e["a"]


def dict_named_in_a_long_loop(x):
    d = {"a": x, "b": x * x}
    total = 0.0
    for i in range(5):
        e = d
        total = total + e["b"] * i
        d["b"] = e["a"] * e["b"]
    return total * e["b"]


def read_by_another_name_first(x):
    ys = [x]
    p = [ys]
    s = p[0][0]
    ys.append(x * x)
    return s * p[0][1] + ys[1]


def grown_by_another_name(x):
    ys = [x]
    p = [ys]
    s = p[0][0]
    p[0].append(x * x)
    return s * p[0][1] + ys[1]


def read_by_its_own_name(x):
    """The remedy."""
    ys = [x]
    p = [ys]
    s = ys[0]
    ys.append(x * x)
    return s * p[0][1] + ys[1]


def difference(f: Callable[[float], Any], x: float) -> float:
    return float((f(x + 1e-6) - f(x - 1e-6)) / 2e-6)


@pytest.mark.parametrize(
    "f", [named_in_a_loop, dict_named_in_a_loop, dict_named_in_a_long_loop, read_by_its_own_name]
)
def test_derivatives(f: Callable[[Any], Any]) -> None:
    """What has no adjoint yet is 0.0, which lists and dicts were added to: a `TypeError` without a place."""
    for x in (2.0, 0.5):
        expected = difference(f, x)
        gradient = tangent.grad(f)
        np.testing.assert_allclose([gradient(x), gradient(x)], expected, rtol=1e-6)
        np.testing.assert_allclose(tangent.grad(f, optimized=False)(x), expected, rtol=1e-6)
        np.testing.assert_allclose(tangent.autodiff(f, motion="split")(x), expected, rtol=1e-6)
        np.testing.assert_allclose(tangent.jvp(f)(x, 1.0), expected, rtol=1e-6)
        second = difference(gradient, x)
        np.testing.assert_allclose(tangent.grad(tangent.jvp(f))(x, 1.0), second, rtol=1e-6)


@pytest.mark.parametrize("f", [read_by_another_name_first, grown_by_another_name])
def test_adjoints_of_two_lengths_are_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(GuardTypeError) as caught:
        tangent.grad(f)(2.0)
    assert caught.value.code == "AG021"
    assert caught.value.location is not None
    assert "read a list by its own name" in str(caught.value.help)
    # Which works: of the other program, and in each order.
    assert tangent.grad(read_by_its_own_name)(2.0) == 16.0
    assert tangent.grad(tangent.grad(read_by_its_own_name))(2.0) == 14.0


@pytest.mark.parametrize("x", [[1.0, 2.0], {"a": 1.0}])
def test_zeros_of_what_has_none_of_its_own(x: Any) -> None:
    from autograph._src.tangent import runtime

    assert runtime.add_grad(x, 0.0) == x
    assert runtime.add_grad(0.0, x) == x
    with pytest.raises((TypeError, AttributeError)):
        runtime.add_grad(x, 1.0)
