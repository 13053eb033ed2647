"""A derivative that is asked for again: the same object, as long as the function is what it was."""

from __future__ import annotations

from typing import Any

import pytest
from autograph import tangent


def scaled(x: float, s: float = 2.0, *, k: float = 1.0) -> float:
    return x * x * s * k


def cubed(x: float, s: float = 2.0, *, k: float = 1.0) -> float:
    return x * x * x * s * k


class Holder:
    def __init__(self, w: float) -> None:
        self.w = w

    def applied(self, x: float) -> float:
        return self.w * x * x


class Other(Holder):
    pass


def copy_of(function: Any) -> Any:
    """Another function with the same code and defaults."""
    made = type(function)(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def test_the_same_object() -> None:
    first = tangent.grad(scaled)
    assert tangent.grad(scaled) is first
    assert tangent.grad(scaled, wrt="x") is first
    assert tangent.grad(scaled, wrt=(0, "x")) is first
    assert tangent.grad(scaled, wrt="s") is not first
    assert tangent.vjp(scaled) is not first
    assert tangent.value_and_grad(scaled) is not first


@pytest.mark.parametrize("wrt", [False, 0.0, [0], ([0],), (False,), True, 3])
def test_what_equals_a_position_is_none(wrt: Any) -> None:
    tangent.grad(scaled)
    tangent.grad(scaled, wrt=(0,))
    with pytest.raises(ValueError, match="has no parameter"):
        tangent.grad(scaled, wrt=wrt)


def test_methods_of_two_classes() -> None:
    one, other = Holder(2.0), Other(3.0)
    for _ in range(2):
        assert tangent.grad(one.applied)(1.0) == 4.0
        assert tangent.grad(other.applied)(1.0) == 6.0
    assert tangent.grad(one.applied).__self__ is one  # type: ignore[attr-defined]


def test_a_function_that_has_got_another_code() -> None:
    function = copy_of(scaled)
    before = tangent.grad(function)
    assert before(3.0) == 12.0
    function.__code__ = cubed.__code__
    assert tangent.grad(function)(3.0) == 54.0
    assert tangent.jvp(function)(3.0, dx=1.0) == 54.0
    assert tangent.hvp(function)(3.0, dx=1.0) == 36.0


def test_a_function_that_has_got_other_defaults() -> None:
    function = copy_of(scaled)
    assert tangent.grad(function)(3.0) == 12.0
    function.__defaults__ = (5.0,)
    assert tangent.grad(function)(3.0) == 30.0
    function.__kwdefaults__ = {"k": 2.0}
    assert tangent.grad(function)(3.0) == 60.0
