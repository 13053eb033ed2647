"""Memory for time: what is run again in the backward pass, and keeps only what it begins with."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

Target = TypeVar("Target", bound=Callable[..., Any])

_MARK = "__checkpoint__"


@overload
def checkpoint(target: range, *, every: int | None = None) -> range: ...


@overload
def checkpoint(target: Target) -> Target: ...


def checkpoint(target: Any, *, every: int | None = None) -> Any:
    """Says what the backward pass runs again, so that the forward pass need not keep what it computes.

    ::

        for i in tangent.checkpoint(range(n)):      # keeps what it carries, every sqrt(n) iterations
            x = step(x)

        @tangent.checkpoint                         # calls keep their arguments
        def layer(x, w): ...

    A loop keeps the variables that it carries after every `every` iterations. The backward pass takes these
    segments from the last to the first: it runs one again, now with all that its derivatives read, and goes
    through it backwards. So n iterations keep of the order of sqrt(n) values, and run twice.

    The second run does what the first did: prints and logs are left out of it, and what draws random
    numbers, takes from an iterator or writes to what is around is refused, with its place. Without a
    derivative, a range is itself and a function does what it does.

    Args:
        target: The range of a ``for`` loop, or a function of Python.
        every: Of a range: after how many iterations the loop keeps what it carries; by default the square
            root of its length.

    Returns:
        The range; or a function that does the same, and whose derivatives run it again.

    Raises:
        TypeError: It is neither a range nor a function of Python.
        ValueError: `every` is not positive.

    Example:
        >>> import numpy as np
        >>> from autograph import tangent
        >>> def f(x, n):
        ...     for _ in tangent.checkpoint(range(n)):
        ...         x = np.sin(x)
        ...     return x
        >>> def g(x, n):
        ...     for _ in range(n):
        ...         x = np.sin(x)
        ...     return x
        >>> tangent.grad(f)(1.0, 100) == tangent.grad(g)(1.0, 100)
        True

    Source: Griewank, Walther: Evaluating Derivatives, section 12.2; the name is that of ``jax.checkpoint``
    and ``torch.utils.checkpoint``.
    """
    if isinstance(target, range):
        require_length(every)
        return target
    if every is not None:
        raise TypeError("`every` is said of the range of a loop")
    if isinstance(target, MethodType):
        return MethodType(checkpoint(target.__func__), target.__self__)
    if not isinstance(target, FunctionType):
        raise TypeError(f"`checkpoint` takes a range or a function of Python, and {target!r} is neither")
    return _marked(target)


def require_length(every: int | None) -> None:
    """Raises `ValueError` where a segment would have no iterations."""
    if every is not None and operator.index(every) < 1:
        raise ValueError(f"`every` is a number of iterations, at least 1, and not {every!r}")


def is_checkpointed(function: FunctionType) -> bool:
    """Whether derivatives of a function run it again."""
    return getattr(function, _MARK, False) is True


def _marked(function: FunctionType) -> FunctionType:
    """The same function as another object; the one that `tangent` has made keeps its original."""
    made = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    made.__doc__, made.__annotations__ = function.__doc__, function.__annotations__
    made.__dict__.update(function.__dict__)
    original = function.__dict__.get("__original__")
    if isinstance(original, FunctionType):
        made.__original__ = _marked(original)  # type: ignore[attr-defined]
    setattr(made, _MARK, True)
    return made
