"""``ag.grad`` and its relatives: what they take and give, nested, in staged functions, with custom rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest


def smooth(x: Any) -> Any:
    return np.sum(np.sin(x) * x)


def halved(x: Any) -> Any:
    while x > 1.0:
        x = x / 2
    return x * x


X = np.array([0.3, 1.0, 2.0])


def close(got: Any, want: Any, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


# Arguments and results


class Pair(NamedTuple):
    left: Any
    right: Any


@dataclass
class Layer:
    w: Any
    b: Any = None


def test_the_gradient_is_like_the_argument() -> None:
    assert type(ag.grad(halved)(10.0)) is float
    assert type(ag.grad(halved)(np.float64(10.0))) is np.float64
    assert type(ag.grad(halved)(np.float32(10.0))) is np.float32
    assert ag.grad(smooth)(X).dtype == np.float64
    assert ag.grad(smooth)(X.astype(np.float32)).dtype == np.float32
    assert ag.grad(smooth)(np.zeros((2, 0))).shape == (2, 0)


def test_trees() -> None:
    def loss(tree: Any) -> Any:
        return np.sum(tree["pair"].left * tree["layers"][0].w) + tree["pair"].right ** 2

    tree = {"pair": Pair(X, 3.0), "layers": [Layer(2 * X)]}
    found = ag.grad(loss)(tree)
    assert list(found) == ["pair", "layers"] and type(found["pair"]) is Pair
    assert type(found["layers"][0]) is Layer and found["layers"][0].b is None
    close(found["pair"].left, 2 * X)
    assert found["pair"].right == 6.0
    close(found["layers"][0].w, X)


def test_argnums() -> None:
    def f(x: Any, y: Any, n: Any) -> Any:
        return x * y**n

    assert ag.grad(f, 1)(2.0, 3.0, 2) == 12.0
    assert ag.grad(f, (1, 0))(2.0, 3.0, 2) == (12.0, 9.0)
    assert ag.grad(f, -3)(2.0, 3.0, 2) == 9.0
    assert ag.grad(f, [0])(2.0, 3.0, n=2) == (9.0,)
    assert ag.grad(f, np.int64(1))(2.0, 3.0, 2) == 12.0
    assert ag.jacrev(f, np.int32(1))(2.0, 3.0, 2) == ag.jacfwd(f, np.int32(1))(2.0, 3.0, 2) == 12.0
    assert ag.grad(f, (np.int64(1), 0))(2.0, 3.0, 2) == (12.0, 9.0)


def test_has_aux() -> None:
    def f(x: Any) -> Any:
        return x * x, {"double": 2 * x, "name": "f"}

    assert ag.grad(f, has_aux=True)(3.0) == (6.0, {"double": 6.0, "name": "f"})
    assert ag.value_and_grad(f, has_aux=True)(3.0) == ((9.0, {"double": 6.0, "name": "f"}), 6.0)
    value, pull, aux = ag.vjp(f, 3.0, has_aux=True)
    assert (value, pull(1.0), aux["double"]) == (9.0, (6.0,), 6.0)
    assert ag.jvp(f, (3.0,), (1.0,), has_aux=True) == (9.0, 6.0, {"double": 6.0, "name": "f"})
    value, push, aux = ag.linearize(f, 3.0, has_aux=True)
    assert (value, push(2.0), aux["name"]) == (9.0, 12.0, "f")


def test_what_does_not_depend_on_the_argument_has_a_gradient_of_zero() -> None:
    assert ag.grad(lambda x: 3.0)(2.0) == 0.0
    close(ag.grad(lambda x: np.sum(np.floor(x)) * 1.0)(X), np.zeros(3))
    close(ag.grad(lambda x, y: np.sum(y), argnums=0)(X, X), np.zeros(3))


def test_the_arguments_stay_as_they_are() -> None:
    def f(x: Any, scale: Any) -> Any:
        x[0] = 5.0
        x *= scale
        scale += 1.0
        return np.sum(x * x * scale)

    x, scale = X.copy(), np.ones(3)
    value, gradient = ag.value_and_grad(f)(x, scale)
    close(gradient, [0.0, 4.0, 8.0])
    close(value, 2 * (25.0 + 1.0 + 4.0))
    close(x, X)
    close(scale, np.ones(3))
    seed = np.array([1.0, 2.0, 3.0])
    _, pull = ag.vjp(lambda x: x * x, x)
    x[0] = 100.0
    close(pull(seed)[0], 2 * X * seed)
    close(seed, [1.0, 2.0, 3.0])


def test_an_array_passed_twice_is_one_array_in_the_function() -> None:
    def f(w: Any, x: Any, y: Any) -> Any:
        x[0] = 10.0
        return np.sum(w * y)

    close(ag.grad(f)(X, *([X.copy()] * 2)), [10.0, 1.0, 2.0])


# Control flow


def test_loops_of_unknown_length() -> None:
    assert ag.grad(halved)(10.0) == 2 * 10.0 / 16**2
    assert ag.grad(ag.grad(halved))(10.0) == 2 / 16**2
    assert ag.grad(ag.grad(ag.grad(halved)))(10.0) == 0.0


def test_derivatives_of_all_orders_through_a_loop() -> None:
    def power(x: Any, n: Any) -> Any:
        y = x
        for _ in range(n):
            y = y * x
        return y

    derivative = power
    for order, want in enumerate((32.0, 80.0, 160.0, 240.0, 240.0, 120.0, 0.0)):
        assert derivative(2.0, np.int64(4)) == want, order
        derivative = ag.grad(derivative)


def test_lists_and_writes_in_place() -> None:
    def f(x: Any) -> Any:
        kept = []
        v = x[0]
        while v < 50.0:
            v = v * v + 1.5
            kept.append(v * x[1])
        table = np.zeros(4)
        alias = table
        for i in range(len(x)):
            table[i] = kept[i] * x[i]
        alias[1:3] *= 2.0
        return np.sum(table) + kept.pop()

    ag.check_grads(f, (np.array([0.7, 1.1, 2.0]),), order=2)


def test_recursion_with_values_around_it() -> None:
    def f(w: Any, x: Any) -> Any:
        def g(v: Any) -> Any:
            if v > 100.0:
                return v
            return g(v * v + w[0]) * w[1]

        return g(x)

    ag.check_grads(f, (np.array([0.5, 0.9]), 1.7), order=2)


@dataclass
class Tree:
    value: Any
    left: Tree | None = None
    right: Tree | None = None


def test_trees_of_objects_by_recursion() -> None:
    def total(w: Any, tree: Any) -> Any:
        if tree is None:
            return 0.0
        return np.sin(w * tree.value + total(w, tree.left) * total(w, tree.right))

    tree = Tree(1.0, Tree(2.0, None, Tree(0.5)), Tree(3.0))
    width = 1e-6
    want = (total(0.7 + width, tree) - total(0.7 - width, tree)) / (2 * width)
    close(ag.grad(total)(0.7, tree), want, 1e-8)
    gradient = ag.grad(total, argnums=1)(0.7, tree)
    assert type(gradient) is Tree and gradient.left.left is None
    moved = Tree(1.0, Tree(2.0, None, Tree(0.5)), Tree(3.0 + width))
    back = Tree(1.0, Tree(2.0, None, Tree(0.5)), Tree(3.0 - width))
    close(gradient.right.value, (total(0.7, moved) - total(0.7, back)) / (2 * width), 1e-8)


def test_variables() -> None:
    counter, weight = ag.Variable(0), ag.Variable(3.0)

    def f(x: Any) -> Any:
        counter.assign_add(1)
        weight.assign(x * x)
        return weight * x

    assert ag.grad(f)(2.0) == 12.0
    assert (counter.value, weight.value) == (1, 4.0)

    def g(w: Any, x: Any) -> Any:
        return w * w * x

    assert ag.grad(g)(weight, 2.0) == 16.0
    assert weight.value == 4.0


def test_prints_and_checks_happen_once(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        while x < 10.0:
            print("x", x)
            assert x > 0
            x = x * x
        return x

    assert ag.grad(f)(3.0) == 4 * 27.0
    assert capsys.readouterr().out.split() == ["x", "3.0", "x", "9.0"]
    with pytest.raises(AssertionError):
        ag.grad(f)(-3.0)


def test_random_draws_are_those_of_the_value() -> None:
    def f(x: Any, draws: Any) -> Any:
        total = 0.0
        for _ in range(5):
            total += draws.normal() * x
        return total

    value, gradient = ag.value_and_grad(f)(2.0, np.random.default_rng(0))
    close(value, 2.0 * gradient)


# In staged functions, and of each other


def test_inside_a_staged_function() -> None:
    @ag.function
    def descend(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = x - 0.1 * ag.grad(smooth)(x)
        return x

    x = X
    for _ in range(7):
        x = x - 0.1 * (np.cos(x) * x + np.sin(x))
    close(descend(X, np.int64(7)), x)


def test_of_a_staged_function() -> None:
    close(ag.grad(ag.function(smooth))(X), np.cos(X) * X + np.sin(X))
    assert ag.grad(ag.function(halved))(10.0) == ag.grad(halved)(10.0)


def test_values_around_a_function_are_constants() -> None:
    """The perturbation confusion of Siskind and Pearlmutter (2005)."""

    def f(x: Any) -> Any:
        return x * ag.grad(lambda y: x + y)(1.0)

    assert ag.grad(f)(1.0) == 1.0
    assert ag.jvp(lambda x: x * ag.jvp(lambda y: x * y, (2.0,), (1.0,))[1], (3.0,), (1.0,))[1] == 6.0
    assert ag.grad(lambda x: ag.grad(lambda y: x * y * y)(x))(3.0) == 12.0


def test_forward_and_reverse_over_each_other() -> None:
    def f(x: Any) -> Any:
        y = x
        while np.sum(y) < 30.0:
            y = y * y + x
        return np.sum(y * np.sin(x))

    def forward(g: Any) -> Any:
        return lambda x: ag.jvp(g, (x,), (np.array([1.0, -2.0, 0.5]),))[1]

    direction = np.array([1.0, -2.0, 0.5])
    twice = forward(forward(f))(X)
    close(direction @ forward(ag.grad(f))(X), twice)
    close(direction @ ag.grad(forward(f))(X), twice)
    close(direction @ ag.grad(lambda x: np.sum(ag.grad(f)(x) * direction))(X), twice)
    close(direction @ ag.hvp(f, (X,), (direction,)), twice)
    close(direction @ ag.hessian(f)(X) @ direction, twice)


def test_a_pullback_may_be_called_again_and_in_a_loop() -> None:
    def rows(x: Any) -> Any:
        y = x
        while y[0] < 5.0:
            y = y * y + 1.0
        return y

    @ag.function
    def f(x: Any, n: Any) -> Any:
        _, pull = ag.vjp(rows, x)
        once = pull(np.ones(3))[0]
        twice = pull(2 * np.ones(3))[0]
        total = np.zeros(3)
        for i in range(n):
            total += pull(np.ones(3) * i)[0]
        return once, twice, total

    once, twice, total = f(X, np.int64(4))
    close(twice, 2 * once)
    close(total, 6 * once)
    _, pull = ag.vjp(rows, X)
    close(pull(np.ones(3))[0], once)
    close(pull(np.ones(3) * 3)[0], 3 * once)


def test_linearize_in_a_staged_function() -> None:
    @ag.function
    def f(x: Any) -> Any:
        value, push = ag.linearize(smooth, x)
        return value, push(np.ones(3)), push(2 * np.ones(3))

    value, one, two = f(X)
    close(value, smooth(X))
    close(one, np.sum(np.cos(X) * X + np.sin(X)))
    close(two, 2 * one)


def test_jacobians_of_trees() -> None:
    def f(x: Any, y: Any) -> Any:
        return {"product": x * y, "sum": np.sum(x) + y}

    for transformation in (ag.jacrev, ag.jacfwd):
        found = transformation(f, argnums=(0, 1))(X, 2.0)
        by_x, by_y = (found["product"], found["sum"]) if transformation is ag.jacrev else (None, None)
        if transformation is ag.jacrev:
            close(by_x[0], 2.0 * np.eye(3))
            close(by_x[1], X)
            close(by_y[0], np.ones(3))
            close(by_y[1], 1.0)
    matrix = np.arange(6.0).reshape(2, 3)
    close(ag.jacrev(lambda a: a @ X)(matrix), ag.jacfwd(lambda a: a @ X)(matrix))
    close(ag.hessian(lambda x: np.sum(x**3))(X), np.diag(6 * X))
    assert ag.jacfwd(lambda x: x * x)(3.0) == 6.0


def test_the_jacobians_of_several_arguments_are_alike() -> None:
    def f(x: Any, y: Any) -> Any:
        return {"product": x * y, "sum": np.sum(x) + y}

    rows, columns = ag.jacrev(f, argnums=(0, 1))(X, 2.0), ag.jacfwd(f, argnums=(0, 1))(X, 2.0)
    for name in ("product", "sum"):
        for place in (0, 1):
            close(rows[name][place], columns[name][place])


# Rows


def test_vmap_axes() -> None:
    matrix = np.arange(6.0).reshape(2, 3)
    close(ag.vmap(np.sum)(matrix), [3.0, 12.0])
    close(ag.vmap(np.sum, in_axes=1)(matrix), [3.0, 5.0, 7.0])
    close(ag.vmap(np.sum, in_axes=np.int64(1))(matrix), [3.0, 5.0, 7.0])
    close(ag.vmap(lambda x, y: x * y, in_axes=(0, None))(matrix, X), matrix * X)
    close(ag.vmap(lambda x: x * 2, out_axes=1)(matrix), 2 * matrix.T)
    found = ag.vmap(lambda d, s: {"a": d["x"] * s, "b": s}, in_axes=({"x": 1}, None))({"x": matrix}, 2.0)
    close(found["a"], 2 * matrix.T)
    close(found["b"], [2.0] * 3)
    close(ag.vmap(ag.vmap(lambda x, y: x * y, (None, 0)), (0, None))(X, X), np.outer(X, X))


def test_vmap_of_none_is_over_no_rows() -> None:
    """``None`` is a tree without leaves, as for JAX."""

    def shifted(x: Any, bias: Any) -> Any:
        return x * 2 if bias is None else x + bias

    close(ag.vmap(shifted)(X, None), 2 * X)
    close(ag.vmap(shifted)(X, X), 2 * X)
    close(ag.vmap(lambda p: shifted(p["w"], p["b"]))({"w": X, "b": None}), 2 * X)
    close(ag.grad(lambda x: np.sum(ag.vmap(shifted)(x, None)))(X), np.full_like(X, 2.0))
    with pytest.raises(ag.StagingError, match="AG144"):
        ag.vmap(lambda x: 1.0)(None)


def test_a_branch_runs_on_the_rows_that_take_it() -> None:
    def f(x: Any, i: Any) -> Any:
        if x > 0.0:
            return np.log(x) + X[i]
        return x * x

    x, i = np.array([1.0, -2.0, 4.0]), np.array([0, 99, 2])
    close(ag.vmap(f)(x, i), [X[0], 4.0, np.log(4.0) + X[2]])
    close(ag.vmap(ag.grad(f))(x, i), [1.0, -4.0, 0.25])
    close(ag.grad(lambda x: np.sum(ag.vmap(f)(x, i)))(x), [1.0, -4.0, 0.25])


def test_a_while_runs_until_the_last_row_has_finished() -> None:
    def f(x: Any) -> Any:
        n = 0
        while x > 1.0:
            x = np.sqrt(x) * 0.9
            n += 1
        return x, n

    x = np.array([0.5, 3.0, 1e6])
    value, count = ag.vmap(f)(x)
    want = [f(one) for one in x]
    close(value, [one for one, _ in want])
    np.testing.assert_array_equal(count, [n for _, n in want])
    gradient = ag.vmap(ag.grad(lambda x: f(x)[0]))(x)
    close(gradient, [ag.grad(lambda x: f(x)[0])(one) for one in x])


def test_gradients_of_rows_and_rows_of_gradients() -> None:
    def loss(w: Any, x: Any) -> Any:
        h = x
        for _ in range(3):
            h = np.tanh(w @ h)
        return np.sum(h * h)

    w, rows = np.eye(3) * 0.8 + 0.1, np.arange(12.0).reshape(4, 3) / 10
    each = ag.vmap(ag.grad(loss), in_axes=(None, 0))(w, rows)
    close(each, [ag.grad(loss)(w, row) for row in rows])
    close(ag.grad(lambda w: np.sum(ag.vmap(loss, (None, 0))(w, rows)))(w), np.sum(each, axis=0))


# Rules of the user's


def test_custom_vjp() -> None:
    @ag.custom_vjp
    def f(x: Any, y: Any) -> Any:
        return np.sin(x) * y

    def forward(x: Any, y: Any) -> Any:
        return f(x, y), (np.cos(x), np.sin(x), y)

    def backward(residuals: Any, cotangent: Any) -> Any:
        cos_x, sin_x, y = residuals
        return 10.0 * cos_x * cotangent * y, sin_x * cotangent

    f.defvjp(forward, backward)
    assert f(0.5, 2.0) == np.sin(0.5) * 2.0
    close(ag.grad(f)(0.5, 2.0), 20.0 * np.cos(0.5))
    close(ag.grad(f, argnums=1)(0.5, 2.0), np.sin(0.5))

    def in_a_loop(x: Any) -> Any:
        y = x
        while y < 2.5:
            y = f(y, 2.0) + 1.0
        return y

    by_rule = 1.0
    y = 0.5
    while y < 2.5:
        by_rule *= 20.0 * np.cos(y)
        y = np.sin(y) * 2.0 + 1.0
    close(ag.grad(in_a_loop)(0.5), by_rule)
    # The rule's own derivative: d/dx of 10 cos(x) y.
    close(ag.grad(ag.grad(f))(0.5, 2.0), -20.0 * np.sin(0.5))
    close(ag.vmap(ag.grad(f), (0, None))(X, 2.0), 20.0 * np.cos(X))


def test_custom_vjp_with_arguments_that_are_no_values() -> None:
    @ag.custom_vjp
    def twice(g: Any, x: Any) -> Any:
        return g(g(x))

    applied = ag.custom_vjp(lambda g, x: g(g(x)), nondiff_argnums=(0,))
    applied.defvjp(lambda g, x: (g(g(x)), x), lambda g, x, cotangent: (cotangent * g(x),))
    close(ag.grad(lambda x: applied(np.sin, x))(0.5), np.sin(0.5))


def test_custom_jvp() -> None:
    @ag.custom_jvp
    def f(x: Any, y: Any) -> Any:
        return x * x * y

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (x, y), (dx, dy) = primals, tangents
        return f(x, y), 100.0 * x * y * dx + x * x * dy

    close(ag.jvp(f, (3.0, 2.0), (1.0, 0.0))[1], 600.0)
    close(ag.grad(f, argnums=(0, 1))(3.0, 2.0), (600.0, 9.0))
    close(ag.grad(ag.grad(f))(3.0, 2.0), 200.0)
    close(ag.vmap(ag.grad(f), (0, None))(X, 2.0), 200.0 * X)
    one_by_one = ag.custom_jvp(lambda x, y: x * y)
    one_by_one.defjvps(lambda dx, value, x, y: 7.0 * dx, None)
    assert ag.grad(one_by_one, argnums=(0, 1))(2.0, 3.0) == (7.0, 0.0)


def test_stop_gradient() -> None:
    assert ag.grad(lambda x: x * ag.stop_gradient(x))(3.0) == 3.0
    assert ag.jvp(lambda x: x * ag.stop_gradient(x), (3.0,), (1.0,))[1] == 3.0
    tree = ag.stop_gradient({"a": X, "n": 3})
    assert tree["a"] is X and tree["n"] == 3


def test_a_checkpoint_changes_nothing_but_what_is_saved() -> None:
    def body(x: Any, w: Any) -> Any:
        y = np.sin(x @ w)
        if y[0] > 0.2:
            y = y * np.exp(-y)
        return np.cos(y) + x

    def loop(step: Any) -> Any:
        def f(x: Any, w: Any) -> Any:
            for _ in ag.staged(range(6)):
                x = step(x, w)
            return np.sum(x * x)

        return f

    w = np.array([[0.2, 0.5, -0.1], [0.3, 0.1, 0.7], [0.9, -0.4, 0.2]])
    for argnums in (0, 1):
        want = ag.grad(loop(body), argnums)(X, w)
        close(ag.grad(loop(ag.checkpoint(body)), argnums)(X, w), want)
        close(ag.grad(ag.checkpoint(loop(body)), argnums)(X, w), want)
    direction = np.ones(3)
    close(
        ag.hvp(lambda x: loop(ag.checkpoint(body))(x, w), (X,), (direction,)),
        ag.hvp(lambda x: loop(body)(x, w), (X,), (direction,)),
    )
    assert ag.checkpoint(smooth)(X) == smooth(X)


@pytest.mark.parametrize("limit", [10**9, 3000, 900, 600])
def test_a_memory_limit_changes_nothing_but_what_is_saved(limit: int) -> None:
    def limited(limit: Any) -> Any:
        def f(x: Any, n: Any) -> Any:
            w = 0.5 * x
            i = 0
            while i < n:
                ag.set_loop_options(memory_limit=limit)
                x = np.sin(x) * w + np.cos(x * x) * (i % 3)
                if x[0] > 0.5:
                    x = x * 1.01
                i += 1
            return np.sum(x * w)

        return f

    x = np.linspace(0.1, 1.0, 7)
    for n in (0, 1, 2, 37):
        close(ag.grad(limited(limit))(x, np.int64(n)), ag.grad(limited(None))(x, np.int64(n)))
    close(
        ag.grad(lambda x: ag.grad(limited(limit))(x, np.int64(9))[0])(x),
        ag.grad(lambda x: ag.grad(limited(None))(x, np.int64(9))[0])(x),
        1e-7,
    )


def test_check_grads_sees_a_wrong_rule() -> None:
    @ag.custom_vjp
    def wrong(x: Any) -> Any:
        return x * x

    wrong.defvjp(lambda x: (x * x, x), lambda x, cotangent: (x * cotangent,))
    with pytest.raises(AssertionError, match="vjp of f"):
        ag.check_grads(wrong, (3.0,), order=1, modes=("rev",))
    ag.check_grads(lambda x: x * x, (3.0,), order=3)
    ag.check_grads(lambda x: np.sum(x * x), (X.astype(np.float32),), order=2)


def test_a_gradient_is_staged_where_functions_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAPH_DISABLE", "1")

    @ag.function
    def descend(x: Any) -> Any:
        return x - 0.1 * ag.grad(smooth)(x)

    close(descend(X), X - 0.1 * (np.cos(X) * X + np.sin(X)))


def test_names() -> None:
    gradient = ag.grad(smooth)
    assert repr(gradient) == "<ag.grad(smooth)>"
    assert gradient.__wrapped__ is smooth
    assert repr(ag.vmap(gradient)) == "<ag.vmap(grad(smooth))>"


@pytest.mark.parametrize("exponent", [2.0, 2.5, -3.0, 0.5])
def test_complex_powers_have_a_slope_by_the_exponent(exponent: float) -> None:
    # Small whole exponents are computed in steps, which know nothing of their neighbours.
    def of_numpys(p: Any) -> Any:
        return np.real(np.complex128(1 + 2j) ** p)

    def of_pythons(p: Any) -> Any:
        return ((1 + 2j) ** p).real

    def by_base(x: Any, p: Any) -> Any:
        return np.imag((x + 1j) ** p)

    logarithm = np.log(np.complex128(1 + 2j))
    want = ((1 + 2j) ** exponent * logarithm).real
    for function in (of_numpys, of_pythons):
        np.testing.assert_allclose(ag.grad(function)(exponent), want, rtol=1e-12)
    slope = (exponent * (0.7 + 1j) ** (exponent - 1)).imag
    np.testing.assert_allclose(ag.grad(by_base)(np.float64(0.7), np.float64(exponent)), slope, rtol=1e-12)
