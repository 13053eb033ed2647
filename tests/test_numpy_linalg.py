"""`np.linalg` over staged values equals NumPy's, to rounding; interpreter and engine to the bit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same

SQUARE = [(3, 3), (1, 1), (2, 3, 3), (2, 2, 5, 5), (0, 0), (0, 3, 3)]
ANY = [(3, 3), (4, 2), (2, 4), (3, 5, 2), (3, 2, 5), (0, 3), (3, 0), (1, 1), (6, 1), (1, 6)]
DTYPES = ["float64", "float32", "int64"]


def sample(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Any:
    return (np.random.default_rng([seed, *shape]).normal(size=shape) * 10).astype(dtype)


def native_and_interpreted(function: Callable[..., Any], *args: Any) -> Any:
    """What the engine gives, which is what the interpreter gives."""
    staged = ag.function(function)
    leaves, concrete = staged._specialise(args, {})
    got = concrete(leaves)
    other: list[Any] = []
    parts = got if isinstance(got, tuple) else (got,)
    again = concrete.interpret(leaves)
    other = list(again) if isinstance(again, tuple) else [again]
    for one, two in zip(parts, other, strict=True):
        assert np.asarray(one).tobytes() == np.asarray(two).tobytes()
    return got


def judge(function: Callable[..., Any], *args: Any) -> None:
    """Value up to rounding, type, dtype and shape are NumPy's; so is the class of an error.

    The rounding is that of the narrowest floats: a sum in double precision of single ones is as good as they.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            want = function(*args)
        except np.linalg.LinAlgError as error:
            with pytest.raises(np.linalg.LinAlgError, match=str(error)):
                ag.function(function)(*args)
            return
    got = ag.function(function)(*args)
    assert type(got) is type(want)
    for one, two in zip(
        got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,), strict=True
    ):
        assert type(one) is type(two) and one.dtype == two.dtype and one.shape == two.shape
        dtypes = [two.dtype, *(arg.dtype for arg in args if isinstance(arg, np.ndarray))]
        tolerance = 2e-3 if {np.dtype("float32"), np.dtype("complex64")} & set(dtypes) else 1e-9
        np.testing.assert_allclose(one, two, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE, ids=str)
def test_functions_of_square_matrices(shape: tuple[int, ...], dtype: str) -> None:
    a, b, v = sample(shape, dtype), sample(shape, dtype, 1), sample(shape[-1:], dtype, 2)
    definite = (a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])).astype(dtype)
    judge(lambda a, b: np.linalg.solve(a, b), a, b)
    judge(lambda a, v: np.linalg.solve(a, v), a, v)
    judge(lambda a: np.linalg.inv(a), a)
    judge(lambda a: np.linalg.det(a), a)
    judge(lambda a: np.linalg.slogdet(a), a)
    judge(lambda a: np.linalg.cholesky(a), definite)
    judge(lambda a: np.linalg.cholesky(a, upper=True), definite)
    judge(lambda a: np.linalg.eigvalsh(a), a)
    judge(lambda a: np.linalg.eigvalsh(a, "U"), a)
    for power in (-2, -1, 0, 1, 2, 3, 6):
        judge(lambda a: np.linalg.matrix_power(a, power), a)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", ANY, ids=str)
def test_functions_of_matrices(shape: tuple[int, ...], dtype: str) -> None:
    a = sample(shape, dtype)
    for mode in ("reduced", "complete", "r"):  # With LAPACK's signs.
        judge(lambda a: np.linalg.qr(a, mode), a)
    judge(lambda a: np.linalg.svd(a, compute_uv=False), a)
    judge(lambda a: np.linalg.svdvals(a), a)
    judge(lambda a: np.linalg.pinv(a), a)
    if a.size:
        judge(lambda a: np.linalg.matrix_rank(a), a)
        judge(lambda a: np.linalg.cond(a), a)
    if a.size and a.ndim == 2:
        judge(lambda a, b: np.linalg.lstsq(a, b), a, sample(shape[:1], dtype, 1))
        judge(lambda a, b: np.linalg.lstsq(a, b), a, sample((shape[0], 2), dtype, 2))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("is_full", [True, False])
@pytest.mark.parametrize("shape", [*ANY, (20, 30), (40, 17)], ids=str)
@pytest.mark.parametrize("rank", [None, 1, 0])
def test_singular_vectors(shape: tuple[int, ...], rank: int | None, is_full: bool, dtype: str) -> None:
    a = sample(shape, dtype)
    if rank is not None:  # Repeated and vanishing singular values.
        a = (np.ones_like(a) * rank).astype(dtype)
    u, s, vh = native_and_interpreted(lambda a: np.linalg.svd(a, is_full), a)
    want = np.linalg.svd(a, is_full)
    k, tolerance = s.shape[-1], 1e-3 if dtype == "float32" else 1e-9
    assert [part.shape for part in (u, s, vh)] == [part.shape for part in want]
    assert np.allclose(s, want[1], atol=tolerance) and np.all(s[..., :-1] >= s[..., 1:])
    assert np.allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, atol=tolerance)
    assert np.allclose(np.swapaxes(u, -1, -2) @ u, np.eye(u.shape[-1]), atol=tolerance)
    assert np.allclose(vh @ np.swapaxes(vh, -1, -2), np.eye(vh.shape[-2]), atol=tolerance)


