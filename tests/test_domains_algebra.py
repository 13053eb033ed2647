"""Linear algebra at special matrices (equal values, zeros, ranks) and masked reductions: derivatives."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

WEIGHTS = np.array([[1.0, 2.0, -1.0], [3.0, 5.0, 0.5], [-2.0, 0.7, 4.0]])
ROTATED = np.array([[0.6, -0.8], [0.8, 0.6]])
SQUARE = [
    np.eye(3),
    2.0 * np.eye(2),
    ROTATED,
    np.array([[0.0, 1.0], [1.0, 0.0]]),
    np.array([[1.0, 2.0], [3.0, 5.0]]),
]
TALL = [np.eye(3, 2), np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]])]


def orders_of(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """The first three derivatives in several modes."""
    first = ag.grad(function)
    return [first, ag.jacfwd(function), ag.jacfwd(first), ag.jacrev(first), ag.jacfwd(ag.jacrev(first))]


def assert_same_derivatives(function: Callable[..., Any], other: Callable[..., Any], x: Any) -> None:
    for one, right in zip(orders_of(function), orders_of(other), strict=True):
        np.testing.assert_allclose(one(x), right(x), 1e-9, 1e-9)


def weighted(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def loss(x: Any) -> Any:
        y = function(x)
        rows, columns = y.shape[-2:]
        return np.sum(WEIGHTS[:rows, :columns] * y)

    return loss


@pytest.mark.parametrize("x", SQUARE, ids=str)
def test_the_pseudo_inverse_of_an_invertible_matrix_is_its_inverse(x: Any) -> None:
    assert_same_derivatives(weighted(np.linalg.pinv), weighted(np.linalg.inv), x)


@pytest.mark.parametrize("x", TALL, ids=str)
def test_the_pseudo_inverse_of_full_rank(x: Any) -> None:
    by_columns = weighted(lambda a: np.linalg.inv(a.T @ a) @ a.T)
    assert_same_derivatives(weighted(np.linalg.pinv), by_columns, x)
    by_rows = weighted(lambda a: a.T @ np.linalg.inv(a @ a.T))
    assert_same_derivatives(weighted(np.linalg.pinv), by_rows, x.T.copy())


def test_stacks_of_pseudo_inverses() -> None:
    stack = np.stack([np.eye(2), ROTATED])
    found = ag.grad(weighted(np.linalg.pinv))(stack)
    for one, x in zip(found, stack, strict=True):
        np.testing.assert_allclose(one, ag.grad(weighted(np.linalg.inv))(x), 1e-12, 1e-12)


def test_the_pseudo_inverse_among_matrices_of_one_rank() -> None:
    u, v = np.array([1.0, 2.0]), np.array([3.0, -1.0, 0.5])

    def of_rank_one(u: Any, v: Any) -> Any:
        return weighted(np.linalg.pinv)(np.outer(u, v))

    def by_formula(u: Any, v: Any) -> Any:
        return weighted(lambda a: a)(np.outer(v, u) / (np.sum(u * u) * np.sum(v * v)))

    for place in (0, 1):
        right = ag.grad(by_formula, place)(u, v)
        np.testing.assert_allclose(ag.grad(of_rank_one, place)(u, v), right, 1e-12, 1e-12)
        np.testing.assert_allclose(ag.jacfwd(of_rank_one, place)(u, v), right, 1e-12, 1e-12)


@pytest.mark.parametrize("x", SQUARE, ids=str)
def test_least_squares_of_an_invertible_matrix_are_its_solution(x: Any) -> None:
    side = np.arange(1.0, len(x) + 1)
    assert_same_derivatives(
        lambda a: np.sum(side * np.linalg.lstsq(a, side, rcond=None)[0]),
        lambda a: np.sum(side * np.linalg.solve(a, side)),
        x,
    )


@pytest.mark.parametrize("x", [np.eye(2), np.zeros((3, 3)), np.diag([2.0, 2.0, 1.0])], ids=str)
def test_values_alone_have_a_first_derivative_where_they_are_equal(x: Any) -> None:
    scale = np.arange(1.0, len(x) + 1)
    for values, alone in (
        (lambda a: np.linalg.eigh(a)[0], np.linalg.eigvalsh),
        (lambda a: np.linalg.svd(a)[1], np.linalg.svdvals),
        (lambda a: np.linalg.eigh(a).eigenvalues, np.linalg.eigvalsh),
    ):
        for made in (ag.grad, ag.jacfwd):
            found = made(lambda a, values=values: np.sum(scale * values(a)))(x)
            right = made(lambda a, alone=alone: np.sum(scale * alone(a)))(x)
            assert np.all(np.isfinite(found))
            np.testing.assert_allclose(found, right, 1e-12, 1e-12)
    # Their sum is the trace, whatever vectors were found.
    np.testing.assert_allclose(
        ag.grad(lambda a: np.sum(np.linalg.eigh(a)[0]))(x), np.eye(len(x)), 1e-12, 1e-12
    )


def test_values_and_vectors_together() -> None:
    x = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.3], [0.1, 0.3, -1.0]])

    def rebuilt(a: Any) -> Any:
        values, vectors = np.linalg.eigh(a)
        return np.sum(WEIGHTS * ((vectors * values) @ vectors.T))

    lower = np.tril(WEIGHTS + WEIGHTS.T, -1) + np.diag(np.diag(WEIGHTS))
    np.testing.assert_allclose(ag.grad(rebuilt)(x), lower, 1e-12, 1e-12)
    np.testing.assert_allclose(ag.jacfwd(rebuilt)(x), lower, 1e-12, 1e-12)


def by_permutations(a: Any) -> Any:
    """Leibniz' formula for the determinant, which has all derivatives."""
    total = 0.0
    for places in itertools.permutations(range(len(a))):
        exchanges = sum(one > other for one, other in itertools.combinations(places, 2))
        term = (-1.0) ** exchanges
        for row, column in enumerate(places):
            term = term * a[row, column]
        total = total + term
    return total


