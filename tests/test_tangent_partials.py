"""`functools.partial` keeps the function and the arguments that it was made of, whatever is bound later."""

from __future__ import annotations

from functools import partial, reduce
from typing import Any

import numpy as np
import pytest
from autograph import ConversionError, tangent
from tangent_checks import is_located


def double(v: Any, by: Any = 2.0) -> Any:
    return v * by


def triple(v: Any) -> Any:
    return v * 3.0


def argument_bound_anew(x: Any) -> Any:
    g = partial(double, x)
    x = x * x
    return g() * x


def option_bound_anew(x: Any) -> Any:
    k = x * 3.0
    g = partial(double, by=k)
    k = 0.0
    return g(x) + k


def option_given_by_the_call(x: Any) -> Any:
    g = partial(double, by=x)
    return g(x) + g(x, by=x * x)


def local_function(x: Any) -> Any:
    def f(v: Any) -> Any:
        return v * x

    g = partial(f, x)
    return g()


def in_a_loop(x: Any) -> Any:
    g = partial(double, by=x)
    total = 0.0
    for _ in range(3):
        total = g(total + x)
    return total


def reduced(x: Any) -> Any:
    g = partial(double, by=x)
    return reduce(lambda one, other: g(one) + other, [x, x * x, 2.0])


def function_bound_anew(x: Any) -> Any:
    f = double
    g = partial(f, x)
    f = triple
    return g() + f(x)


def function_bound_in_a_loop(x: Any) -> Any:
    f = double
    g = partial(f)
    for _ in range(2):
        x = g(x)
        f = triple
    return x + f(x)


def parameter_bound_anew(x: Any, f: Any = double) -> Any:
    g = partial(f, x)
    f = triple
    return g() + f(x)


def function_of_an_object(x: Any) -> Any:
    class Holder:
        f = double

    g = partial(Holder.f, x)
    Holder.f = triple
    return g()


TAKEN = (
    argument_bound_anew,
    option_bound_anew,
    option_given_by_the_call,
    local_function,
    in_a_loop,
    reduced,
)
REFUSED = (
    function_bound_anew,
    function_bound_in_a_loop,
    parameter_bound_anew,
    function_of_an_object,
)


@pytest.mark.parametrize("program", TAKEN)
def test_gradients(program: Any) -> None:
    value, slope = tangent.value_and_grad(program)(1.5)
    step = 1e-6
    assert value == program(1.5)
    assert np.isclose(slope, (program(1.5 + step) - program(1.5 - step)) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize("program", REFUSED)
def test_refusals(program: Any) -> None:
    with pytest.raises(ConversionError) as caught:
        tangent.grad(program)(1.5)
    assert is_located(caught.value)
