"""Derivatives as Python functions with source: what users call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, Literal
from weakref import WeakKeyDictionary

from autograph._src.tangent.derivative import Derivative, Options, derive
from autograph._src.tangent.explain import Explanation, explained
from autograph._src.tangent.objects import function_of
from autograph._src.tangent.standalone import standalone_text
from autograph._src.tangent.without_blocks import Function, without_blocks
from autograph.errors import ConversionError

Wrt = int | str | tuple[int | str, ...]

_known: WeakKeyDictionary[FunctionType, dict[object, FunctionType]] = WeakKeyDictionary()


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
    names = _options(wrt, preserve_result=True, value_first=True, check_dims=check_dims, optimized=optimized)
    return _derivative(function, *names)


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
    _require("input_derivative", input_derivative, ("required", "default_one"))
    _require("motion", motion, ("joint", "split"))
    _require("mode", mode, ("reverse", "forward"))
    wrt, options = _options(
        wrt,
        preserve_result=preserve_result,
        check_dims=check_dims,
        optimized=optimized,
        has_default_seed=input_derivative == "default_one",
        is_forward=mode == "forward",
        is_split=motion == "split" and mode == "reverse",
    )
    found = _derivative(function, wrt, options)
    if verbose >= 1:
        print(to_source(found))
    return found


def _require(name: str, value: str, known: tuple[str, str]) -> None:
    if value not in known:
        raise ValueError(f"`{name}` is {known[0]!r} or {known[1]!r}, and not {value!r}")


def _options(wrt: Wrt, **options: bool) -> tuple[Wrt, Options]:
    return wrt, Options((), **options)


def _derivative(function: Callable[..., Any], wrt: Wrt, options: Options) -> Callable[..., Any]:
    """The derivative, made once for a function and its options."""
    plain, bound = _plain(function)
    names = parameters_of(plain, wrt, skipped=int(bound is not None))
    options = replace(options, wrt=names)
    known = _known.setdefault(plain, {})
    found = known.get(options)
    if found is None:
        found = known[options] = derive(plain, options, _name(plain, names, options))
        _describe(found, plain, names, options)
    return found if bound is None else MethodType(found, bound)


def _plain(function: Callable[..., Any]) -> tuple[FunctionType, object]:
    """The function of Python, and what a method is bound to."""
    bound = function.__self__ if isinstance(function, MethodType) else None
    plain = function_of(function.__func__ if isinstance(function, MethodType) else function)
    if plain is None:
        raise ConversionError(
            f"`{getattr(function, '__name__', repr(function))}` is not a function written in Python",
            code="AG011",
            help="differentiate a function of Python that calls it",
        )
    return plain, bound


def parameters_of(function: FunctionType, wrt: Wrt, skipped: int = 0) -> tuple[str, ...]:
    """The names of the parameters that `wrt` says.

    Raises:
        ValueError: There is no such parameter.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    positional = names[skipped : code.co_argcount]
    found = []
    for one in wrt if isinstance(wrt, tuple) else (wrt,):
        if isinstance(one, int) and not isinstance(one, bool) and 0 <= one < len(positional):
            found.append(positional[one])
        elif isinstance(one, str) and one in names:
            found.append(one)
        else:
            raise ValueError(
                f"`{function.__name__}` has no parameter {one!r}: it has {', '.join(names[skipped:])}"
            )
    return tuple(dict.fromkeys(found))


def _name(function: FunctionType, wrt: tuple[str, ...], options: Options) -> str:
    """``dfdx``, as in the paper; ``df`` for several parameters, ``f_tangent`` in forward mode."""
    name = "lambda" if function.__name__ == "<lambda>" else function.__name__
    if options.is_forward:
        return f"{name}_tangent"
    return f"d{name}d{wrt[0]}" if len(wrt) == 1 else f"d{name}"


def _describe(
    derivative: FunctionType, function: FunctionType, wrt: tuple[str, ...], options: Options
) -> None:
    names = ", ".join(f"`{name}`" for name in wrt)
    what = "The derivative in forward mode" if options.is_forward else "The gradient"
    derivative.__doc__ = f"{what} of `{function.__name__}` with respect to {names}."


def derivative_of(function: Callable[..., Any]) -> Derivative:
    """What a generated function is made of.

    Raises:
        TypeError: It was not made here.
    """
    found = getattr(function, "__tangent__", None)
    if not isinstance(found, Derivative):
        raise TypeError(f"{function!r} is no derivative that `tangent` has made")
    return found


def to_source(function: Callable[..., Any], *, standalone: bool = False) -> str:
    """The source of a derivative.

    Args:
        function: What `grad`, `vjp` or `autodiff` gave.
        standalone: Whether the text is a whole file, with imports and helpers, which needs NumPy alone.

    Returns:
        The text: the derivative, then the passes of the functions that it calls.

    Raises:
        TypeError: The function is no derivative.

    Example:
        >>> from autograph import tangent
        >>> def f(x):
        ...     return x * x
        >>> "bx = by * x + by * x" in tangent.to_source(tangent.grad(f))
        True
    """
    derivative = derivative_of(function)
    return standalone_text(derivative) if standalone else derivative.text


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
        function: What `grad`, `vjp` or `autodiff` gave.
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
