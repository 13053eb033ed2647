"""`ag.custom_root` and `ag.fixed_point`: derivatives of equations, whatever the solver does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

RNG = np.random.default_rng(0)


def bisection(f: Any, x: Any) -> Any:
    low, high = 0.0, x
    while high - low > 1e-13:
        middle = (low + high) / 2
        if f(middle) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def newton(f: Any, x: Any) -> Any:
    while np.abs(f(x)) > 1e-13:
        x = x - f(x) / ag.jvp(f, (x,), (1.0,))[1]
    return x


def secant(f: Any, x: Any) -> Any:
    tried = [x, x * 0.9]
    for _ in ag.staged(range(100)):
        one, other = f(tried[-1]), f(tried[-2])
        if np.abs(one) < 1e-13 or one == other:
            break
        tried.append(tried[-1] - one * (tried[-1] - tried[-2]) / (one - other))
    return tried[-1]


def by_slope(g: Any, y: Any) -> Any:
    return y / g(1.0)


SOLVERS = (bisection, newton, secant)


def cube_root_by(solver: Any) -> Callable[[Any], Any]:
    def cube_root(a: Any) -> Any:
        return ag.custom_root(lambda x: x**3 - a, 10.0, solver, by_slope)

    return cube_root


@pytest.mark.parametrize("solver", SOLVERS, ids=[solver.__name__ for solver in SOLVERS])
def test_roots_have_the_derivatives_of_their_equation(solver: Any) -> None:
    cube_root = cube_root_by(solver)
    slopes = [1 / 12, -1 / 144, 5 / 3456, -5 / 10368]
    assert abs(cube_root(8.0) - 2.0) < 1e-10
    assert abs(ag.function(cube_root)(8.0) - 2.0) < 1e-10
    reverse = forward = mixed = cube_root
    for order, slope in enumerate(slopes):
        reverse = ag.grad(reverse)
        forward = (lambda f: lambda a: ag.jvp(f, (a,), (1.0,))[1])(forward)
        mixed = ag.grad(mixed) if order % 2 else (lambda f: lambda a: ag.jvp(f, (a,), (1.0,))[1])(mixed)
        for derivative in (reverse, forward, mixed):
            assert abs(derivative(8.0) / slope - 1) < 1e-8
    many = np.array([8.0, 27.0, 1.0])
    np.testing.assert_allclose(ag.vmap(ag.grad(cube_root))(many), many ** (-2 / 3) / 3, rtol=1e-9)
    np.testing.assert_allclose(ag.grad(lambda a: np.sum(ag.vmap(cube_root)(a)))(many), many ** (-2 / 3) / 3)
    assert ag.value_and_grad(cube_root)(8.0)[0] == ag.function(cube_root)(8.0)


def test_a_solver_gives_more_than_the_root() -> None:
    def counted(f: Any, x: Any) -> Any:
        count = 0
        while np.abs(f(x)) > 1e-12:
            x = x - f(x) / ag.jvp(f, (x,), (1.0,))[1]
            count += 1
        return x, count

    def root(a: Any) -> Any:
        return ag.custom_root(lambda x: x * x - a, 1.0, counted, by_slope, has_aux=True)

    want = root(9.0)
    assert ag.function(root)(9.0) == want
    (value, count), slope = ag.value_and_grad(root, has_aux=True)(9.0)
    assert (value, count) == want and abs(slope - 1 / 6) < 1e-12


def test_roots_of_arrays_with_a_solver_of_the_program() -> None:
    matrix, b = np.eye(4) * 3.0 + RNG.normal(size=(4, 4)) * 0.3, RNG.normal(size=4)

    def equation(x: Any, matrix: Any, b: Any) -> Any:
        return matrix @ x + 0.1 * x**3 - b

    def solve(f: Any, x: Any) -> Any:
        while np.sum(f(x) ** 2) > 1e-26:
            x = x - np.linalg.solve(ag.jacfwd(f)(x), f(x))
        return x

    def tangent_solve(g: Any, y: Any) -> Any:
        return np.linalg.solve(ag.jacfwd(g)(y), y)

    def root(matrix: Any, b: Any) -> Any:
        return ag.custom_root(lambda x: equation(x, matrix, b), np.zeros(4), solve, tangent_solve)

    assert np.allclose(equation(root(matrix, b), matrix, b), 0.0)
    ag.check_grads(root, (matrix, b), order=2)
    x = root(matrix, b)
    slope = np.linalg.inv(matrix + np.diag(0.3 * x**2))
    np.testing.assert_allclose(ag.jacrev(root, 1)(matrix, b), slope, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ag.jacfwd(root, 1)(matrix, b), slope, rtol=1e-9, atol=1e-12)


def test_an_iterative_tangent_solver_in_forward_mode() -> None:
    def jacobi(g: Any, y: Any) -> Any:
        x = y
        for _ in ag.staged(range(200)):
            x = x + (y - g(x)) * 0.3
        return x

    def root(b: Any) -> Any:
        return ag.custom_root(lambda x: 2.0 * x + np.sin(x) - b, np.zeros(3), simple, jacobi)

    def simple(f: Any, x: Any) -> Any:
        while np.sum(f(x) ** 2) > 1e-26:
            x = x - 0.3 * f(x)
        return x

    b = np.array([0.5, -1.0, 2.0])
    slope = np.diag(1 / (2.0 + np.cos(root(b))))
    np.testing.assert_allclose(ag.jacfwd(root)(b), slope, atol=1e-10)
    np.testing.assert_allclose(ag.jacrev(root)(b), slope, atol=1e-10)


# Fixed points


@dataclasses.dataclass
class State:
    x: Any
    scale: Any


W, B = RNG.normal(size=(3, 3)) * 0.3, RNG.normal(size=3)


def by_dict(w: Any, b: Any) -> Any:
    def step(state: Any) -> Any:
        inner = np.tanh(w @ state["x"] + b) * 0.5
        return {"x": inner, "s": 0.3 * np.cos(state["s"]) * b[0] + 0.1 * np.sum(state["x"])}

    return step, {"x": np.zeros(3), "s": 0.0}


def by_dataclass(w: Any, b: Any) -> Any:
    def step(state: Any) -> Any:
        x = np.tanh(w @ state.x + b) * state.scale
        return State(x, 0.5 / (1.0 + np.sum(x * x)))

    return step, State(np.zeros(3), 1.0)


def by_array(w: Any, b: Any) -> Any:
    return (lambda x: np.sin(w @ x) + b), np.zeros(3)


def by_branches(w: Any, b: Any) -> Any:
    def step(x: Any) -> Any:
        if np.sum(x) > 0.0:
            return 0.5 * x + b
        return w @ np.tanh(x) + b

    return step, b


def total(tree: Any) -> Any:
    if isinstance(tree, dict):
        return np.sum(tree["x"] ** 2) + tree["s"]
    return np.sum(tree.x**2) + tree.scale if isinstance(tree, State) else np.sum(tree**2)


CONTRACTIONS = (by_dict, by_dataclass, by_array, by_branches)


@pytest.mark.parametrize("make", CONTRACTIONS, ids=[make.__name__ for make in CONTRACTIONS])
def test_fixed_points_have_the_derivatives_of_many_steps(make: Any) -> None:
    def solved(w: Any, b: Any) -> Any:
        step, begin = make(w, b)
        return total(ag.fixed_point(step, begin, maxiter=1000, tol=1e-14))

    def unrolled(w: Any, b: Any) -> Any:
        step, state = make(w, b)
        for _ in range(90):
            state = step(state)
        return total(state)

    np.testing.assert_allclose(solved(W, B), unrolled(W, B), rtol=1e-12)
    np.testing.assert_allclose(ag.function(solved)(W, B), solved(W, B), rtol=1e-14)
    for transformation in (ag.grad, ag.jacfwd):
        for found, want in zip(
            transformation(solved, (0, 1))(W, B), ag.grad(unrolled, (0, 1))(W, B), strict=True
        ):
            np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-12)
    want = ag.hessian(unrolled, 1)(W, B)
    np.testing.assert_allclose(ag.hessian(solved, 1)(W, B), want, rtol=1e-8, atol=1e-10)
    many = np.stack([B, B * 0.5, -B])
    rows = ag.vmap(ag.grad(solved, 1), (None, 0))(W, many)
    np.testing.assert_allclose(rows, [ag.grad(unrolled, 1)(W, one) for one in many], rtol=1e-9, atol=1e-12)


def test_arguments_of_the_function_and_the_ends_of_the_iteration() -> None:
    calls = []

    def average(x: Any, a: Any) -> Any:
        calls.append(x)
        return (x + a / x) / 2

    assert abs(ag.fixed_point(average, 1.0, 9.0, tol=1e-12) - 3.0) < 1e-12
    calls.clear()
    assert ag.fixed_point(average, 1.0, 9.0, maxiter=2) == 3.4 and len(calls) == 2
    calls.clear()
    ag.fixed_point(average, 3.0, 9.0)
    assert len(calls) == 1

    def root(a: Any) -> Any:
        return ag.fixed_point(lambda x, a: (x + a / x) / 2, 1.0, a, tol=1e-12, implicit_diff_solve=by_slope)

    assert abs(ag.grad(root)(9.0) - 1 / 6) < 1e-12 and abs(ag.grad(ag.grad(root))(9.0) + 1 / 108) < 1e-12


def test_the_steps_of_the_solver_are_not_saved() -> None:
    def root(a: Any) -> Any:
        return ag.fixed_point(lambda x: np.cos(x) * a, 1.0, maxiter=1000, tol=1e-14)

    graph = ag.function(ag.grad(root)).concrete_function(0.9).graph
    assert not any(node.op.startswith("tape") for function in graph.functions for node in function.nodes)


def test_a_root_in_a_loop_and_in_a_recursion() -> None:
    def looped(a: Any, n: Any) -> Any:
        x = a
        for _ in range(n):
            x = ag.fixed_point(lambda y, x=x: 0.5 * np.sin(y) + x, 0.0, tol=1e-14, maxiter=1000) * 0.5
        return x

    def recursive(a: Any, n: Any) -> Any:
        if n == 0:
            return a
        x = recursive(a, n - 1)
        return ag.fixed_point(lambda y: 0.5 * np.sin(y) + x, 0.0, tol=1e-14, maxiter=1000) * 0.5

    n = np.int64(3)
    assert abs(looped(0.8, n) - recursive(0.8, n)) < 1e-13
    for f in (looped, recursive):
        ag.check_grads(lambda a, f=f: f(a, n), (0.8,), order=2)


def test_trees_unlike_the_root_are_refused() -> None:
    def longer(b: Any) -> Any:
        return ag.custom_root(lambda x: np.concatenate([x, b]), b, lambda f, x: x, by_slope)

    def other_step(b: Any) -> Any:
        return ag.custom_root(lambda x: x - b, b, lambda f, x: x, lambda g, y: y[:1])

    def of_ints(b: Any) -> Any:
        return ag.custom_root(lambda x: x - b, b, lambda f, x: x.astype(np.int64), by_slope)

    def other_tree(b: Any) -> Any:
        return ag.fixed_point(lambda x: (x, x), b)

    words = {
        longer: "what the function of custom_root returns is another tree than the root",
        other_step: "what the tangent solver of custom_root returns is another tree than the root",
        of_ints: "custom_root is of floats, and the root holds an? int64 array",
        other_tree: "what the function of fixed_point returns is another tree than its argument",
    }
    for program, text in words.items():
        with pytest.raises(ag.StagingError, match=text) as caught:
            ag.jacrev(program)(np.ones(2))
        assert caught.value.code == "AG144" and caught.value.location.file == __file__