@pytest.mark.parametrize("triangle", ["L", "U"])
@pytest.mark.parametrize("shape", [*SQUARE, (30, 30)], ids=str)
def test_eigenvectors(shape: tuple[int, ...], triangle: str) -> None:
    a = sample(shape, "float64")
    values, vectors = native_and_interpreted(lambda a: np.linalg.eigh(a, triangle), a)
    half = np.tril(a, -1) if triangle == "L" else np.swapaxes(np.triu(a, 1), -1, -2)
    whole = half + np.swapaxes(half, -1, -2) + np.eye(shape[-1]) * a
    assert np.allclose(values, np.linalg.eigvalsh(whole)) and np.all(values[..., :-1] <= values[..., 1:])
    assert np.allclose(whole @ vectors, vectors * values[..., None, :], atol=1e-9)
    assert np.allclose(np.swapaxes(vectors, -1, -2) @ vectors, np.eye(shape[-1]), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_scales(scale: float) -> None:
    a = np.array([[3.0, 1.0], [1.0, 2.0]]) * scale
    for function in (np.linalg.svdvals, np.linalg.eigvalsh, np.linalg.cholesky, np.linalg.inv):
        assert_allclose_relative(ag.function(lambda a: function(a))(a), function(a))


def assert_allclose_relative(got: Any, want: Any) -> None:
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("p", [None, 2, -2, "fro", 1, -1, np.inf, -np.inf])
def test_condition_numbers(p: Any) -> None:
    for a in (sample((4, 4), "float64"), sample((2, 3, 3), "float32"), np.zeros((2, 2))):
        judge(lambda a: np.linalg.cond(a, p), a)


def test_failures_are_linear_algebra_errors() -> None:
    def inverse(a: Any) -> Any:
        return np.linalg.inv(a)

    def solution(a: Any, b: Any) -> Any:
        return np.linalg.solve(a, b)

    def root(a: Any) -> Any:
        return np.linalg.cholesky(a)

    def values(a: Any) -> Any:
        return np.linalg.svdvals(a)

    cases: list[tuple[Any, tuple[Any, ...], str]] = [
        (inverse, (np.zeros((2, 2)),), "Singular matrix"),
        (solution, (np.ones((2, 2)), np.ones(2)), "Singular matrix"),
        (root, (-np.eye(2),), "Matrix is not positive definite"),
        (values, (np.array([[np.nan]]),), "SVD did not converge"),
    ]
    for function, args, message in cases:
        with pytest.raises(np.linalg.LinAlgError, match=message):
            function(*args)
        with pytest.raises(np.linalg.LinAlgError, match=message) as caught:
            ag.function(function)(*args)
        place = ag.errors.place_of(caught.value)
        assert type(caught.value) is np.linalg.LinAlgError and place is not None
        assert place.line == function.__code__.co_firstlineno + 1


def test_a_failure_in_a_branch_that_is_not_taken_is_none() -> None:
    def guarded(a: Any, x: Any) -> Any:
        return np.linalg.inv(a) if x > 0 else a

    staged, a = ag.function(guarded), np.zeros((2, 2))
    assert_same(staged(a, np.float64(-1.0)), a)
    with pytest.raises(np.linalg.LinAlgError):
        staged(a, np.float64(1.0))


def test_misfits_are_refused_while_tracing() -> None:
    for function, args in (
        (lambda a: np.linalg.inv(a), (np.zeros((2, 3)),)),
        (lambda a: np.linalg.det(a), (np.zeros(3),)),
        (lambda a: np.linalg.matrix_power(a, 2), (np.zeros((2, 3)),)),
        (lambda a, b: np.linalg.solve(a, b), (np.eye(2), np.ones(3))),
    ):
        with pytest.raises(ValueError) as want:
            function(*args)
        with pytest.raises(type(want.value)) as got:
            ag.function(function)(*args)
        assert isinstance(got.value, ag.StagingError) and got.value.message == str(want.value)


def test_in_a_loop() -> None:
    def newton(x: Any) -> Any:
        steps = 0
        while np.abs(x[0] * x[0] - 2.0) + np.abs(x[0] * x[1] - 1.0) > 1e-12:
            jacobian = np.stack([np.stack([2.0 * x[0], 0.0 * x[0]]), np.stack([x[1], x[0]])])
            x = x - np.linalg.solve(jacobian, np.stack([x[0] * x[0] - 2.0, x[0] * x[1] - 1.0]))
            steps += 1
        return x, steps

    assert_same(ag.function(newton)(np.array([1.0, 1.0])), newton(np.array([1.0, 1.0])))
