"""Derivatives as Python functions with source: what users call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from autograph._src.tangent.explain import Explanation, explained
from autograph._src.tangent.forms.hot_path import text_for
from autograph._src.tangent.known import Wrt, derivative
from autograph._src.tangent.pieces import Derivative, Options
from autograph._src.tangent.standalone import standalone_text
from autograph._src.tangent.without_blocks import Function, without_blocks


def grad(
    function: Callable[..., Any],
    wrt: Wrt = 0,
    *,
    optimized: bool = True,
    preserve_result: bool = False,
    check_dims: bool = True,
    verbose: int = 0,
) -> Callable[..., Any]:
    """The gradient of a function, as a Python function with source.

    The result is an ordinary function: `to_source` prints it, a debugger steps through it, `inspect` finds
    its text. It takes the arguments of `function`, and last the adjoint of its result (``by`` for ``y``),
    which is 1.0 by default.

    Args:
        function: A function of Python over NumPy.
        wrt: The parameters to differentiate with respect to: a position, a name, or a tuple of these.
        optimized: Whether what nothing reads is left out, and single-use names are.
        preserve_result: Whether the function's result is returned too, after the gradients.
        check_dims: Whether the adjoint of the result is checked to have its shape.
        verbose: From 1 on, the source is printed.

    Returns:
        A function that gives the gradient; a tuple of them where `wrt` is a tuple of several.

    Raises:
        ConversionError: What has no derivative as source, with its place and what to change.

    Example:
        >>> import numpy as np
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x * x
        >>> df = tangent.grad(f)
        >>> float(df(3.0))
        6.0

    Source: the Tangent paper (van Merriënboer, Wiltschko, Moldovan 2017).
    """
    return autodiff(
        function,
        wrt,
        optimized=optimized,
        preserve_result=preserve_result,
        check_dims=check_dims,
        verbose=verbose,
    )


def vjp(
    function: Callable[..., Any],
    wrt: Wrt = 0,
    *,
    optimized: bool = True,
    preserve_result: bool = False,
    check_dims: bool = True,
    verbose: int = 0,
) -> Callable[..., Any]:
    """The product of a vector with the Jacobian of a function: `grad` whose last argument must be given.

    Args:
        function: As for `grad`.
        wrt: As for `grad`.
        optimized: As for `grad`.
        preserve_result: As for `grad`.
        check_dims: As for `grad`.
        verbose: As for `grad`.

    Returns:
        A function of the arguments and of the adjoint of the result.

    Raises:
        ConversionError: As for `grad`.

    Example:
        >>> import numpy as np
        >>> from autograph import tangent
        >>> def f(x):
        ...     return np.exp(x)
        >>> tangent.vjp(f)(np.zeros(2), np.array([1.0, 2.0]))
        array([1., 2.])
    """
    return autodiff(
        function,
        wrt,
        optimized=optimized,
        preserve_result=preserve_result,
        check_dims=check_dims,
        input_derivative="required",
        verbose=verbose,
    )


def value_and_grad(
    function: Callable[..., Any], wrt: Wrt = 0, *, optimized: bool = True, check_dims: bool = True
) -> Callable[..., Any]:
    """A function that gives the result and the gradient, both of one forward pass.

    Args:
        function: As for `grad`.
        wrt: As for `grad`.
        optimized: As for `grad`.
        check_dims: As for `grad`.

    Returns:
        A function that gives a pair: the result, and what `grad` gives.

    Raises:
        ConversionError: As for `grad`.

    Example:
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x * x
        >>> value, gradient = tangent.value_and_grad(f)(3.0)
        >>> value, float(gradient)
        (9.0, 6.0)
    """
    options = Options(preserve_result=True, value_first=True, check_dims=check_dims, optimized=optimized)
    return derivative(function, wrt, options)


def jvp(
    function: Callable[..., Any],
    wrt: Wrt = 0,
    *,
    optimized: bool = True,
    preserve_result: bool = False,
    check_dims: bool = True,
    verbose: int = 0,
) -> Callable[..., Any]:
    """The product of the Jacobian of a function with a vector: its derivative in forward mode.

    Args:
        function: As for `grad`.
        wrt: As for `grad`.
        optimized: As for `grad`.
        preserve_result: As for `grad`.
        check_dims: Whether the tangents are checked to have the shapes of the arguments.
        verbose: As for `grad`.

    Returns:
        A function of the arguments and of their tangents, ``dx`` for ``x``, which gives the tangent of the
        result.

    Raises:
        ConversionError: As for `grad`.

    Example:
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x * x
        >>> tangent.jvp(f)(3.0, 1.0)
        6.0
    """
    return autodiff(
        function,
        wrt,
        mode="forward",
        optimized=optimized,
        preserve_result=preserve_result,
        check_dims=check_dims,
        verbose=verbose,
    )


def autodiff(
    function: Callable[..., Any],
    wrt: Wrt = 0,
    *,
    optimized: bool = True,
    motion: Literal["joint", "split"] = "joint",
    mode: Literal["reverse", "forward"] = "reverse",
    preserve_result: bool = False,
    check_dims: bool = True,
    input_derivative: Literal["required", "default_one"] = "default_one",
    verbose: int = 0,
) -> Callable[..., Any]:
    """The derivative of a function, with all options.

    Args:
        function: As for `grad`.
        wrt: As for `grad`.
        optimized: As for `grad`.
        motion: ``"joint"``: one function with the forward and the backward pass. ``"split"``: a function for
            each, and one that calls them.
        mode: ``"reverse"`` or ``"forward"``.
        preserve_result: As for `grad`.
        check_dims: As for `grad`.
        input_derivative: Whether the adjoint of the result must be given (``"required"``), or is 1.0 where it
            is not (``"default_one"``).
        verbose: As for `grad`.

    Returns:
        A function of Python with source.

    Raises:
        ConversionError: As for `grad`.
        ValueError: An option has no such value.

    Source: section 3 of the Tangent paper; the names are those of its code.
    """
    require_one_of("input_derivative", input_derivative, ("required", "default_one"))
    require_one_of("motion", motion, ("joint", "split"))
    require_one_of("mode", mode, ("reverse", "forward"))
    has_default_seed, is_forward = input_derivative == "default_one", mode == "forward"
    is_split = motion == "split" and not is_forward
    options = _options(preserve_result, check_dims, optimized, has_default_seed, is_forward, is_split)
    found = derivative(function, wrt, options)
    if verbose >= 1:
        print(to_source(found))
    return found


@functools.cache
def _options(
    preserve_result: bool,
    check_dims: bool,
    optimized: bool,
    has_default_seed: bool,
    is_forward: bool,
    is_split: bool,
) -> Options:
    """The options of a derivative: one object for the same, which is found again without a comparison."""
    return Options(
        preserve_result=preserve_result,
        check_dims=check_dims,
        optimized=optimized,
        has_default_seed=has_default_seed,
        is_forward=is_forward,
        is_split=is_split,
    )


def require_one_of(name: str, value: str, known: tuple[str, str]) -> None:
    """Raises `ValueError` where an option has none of its values."""
    if value not in known:
        raise ValueError(f"`{name}` is {known[0]!r} or {known[1]!r}, and not {value!r}")


def derivative_of(function: Callable[..., Any]) -> Derivative:
    """What a generated function is made of.

    Raises:
        TypeError: It was not made here.
    """
    found = getattr(function, "__tangent__", None)
    if not isinstance(found, Derivative):
        raise TypeError(f"{function!r} is no derivative that `tangent` has made")
    return found


def to_source(
    function: Callable[..., Any],
    *,
    standalone: bool = False,
    forms: Sequence[Any] | Mapping[str, Any] | None = None,
) -> str:
    """The source of a derivative.

    Args:
        function: What `grad`, `jvp`, `hessian` or another function here gave.
        standalone: Whether the text is a whole file, with imports and helpers, which needs NumPy alone.
        forms: Arguments, or arguments by name: the text is the one that calls with such run, which are of
            these classes, and for arrays of these dtypes and shapes.

    Returns:
        The text: the derivative, then the passes of the functions that it calls.

    Raises:
        TypeError: The function is no derivative, or has other parameters.
        ValueError: A file of its own is asked for with forms: it is for all of them.

    Example:
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x * x
        >>> "bx = by * x + by * x" in tangent.to_source(tangent.grad(f))
        True
    """
    made = derivative_of(function)
    if forms is None:
        return standalone_text(made) if standalone else made.text
    if standalone:
        raise ValueError("a file of its own is for all forms: leave `forms` or `standalone` out")
    return text_for(function, forms)


def explain(function: Callable[..., Any]) -> Explanation:
    """What a derivative keeps of its forward pass for its backward pass, and why.

    Each value has its name in the generated text, the statements that make it, those whose derivatives read
    it, what overwrites it, and what computing it again would take. What callees keep is listed by function.

    Args:
        function: What `grad`, `vjp`, `value_and_grad` or `autodiff` gave.

    Returns:
        An object that prints as paragraphs, and whose ``entries`` hold the same for programs.

    Raises:
        TypeError: The function is no derivative.

    Example:
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x * x
        >>> [(one.name, one.how) for one in tangent.explain(tangent.grad(f)).entries]
        [('x', 'argument')]

    Source: the to-be-recorded analysis of Hascoët, Naumann, Pascual (2005), told of each value.
    """
    return explained(derivative_of(function), function.__name__)


def save(function: Callable[..., Any], path: str | Path) -> None:
    """Writes a derivative as a file that needs NumPy and nothing else.

    Args:
        function: What `grad`, `jvp`, `hessian` or another function here gave.
        path: The file.

    Raises:
        TypeError: The function is no derivative.
        ConversionError: It reads a variable of its module that is no constant.
    """
    Path(path).write_text(to_source(function, standalone=True))


def tangent(function: Function) -> Function:
    """Makes a function with ``grad_of`` blocks callable: calls skip the blocks.

    Args:
        function: A function with blocks ``with grad_of(x) as dx:``.

    Returns:
        The function without them; `grad` differentiates the one with them.

    Example:
        >>> from autograph import tangent
        >>> @tangent.tangent
        ... def f(x):
        ...     with tangent.grad_of(x) as dx:
        ...         dx /= 2
        ...     return x * x
        >>> f(3.0), float(tangent.grad(f)(2.0))
        (9.0, 2.0)
    """
    return without_blocks(function)
