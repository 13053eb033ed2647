"""`np.linalg` over staged complex matrices equals NumPy's, to rounding; derivatives are JAX's."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import autograph as ag
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_domains_algebra import by_permutations, orders_of
from test_gradients_of_complex import cotangents_like
from test_numpy_functions import of_unknown_size
from test_numpy_linalg import ANY, SQUARE, judge, native_and_interpreted

jax.config.update("jax_enable_x64", True)

DTYPES = ["complex128", "complex64"]


def sample(shape: tuple[int, ...], dtype: str = "complex128", seed: int = 0) -> Any:
    draws = np.random.default_rng([seed, *shape])
    return (draws.normal(size=shape) + 1j * draws.normal(size=shape)).astype(dtype)


def adjoint(a: Any) -> Any:
    return a.conj().swapaxes(-1, -2)


def tolerance_of(dtype: str) -> float:
    return 1e-4 if dtype == "complex64" else 1e-11


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [*SQUARE, (30, 30)], ids=str)
def test_functions_of_square_matrices(shape: tuple[int, ...], dtype: str) -> None:
    a, b, v = sample(shape, dtype), sample(shape, dtype, 1), sample(shape[-1:], dtype, 2)
    # The imaginary part of the diagonal is not read.
    definite = a @ adjoint(a) + np.eye(shape[-1], dtype=dtype) * (1 + 5j)
    judge(lambda a, b: np.linalg.solve(a, b), a, b)
    judge(lambda a, b: np.linalg.solve(a, b), a, b.real)
    judge(lambda a, b: np.linalg.solve(a, b), a.real, b)
    judge(lambda a, v: np.linalg.solve(a, v), a, v)
    judge(lambda a: np.linalg.inv(a), a)
    judge(lambda a: np.linalg.det(a), a)
    judge(lambda a: np.linalg.slogdet(a), a)
    judge(lambda a: np.linalg.cholesky(a), definite)
    judge(lambda a: np.linalg.cholesky(a, upper=True), definite)
    for triangle in ("L", "U"):
        judge(lambda a: np.linalg.eigvalsh(a, triangle), a)
        judge(lambda a: np.linalg.eigh(a, triangle)[0], a)
    judge(lambda a: np.linalg.svd(a, hermitian=True).S, a)
    judge(lambda a: np.linalg.svd(a, hermitian=True, compute_uv=False), a)
    judge(lambda a: np.linalg.pinv(a, hermitian=True), a)
    if a.size:
        judge(lambda a: np.linalg.matrix_rank(a, hermitian=True), a)
    for p in (None, 2, -2, 1, -1, np.inf, -np.inf, "fro"):
        judge(lambda a: np.linalg.cond(a, p), a)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [*ANY, (20, 30), (40, 17)], ids=str)
def test_functions_of_matrices(shape: tuple[int, ...], dtype: str) -> None:
    a = sample(shape, dtype)
    for mode in ("reduced", "complete", "r"):  # With LAPACK's signs, and real diagonals.
        judge(lambda a: np.linalg.qr(a, mode), a)
    judge(lambda a: np.linalg.svd(a)[1], a)
    judge(lambda a: np.linalg.svd(a, compute_uv=False), a)
    judge(lambda a: np.linalg.svdvals(a), a)
    judge(lambda a: np.linalg.pinv(a), a)
    judge(lambda a: np.linalg.pinv(a, 0.5), a)
    for order in (2, "nuc", *([-2] if a.size else [])):
        judge(lambda a: np.linalg.norm(a, order, axis=(-2, -1)), a)
        judge(lambda a: np.linalg.matrix_norm(a, ord=order, keepdims=True), a)
    if a.size:
        judge(lambda a: np.linalg.matrix_rank(a), a)
        judge(lambda a: np.linalg.cond(a), a)
    if a.size and a.ndim == 2:
        judge(lambda a, b: np.linalg.lstsq(a, b), a, sample(shape[:1], dtype, 1))
        judge(lambda a, b: np.linalg.lstsq(a, b), a, sample((shape[0], 2), dtype, 2).real)
        judge(lambda a, b: np.linalg.lstsq(a, b), a.real, sample((shape[0], 2), dtype, 2))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("is_full", [True, False])
@pytest.mark.parametrize("shape", [*ANY, (20, 30), (40, 17)], ids=str)
@pytest.mark.parametrize("rank", [None, 1, 0])
def test_singular_vectors(shape: tuple[int, ...], rank: int | None, is_full: bool, dtype: str) -> None:
    a = sample(shape, dtype)
    if rank is not None:  # Repeated and vanishing singular values.
        a = (np.ones_like(a) * rank * (3 - 4j)).astype(dtype)
    u, s, vh = native_and_interpreted(lambda a: np.linalg.svd(a, is_full), a)
    want = np.linalg.svd(a, is_full)
    k, tolerance = s.shape[-1], 1e3 * tolerance_of(dtype)
    for one, two in zip((u, s, vh), want, strict=True):
        assert one.shape == two.shape and one.dtype == two.dtype
    assert np.allclose(s, want[1], atol=tolerance) and np.all(s[..., :-1] >= s[..., 1:])
    assert np.allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, atol=tolerance)
    assert np.allclose(adjoint(u) @ u, np.eye(u.shape[-1]), atol=tolerance)
    assert np.allclose(vh @ adjoint(vh), np.eye(vh.shape[-2]), atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("triangle", ["L", "U"])
@pytest.mark.parametrize("shape", [*SQUARE, (30, 30)], ids=str)
@pytest.mark.parametrize("is_diagonal", [False, True])
def test_eigenvectors(shape: tuple[int, ...], triangle: str, dtype: str, is_diagonal: bool) -> None:
    a = (
        (np.eye(shape[-1]) * (2 + 3j) + np.zeros(shape)).astype(dtype)
        if is_diagonal
        else sample(shape, dtype)
    )
    values, vectors = native_and_interpreted(lambda a: np.linalg.eigh(a, triangle), a)
    half = np.tril(a, -1) if triangle == "L" else adjoint(np.triu(a, 1))
    whole = half + adjoint(half) + np.eye(shape[-1]) * a.real
    tolerance = tolerance_of(dtype)
    assert vectors.dtype == a.dtype and values.dtype == a.real.dtype
    assert np.allclose(values, np.linalg.eigvalsh(whole), atol=tolerance)
    assert np.all(values[..., :-1] <= values[..., 1:])
    assert np.allclose(whole @ vectors, vectors * values[..., None, :], atol=10 * tolerance)
    assert np.allclose(adjoint(vectors) @ vectors, np.eye(shape[-1]), atol=tolerance)


def signs_apart(found: Any, right: Any, axis: int) -> None:
    """The vectors along an axis are the same, or the negative."""
    signs = np.sign(np.sum(np.conj(right) * found, axis=axis, keepdims=True).real)
    np.testing.assert_allclose(found, right * signs, 1e-9, 1e-9)


@pytest.mark.parametrize("shape", [*ANY, (9, 8), (20, 30)], ids=str)
def test_vectors_have_the_phases_of_lapack(shape: tuple[int, ...]) -> None:
    a = sample(shape)
    for one, two, axis in zip(
        ag.function(lambda a: np.linalg.svd(a, full_matrices=False))(a),
        np.linalg.svd(a, full_matrices=False),
        (-2, None, -1),
        strict=True,
    ):
        if axis is not None:
            signs_apart(one, two, axis)
    if shape[-1] == shape[-2]:
        for triangle in ("L", "U"):
            found, right = (
                ag.function(lambda a: np.linalg.eigh(a, triangle)[1])(a),
                np.linalg.eigh(a, triangle)[1],
            )
            signs_apart(found, right, -2)


def test_a_hermitian_matrix_is_decomposed_by_its_eigenvalues() -> None:
    for a in (sample((4, 4)), sample((4, 4)).real, sample((2, 3, 3)), np.diag([2j, -2, 0, 1])):
        u, s, vh = ag.function(lambda a: np.linalg.svd(a, hermitian=True))(a)
        right = np.linalg.svd(a, hermitian=True)
        np.testing.assert_allclose(s, right[1], 1e-12, 1e-12)
        rebuilt = (right[0] * right[1][..., None, :]) @ right[2]
        np.testing.assert_allclose((u * s[..., None, :]) @ vh, rebuilt, 1e-12, 1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_scales(scale: float) -> None:
    a = np.array([[3.0, 1.0 - 0.5j], [1.0 + 0.5j, 2.0]]) * scale
    for function in (np.linalg.svdvals, np.linalg.eigvalsh, np.linalg.cholesky, np.linalg.inv):
        np.testing.assert_allclose(ag.function(lambda a: function(a))(a), function(a), rtol=1e-12)


FAILING: list[tuple[str, Any, Any]] = [
    ("solve", lambda a: np.linalg.solve(a, a), np.ones((2, 2)) * 1j),
    ("inv", lambda a: np.linalg.inv(a), np.zeros((2, 2), complex)),
    ("cholesky", lambda a: np.linalg.cholesky(a), np.array([[1, 5j], [-5j, 1]])),
    ("cholesky of a pivot of 0", lambda a: np.linalg.cholesky(a), np.array([[1, 1j], [-1j, 1]])),
    ("svd", lambda a: np.linalg.svd(a), np.array([[1j, np.nan], [1, 2]])),
    ("svdvals", lambda a: np.linalg.svdvals(a), np.array([[complex(0, np.nan)]])),
    ("pinv", lambda a: np.linalg.pinv(a), np.full((2, 3), np.nan + 1j)),
    ("not square", lambda a: np.linalg.eigh(a), np.ones((2, 3)) * 1j),
    ("not square, det", lambda a: np.linalg.det(a), np.ones((2, 3)) * 1j),
    ("no matrix", lambda a: np.linalg.qr(a), np.ones(3) * 1j),
    ("cond of nothing", lambda a: np.linalg.cond(a), np.ones((0, 0)) * 1j),
]


@pytest.mark.parametrize(("function", "a"), [case[1:] for case in FAILING], ids=[case[0] for case in FAILING])
def test_failures_are_linear_algebra_errors(function: Any, a: Any) -> None:
    with pytest.raises(np.linalg.LinAlgError):
        function(a)
    judge(function, a)


def test_a_mode_of_numpy_that_is_not_staged_is_refused() -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(lambda a: np.linalg.qr(a, "raw"))(sample((2, 2)))
    assert caught.value.code == "AG107"


Made = Callable[[Any], Callable[[Any], Any]]


def hermitian(m: Any, a: Any) -> Any:
    return a + m.conj(m.swapaxes(a, -1, -2))


def definite(m: Any, a: Any) -> Any:
    return a @ m.conj(m.swapaxes(a, -1, -2)) + m.eye(a.shape[-1])


def joined(m: Any, vectors: Any, values: Any, others: Any) -> Any:
    """What vectors give together: their phases are not determined."""
    return (vectors * m.sin(values)[..., None, :]) @ others, m.abs(vectors), values


def of_eigh(m: Any, w: Any, v: Any) -> Any:
    return joined(m, v, w, m.conj(m.swapaxes(v, -1, -2)))


SIDES: list[tuple[int, ...]] = [(3, 3), (1, 1), (2, 3, 3)]
BOTH: list[tuple[int, ...]] = [(3, 3), (4, 2), (2, 4), (2, 4, 2)]

DIFFERENTIATED: dict[str, tuple[Made, list[tuple[int, ...]]]] = {
    "cholesky": (lambda m: lambda a: m.linalg.cholesky(definite(m, a)), SIDES),
    "upper cholesky": (lambda m: lambda a: m.linalg.cholesky(definite(m, a), upper=True), SIDES[:1]),
    "qr": (lambda m: lambda a: tuple(m.linalg.qr(a)), BOTH),
    "complete qr": (lambda m: lambda a: tuple(m.linalg.qr(a, "complete")), [(3, 3), (2, 4)]),
    "r": (lambda m: lambda a: m.linalg.qr(a, "r"), BOTH[2:]),
    "eigvalsh": (lambda m: lambda a: m.linalg.eigvalsh(hermitian(m, a)), SIDES[::2]),
    "eigh": (lambda m: lambda a: of_eigh(m, *m.linalg.eigh(hermitian(m, a))), SIDES),
    "upper eigh": (lambda m: lambda a: of_eigh(m, *m.linalg.eigh(hermitian(m, a), "U")), SIDES[:1]),
    "svdvals": (lambda m: lambda a: m.linalg.svd(a, compute_uv=False), BOTH[1::2]),
    "svd": (lambda m: lambda a: joined(m, *m.linalg.svd(a, full_matrices=False)), BOTH),
    "full svd": (lambda m: lambda a: joined(m, *m.linalg.svd(a)), SIDES[:1]),
    "hermitian svd": (lambda m: lambda a: m.linalg.svd(hermitian(m, a), hermitian=True)[1], SIDES[:1]),
    "det": (lambda m: lambda a: m.linalg.det(a), SIDES),
    "slogdet": (lambda m: lambda a: tuple(m.linalg.slogdet(a)), SIDES[::2]),
    "inv": (lambda m: lambda a: m.linalg.inv(a), SIDES[:1]),
    "solve": (lambda m: lambda a: m.linalg.solve(a, m.cos(a)), SIDES),
    "pinv": (lambda m: lambda a: m.linalg.pinv(a), BOTH),
    "lstsq": (lambda m: lambda a: m.linalg.lstsq(a, m.arange(a.shape[0]) + 1j)[0], [(3, 3), (4, 2)]),
    "cond": (lambda m: lambda a: m.linalg.cond(a), SIDES[2:]),
    "cond, fro": (lambda m: lambda a: m.linalg.cond(a, "fro"), [(3, 3)]),
    "norm, 2": (lambda m: lambda a: m.linalg.norm(a, 2), BOTH[1:2]),
    "norm, -2": (lambda m: lambda a: m.linalg.norm(a, -2), BOTH[2:3]),
    "norm, nuc": (lambda m: lambda a: m.linalg.norm(a, "nuc"), BOTH[:1]),
    "matrix_norm": (lambda m: lambda a: m.linalg.matrix_norm(a, ord="nuc"), BOTH[3:]),
}
EACH = [(name, made, shape) for name, (made, shapes) in DIFFERENTIATED.items() for shape in shapes]
# A second derivative takes seconds to compile: of those that the others are made of, and of one matrix each.
TWICE = {"cholesky": (3, 3), "qr": (4, 2), "eigh": (3, 3), "svd": (2, 4), "slogdet": (3, 3), "solve": (3, 3)}
AGAIN = [one for one in EACH if TWICE.get(one[0]) == one[2]]


def cases(found: list[tuple[str, Made, tuple[int, ...]]]) -> Any:
    names = [f"{name}{shape}" for name, _, shape in found]
    return pytest.mark.parametrize(("made", "shape"), [one[1:] for one in found], ids=names)


each = cases(EACH)


def assert_alike(found: Any, right: Any, tolerance: float = 1e-10) -> None:
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(right), strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one, other, tolerance, tolerance)


@each
def test_derivatives_are_those_of_jax(made: Made, shape: tuple[int, ...]) -> None:
    x, t, mine, theirs = sample(shape), sample(shape, seed=1), made(np), made(jnp)
    given = cotangents_like(jax.eval_shape(theirs, x))
    # Compiled as one: of every operation that JAX runs alone it makes a program.
    of_jax = jax.jit(lambda x, t: (jax.jvp(theirs, (x,), (t,)), jax.vjp(theirs, x)[1](given)))
    (right, along), back = of_jax(x, t)
    assert_alike(ag.jvp(mine, (x,), (t,)), (right, along))
    assert_alike(ag.vjp(mine, x)[1](given), back)
    staged = ag.function(lambda x, t, given: (ag.jvp(mine, (x,), (t,))[1], ag.vjp(mine, x)[1](given)))
    assert_alike(staged(x, t, given), (along, back))
    assert_alike(staged(2 * x, t, given)[0], of_jax(2 * x, t)[0][1])


def loss_of(m: Any, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A real function of real and imaginary parts, in which no part of the results is lost."""

    def loss(pair: Any) -> Any:
        found = function(pair[0] + 1j * pair[1])
        parts = found if isinstance(found, tuple) else (found,)
        return sum(m.sum(part.real**2 * (1 + part.imag) + m.sin(part.imag)) for part in parts)

    return loss


