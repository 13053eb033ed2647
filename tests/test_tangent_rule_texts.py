"""Rules whose text or parameters are not those of what they are given for: refused, with their place."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from autograph import ConversionError, tangent
from autograph._src.tangent import registry
from autograph._src.tangent.registry import adjoint, d


@pytest.fixture(autouse=True)
def _forgets() -> Iterator[None]:
    """Rules that a test registers are gone after it."""
    before = [dict(table) for table in (registry.ADJOINTS._found, registry.TANGENTS._found)]
    yield
    registry.ADJOINTS._found, registry.TANGENTS._found = before


def function() -> Callable[[Any, Any], Any]:
    """A new function, of which no rule is known."""

    def scaled(a: Any, b: Any) -> Any:
        return a * b

    return scaled


def derivative_of_call(rule: Callable[..., None]) -> Callable[..., Any]:
    scaled = function()
    adjoint(scaled)(rule)

    def f(x):
        return scaled(x, 2.0)

    return tangent.grad(f)


def two_derivatives(z, a, b):
    d[a], d[b] = d[z], d[z]


def of_another_name(z, a, b):
    d[a] = d[w]  # noqa: F821


def no_parameter(z, a, b):
    d[w] = d[z]  # noqa: F821
    d[a] = d[z]


def the_whole(z, a, b):
    d[a] = d[z] * len(d)


def starred(z, a, b):
    *rest, last = a, b
    d[a] = d[z] * last * len(rest)


def an_item(z, a, b):
    a[0] = 1.0
    d[a] = d[z]


def several_targets(z, a, b):
    d[a] = d[b] = d[z]


def a_loop(z, a, b):
    for _ in range(2):
        d[a] = d[z]


def a_result(z, a, b):
    return d[z]


@pytest.mark.parametrize(
    ("rule", "words", "line"),
    [
        (two_derivatives, "assigns to this", 1),
        (of_another_name, "has `d[w]`, and no parameter `w`", 1),
        (no_parameter, "has `d[w]`, and no parameter `w`", 1),
        (the_whole, "reads `d` otherwise than as `d[x]` of a parameter", 1),
        (starred, "assigns to this", 1),
        (an_item, "assigns to this", 1),
        (several_targets, "assigns to several targets", 1),
        (a_loop, "has a statement that is no assignment and no `if`", 1),
        (a_result, "has a statement that is no assignment and no `if`", 1),
    ],
)
def test_texts_that_mean_something_else_are_refused_in_the_rule(
    rule: Callable[..., None], words: str, line: int
) -> None:
    with pytest.raises(ConversionError) as caught:
        derivative_of_call(rule)
    assert caught.value.code == "AG022"
    assert caught.value.message.endswith(words)
    location = caught.value.location
    assert location is not None
    assert location.file == __file__
    assert location.line == rule.__code__.co_firstlineno + line
    assert "d[x]" in str(caught.value.help)


def test_variables_and_tuples_of_a_rule_are_its_own() -> None:
    def with_variables(z, a, b):
        (twice, [once]) = (b + b, [b])
        if b > 1.0:
            d[a] = d[z] * (twice - once)
        else:
            d[a] = d[z] * once

    assert derivative_of_call(with_variables)(3.0) == 2.0


def one_operand(z, a):
    d[a] = d[z] * 2.0


def three_operands(z, a, b, c):
    d[a] = d[z] * b * c
    d[b] = d[z] * a * c


def all_operands(z, *a):
    d[a] = [d[z], d[z]]


def by_name_only(z, *, a, b):
    d[a] = d[z] * b
    d[b] = d[z] * a


def tangent_of_one(z, a):
    d[z] = d[a] * 2.0


def tangent_of_three(z, a, b, c):
    d[z] = d[a] * b * c


def tangent_of_all(z, *a):
    d[z] = d[a][0]


def tangent_by_name_only(z, *, a, b):
    d[z] = d[a] * b


RULES = [
    *((tangent.grad, adjoint, rule) for rule in (one_operand, three_operands, all_operands, by_name_only)),
    *(
        (tangent.jvp, registry.tangent_of, rule)
        for rule in (tangent_of_one, tangent_of_three, tangent_of_all, tangent_by_name_only)
    ),
]


def product() -> Callable[..., Any]:
    def f(x):
        return x * x

    return f


def augmented() -> Callable[..., Any]:
    def f(x):
        y = x + 1.0
        y *= x
        return y

    return f


def augmented_item() -> Callable[..., Any]:
    def f(x):
        ys = [x, 1.0]
        ys[0] *= x
        return ys[0]

    return f


@pytest.mark.parametrize("program", [product, augmented, augmented_item])
@pytest.mark.parametrize(("mode", "decorator", "rule"), RULES)
def test_rules_of_operators_have_a_parameter_for_each_operand(
    program: Callable[..., Any], mode: Callable[..., Any], decorator: Callable[..., Any], rule: Any
) -> None:
    """A rule of one parameter left the second operand out; that of `*=` ended in a panic."""
    decorator(operator.mul)(rule)
    with pytest.raises(ConversionError, match=r"`\*=?`") as caught:
        mode(program())
    assert caught.value.code == "AG022"
    assert caught.value.location is not None
    assert "one for each operand" in str(caught.value.help)


def test_the_remedy_of_a_rule_of_an_operator_works() -> None:
    def both(z, a, b):
        d[a] = d[z] * b
        d[b] = d[z] * a

    adjoint(operator.mul)(both)
    assert [tangent.grad(one())(3.0) for one in (product, augmented, augmented_item)] == [6.0, 7.0, 6.0]


def test_parameters_of_a_rule_that_a_call_does_not_give() -> None:
    def positional(z, a, b, /, c):
        d[a] = d[z] * b * c

    def named(z, a, b, *, c):
        d[a] = d[z] * b * c

    def with_default(z, a, b, *, c=3.0):
        d[a] = d[z] * b * c

    for rule in (positional, named):
        with pytest.raises(ConversionError, match="is called without `c`, which its rule has") as caught:
            derivative_of_call(rule)
        assert caught.value.code == "AG022"
    assert derivative_of_call(with_default)(1.0) == 6.0


def test_an_axis_of_the_program_is_an_operand() -> None:
    """Of NumPy's functions `axis` is a whole number; in a function of the program it may be anything."""

    def turned(x: float, axis: float) -> float:
        return x * axis

    @tangent.adjoint(turned)
    def rule(y, x, axis):
        d[x] = d[y] * axis

    def f(x: float, axis: float) -> float:
        return turned(x, axis)

    assert tangent.grad(f, 0)(2.0, 3.0) == 3.0
    with pytest.raises(ConversionError) as caught:
        tangent.grad(f, (0, 1))
    assert caught.value.code == "AG022"
    assert "has no derivative with respect to its argument `axis`" in caught.value.message
