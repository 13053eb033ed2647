"""What a user says of a value or a function that gradients meet: ``stop_gradient``, ``checkpoint``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from autograph import _core
from autograph._src.gradients.recorded import anchor, derivatives
from autograph._src.operators.calls import converted_call
from autograph._src.staging.complex.complex_tensor import is_complex, without_slope
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import current_trace
from autograph._src.trees import flatten

T = TypeVar("T")


def stop_gradient(x: T) -> T:
    """The value itself, which derivatives take for a constant.

    Args:
        x: A tree of arrays and numbers.

    Returns:
        The same tree. What is not staged is handed through as it is.

    Example:
        >>> import autograph as ag
        >>> ag.grad(lambda x: x * ag.stop_gradient(x))(3.0)
        3.0
    """
    if current_trace() is None:
        return x
    leaves: list[Any] = []
    _, rebuild = flatten(x, leaves)
    stopped: T = rebuild([_stopped(leaf) for leaf in leaves])
    return stopped


def _stopped(leaf: object) -> object:
    if type(leaf) is StagedUnion:
        return each(leaf, _stopped)
    if not isinstance(leaf, Tensor) or is_complex(leaf) or leaf.dtype.kind != "f":
        return leaf
    return without_slope(leaf)


def checkpoint(fun: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose gradient computes it again rather than to save what it computed on the way.

    The policy is: nothing of what ``fun`` computes is saved, only its arguments and the values around it
    that it uses. So the memory of a gradient is that of one call, and its time is longer by one run of
    ``fun``. In the body of a loop it makes the memory of an iteration that of its arguments.

    Args:
        fun: A function; it may be plain or staged.

    Returns:
        A function that does the same, for the same arguments.

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

    @functools.wraps(fun)
    def checkpointed(*args: object, **kwargs: object) -> object:
        trace = current_trace()
        if trace is None:
            return fun(*args, **kwargs)
        first = anchor()
        result = converted_call(fun, *args, **kwargs)
        last = anchor()
        with derivatives(trace):
            _core.checkpoint(trace.locate(), first, last)
        return result

    return checkpointed