@cases(AGAIN)
def test_derivatives_of_second_order_and_of_rows(made: Made, shape: tuple[int, ...]) -> None:
    x, t = sample(shape), sample(shape, seed=1)
    pair, along = np.stack([x.real, x.imag]), np.stack([t.real, t.imag])
    mine, theirs = loss_of(np, made(np)), loss_of(jnp, made(jnp))
    gradient = ag.grad(mine)
    rows = np.stack([pair, pair + 0.1 * along, 0.9 * pair])

    @jax.jit
    def of_jax(pair: Any, along: Any, rows: Any) -> Any:
        first = jax.grad(theirs)
        return jax.jvp(first, (pair,), (along,)), jax.vmap(first)(rows), jax.vmap(theirs)(rows)

    (right, second), right_of_rows, values = of_jax(pair, along, rows)
    assert_alike(gradient(pair), right)
    assert_alike(ag.jvp(gradient, (pair,), (along,)), (right, second), 1e-8)
    backwards = ag.grad(lambda pair: np.sum(gradient(pair) * along))
    assert_alike(backwards(pair), second, 1e-8)
    assert_alike(ag.vmap(gradient)(rows), right_of_rows, 1e-9)
    assert_alike(ag.vmap(mine)(rows), values)


@each
def test_gradients_are_those_of_differences(made: Made, shape: tuple[int, ...]) -> None:
    x, t = sample(shape), sample(shape, seed=1)
    pair, along, width = np.stack([x.real, x.imag]), np.stack([t.real, t.imag]), 1e-6
    loss = loss_of(np, made(np))
    difference = (loss(pair + width * along) - loss(pair - width * along)) / (2 * width)
    np.testing.assert_allclose(np.sum(ag.grad(loss)(pair) * along), difference, 1e-5, 1e-6)


