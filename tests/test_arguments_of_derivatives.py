"""What derivatives make of their arguments: copies, which share memory where the arguments do, and with which
results share none.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.trees import flatten

X, T = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0])
MATRIX = np.arange(6.0).reshape(2, 3)


def arrays_in(tree: Any) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]


def same(x: Any) -> Any:
    return x


def parts(x: Any) -> Any:
    return x, x[1:], x[::-1], x.reshape(1, 3), (x, [x])


def loss_and(x: Any, y: Any) -> Any:
    return np.sum(x * y), (x, y, x[1:], y[::-1])


def linearized(f: Any, x: Any, t: Any) -> Any:
    value, derivative = ag.linearize(f, x)
    return value, derivative(t)


def pulled(f: Any, x: Any, t: Any) -> Any:
    value, pull = ag.vjp(f, x)
    return value, pull(t)


CALLS: dict[str, Callable[..., Any]] = {
    "grad": lambda x, t: ag.grad(loss_and, has_aux=True)(x, t),
    "value_and_grad": lambda x, t: ag.value_and_grad(loss_and, (0, 1), has_aux=True)(x, t),
    "grad of a product": lambda x, t: ag.grad(lambda x, t: np.sum(x * t), (0, 1))(x, t),
    "jvp": lambda x, t: ag.jvp(same, (x,), (t,)),
    "jvp of parts": lambda x, t: ag.jvp(parts, (x,), (t,)),
    "vjp": lambda x, t: pulled(same, x, t),
    "linearize": lambda x, t: linearized(same, x, t),
    "linearize of parts": lambda x, t: linearized(parts, x, t),
    "jacrev": lambda x, t: ag.jacrev(lambda x: (x * x, x), has_aux=True)(x),
    "jacfwd": lambda x, t: ag.jacfwd(lambda x: (x * x, x), has_aux=True)(x),
    "hessian": lambda x, t: ag.hessian(lambda x: (np.sum(x * x), x), has_aux=True)(x),
    "hvp": lambda x, t: ag.hvp(lambda x: np.sum(x * x) / 2.0, (x,), (t,)),
    "vmap": lambda x, t: ag.vmap(same)(x),
    "vmap of one for all": lambda x, t: ag.vmap(lambda x, t: (x, t), (0, None), (0, None))(x, t),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_results_share_no_memory_with_arguments(name: str) -> None:
    x, t = X.copy(), T.copy()
    found = arrays_in(CALLS[name](x, t))
    assert found and not any(np.shares_memory(one, given) for one in found for given in (x, t))
    for one in found:
        one[...] = 7.0
    assert np.array_equal(x, X) and np.array_equal(t, T)
    staged = ag.function(CALLS[name])
    if name not in ("vjp", "linearize", "linearize of parts"):
        assert not any(np.shares_memory(one, x) for one in arrays_in(staged(x, t)))


def test_one_object_of_the_function_is_one_of_the_result() -> None:
    def twice(x: Any) -> Any:
        y = x * 2.0
        return np.sum(y), (y, y)

    def pair(x: Any) -> Any:
        return twice(x)[1]

    found = (
        ag.grad(twice, has_aux=True)(X)[1],
        ag.value_and_grad(twice, has_aux=True)(X)[0][1],
        ag.jvp(pair, (X,), (T,))[0],
        ag.vjp(pair, X)[0],
        ag.linearize(pair, X)[0],
        ag.vmap(pair)(MATRIX),
    )
    for one, other in found:
        assert one is other
    assert ag.grad(lambda x: (np.sum(x), (x, x)), has_aux=True)(X)[1][0] is not X


# Arguments that share memory


def writes_first(a: Any, b: Any) -> Any:
    a[0] = 5.0
    return np.sum(a * b)


def writes_second(a: Any, b: Any) -> Any:
    b[:2] *= 2.0
    return np.sum(a * b)


def writes_of_three(a: Any, b: Any, c: Any) -> Any:
    b[0] = 5.0
    return np.sum(a) * np.sum(b * c)


def writes_in_a_branch(a: Any, b: Any) -> Any:
    if np.sum(a) > 0.0:
        a += 1.0
    return np.sum(a * b)


WRITERS = (writes_first, writes_second, writes_in_a_branch)


def test_an_array_that_is_passed_twice_is_one() -> None:
    z = T.copy()
    wanted = writes_of_three(X, z, z)
    for function in (ag.value_and_grad(writes_of_three), ag.function(ag.value_and_grad(writes_of_three))):
        value, gradient = function(X, T, T)
        assert value == wanted and np.allclose(gradient, np.sum(z * z))
    nested = ag.value_and_grad(lambda x, pair: writes_of_three(x, pair["b"], pair["c"]))
    assert nested(X, {"b": T, "c": T})[0] == wanted
    assert ag.function(lambda x, t: ag.value_and_grad(writes_of_three)(x, t, t))(X, T)[0] == wanted


@pytest.mark.parametrize("argnums", [0, 1, (0, 1)])
@pytest.mark.parametrize("function", WRITERS, ids=[function.__name__ for function in WRITERS])
def test_an_array_that_is_read_after_it_was_written_as_another_argument(function: Any, argnums: Any) -> None:
    words = "shares memory with another argument of the call, which was written since"
    calls = (
        lambda: ag.value_and_grad(function, argnums)(X, X),
        lambda: ag.function(lambda x: ag.grad(function, argnums)(x, x))(X),
        lambda: ag.function(lambda x: ag.grad(function, argnums)(x[1:], x[:2]))(X),
        lambda: ag.jacrev(function, argnums)(X, X),
        lambda: ag.jacfwd(function, argnums)(X, X),
        lambda: ag.hessian(function, argnums)(X, X),
        lambda: ag.jvp(function, (X, X), (T, T)),
        lambda: ag.vjp(function, X, X)[1](1.0),
        lambda: ag.linearize(function, X, X)[1](T, T),
        lambda: ag.vmap(function)(MATRIX, MATRIX),
        lambda: ag.grad(lambda pair: function(*pair))((X, X)),
    )
    for call in calls:
        with pytest.raises(ag.StagingError, match=words) as caught:
            call()
        assert caught.value.code == "AG111" and caught.value.location.file == __file__
    assert np.array_equal(X, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("function", WRITERS, ids=[function.__name__ for function in WRITERS])
def test_views_of_one_array_that_only_a_call_knows(function: Any) -> None:
    for transformed in (ag.grad(function), ag.jacfwd(function), ag.function(ag.grad(function, 1))):
        assert np.all(np.isfinite(transformed(X[1:].copy(), X[:2])))
        with pytest.raises(ag.StagingError, match="shares memory with another array") as caught:
            transformed(X[1:], X[:2])
        assert caught.value.code == "AG124"
        assert np.all(np.isfinite(transformed(X[1:].copy(), X[:2])))


def test_arguments_that_share_memory_are_read() -> None:
    def product(a: Any, b: Any) -> Any:
        return np.sum(a * b * b)

    value, (first, second) = ag.value_and_grad(product, (0, 1))(X, X)
    assert value == product(X, X)
    assert np.array_equal(first, X * X) and np.array_equal(second, 2 * X * X)
    assert np.array_equal(ag.grad(product)(X[1:], X[:2]), X[:2] ** 2)
    assert np.array_equal(ag.vmap(product)(MATRIX, MATRIX), [product(row, row) for row in MATRIX])


def test_one_of_them_is_written_after_the_other_was_read() -> None:
    def last_use(a: Any, b: Any) -> Any:
        product = a * b
        b[0] = 7.0
        return np.sum(product) + b[0] * b[1]

    value, gradient = ag.value_and_grad(last_use)(X, X)
    assert value == last_use(*[X.copy()] * 2)
    assert np.array_equal(gradient, X)


# Types of derivatives


def chosen(x: Any, y: Any) -> Any:
    return x * 2 if np.sum(x) > 0 else y


KINDS = (np.float32(1.5), np.float64(2.5), 0.5)


@pytest.mark.parametrize(("one", "other"), list(permutations(KINDS, 2)))
def test_derivatives_beside_other_types_are_of_their_own(one: Any, other: Any) -> None:
    for x, y in ((one, other), (-one, other)):
        value, tangent = ag.jvp(chosen, (x, y), (x, y))
        want = chosen(x, y)
        assert type(value) is type(tangent) is type(want) and value == tangent == want
        again, pull = ag.vjp(chosen, x, y)
        assert type(again) is type(want)
        for found in (pull(want), ag.grad(chosen, (0, 1))(x, y), ag.jacrev(chosen, (0, 1))(x, y)):
            assert [type(leaf) for leaf in found] == [type(x), type(y)]
        assert pull(want) == ((2 * want, 0.0) if x > 0 else (0.0, want))


def test_derivatives_of_arrays_beside_arrays_of_another_dtype() -> None:
    single, double = np.ones(3, np.float32), np.full(3, 0.5)
    for x in (single, -single):
        value, tangent = ag.jvp(chosen, (x, double), (x, double))
        want = chosen(x, double)
        assert value.dtype == tangent.dtype == want.dtype
        assert np.array_equal(value, want) and np.array_equal(tangent, want)
        first, second = ag.vjp(chosen, x, double)[1](want)
        assert first.dtype == np.float32 and second.dtype == np.float64
        assert np.array_equal(first, 2 * want if x[0] > 0 else np.zeros(3))
    matrix = np.stack([single, -single])
    rows = ag.vmap(chosen, (0, None))(matrix, double)
    assert rows.dtype == np.float64 and rows.tolist() == [[2.0] * 3, [0.5] * 3]
