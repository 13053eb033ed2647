"""What a gradient through ``ag.checkpoint`` saves: policies, named as in JAX, and names for values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from autograph import _core
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.tensors.tensor import Tensor, wrap
from autograph._src.staging.trace.active import current_trace
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import flatten

T = TypeVar("T")


def checkpoint_name(x: T, name: str) -> T:
    """Give a value a name for the policies of :func:`autograph.checkpoint`.

    Args:
        x: An array or number, or a tree of them.
        name: The name, which several values may have.

    Returns:
        A tree with the same values.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> policy = ag.checkpoint_policies.save_only_these_names("hidden")
        >>> layer = ag.checkpoint(lambda x: np.sin(ag.checkpoint_name(np.exp(x), "hidden")), policy=policy)
        >>> ag.grad(layer)(0.0)
        0.5403023058681398
    """
    trace = current_trace()
    if trace is None:
        return x
    leaves: list[Any] = []
    _, rebuild = flatten(x, leaves)
    named: T = rebuild([_named(trace, leaf, name) for leaf in leaves])
    return named


def _named(trace: Trace, leaf: object, name: str) -> object:
    if type(leaf) is StagedUnion:
        return each(leaf, lambda one: _named(trace, one, name))
    if not isinstance(leaf, Tensor) or is_complex(leaf) or is_narrow(leaf):
        return leaf
    value = _core.identity(trace.locate_in_graph(), leaf.read(), False)
    trace.checkpoint_names[value] = name
    return wrap(value, leaf.form)


@dataclass(frozen=True)
class Policy:
    """What a gradient saves of what a checkpointed function computes; the rest it computes again.

    Attributes:
        products: The matrix products that it saves: 0 none, 1 those of single matrices, 2 all.
        is_named: Whether it saves a value of this name.
        is_all: Whether it saves all else, too.
        text: How it is shown.
    """

    products: int
    is_named: Callable[[str], bool]
    is_all: bool
    text: str

    def __repr__(self) -> str:
        return f"ag.checkpoint_policies.{self.text}"

    def options(self, trace: Trace) -> tuple[int, list[int], bool]:
        """Products, values by name, and whether all but these are saved: as the Rust core takes them."""
        names = trace.checkpoint_names.items()
        return self.products, [one for one, name in names if self.is_named(name) != self.is_all], self.is_all


def _none(_: str) -> bool:
    return False


def _any(_: str) -> bool:
    return True


class checkpoint_policies:  # noqa: N801 - JAX's name
    """Policies of :func:`autograph.checkpoint`, named as in ``jax.checkpoint_policies``.

    Values that a loop, a branch or a recursion inside of the function computes are computed again; only what
    it gives can be saved.

    Attributes:
        everything_saveable: All values are saved, as without a checkpoint.
        nothing_saveable: Only the arguments are saved. This is the default.
        dots_saveable: Products of matrices and vectors (``@``, ``np.dot``, ``np.einsum``) are saved.
        checkpoint_dots: The same.
        dots_with_no_batch_dims_saveable: Such products are saved, but not those of stacks of matrices.
        checkpoint_dots_with_no_batch_dims: The same.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> layer = ag.checkpoint(lambda x, w: np.tanh(x @ w), policy=ag.checkpoint_policies.dots_saveable)
        >>> ag.grad(lambda w: np.sum(layer(np.ones(2), w)))(np.zeros((2, 2)))
        array([[1., 1.],
               [1., 1.]])
    """

    everything_saveable = Policy(0, _any, True, "everything_saveable")
    nothing_saveable = Policy(0, _none, False, "nothing_saveable")
    dots_saveable = Policy(2, _none, False, "dots_saveable")
    checkpoint_dots = dots_saveable
    dots_with_no_batch_dims_saveable = Policy(1, _none, False, "dots_with_no_batch_dims_saveable")
    checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable

    @staticmethod
    def save_only_these_names(*names: str) -> Policy:
        """Saves the values that :func:`autograph.checkpoint_name` has given one of these names.

        Args:
            *names: The names.

        Returns:
            The policy.

        Example:
            >>> import autograph as ag
            >>> ag.checkpoint_policies.save_only_these_names("hidden")
            ag.checkpoint_policies.save_only_these_names('hidden')
        """
        return Policy(0, names.__contains__, False, f"save_only_these_names({_shown(names)})")

    @staticmethod
    def save_any_names_but_these(*names: str) -> Policy:
        """Saves the values that have a name, but not one of these.

        Args:
            *names: The names.

        Returns:
            The policy.

        Example:
            >>> import autograph as ag
            >>> ag.checkpoint_policies.save_any_names_but_these("hidden")
            ag.checkpoint_policies.save_any_names_but_these('hidden')
        """
        text = f"save_any_names_but_these({_shown(names)})"
        return Policy(0, lambda name: name not in names, False, text)

    @staticmethod
    def save_anything_except_these_names(*names: str) -> Policy:
        """Saves all values but those with one of these names.

        Args:
            *names: The names.

        Returns:
            The policy.

        Example:
            >>> import autograph as ag
            >>> ag.checkpoint_policies.save_anything_except_these_names("hidden")
            ag.checkpoint_policies.save_anything_except_these_names('hidden')
        """
        text = f"save_anything_except_these_names({_shown(names)})"
        return Policy(0, lambda name: name not in names, True, text)

    @staticmethod
    def save_from_both_policies(one: Policy, other: Policy) -> Policy:
        """Saves what either policy saves.

        Args:
            one: A policy.
            other: Another one.

        Returns:
            The policy.

        Example:
            >>> import autograph as ag
            >>> policies = ag.checkpoint_policies
            >>> policies.save_from_both_policies(policies.dots_saveable, policies.nothing_saveable)
            ag.checkpoint_policies.save_from_both_policies(dots_saveable, nothing_saveable)
        """
        return Policy(
            max(one.products, other.products),
            lambda name: one.is_named(name) or other.is_named(name),
            one.is_all or other.is_all,
            f"save_from_both_policies({one.text}, {other.text})",
        )


def _shown(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names))
