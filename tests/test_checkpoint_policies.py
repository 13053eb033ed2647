"""``ag.checkpoint`` with a policy: the same derivatives of each order, with the saved values on tapes."""

from __future__ import annotations

from typing import Any

import autograph as ag
import jax
import numpy as np
import pytest

POLICIES = ag.checkpoint_policies
CASES = {
    "everything_saveable": POLICIES.everything_saveable,
    "nothing_saveable": POLICIES.nothing_saveable,
    "dots_saveable": POLICIES.dots_saveable,
    "dots_with_no_batch_dims_saveable": POLICIES.dots_with_no_batch_dims_saveable,
    "save_only_these_names": POLICIES.save_only_these_names("hidden"),
    "save_any_names_but_these": POLICIES.save_any_names_but_these("hidden"),
    "save_anything_except_these_names": POLICIES.save_anything_except_these_names("hidden"),
    "save_from_both_policies": POLICIES.save_from_both_policies(
        POLICIES.dots_saveable, POLICIES.save_only_these_names("hidden")
    ),
}
W, X = np.linspace(-0.5, 0.5, 9).reshape(3, 3), np.array([1.0, -0.5, 0.25])


def layer(x: Any, w: Any) -> Any:
    y = ag.checkpoint_name(np.tanh(x @ w), "hidden")
    z = np.sin(y @ w) * y + np.argmax(y)
    if z[0] > 0.1:
        z = z * np.exp(-z)
    for _ in ag.staged(range(2)):
        z = z @ w
    return z


def through(step: Any) -> Any:
    def loss(w: Any, x: Any) -> Any:
        for _ in ag.staged(range(4)):
            x = step(x, w)
        return np.sum(x * x)

    return loss


def second(step: Any) -> Any:
    return lambda w, x: np.sum(ag.grad(through(step))(w, x) ** 2)


@pytest.mark.parametrize("policy", CASES.values(), ids=CASES)
def test_policies_change_nothing_but_what_is_saved(policy: Any) -> None:
    step = ag.checkpoint(layer, policy=policy)
    rows = np.stack([W, 2.0 * W])
    for transformed, w in (
        (lambda step: ag.value_and_grad(through(step)), W),
        (lambda step: ag.grad(lambda w, x: np.sum(step(x, w))), W),
        (lambda step: ag.grad(second(step)), W),
        (lambda step: ag.jacfwd(through(step)), W),
        (lambda step: ag.hessian(through(step)), W),
        (lambda step: ag.vmap(ag.grad(through(step)), in_axes=(0, None)), rows),
    ):
        found, wanted = transformed(step)(w, X), transformed(layer)(w, X)
        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
            assert np.allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "pushed"),
    [
        ("nothing_saveable", 1),
        ("dots_saveable", 3),
        ("save_only_these_names", 2),
        ("save_any_names_but_these", 1),
    ],
)
def test_what_is_saved_is_on_tapes(name: str, pushed: int) -> None:
    step = ag.checkpoint(
        lambda x, w: np.sin(ag.checkpoint_name(np.tanh(x @ w), "hidden") @ w), policy=CASES[name]
    )
    graph = ag.function(ag.grad(through(step))).concrete_function(W, X).graph
    text = str(graph)
    assert text.count("tape_push") == pushed
    # With what is saved, the rest is computed: nothing else reads what the second computation gives there.
    assert text.count("vjp_rule") == pushed - 1


def test_values_in_rows_are_not_saved_as_products_of_one() -> None:
    policy = POLICIES.dots_with_no_batch_dims_saveable
    for operand, pushed in ((W, 2), (np.stack([W, W]), 1)):
        step = ag.checkpoint(lambda x, w: np.sin(x @ w), policy=policy)
        text = str(ag.function(ag.grad(through(step))).concrete_function(operand, operand).graph)
        assert text.count("tape_push") == pushed


def test_policies_have_the_names_of_jax() -> None:
    ours = {name for name in dir(POLICIES) if not name.startswith("_")}
    theirs = {name for name in dir(jax.checkpoint_policies) if not name.startswith("_")}
    assert ours <= theirs
    assert theirs - ours == {"offload_dot_with_no_batch_dims", "save_and_offload_only_these_names"}


def test_another_policy_is_refused() -> None:
    with pytest.raises(TypeError, match="AG144"):
        ag.checkpoint(layer, policy=lambda *_: True)  # type: ignore[arg-type]


def test_options_of_jax_change_nothing() -> None:
    step = ag.checkpoint(layer, prevent_cse=False, static_argnums=(1,))
    assert np.allclose(ag.grad(through(step))(W, X), ag.grad(through(layer))(W, X))
    assert step(X, W) is not None and step.__name__ == "layer"