@each
def test_singles_and_sizes_of_the_run(made: Made, shape: tuple[int, ...]) -> None:
    x = sample(shape, "complex64")
    pair = np.stack([x.real, x.imag])
    loss = loss_of(np, made(np))
    found = ag.grad(loss)(pair)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, ag.grad(loss)(pair.astype(float)), 5e-2, 5e-2)
    of_open_size = of_unknown_size(lambda z: loss(np.stack([z.real, z.imag])))
    try:
        judge(of_open_size, np.int64(9), x)
    except ag.StagingError as refusal:
        # Values are put in the order of their sizes by `take_along_axis`, which may need them to be known.
        assert refusal.code == "AG117" and made is DIFFERENTIATED["hermitian svd"][0]


@pytest.mark.parametrize("shape", SIDES, ids=str)
def test_vectors_turn_as_those_of_jax(shape: tuple[int, ...]) -> None:
    """The tangents of vectors are JAX's, up to the phases of the vectors themselves."""
    x, t = sample(shape), sample(shape, seed=1)

    def phases(mine: Any, theirs: Any) -> Any:
        return np.sum(np.conj(theirs) * mine, axis=-2, keepdims=True)

    def of_eigh(m: Any) -> Callable[[Any], Any]:
        return lambda a: m.linalg.eigh(hermitian(m, a))[1]

    def of_svd(m: Any) -> Callable[[Any], Any]:
        return lambda a: tuple(m.linalg.svd(a, full_matrices=False))

    of_jax = jax.jit(lambda x, t: [jax.jvp(made(jnp), (x,), (t,)) for made in (of_eigh, of_svd)])
    (jv, djv), ((ju, _, _), (dju, _, djvh)) = of_jax(x, t)
    v, dv = ag.jvp(of_eigh(np), (x,), (t,))
    np.testing.assert_allclose(dv, djv * phases(v, jv), 1e-10, 1e-10)
    (u, _, _), (du, _, dvh) = ag.jvp(of_svd(np), (x,), (t,))
    turns = phases(u, np.asarray(ju))
    np.testing.assert_allclose(du, dju * turns, 1e-10, 1e-10)
    np.testing.assert_allclose(dvh, djvh * adjoint(turns), 1e-10, 1e-10)


