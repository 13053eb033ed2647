"""`ag.vmap` of complex arguments and results, and Jacobians of complex results: what each row gives alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import jax
import jax.numpy as jnp
import numpy as np
import pytest


def square(z):
    return z * z


def modulus(z):
    return np.abs(z)


def parts(z):
    return z.real, {"imag": z.imag, "both": [z, z + 1]}


def branch(z):
    if np.sum(z.real) > 0:
        return z * 2j
    return np.conj(z)


def growing(z):
    steps = 0
    while np.sum(np.abs(z)) < 20.0 and steps < 12:
        z = z * (1.5 + 0.5j)
        steps += 1
    return z, steps


def written(z):
    w = z.copy() if np.ndim(z) else np.array([z, z])
    w[0] = 1j
    return w


def listed(z):
    found = []
    for k in range(3):
        found.append(z * (k + 1j))
    return np.stack(found)


def constant(z):
    return 2j


FUNCTIONS = [square, modulus, parts, branch, growing, written, listed, constant]
DTYPES = [np.complex64, np.complex128]


def values(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Any:
    draws = np.random.default_rng(seed)
    return (draws.normal(size=shape) + 1j * draws.normal(size=shape)).astype(dtype)


def assert_rows(found: Any, rows: list[Any]) -> None:
    """Compares a tree for all rows with the trees of single rows."""
    if isinstance(rows[0], dict):
        assert found.keys() == rows[0].keys()
        for key in found:
            assert_rows(found[key], [row[key] for row in rows])
    elif isinstance(rows[0], (tuple, list)):
        assert type(found) is type(rows[0])
        for place, part in enumerate(found):
            assert_rows(part, [row[place] for row in rows])
    else:
        wanted = np.stack(rows)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-5 if wanted.dtype.itemsize <= 8 else 1e-12)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_rows_are_what_each_is_alone(function: Callable[[Any], Any], dtype: Any) -> None:
    for shape in ((4,), (1,), (4, 2), (3, 2, 2)):
        z = values(shape, dtype)
        rows = [function(row) for row in z]
        assert_rows(ag.vmap(function)(z), rows)
        assert_rows(ag.function(ag.vmap(function))(z), rows)
        assert_rows(ag.vmap(function, in_axes=-1)(np.moveaxis(z, 0, -1)), rows)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
def test_rows_of_trees_beside_what_is_the_same_for_all(dtype: Any) -> None:
    z, x, same = values((3, 2), dtype), np.arange(3.0), values((2,), dtype, 1)

    def together(tree, x, same):
        return {"sum": tree["z"] * x + same, "same": same}

    found = ag.vmap(together, in_axes=({"z": 0}, 0, None), out_axes={"sum": 1, "same": None})(
        {"z": z}, x, same
    )
    wanted = np.stack([row * np.float64(k) + same for row, k in zip(z, x, strict=True)], axis=1)
    np.testing.assert_allclose(found["sum"], wanted, rtol=1e-6)
    np.testing.assert_array_equal(found["same"], same)
    by_keyword = ag.vmap(lambda *, z: z * 2)(z=z)
    np.testing.assert_array_equal(by_keyword, z * 2)


def test_rows_of_rows_and_of_derivatives() -> None:
    z = values((3, 2), np.complex128)
    np.testing.assert_allclose(ag.vmap(ag.vmap(square))(z), z * z, rtol=1e-12)
    cubes = ag.vmap(ag.grad(lambda one: one**3, holomorphic=True))(z[:, 0])
    np.testing.assert_allclose(cubes, 3 * z[:, 0] ** 2, rtol=1e-12)
    slopes = ag.grad(lambda x: np.sum(np.abs(ag.vmap(lambda row: x * row)(z)) ** 2))(2.0)
    np.testing.assert_allclose(slopes, 4.0 * np.sum(np.abs(z) ** 2), rtol=1e-12)


def test_numbers_have_no_rows() -> None:
    with pytest.raises(ag.errors.StagingError, match="AG144"):
        ag.vmap(square)(1 + 2j)


def waves(x: Any, m: Any = np) -> Any:
    return m.exp(1j * x) * m.sum(x)


def tree_of_waves(x: Any, m: Any = np) -> Any:
    return {"wave": waves(x, m), "square": x * x}


@pytest.mark.parametrize("function", [waves, tree_of_waves], ids=lambda function: function.__name__)
@pytest.mark.parametrize("x", [0.5, np.array([0.5, 1.0]), np.ones((2, 1))], ids=np.shape)
def test_jacobians_of_complex_results_are_those_of_jax(function: Callable[..., Any], x: Any) -> None:
    with jax.enable_x64():
        wanted = jax.jacfwd(lambda x: function(x, jnp))(jnp.asarray(x))
    for found in (ag.jacfwd(function)(x), ag.function(ag.jacfwd(function))(x)):
        jax.tree.map(lambda one, other: np.testing.assert_allclose(one, other, rtol=1e-12), found, wanted)
