"""Derivatives of functions of complex arguments, and with complex results, are those of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from autograph.errors import DtypeError, ShapeError

jax.config.update("jax_enable_x64", True)

X = np.array([0.3, 1.2])
Z = np.array([1 + 2j, -0.5 + 0.3j])
T = np.array([0.2 + 0.1j, -1j])

Made = Callable[[Any], Callable[..., Any]]

OF_REAL: dict[str, Made] = {
    "exp(1j * x)": lambda m: lambda x: m.exp(1j * x),
    "a sum of both": lambda m: lambda x: x * (1 + 2j) + m.sin(x),
    "a real result": lambda m: lambda x: m.abs(x * (1 + 2j)),
    "fft": lambda m: lambda x: m.fft.rfft(x),
}
OF_COMPLEX: dict[str, Made] = {
    "z * z": lambda m: lambda z: z * z,
    "abs": lambda m: lambda z: m.abs(z),
    "conj(z) * z.real": lambda m: lambda z: m.conj(z) * z.real,
    "a part": lambda m: lambda z: z.real * 3,
    "sin": lambda m: lambda z: m.sin(z),
    "a product of matrices": lambda m: lambda z: m.outer(z, m.conj(z)) @ z,
    "solve": lambda m: lambda z: m.linalg.solve(m.outer(z, z) + m.eye(2), z),
    "both kinds of results": lambda m: lambda z: (m.exp(z), m.abs(z), m.sum(z)),
}
CASES = [(name, made, X, X + 1) for name, made in OF_REAL.items()]
CASES += [(name, made, Z, T) for name, made in OF_COMPLEX.items()]


def assert_alike(found: Any, right: Any) -> None:
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(right), strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one, other, 1e-12, 1e-12)


def cotangents_like(value: Any) -> Any:
    of_leaf = lambda y: np.asarray(np.cos(np.arange(np.size(y)) + 1.0).reshape(np.shape(y)) * 1.5)  # noqa: E731
    made = lambda y: of_leaf(y) * (1 - 0.3j) if np.iscomplexobj(y) else of_leaf(y)  # noqa: E731
    return jax.tree.map(lambda y: made(y)[()], value)


@pytest.mark.parametrize(("name", "made", "x", "t"), CASES, ids=[case[0] for case in CASES])
def test_jvp_vjp_and_linearize_are_those_of_jax(name: str, made: Made, x: Any, t: Any) -> None:
    mine, theirs = made(np), made(jnp)
    assert_alike(ag.jvp(mine, (x,), (t,)), jax.jvp(theirs, (x,), (t,)))
    value, pull = jax.vjp(theirs, x)
    given = cotangents_like(value)
    assert_alike(ag.vjp(mine, x)[0], value)
    assert_alike(ag.vjp(mine, x)[1](given), pull(given))
    assert_alike(ag.linearize(mine, x)[1](t), jax.linearize(theirs, x)[1](t))
    staged = ag.function(lambda x, t, given: (ag.jvp(mine, (x,), (t,)), ag.vjp(mine, x)[1](given)))
    assert_alike(staged(x, t, given), (jax.jvp(theirs, (x,), (t,)), pull(given)))


def test_trees_of_both_kinds() -> None:
    def function(tree: Any, y: Any) -> Any:
        return {"a": tree["z"] * y, "b": tree["w"] * tree["z"].real}

    tree = {"z": Z, "w": X}
    given = {"a": T, "b": X}
    assert_alike(ag.vjp(function, tree, X)[1](given), jax.vjp(function, tree, X)[1](given))
    along = ({"z": T, "w": X}, X)
    assert_alike(ag.jvp(function, (tree, X), along), jax.jvp(function, (tree, X), along))


def test_numbers_keep_their_classes() -> None:
    assert ag.vjp(lambda z: z * z, 1 + 2j)[1](1.0) == ((2 + 4j),)
    assert type(ag.vjp(lambda z: z * z, 1 + 2j)[1](1)[0]) is complex
    assert ag.jvp(lambda z: z * z, (1 + 2j,), (1,)) == ((-3 + 4j), (2 + 4j))
    narrow = ag.vjp(lambda z: z * z, np.complex64(1 + 2j))[1](np.complex64(1))[0]
    assert type(narrow) is np.complex64 and narrow == 2 + 4j


def test_second_derivatives() -> None:
    mine = lambda x: np.sum(np.abs(ag.jvp(lambda y: np.exp(1j * y * y), (x,), (x,))[1]) ** 2)  # noqa: E731
    theirs = lambda x: jnp.sum(jnp.abs(jax.jvp(lambda y: jnp.exp(1j * y * y), (x,), (x,))[1]) ** 2)  # noqa: E731
    assert_alike(ag.grad(mine)(X), jax.grad(theirs)(X))
    assert_alike(ag.hessian(mine)(X), jax.hessian(theirs)(X))


def test_control_flow_and_writes() -> None:
    def power(z: Any, n: Any) -> Any:
        w = z * 0 + 1
        for k in range(n):
            w[k % 2] *= z[0] + 1j
            if w[0].real > 3:
                w *= 0.5
        return w

    value, found = ag.jvp(lambda z: power(z, np.int64(5)), (Z,), (T,))
    width = 1e-6
    differences = (power(Z + width * T, 5) - power(Z - width * T, 5)) / (2 * width)
    np.testing.assert_allclose(value, power(Z, 5), 1e-12)
    np.testing.assert_allclose(found, differences, 1e-6)
    assert Z[0] == 1 + 2j


def test_a_complex_value_is_stopped() -> None:
    assert ag.grad(lambda x: np.abs(ag.stop_gradient(x * (3 + 4j)) * x))(2.0) == 10.0
    assert ag.jvp(lambda z: ag.stop_gradient(z) * z, (2j,), (1 + 0j,))[1] == 2j


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ShapeError, match="given to vjp is a str, not a complex number"):
        ag.vjp(lambda z: z * z, Z)[1]("a")
    with pytest.raises(ShapeError, match="given to vjp is a complex value, not a float"):
        ag.vjp(lambda x: x * x, X)[1](T)
    with pytest.raises(ShapeError, match=r"is float64 array of shape .*, and the value complex128 array"):
        ag.vjp(lambda z: z * z, Z)[1](X)
    with pytest.raises(DtypeError, match="grad is with respect to floats, and `z` is a complex value"):
        ag.grad(lambda z: abs(z))(1 + 2j)


ANALYTIC: dict[str, Made] = {
    "z * z": lambda m: lambda z: z * z,
    "a matrix": lambda m: lambda z: m.outer(m.exp(z), m.sin(z)) @ z,
    "a tree": lambda m: lambda z: {"a": m.sum(z * z), "b": (z[0] * z, z[1] ** 3)},
}


@pytest.mark.parametrize("made", ANALYTIC.values(), ids=ANALYTIC)
@pytest.mark.parametrize("name", ["jacrev", "jacfwd"])
def test_jacobians_of_analytic_functions_are_those_of_jax(name: str, made: Made) -> None:
    mine = getattr(ag, name)(made(np), holomorphic=True)
    right = getattr(jax, name)(made(jnp), holomorphic=True)(Z)
    assert_alike(mine(Z), right)
    assert_alike(ag.function(mine)(Z), right)


@pytest.mark.parametrize("name", ["jacrev", "jacfwd"])
@pytest.mark.parametrize("argnums", [1, (1,), (0, 1)])
def test_jacobians_by_several_arguments(name: str, argnums: Any) -> None:
    made = lambda m: lambda x, tree: x * tree["z"] + m.sum(tree["w"] ** 2)  # noqa: E731
    tree = {"z": T, "w": Z[:1]}
    right = getattr(jax, name)(made(jnp), argnums, holomorphic=True)(Z, tree)
    assert_alike(getattr(ag, name)(made(np), argnums, holomorphic=True)(Z, tree), right)


def test_gradients_of_analytic_functions_are_those_of_jax() -> None:
    made = lambda m: lambda z, k: m.sum(m.sin(z) ** 3 * k)  # noqa: E731
    right = jax.value_and_grad(made(jnp), holomorphic=True)(Z, 2.0)
    assert_alike(ag.value_and_grad(made(np), holomorphic=True)(Z, 2.0), right)
    assert_alike(ag.grad(made(np), holomorphic=True)(Z, 2.0), right[1])
    assert_alike(ag.function(ag.grad(made(np), holomorphic=True))(Z, 2.0), right[1])
    assert ag.grad(lambda z: z**3, holomorphic=True)(1 + 1j) == 6j
    twice = ag.grad(ag.grad(lambda z: z**3, holomorphic=True), holomorphic=True)
    assert twice(1 + 1j) == 6 + 6j
    value, gradient = ag.grad(lambda z: (z * z, 7), has_aux=True, holomorphic=True)(2j)[::-1]
    assert (value, gradient) == (7, 4j)
    pair = ag.grad(lambda z, w: z * w, (1, 0), holomorphic=True)(2j, 3 + 0j)
    assert pair == (2j, 3 + 0j)


def test_what_is_not_analytic_is_refused() -> None:
    for made in (ag.grad, ag.jacfwd, ag.jacrev):
        with pytest.raises(ag.AutographError, match="is with respect to complex numbers, and `x` has others"):
            made(lambda x: x * 1j, holomorphic=True)(1.0)
    with pytest.raises(ag.AutographError, match="needs a function that returns one complex number"):
        ag.grad(lambda z: abs(z), holomorphic=True)(1j)
    with pytest.raises(ag.AutographError, match="needs a function that returns complex numbers"):
        ag.jacfwd(lambda z: abs(z), holomorphic=True)(1j)