def test_the_upper_triangle_is_not_read() -> None:
    a = sample((3, 3)) + 5 * np.eye(3)
    for function in (np.linalg.cholesky, np.linalg.eigvalsh, lambda a: np.linalg.pinv(a, hermitian=True)):

        def loss(re: Any, im: Any, function: Callable[[Any], Any] = function) -> Any:
            return np.sum(np.abs(function(re + 1j * im)) ** 3)

        real, imag = ag.grad(loss, (0, 1))(a.real, a.imag)
        assert np.all(np.triu(real, 1) == 0) and np.all(np.triu(imag) == 0)
        assert np.all(real[np.tril_indices(3)] != 0) and np.all(imag[np.tril_indices(3, -1)] != 0)


@pytest.mark.parametrize("x", [np.eye(2), np.zeros((3, 3)), np.diag([2.0, 2.0, 1.0])], ids=str)
def test_values_alone_have_a_first_derivative_where_they_are_equal(x: Any) -> None:
    scale, pair = np.arange(1.0, len(x) + 1), np.stack([x, 0 * x])
    for values, alone in (
        (lambda a: np.linalg.eigh(a)[0], np.linalg.eigvalsh),
        (lambda a: np.linalg.svd(a)[1], np.linalg.svdvals),
    ):
        for made in (ag.grad, ag.jacfwd):
            found = made(lambda p, values=values: np.sum(scale * values(p[0] + 1j * p[1])))(pair)
            right = made(lambda p, alone=alone: np.sum(scale * alone(p[0] + 1j * p[1])))(pair)
            assert np.all(np.isfinite(found))
            np.testing.assert_allclose(found, right, 1e-12, 1e-12)
    # Their sum is the trace, whatever vectors were found.
    trace = ag.grad(lambda p: np.sum(np.linalg.eigh(p[0] + 1j * p[1])[0]))(pair)
    np.testing.assert_allclose(trace, np.stack([np.eye(len(x)), 0 * x]), 1e-12, 1e-12)