SINGULAR = [
    np.ones((2, 2)),
    np.zeros((1, 1)),
    np.zeros((2, 2)),
    np.zeros((3, 3)),
    np.array([[0.0, 1.0], [0.0, 0.0]]),
    np.arange(9.0).reshape(3, 3),
    np.outer([1.0, 2.0, 3.0], [1.0, 0.0, 2.0]),
    np.diag([0.0, 0.0, 2.0, 3.0]),
    1e-100 * np.arange(9.0).reshape(3, 3),
    np.array([[1.0, 2.0], [3.0, 5.0]]),
    np.eye(3),
]


@pytest.mark.parametrize("x", SINGULAR, ids=str)
def test_determinants_of_singular_matrices(x: Any) -> None:
    scale = float(np.max(np.abs(x), initial=0.0)) or 1.0
    for order, (one, right) in enumerate(
        zip(orders_of(lambda a: np.linalg.det(a)), orders_of(by_permutations), strict=True)
    ):
        tolerance = 1e-9 * scale ** max(0, len(x) - (1, 1, 2, 2, 3)[order])
        np.testing.assert_allclose(one(x), right(x), 1e-9, tolerance)


def test_rows_and_stacks_of_determinants() -> None:
    stack = np.stack([np.ones((2, 2)), 2.0 * np.eye(2), np.zeros((2, 2))])
    right = [ag.grad(by_permutations)(x) for x in stack]
    gradient = ag.grad(lambda a: np.sum(np.linalg.det(a)))
    np.testing.assert_allclose(gradient(stack), right, 1e-12, 1e-12)
    np.testing.assert_allclose(ag.vmap(ag.grad(lambda a: np.linalg.det(a)))(stack), right, 1e-12, 1e-12)
    assert gradient(np.zeros((0, 2, 2))).shape == (0, 2, 2)


@pytest.mark.parametrize("order", [3, 2.5, 1.5, 4])
def test_norms_of_any_order(order: float) -> None:
    norm = lambda x: np.linalg.norm(x, order)  # noqa: E731
    by_formula = lambda x: np.sum(np.sqrt(x * x) ** order) ** (1 / order)  # noqa: E731
    assert_same_derivatives(norm, by_formula, np.array([3.0, -4.0, 0.5]))
    assert ag.grad(norm)(np.zeros(2)).tolist() == [0.0, 0.0]
    assert ag.hessian(norm)(np.zeros(2)).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    np.testing.assert_allclose(ag.grad(norm)(np.array([0.0, 2.0])), [0.0, 1.0], 1e-14)
    rows = ag.grad(lambda x: np.sum(np.linalg.norm(x, order, axis=1)))(np.array([[0.0, 0.0], [0.0, -2.0]]))
    np.testing.assert_allclose(rows, [[0.0, 0.0], [0.0, -1.0]], 1e-14)


def test_the_square_of_a_norm() -> None:
    for norm in (np.linalg.norm, lambda x: np.linalg.norm(x, axis=0), lambda x: np.sqrt(np.sum(x * x))):
        hessian = ag.hessian(lambda x, norm=norm: norm(x) ** 2)(np.zeros(2))
        np.testing.assert_array_equal(hessian, 2.0 * np.eye(2))
    np.testing.assert_allclose(ag.hessian(lambda x: np.std(x) ** 2)(np.ones(2)), [[0.5, -0.5], [-0.5, 0.5]])


X = np.array([1.0, -2.0, np.nan, 3.0, 3.0])
MASK = np.array([True, True, False, True, False])


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "max", "min"])
def test_masked_reductions_are_those_of_the_elements_that_are_taken(name: str) -> None:
    function = getattr(np, name)
    options = {"max": {"initial": -9.0}, "min": {"initial": 9.0}}.get(name, {})
    masked = lambda x: function(x * x, where=MASK, **options)  # noqa: E731
    picked = lambda x: function((x * x)[MASK], **options)  # noqa: E731
    assert ag.function(masked)(X) == masked(X)
    for one, right in zip(orders_of(masked), orders_of(picked), strict=True):
        found, wanted = one(X), right(X)
        inside = np.ix_(*[MASK] * found.ndim)
        np.testing.assert_allclose(found[inside], wanted[inside], 1e-12, 1e-12)
        assert not np.any(np.isnan(ag.grad(lambda x: function(x, where=MASK, **options))(X)))


def test_a_mask_and_a_number_to_begin_with() -> None:
    largest = lambda x: np.max(x, initial=3.0, where=MASK)  # noqa: E731
    assert ag.grad(largest)(np.array([1.0, 3.0, 7.0, 2.0, 7.0])).tolist() == [0.0, 0.5, 0.0, 0.0, 0.0]
