"""Jacobians, Hessians and their products with vectors: what users call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from autograph._src.tangent.api import require_one_of, to_source
from autograph._src.tangent.known import Wrt, derivative
from autograph._src.tangent.pieces import Options


def jacobian(
    function: Callable[..., Any],
    wrt: Wrt = 0,
    *,
    mode: Literal["reverse", "forward"] = "reverse",
    optimized: bool = True,
    verbose: int = 0,
) -> Callable[..., Any]:
    """The matrix of the derivatives of each element of the result by each of the argument, with source.

    In reverse mode the forward pass runs once, and the backward pass for each element of the result. In
    forward mode the function runs, with its effects, for each element of the argument.

    Args:
        function: A function of Python over NumPy; its results and arguments are real.
        wrt: The parameters to differentiate with respect to, as for `grad`.
        mode: ``"reverse"`` for results of few elements, ``"forward"`` for arguments of few.
        optimized: As for `grad`.
        verbose: As for `grad`.

    Returns:
        A function of the same parameters. For a result ``y`` and an argument ``x`` it gives an array of shape
        ``y.shape + x.shape``, of the dtype of ``x`` in reverse mode and of that of ``y`` in forward mode; a
        number where both are; a tuple where `wrt` names several parameters. Where ``y`` or ``x`` is a list, a
        tuple or a dict, it has the form of ``y`` and in each item that of ``x``.

    Raises:
        ConversionError: As for `grad`.
        ValueError: `mode` is no such word. The function of the derivative: it gives another result when it is
            called again, in forward mode.
        TypeError: The function of the derivative: a result or an argument is complex.

    Example:
        >>> import numpy as np
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x * x[0]
        >>> tangent.jacobian(f)(np.array([2.0, 3.0]))
        array([[4., 0.],
               [3., 2.]])

    Source: Griewank and Walther, Evaluating Derivatives, section 3.2 (rows and columns by sweeps).
    """
    require_one_of("mode", mode, ("reverse", "forward"))
    is_forward = mode == "forward"
    options = Options(optimized=optimized, is_forward=is_forward, matrix="columns" if is_forward else "rows")
    return _shown(derivative(function, wrt, options), verbose)


def hessian(
    function: Callable[..., Any], wrt: Wrt = 0, *, optimized: bool = True, verbose: int = 0
) -> Callable[..., Any]:
    """The matrix of the second derivatives of a function that gives a number, with source.

    It is the Jacobian, in forward mode, of the gradient in reverse mode: the gradient runs, with the effects
    of the function, for each element of the argument.

    Args:
        function: A function of Python over NumPy that gives a number.
        wrt: The parameters to differentiate with respect to, as for `grad`.
        optimized: As for `grad`.
        verbose: As for `grad`.

    Returns:
        A function of the same parameters, which gives an array of shape ``x.shape + x.shape``; a tuple of
        tuples where `wrt` names several parameters: by gradient, then by what that is differentiated by.

    Raises:
        ConversionError: As for `grad`.
        ValueError: The function of the derivative: the function gives an array.

    Example:
        >>> import numpy as np
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x[0] * x[0] * x[1]
        >>> tangent.hessian(f)(np.array([2.0, 3.0]))
        array([[6., 4.],
               [4., 0.]])

    Source: Griewank and Walther, Evaluating Derivatives, section 5.4 (forward over reverse).
    """
    options = Options(optimized=optimized, is_forward=True, matrix="columns")
    return _shown(derivative(function, wrt, options, "second"), verbose)


def hvp(
    function: Callable[..., Any],
    wrt: Wrt = 0,
    *,
    optimized: bool = True,
    check_dims: bool = True,
    verbose: int = 0,
) -> Callable[..., Any]:
    """The product of the Hessian of a function and a vector, with source: forward mode over the gradient.

    It takes a small number of times as long as the function, whatever the number of elements.

    Args:
        function: A function of Python over NumPy that gives a number.
        wrt: The parameters to differentiate with respect to, as for `grad`.
        optimized: As for `grad`.
        check_dims: Whether the result is checked to be a number, and the vectors to have the shapes of their
            arguments.
        verbose: As for `grad`.

    Returns:
        A function of the parameters and of a vector for each that `wrt` says, ``dx`` for ``x``, given by
        keyword where others have defaults. It gives the product; a tuple where `wrt` names several.

    Raises:
        ConversionError: As for `grad`.
        ValueError: The function of the derivative: a shape is another, where `check_dims` says so.

    Example:
        >>> import numpy as np
        >>> from autograph import tangent
        >>> def f(x):
        ...     return np.sum(x**3)
        >>> tangent.hvp(f)(np.array([1.0, 2.0]), np.array([1.0, 10.0]))
        array([  6., 120.])

    Source: Pearlmutter, Fast exact multiplication by the Hessian (1994).
    """
    options = Options(optimized=optimized, check_dims=check_dims, is_forward=True)
    return _shown(derivative(function, wrt, options, "second"), verbose)


def _shown(made: Callable[..., Any], verbose: int) -> Callable[..., Any]:
    if verbose >= 1:
        print(to_source(made))
    return made
