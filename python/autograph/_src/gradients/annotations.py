"""Annotations that steer gradients: ``stop_gradient`` for a value, ``checkpoint`` for a function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from autograph import _core
from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.gradients.policies import Policy, checkpoint_policies
from autograph._src.gradients.recorded import anchor, derivatives
from autograph._src.gradients.refusals import refusal
from autograph._src.operators.calls import converted_call
from autograph._src.staging.calls.made_trees import made_tree
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.slopes import without_slope
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import current_trace
from autograph._src.trees import flatten

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def stop_gradient(x: T) -> T:
    """Return a value unchanged, but treat it as a constant in derivatives.

    Args:
        x: An array or number of any dtype and shape, or a tree of them.

    Returns:
        A tree with the same values. Leaves that are not staged are returned as they are.

    Example:
        >>> import autograph as ag
        >>> ag.grad(lambda x: x * ag.stop_gradient(x))(3.0)
        3.0
    """
    if current_trace() is None:
        return x
    leaves: list[Any] = []
    _, rebuild = flatten(x, leaves)
    stopped: T = made_tree(rebuild([_stopped(leaf) for leaf in leaves]))
    return stopped


def _stopped(leaf: object) -> object:
    if type(leaf) is StagedUnion:
        return each(leaf, _stopped)
    if isinstance(leaf, PartedTensor) and leaf.dtype.kind in "fc":
        return leaf.with_parts(tuple(map(without_slope, leaf.parts)))
    if not isinstance(leaf, Tensor) or leaf.dtype.kind != "f":
        return leaf
    return without_slope(leaf)


def checkpoint(
    fun: Callable[P, R],
    *,
    prevent_cse: bool = True,
    policy: Policy | None = None,
    static_argnums: int | Sequence[int] = (),
) -> Callable[P, R]:
    """Make a function whose gradient computes intermediate values again instead of saving them.

    A gradient through the function saves only its arguments and the values of enclosing scopes that it
    uses, and runs it once more in the backward pass. In the body of a loop, each iteration thus saves the
    arguments of the call and no intermediate values.

    Args:
        fun: A function, plain or staged.
        prevent_cse: Whether the second computation is kept apart from the first. It always is here.
        policy: What else a gradient saves, one of :data:`autograph.checkpoint_policies`.
        static_argnums: Indices of arguments that JAX must not trace. Plain values always stay plain here.

    Returns:
        A function with the same parameters and results.

    Raises:
        StagingError: If the policy is not one of these (AG144).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> layer = ag.checkpoint(lambda x, w: np.tanh(x @ w))
        >>> def loss(w, x):
        ...     for _ in ag.staged(range(100)):
        ...         x = layer(x, w)
        ...     return np.sum(x)
        >>> ag.grad(loss)(np.eye(2) * 0.9, np.ones(2)).round(4)
        array([[0.0014, 0.0014],
               [0.0014, 0.0014]])
    """
    if policy is not None and not isinstance(policy, Policy):
        raise refusal(
            "AG144",
            f"the policy of a checkpoint is {with_article(type_name(policy))}, and none of"
            " `ag.checkpoint_policies`",
            "choose one of them, such as `ag.checkpoint_policies.dots_saveable`",
        )
    kept = policy or checkpoint_policies.nothing_saveable

    @functools.wraps(fun)
    def checkpointed(*args: P.args, **kwargs: P.kwargs) -> R:
        trace = current_trace()
        if trace is None:
            return fun(*args, **kwargs)
        first = anchor()
        result = converted_call(fun, *args, **kwargs)
        last = anchor()
        with derivatives(trace):
            _core.checkpoint(trace.locate_in_graph(), first, last, None, *kept.options(trace))
        return result  # type: ignore[no-any-return]

    return checkpointed
