"""What happens in a rule of the user: prints and exceptions, where it runs and nowhere else; and its value.

Without a derivative the function runs, and no rule. In a derivative by its arguments the rule runs instead,
so the value of the call is the rule's, as in JAX. Each program prints or raises in one place only.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import autograph as ag
import jax
import numpy as np
import pytest

Act = Callable[[Any], object]


def prints(x: Any) -> object:
    print("at", x)
    return None


def raises(x: Any) -> object:
    if x > 1.0:
        raise KeyError("over", x)
    return None


def always_raises(x: Any) -> object:
    raise KeyError("always")


def asserts(x: Any) -> object:
    assert x < 1.0, "big"
    return None


def divides(x: Any) -> object:
    return 1 // int(x - 2.0)


def inverts(x: Any) -> object:
    return np.linalg.inv(np.ones((2, 2)) * x)


ACTS: dict[Act, type[Exception] | None] = {
    prints: None,
    raises: KeyError,
    always_raises: KeyError,
    asserts: AssertionError,
    divides: ZeroDivisionError,
    inverts: np.linalg.LinAlgError,
}


def with_vjp(act: Act, where: str, package: Any = ag) -> Any:
    @package.custom_vjp
    def f(x: Any) -> Any:
        if where == "function":
            act(x)
        return x * x

    def forward(x: Any) -> Any:
        if where == "forward":
            act(x)
        return x * x + 100.0, x

    def backward(x: Any, cotangent: Any) -> Any:
        if where == "backward":
            act(x)
        return (3.0 * x * cotangent,)

    f.defvjp(forward, backward)
    return f


def with_jvp(act: Act, where: str, package: Any = ag) -> Any:
    @package.custom_jvp
    def f(x: Any) -> Any:
        if where == "function":
            act(x)
        return x * x

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        if where == "rule":
            act(primals[0])
        return primals[0] * primals[0] + 100.0, 3.0 * primals[0] * tangents[0]

    return f


def value_of_value(package: Any) -> Any:
    """The value and the gradient of the value that is beside a gradient."""
    inner = package.value_and_grad
    return lambda f: inner(lambda x: inner(f)(x)[0])


def pulled_twice(package: Any) -> Any:
    def program(f: Any) -> Any:
        def run(x: Any) -> Any:
            value, pull = package.vjp(f, x)
            return value, pull(1.0), pull(2.0)

        return run

    return program


def value_of_linearize(package: Any) -> Any:
    return lambda f: lambda x: package.linearize(f, x)[0]


class Row(NamedTuple):
    """A transformation; what runs of a function with a rule for reverse mode, or for tangents."""

    name: str
    of: Callable[[Any], Any]
    by_vjp: str
    by_jvp: str
    is_outside: bool = True


ROWS = [
    Row("value", lambda package: lambda f: f, "function", "function"),
    Row("value_and_grad", lambda package: package.value_and_grad, "forward backward", "rule"),
    Row("grad of grad", lambda package: lambda f: package.grad(package.grad(f)), "forward backward", "rule"),
    Row("value of value", value_of_value, "forward backward", "rule"),
    Row("constant", lambda package: lambda f: package.grad(lambda x: x * f(2.0)), "function", "function"),
    Row("vjp twice", pulled_twice, "forward backward backward", "rule", is_outside=False),
    Row("linearize", value_of_linearize, "", "rule", is_outside=False),
    Row("jvp", lambda package: lambda f: lambda x: package.jvp(f, (x,), (1.0,)), "", "rule"),
]


def programs() -> list[Any]:
    found = []
    for row, act in itertools.product(ROWS, ACTS):
        for make, places, runs in (
            (with_vjp, ("function", "forward", "backward"), row.by_vjp),
            (with_jvp, ("function", "rule"), row.by_jvp),
        ):
            for where in places if runs else ():
                name = f"{row.name}-{act.__name__}-{where}-{make.__name__}"
                found.append(pytest.param(make, row, act, where, runs.split().count(where), id=name))
    return found


@pytest.mark.parametrize(("make", "row", "act", "where", "count"), programs())
def test_effects_happen_where_the_code_runs(
    make: Any, row: Row, act: Act, where: str, count: int, capsys: Any
) -> None:
    error = ACTS[act]
    wanted = row.of(jax)(make(act, "nowhere", jax))(2.0)
    program = row.of(ag)(make(act, where))
    for run in [ag.function(program), program] if row.is_outside else [ag.function(program)]:
        capsys.readouterr()
        if error is not None and count:
            with pytest.raises(error):
                run(2.0)
            continue
        found = run(2.0)
        assert capsys.readouterr().out == ("at 2.0\n" * count if error is None else "")
        leaves = zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True)
        assert all(np.allclose(one, other) for one, other in leaves), (found, wanted)


@pytest.mark.parametrize("act", [act for act in ACTS if ACTS[act] is not None], ids=lambda act: act.__name__)
def test_a_rule_fails_for_a_row(act: Act) -> None:
    rows = np.array([0.5, 2.0])
    for make, places in ((with_vjp, ("forward", "backward")), (with_jvp, ("rule",))):
        for where in places:
            found = ag.vmap(make(act, where))(rows)
            assert np.array_equal(found, rows * rows)  # No rule runs.
            with pytest.raises(ACTS[act]):  # type: ignore[arg-type]
                ag.vmap(ag.grad(make(act, where)))(rows)
        found = ag.vmap(ag.grad(make(act, "function")))(rows)
        assert np.array_equal(found, 3.0 * rows)


def loop(f: Any) -> Any:
    def run(x: Any, n: Any) -> Any:
        i = 0
        while i < n:
            x = 0.01 * f(x)
            i += 1
        return x

    return run


def recursion(f: Any) -> Any:
    def run(x: Any, n: Any) -> Any:
        return x if n == 0 else run(0.01 * f(x), n - 1)

    return run


@pytest.mark.parametrize(
    "around", [loop, recursion, lambda f: ag.checkpoint(loop(f))], ids=["loop", "recursion", "checkpoint"]
)
@pytest.mark.parametrize("make", [with_vjp, with_jvp])
def test_rules_print_in_the_order_of_the_pass(around: Any, make: Any, capsys: Any) -> None:
    """The forward rule in each iteration of the forward pass, the backward rule in those of the way back."""
    points, wanted = [2.0], 1.0
    for _ in range(3):
        wanted *= 0.03 * points[-1]
        points.append(0.01 * (points[-1] ** 2 + 100.0))

    def lines(values: Any) -> str:
        return "".join(f"at {value}\n" for value in values)

    forward = lines(points[:-1])
    expected = {"forward": forward, "rule": forward, "function": "", "backward": lines(points[-2::-1])}
    for where in ("function", "rule") if make is with_jvp else ("function", "forward", "backward"):
        run = ag.function(ag.value_and_grad(around(make(prints, where))), dynamic="n")
        capsys.readouterr()
        value, gradient = run(2.0, 3)
        assert capsys.readouterr().out == expected[where]
        assert np.allclose((value, gradient), (points[-1], wanted), rtol=1e-13)


def test_a_rule_that_calls_its_function_runs_its_checks() -> None:
    def check(x: Any) -> None:
        if x > 1.0:
            raise ValueError("over")

    @ag.custom_vjp
    def f(x: Any) -> Any:
        check(x)
        return x * x

    f.defvjp(lambda x: (f(x), x), lambda x, cotangent: (3.0 * f(x) * cotangent,))

    @ag.custom_jvp
    def g(x: Any) -> Any:
        check(x)
        return x * x

    g.defjvp(lambda primals, tangents: (g(*primals), 3.0 * g(*primals) * tangents[0]))
    for one in (f, g):
        assert one(0.5) == ag.function(lambda x, one=one: one(x))(0.5) == 0.25
        assert ag.grad(one)(0.5) == ag.function(lambda x, one=one: ag.grad(one)(x))(0.5) == 0.75
        assert ag.grad(ag.grad(one))(0.5) == 4.5 * 0.5
        for run in (one, ag.function(lambda x, one=one: one(x)), ag.grad(one), ag.grad(ag.grad(one))):
            with pytest.raises(ValueError, match="over"):
                run(2.0)


@pytest.mark.parametrize("by", ["vjp", "jvp"])
@pytest.mark.parametrize("where", ["function", "value", "derivative"])
@pytest.mark.parametrize("is_given", [False, True])
def test_a_closure_over_what_is_differentiated_is_refused_as_in_jax(
    by: str, where: str, is_given: bool
) -> None:
    """It is where the code with the closure runs; else nothing is lost."""

    def program(package: Any) -> Any:
        def g(w: Any) -> Any:
            def factor(place: str) -> Any:
                return w if place == where else 1.0

            if by == "vjp":
                f = package.custom_vjp(lambda x: x * factor("function"))
                f.defvjp(lambda x: (x * factor("value"), x), lambda _, ct: (ct * factor("derivative"),))
            else:
                f = package.custom_jvp(lambda x: x * factor("function"))
                f.defjvp(lambda x, dx: (x[0] * factor("value"), dx[0] * factor("derivative")))
            return f(w if is_given else 3.0) + w

        return g

    try:
        wanted = jax.value_and_grad(program(jax))(2.0)
    except TypeError:
        for run in (ag.value_and_grad(program(ag)), ag.function(lambda w: ag.grad(program(ag))(w))):
            with pytest.raises(TypeError, match="AG146") as caught:
                run(2.0)
            assert isinstance(caught.value, ag.StagingError) and caught.value.location is not None
        assert (where != "function") == is_given
    else:
        assert np.allclose(ag.value_and_grad(program(ag))(2.0), wanted)
        assert (where == "function") == is_given


def test_a_derivative_around_sees_what_a_rule_closes_over() -> None:
    def program(package: Any) -> Any:
        def outer(w: Any) -> Any:
            f = package.custom_vjp(lambda x: x * w)
            f.defvjp(lambda x: (x * w, x), lambda _, cotangent: (cotangent * w * w,))
            return package.value_and_grad(f)(3.0)

        return lambda w: sum(outer(w))

    assert np.allclose(ag.value_and_grad(program(ag))(2.0), jax.value_and_grad(program(jax))(2.0))


def test_python_is_called_by_rules_where_they_run() -> None:
    calls = []

    @ag.py_function
    def half_of(x: Any) -> float:
        calls.append(float(x))
        return float(x) / 2.0

    f = ag.custom_vjp(lambda x: half_of(x) ** 2)
    f.defvjp(lambda x: (half_of(x) ** 2, x), lambda x, cotangent: (half_of(x) * cotangent,))
    assert ag.value_and_grad(f)(3.0) == (2.25, 1.5)
    assert calls == [3.0, 3.0]
    with pytest.raises(ag.StagingError, match="AG143"):
        ag.grad(lambda x: ag.value_and_grad(f)(x)[0])(3.0)  # The value is what Python gives.
