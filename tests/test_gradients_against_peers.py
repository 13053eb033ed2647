"""The same programs differentiated by JAX and by HIPS autograd give the same.

Also what docs/gradients.md says of JAX where a derivative is undefined. There JAX runs every operation alone:
compiled as one, it may leave a NaN out. Elsewhere it is compiled as one, which takes a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograd
import autograd.numpy as hips
import autograph as ag
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from peer_programs import PROGRAMS, A, X, Y

jax.config.update("jax_enable_x64", True)

DOCUMENT = Path(__file__).parent.parent / "docs" / "gradients.md"

NOT_IN_AUTOGRAD = {
    "convolution": "`np.convolve` has no gradient",
    "cumulative_products": "`np.cumprod` has no gradient",
    "interpolation": "`np.interp` has no gradient",
    "orthogonal": "`np.linalg.qr` has no gradient",
    "sorting": "`np.sort` has one of vectors only",
}
"""What HIPS autograd does not differentiate."""

named = pytest.mark.parametrize(("make", "args"), PROGRAMS.items(), ids=[make.__name__ for make in PROGRAMS])


def assert_close(found: Any, right: Any, tolerance: float = 1e-8) -> None:
    found, right = np.asarray(found), np.asarray(right)
    assert found.shape == right.shape
    np.testing.assert_allclose(found, right, rtol=tolerance, atol=tolerance)


def places_of(args: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(range(len(args)))


@named
def test_gradients_are_those_of_jax(make: Callable[[Any], Any], args: tuple[Any, ...]) -> None:
    value, gradient = ag.value_and_grad(make(np), places_of(args))(*args)
    right, wanted = jax.jit(jax.value_and_grad(make(jnp), places_of(args)))(*args)
    assert_close(value, right)
    for one, other in zip(gradient, wanted, strict=True):
        assert_close(one, other)


@named
def test_gradients_are_those_of_autograd(make: Callable[[Any], Any], args: tuple[Any, ...]) -> None:
    gradient = ag.grad(make(np), places_of(args))(*args)
    if make.__name__ in NOT_IN_AUTOGRAD:
        with pytest.raises((NotImplementedError, AttributeError)):
            autograd.grad(make(hips))(*args)
        return
    for place, one in enumerate(gradient):
        assert_close(one, autograd.grad(make(hips), place)(*args))


@named
def test_tangents_are_those_of_jax(make: Callable[[Any], Any], args: tuple[Any, ...]) -> None:
    tangents = tuple(np.cos(np.arange(arg.size)).reshape(arg.shape) for arg in args)
    _, found = ag.jvp(make(np), args, tangents)
    of_jax = jax.jit(lambda args, tangents: jax.jvp(make(jnp), args, tangents)[1])
    assert_close(found, of_jax(args, tangents))


@named
def test_second_derivatives_are_those_of_jax(make: Callable[[Any], Any], args: tuple[Any, ...]) -> None:
    first, others = args[0], args[1:]
    along = np.cos(np.arange(first.size)).reshape(first.shape)
    found = ag.hvp(lambda x: make(np)(x, *others), (first,), (along,))
    gradient = jax.grad(lambda x: make(jnp)(x, *others))
    right = jax.jit(lambda x, t: jax.jvp(gradient, (x,), (t,))[1])(first, along)
    assert_close(found, right, 1e-7)


@named
def test_rows_of_gradients_are_those_of_jax(make: Callable[[Any], Any], args: tuple[Any, ...]) -> None:
    rows = tuple(np.stack([arg, arg * 1.1, arg * 0.9]) for arg in args)
    found = ag.vmap(ag.grad(make(np), places_of(args)))(*rows)
    wanted = jax.jit(jax.vmap(jax.grad(make(jnp), places_of(args))))(*rows)
    for one, other in zip(found, wanted, strict=True):
        assert_close(one, other)


@pytest.mark.parametrize("name", ["jacrev", "jacfwd", "hessian"])
def test_matrices_are_those_of_jax(name: str) -> None:
    def program(module: Any) -> Any:
        of_many = lambda x, y: module.tanh(x @ y.T) * module.sum(x)  # noqa: E731
        return of_many if name != "hessian" else lambda x, y: module.sum(of_many(x, y) ** 2)

    found = getattr(ag, name)(program(np), (0, 1))(X, Y)
    wanted = jax.jit(getattr(jax, name)(program(jnp), (0, 1)))(X, Y)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert_close(one, other)


@pytest.mark.parametrize("name", ["jacrev", "jacfwd"])
@pytest.mark.parametrize("argnums", [1, (0, 1), (1,)])
def test_trees_of_matrices_are_those_of_jax(name: str, argnums: Any) -> None:
    def program(module: Any) -> Any:
        return lambda x, tree: {"a": x * tree["b"], "c": (module.sum(x) * tree["d"], module.sin(x[0]))}

    tree = {"b": Y, "d": np.float64(2.0)}
    found = getattr(ag, name)(program(np), argnums)(X, tree)
    wanted = jax.jit(getattr(jax, name)(program(jnp), argnums))(X, tree)
    assert jax.tree.structure(found) == jax.tree.structure(wanted)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert_close(one, other)


def test_a_rule_of_the_program_is_taken_as_in_jax() -> None:
    def made(package: Any, module: Any) -> Any:
        @package.custom_vjp
        def clipped(x: Any, limit: Any) -> Any:
            return x * 1.0

        def forward(x: Any, limit: Any) -> Any:
            return clipped(x, limit), limit

        def backward(limit: Any, cotangent: Any) -> Any:
            return module.clip(cotangent, -limit, limit), 0.0 * limit

        clipped.defvjp(forward, backward)
        return lambda x: module.sum(clipped(x * x, 0.5) * module.sin(x) * 3.0)

    assert_close(ag.grad(made(ag, np))(X), jax.grad(made(jax, jnp))(X))


def test_a_tangent_of_the_program_is_taken_as_in_jax() -> None:
    def made(package: Any, module: Any) -> Any:
        @package.custom_jvp
        def softplus(x: Any) -> Any:
            return module.logaddexp(x, 0.0)

        @softplus.defjvp
        def rule(primals: Any, tangents: Any) -> Any:
            (x,), (tangent,) = primals, tangents
            return softplus(x), tangent / (1.0 + module.exp(-x))

        return lambda x: module.sum(softplus(x) ** 2)

    assert_close(ag.grad(made(ag, np))(X), jax.grad(made(jax, jnp))(X))
    assert_close(ag.hvp(made(ag, np), (X,), (Y,)), jax.jvp(jax.grad(made(jax, jnp)), (X,), (Y,))[1])


def test_what_is_stopped_is_constant_as_in_jax() -> None:
    found = ag.grad(lambda x: np.sum(x * ag.stop_gradient(np.sin(x))))(X)
    assert_close(found, jax.grad(lambda x: jnp.sum(x * jax.lax.stop_gradient(jnp.sin(x))))(X))


def test_linear_maps_and_checkpoints_are_those_of_jax() -> None:
    _, push = ag.linearize(lambda x: np.tanh(x @ A), X[:, :3])
    _, wanted = jax.linearize(lambda x: jnp.tanh(x @ A), X[:, :3])
    assert_close(push(Y[:, :3]), wanted(Y[:, :3]))
    found = ag.grad(lambda x: np.sum(ag.checkpoint(lambda y: np.sin(y) ** 2)(x) * x))(X)
    assert_close(found, jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda y: jnp.sin(y) ** 2)(x) * x))(X))


nan, inf = np.nan, np.inf

POINTS: list[tuple[str, Callable[[Any], Any], tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]] = [
    ("abs(x)", lambda m: lambda x: m.abs(x), (0.0,), (0.0,), (1.0,)),
    ("sign", lambda m: lambda x: m.sign(x), (0.0,), (0.0,), (0.0,)),
    ("floor", lambda m: lambda x: m.floor(x), (2.0,), (0.0,), (0.0,)),
    ("ceil", lambda m: lambda x: m.ceil(x), (2.0,), (0.0,), (0.0,)),
    ("trunc", lambda m: lambda x: m.trunc(x), (2.0,), (0.0,), (0.0,)),
    ("rint", lambda m: lambda x: m.rint(x), (2.5,), (0.0,), (0.0,)),
    ("round", lambda m: lambda x: m.round(x), (2.5,), (0.0,), (0.0,)),
    ("//", lambda m: lambda x, y: m.floor_divide(x, y), (4.0, 2.0), (0.0, 0.0), (0.0, 0.0)),
    ("maximum(x, y)", lambda m: lambda x, y: m.maximum(x, y), (1.0, 1.0), (0.5, 0.5), (0.5, 0.5)),
    ("minimum(x, y)", lambda m: lambda x, y: m.minimum(x, y), (1.0, 1.0), (0.5, 0.5), (0.5, 0.5)),
    ("sqrt(x)", lambda m: lambda x: m.sqrt(x), (0.0,), (inf,), (inf,)),
    ("linalg.norm(x)", lambda m: lambda x: m.linalg.norm(m.stack([x, x])), (0.0,), (0.0,), (nan,)),
    ("cbrt(x)", lambda m: lambda x: m.cbrt(x), (0.0,), (inf,), (inf,)),
    ("log(x)", lambda m: lambda x: m.log(x), (0.0,), (inf,), (inf,)),
    ("log2(x)", lambda m: lambda x: m.log2(x), (0.0,), (inf,), (inf,)),
    ("log10(x)", lambda m: lambda x: m.log10(x), (0.0,), (inf,), (inf,)),
    ("x ** y", lambda m: lambda x, y: m.power(x, y), (2.0, 0.0), (0.0, np.log(2.0)), (0.0, np.log(2.0))),
    ("x ** y", lambda m: lambda x, y: m.power(x, y), (0.0, 0.0), (0.0, 0.0), (nan, 0.0)),
    ("x ** y", lambda m: lambda x, y: m.power(x, y), (0.0, 2.0), (0.0, 0.0), (0.0, 0.0)),
    ("x ** y", lambda m: lambda x, y: m.power(x, y), (-2.0, 2.0), (-4.0, nan), (-4.0, nan)),
    ("x % y", lambda m: lambda x, y: m.mod(x, y), (4.0, 2.0), (1.0, -2.0), (1.0, -2.0)),
    ("x % y", lambda m: lambda x, y: m.mod(x, y), (-3.5, 2.0), (1.0, 2.0), (1.0, 2.0)),
    ("fmod(x, y)", lambda m: lambda x, y: m.fmod(x, y), (-3.5, 2.0), (1.0, 1.0), (1.0, 1.0)),
    ("arctan2(y, x)", lambda m: lambda y, x: m.arctan2(y, x), (0.0, 0.0), (nan, nan), (nan, nan)),
    ("hypot(x, y)", lambda m: lambda x, y: m.hypot(x, y), (0.0, 0.0), (0.0, 0.0), (0.5, 0.5)),
    ("where", lambda m: lambda x: m.where(x > 0, x, 2.0 * x), (0.0,), (2.0,), (2.0,)),
    ("argmax", lambda m: lambda x: m.argmax(m.stack([x, 1.0])) * x, (2.0,), (0.0,), (0.0,)),
]
"""A row of the table, a function, where, what is there here, and in JAX."""


@pytest.mark.parametrize("number", range(len(POINTS)))
def test_conventions(number: int) -> None:
    name, make, args, ours, theirs = POINTS[number]
    assert f"`{name}" in DOCUMENT.read_text()
    with np.errstate(all="ignore"):
        found = ag.grad(make(np), places_of(args))(*args)
    wanted = jax.grad(make(jnp), places_of(args))(*args)
    np.testing.assert_array_equal(np.asarray(found), ours)
    np.testing.assert_array_equal(np.asarray(wanted), theirs)


TIED = np.array([1.0, 3.0, 3.0, 0.0])
SYMMETRIC = np.array([[4.0, 1.0], [1.0, 3.0]])

SAME: list[tuple[Callable[[Any], Any], Any, Any]] = [
    (lambda m: lambda x: m.max(x), TIED, [0.0, 0.5, 0.5, 0.0]),
    (lambda m: lambda x: m.min(x), -TIED, [0.0, 0.5, 0.5, 0.0]),
    (lambda m: lambda x: m.max(x), np.array([1.0, nan, 3.0]), [nan, nan, nan]),
    (lambda m: lambda x: m.prod(x), np.array([0.0, 2.0, 3.0]), [6.0, 0.0, 0.0]),
    (lambda m: lambda x: m.prod(x), np.array([0.0, 0.0, 3.0]), [0.0, 0.0, 0.0]),
    (lambda m: lambda x: m.sum(m.cumprod(x)), np.array([2.0, 0.0, 3.0]), [1.0, 8.0, 0.0]),
    (lambda m: lambda x: m.sum(m.where(x > 0, x, nan)), np.array([1.0]), [1.0]),
    (lambda m: lambda x: m.sum(m.where(x > 0, m.log(x), 0.0)), np.array([0.0, 1.0]), [nan, 1.0]),
    (lambda m: lambda x: m.sum(m.argsort(x) * x), TIED, [3.0, 0.0, 1.0, 2.0]),
    (lambda m: lambda x: m.sum(x.astype(int) * x), TIED, [1.0, 3.0, 3.0, 0.0]),
    (
        lambda m: lambda x: m.sum(m.linalg.svd(x, compute_uv=False)),
        np.eye(2),
        [[1.0, 0.0], [0.0, 1.0]],
    ),
]


@pytest.mark.parametrize("number", range(len(SAME)))
def test_conventions_of_arrays_are_those_of_jax(number: int) -> None:
    make, x, right = SAME[number]
    with np.errstate(all="ignore"):
        found = ag.grad(make(np))(x)
    assert_close(found, right, 1e-12)
    assert_close(jax.grad(make(jnp))(x), right, 1e-12)


@pytest.mark.parametrize(
    "make",
    [
        lambda m: lambda x: m.sum(m.linalg.cholesky(x)),
        lambda m: lambda x: m.linalg.eigvalsh(x)[0],
        lambda m: lambda x: m.linalg.eigh(x)[0][1],
    ],
)
def test_one_triangle_is_read_of_which_jax_gives_half_to_each(make: Callable[[Any], Any]) -> None:
    found, wanted = ag.grad(make(np))(SYMMETRIC), jax.jit(jax.grad(make(jnp)))(SYMMETRIC)
    assert found[0, 1] == 0.0 and wanted[0, 1] == wanted[1, 0]
    assert_close((found + found.T) / 2, wanted)


def test_the_determinant_of_a_singular_matrix() -> None:
    found = ag.grad(lambda x: np.linalg.det(x))(np.ones((2, 2)))
    assert_close(found, jax.grad(jnp.linalg.det)(jnp.ones((2, 2))), 1e-14)


def test_a_place_that_is_written_twice() -> None:
    def written(value: Any) -> Any:
        x = np.zeros(3)
        x[[0, 0]] = value
        return x[0]

    assert ag.grad(written)(np.array([2.0, 5.0])).tolist() == [0.0, 1.0]
