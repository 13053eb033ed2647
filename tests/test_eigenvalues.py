"""`np.linalg.eig`, `eigvals` and `np.roots`: real or complex, as NumPy gives them in the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same

RNG = np.random.default_rng(0)
MATRICES = {
    "identity": np.eye(3),
    "real": np.array([[1.0, 2.0], [3.0, 4.0]]),
    "rotation": np.array([[0.0, 1.0], [-1.0, 0.0]]),
    "random": RNG.normal(size=(4, 4)),
    "stack": RNG.normal(size=(2, 3, 3)),
    "stack_of_real": np.stack([np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]])]),
    "integers": np.arange(9).reshape(3, 3),
    "bools": np.eye(2, dtype=bool),
    "singles": RNG.normal(size=(3, 3)).astype(np.float32),
    "complex": RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3)),
    "complex_singles": (RNG.normal(size=(2, 2)) + 1j).astype(np.complex64),
    "defective": np.array([[1.0, 1.0], [0.0, 1.0]]),
    "empty": np.zeros((0, 0)),
    "no_matrices": np.zeros((0, 2, 2)),
}
POLYNOMIALS = {
    "real": np.array([1.0, -3.0, 2.0]),
    "complex_roots": np.array([1.0, 0.0, 1.0]),
    "zeros_around": np.array([0.0, 0.0, 1.0, 2.0, 0.0, 0.0]),
    "zeros": np.zeros(3),
    "empty": np.zeros(0),
    "constant": np.array([2.0]),
    "integers": np.array([1, 2, 3]),
    "complex": np.array([1 + 1j, 2, 3]),
    "complex_zeros": np.array([0j, 0]),
    "infinite_first": np.array([np.inf, 0.0, 0.0]),
}


def _judge(function: Callable[..., Any], staged: Any, value: Any) -> None:
    for _ in range(2):
        assert_same(staged(value), function(value))


USES: dict[str, Callable[[Any], Any]] = {
    "result": lambda w: w,
    "largest": lambda w: np.abs(w).sum() * 0.5,
    "sorted": lambda w: np.sort(w),
    "arithmetic": lambda w: (w * 2.0 + 1.0, w.real, w.imag, w.shape),
    "item": lambda w: w[..., :1],
}


@pytest.mark.parametrize("use", USES)
def test_eigenvalues(use: str) -> None:
    def values(a):
        return USES[use](np.linalg.eigvals(a))

    staged = ag.function(values)
    for value in MATRICES.values():
        _judge(values, staged, value)


def test_vectors() -> None:
    def both(a):
        return np.linalg.eig(a)

    def parts(a):
        values, vectors = np.linalg.eig(a)
        return vectors * values[..., np.newaxis, :], a @ vectors

    for function in (both, parts):
        staged = ag.function(function)
        for name, value in MATRICES.items():
            if name != "bools" or function is both:
                _judge(function, staged, value)
    result = ag.function(both)(np.eye(2))
    assert type(result) is type(np.linalg.eig(np.eye(2)))


@pytest.mark.parametrize("use", ["result", "largest", "arithmetic"])
def test_roots(use: str) -> None:
    def roots(p):
        return USES[use](np.roots(p))

    staged = ag.function(roots)
    for value in POLYNOMIALS.values():
        _judge(roots, staged, value)


def test_roots_of_a_number_are_refused_as_by_numpy() -> None:
    for value in (2.0, np.int32(3), np.array(1.0)):
        with pytest.raises(TypeError) as plain:
            np.roots(value)
        with pytest.raises(TypeError) as caught:
            ag.function(lambda p: np.roots(p))(value)
        assert str(plain.value) in str(caught.value)


def test_one_graph_serves_both_types() -> None:
    staged = ag.function(lambda a: np.linalg.eigvals(a))
    dtypes = [staged(MATRICES[name]).dtype for name in ("real", "rotation", "defective")]
    assert dtypes == [np.float64, np.complex128, np.float64]
    assert len(staged.concrete_functions()) == 1


def test_in_a_loop_and_a_try() -> None:
    def radius(a, n):
        largest = 0.0
        for i in range(n):
            try:
                values, vectors = np.linalg.eig(a * float(i))
                largest += np.abs(values).max()
                a = np.real(vectors) + a
            except np.linalg.LinAlgError as error:
                print(error)
                return -largest
        return largest

    staged = ag.function(radius)
    for a in (MATRICES["real"], MATRICES["rotation"], np.array([[np.nan, 1.0], [1.0, 1.0]])):
        np.testing.assert_allclose(staged(a, np.int64(5)), radius(a, np.int64(5)), rtol=1e-12)


@pytest.mark.parametrize("function", [np.linalg.eig, np.linalg.eigvals])
@pytest.mark.parametrize("a", [np.full((2, 2), np.inf), np.zeros((2, 3)), np.ones(3)])
def test_errors_are_numpys(function: Any, a: Any) -> None:
    with pytest.raises(np.linalg.LinAlgError) as plain:
        function(a)
    with pytest.raises(np.linalg.LinAlgError) as staged:
        ag.function(lambda a: function(a))(a)
    assert str(plain.value) in str(staged.value)


REFUSED = {
    "gradient": (lambda a: ag.grad(lambda b: np.abs(np.linalg.eigvals(b)).sum())(a), np.eye(2), "AG143"),
    "vmap": (lambda a: ag.vmap(np.linalg.eigvals)(a), np.stack([np.eye(2)] * 2), "AG145"),
    "single_roots": (lambda p: np.roots(p), np.ones(3, np.float32), "AG108"),
    "half": (lambda a: np.linalg.eig(a), np.eye(2, dtype=np.float16), "AG103"),
    "size_of_the_run": (lambda p: np.roots(p[p > 0]), np.ones(3), "AG117"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    function, value, code = REFUSED[name]
    with pytest.raises(ag.StagingError) as caught:
        ag.function(function)(value)
    assert caught.value.code == code
    assert caught.value.help
    assert caught.value.location is not None
