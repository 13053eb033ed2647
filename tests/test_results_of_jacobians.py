"""Jacobians of what is no float: ``None`` is an empty tree, as in JAX; all else is refused by both modes."""

from __future__ import annotations

from typing import Any

import autograph as ag
import jax
import jax.numpy as jnp
import numpy as np
import pytest

MODES = ["jacrev", "jacfwd", "hessian"]
TREES = [
    lambda x: (x * x, None),
    lambda x: {"a": x * x, "b": None, "c": [None, (x * x,)]},
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("x", [2.0, np.array([1.0, 2.0])])
def test_none_in_a_result_is_an_empty_tree(mode: str, tree: Any, x: Any) -> None:
    found, wanted = getattr(ag, mode)(tree)(x), getattr(jax, mode)(tree)(x)
    assert jax.tree.structure(found) == jax.tree.structure(wanted)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert np.allclose(one, other)
    inside = ag.function(lambda x: getattr(ag, mode)(tree)(x))(x)
    assert jax.tree.structure(inside) == jax.tree.structure(wanted)


@pytest.mark.parametrize("mode", MODES)
def test_none_in_an_argument_is_an_empty_tree(mode: str) -> None:
    def program(module: Any) -> Any:
        return lambda tree: module.sum(tree["a"] ** 3) * tree["c"][1]

    tree = {"a": np.array([1.0, 2.0]), "b": None, "c": (None, np.float64(3.0))}
    found, wanted = getattr(ag, mode)(program(np))(tree), getattr(jax, mode)(program(jnp))(tree)
    assert jax.tree.structure(found) == jax.tree.structure(wanted)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert np.allclose(one, other)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("empty", [(), None, [], {"a": ()}])
def test_of_an_argument_without_leaves_there_is_an_empty_jacobian(mode: str, empty: Any) -> None:
    assert getattr(ag, mode)(lambda tree: 1.0)(empty) == empty
    assert getattr(ag, mode)(lambda tree: (1.0, 2.0))(empty) == (empty, empty)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("x", [2.0, np.array([1.0, 2.0])])
@pytest.mark.parametrize(
    ("other", "word"),
    [
        (lambda x: 3, "an int"),
        (lambda x: True, "a bool"),
        (lambda x: "a", "a str"),
        (lambda x: np.argmax(np.stack([x, x])), "an int64 scalar"),
        (lambda x: np.arange(3), "an int64 array"),
    ],
)
def test_what_is_no_float_is_refused_by_both_modes(mode: str, x: Any, other: Any, word: str) -> None:
    with pytest.raises(TypeError, match=f"returns {word}") as caught:
        getattr(ag, mode)(lambda x: (x * 2.0, other(x)))(x)
    assert isinstance(caught.value, ag.StagingError) and caught.value.code == "AG142"
    # Beside what is differentiated, it is given back as it is.
    _, aux = getattr(ag, mode)(lambda x: (x * 2.0, 3), has_aux=True)(x)
    assert aux == 3


@pytest.mark.parametrize("mode", MODES)
def test_the_function_is_called_once_for_all_leaves(mode: str, capsys: Any) -> None:
    def program(tree: Any, z: Any) -> Any:
        print("called")
        return tree["a"] * tree["b"] * z

    def plain(tree: Any, z: Any) -> Any:
        return tree["a"] * tree["b"] * z

    tree = {"a": np.array([1.0, 2.0]), "b": 3.0}
    for argnums in (0, (0, 1), (1, 0), (1,)):
        capsys.readouterr()
        found = getattr(ag, mode)(program, argnums)(tree, np.float32(2.0))
        assert capsys.readouterr().out == "called\n"
        wanted = getattr(jax, mode)(plain, argnums)(tree, np.float32(2.0))
        assert jax.tree.structure(found) == jax.tree.structure(wanted)
        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
            assert np.allclose(one, other) and np.shape(one) == np.shape(other)


def test_what_would_be_drawn_for_each_row_is_refused() -> None:
    rng = np.random.default_rng(3)
    with pytest.raises(ag.StagingError, match="AG145"):
        ag.jacfwd(lambda x, y: rng.normal() * (x + y), (0, 1))(1.0, 2.0)
    other = np.random.default_rng(3)
    drawn = ag.function(lambda x: other.normal() * x)(1.0)
    rng = np.random.default_rng(3)
    assert ag.jacfwd(lambda x: rng.normal() * x)(1.0) == drawn