SINGULAR = [
    np.ones((2, 2)) * (1 + 2j),
    np.zeros((1, 1), complex),
    np.zeros((2, 2), complex),
    np.zeros((3, 3), complex),
    np.array([[0.0, 1j], [0.0, 0.0]]),
    np.outer([1.0, 2j, 3.0], [1.0, 0.0, 2.0 - 1j]),
    np.diag([0.0, 0.0, 2j, 3.0]),
    1e-100 * np.outer([1.0, 2j, 3.0], [1.0, 0.5, 2.0 - 1j]),
    np.array([[1.0, 2.0], [3.0, 5.0j]]),
    np.eye(3) * 1j,
]


@functools.cache
def orders_of_determinants(part: str, size: int) -> list[tuple[Callable[[Any], Any], Callable[[Any], Any]]]:
    """Those of `np.linalg.det` and those by permutations, traced once for all matrices of a size."""

    def of_pair(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda p: getattr(function(p[0] + 1j * p[1]), part)

    ways = orders_of(of_pair(lambda a: np.linalg.det(a))), orders_of(of_pair(by_permutations))
    return list(zip(*ways, strict=True))


@pytest.mark.parametrize("x", SINGULAR, ids=range(len(SINGULAR)))
@pytest.mark.parametrize("part", ["real", "imag"])
def test_determinants_of_singular_matrices(x: Any, part: str) -> None:
    scale, pair = float(np.max(np.abs(x), initial=0.0)) or 1.0, np.stack([x.real, x.imag])
    orders = orders_of_determinants(part, len(x))
    for order, (one, right) in enumerate(orders):
        tolerance = 1e-9 * scale ** max(0, len(x) - (1, 1, 2, 2, 3)[order])
        np.testing.assert_allclose(one(pair), right(pair), 1e-9, tolerance)


def test_the_pseudo_inverse_among_matrices_of_one_rank() -> None:
    u, v = np.array([1.0, 2j]), np.array([3.0, -1j, 0.5])
    weights = sample((3, 2))

    def of_rank_one(u: Any, v: Any) -> Any:
        return np.sum(np.abs(weights * np.linalg.pinv(np.outer(u, v.conj()))) ** 2)

    def by_formula(u: Any, v: Any) -> Any:
        inverse = np.outer(v, u.conj()) / (np.sum(np.abs(u) ** 2) * np.sum(np.abs(v) ** 2))
        return np.sum(np.abs(weights * inverse) ** 2)

    for one, right in zip(ag.vjp(of_rank_one, u, v)[1](1.0), ag.vjp(by_formula, u, v)[1](1.0), strict=True):
        np.testing.assert_allclose(one, right, 1e-11, 1e-11)


def test_in_a_loop_and_in_a_branch() -> None:
    def iterated(a: Any, n: Any) -> Any:
        total = np.zeros(len(a))
        for _ in range(n):
            q, r = np.linalg.qr(a)
            a = r @ q
            if np.abs(np.linalg.det(a)) > 1:
                total += np.linalg.svdvals(a)
        return a, total

    a = sample((3, 3))
    staged = ag.function(iterated)
    for n in (0, 3):
        for one, two in zip(staged(a, np.int64(n)), iterated(a, n), strict=True):
            np.testing.assert_allclose(one, two, 1e-11, 1e-11)


def test_every_option_is_tried_at_real_matrices_too() -> None:
    for a, is_full in itertools.product((sample((3, 3)).real, sample((2, 2, 2)).real), (True, False)):
        judge(lambda a: np.linalg.svd(a, is_full, hermitian=True)[1], a)
        judge(lambda a: np.linalg.pinv(a, hermitian=True), a)
        judge(lambda a: np.linalg.matrix_rank(a, hermitian=True), a)
