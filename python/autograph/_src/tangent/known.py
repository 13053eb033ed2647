"""Derivatives that were made: each once for a function and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import CodeType, FunctionType, MethodType
from typing import Any, Literal
from weakref import WeakKeyDictionary

from autograph._src.tangent.derivative import derive
from autograph._src.tangent.instances import Parameters
from autograph._src.tangent.objects import function_of
from autograph._src.tangent.pieces import Options
from autograph.errors import ConversionError

Wrt = int | str | tuple[int | str, ...]
Kind = Literal["derivative", "second"]

Made = tuple[FunctionType, CodeType, tuple[Any, ...] | None, dict[str, Any] | None]
"""A derivative, and of the function that it is of the code and the defaults when it was made."""

_known: WeakKeyDictionary[FunctionType, dict[object, Made]] = WeakKeyDictionary()
"""By function the derivatives, by what they are and also by what was asked for: a call again looks there."""


def derivative(
    function: Callable[..., Any],
    wrt: Wrt,
    options: Options,
    kind: Kind = "derivative",
) -> Callable[..., Any]:
    """The derivative of a function, made once for it and the options.

    Args:
        function: A function of Python, or a method.
        wrt: As for `grad`.
        options: How it is to be written.
        kind: Whether it is the derivative that the options say, or made of that of the gradient: Hessians and
            their products are.

    Raises:
        ConversionError: What has no derivative as source, with its place.
        ValueError: There is no such parameter.
    """
    plain, bound = _plain(function)
    owner = None if bound is None else type(bound)
    known = _known.setdefault(plain, {})
    asked = _asked(wrt, kind, options, owner)
    made = None if asked is None else known.get(asked)
    if made is None or not _is_of(plain, made):
        names = parameters_of(plain, wrt, skipped=int(bound is not None))
        options = replace(options, wrt=names, owner=owner)
        made = known.get((kind, options))
        if made is None or not _is_of(plain, made):
            name = _name(plain, names, kind, options)
            found = derive(_differentiated(plain, names, kind, options), options, name)
            found.__doc__ = _words(plain, names, kind, options)
            made = known[kind, options] = (found, plain.__code__, plain.__defaults__, plain.__kwdefaults__)
        if asked is not None:
            known[asked] = made
    return made[0] if bound is None else MethodType(made[0], bound)


def _asked(wrt: Wrt, kind: Kind, options: Options, owner: type | None) -> object:
    """What was asked for, as a key; ``None`` for a `wrt` that may equal another, as ``True`` does."""
    types = map(type, wrt) if type(wrt) is tuple else (type(wrt),)
    return (wrt, kind, options, owner) if _PLAIN.issuperset(types) else None


_PLAIN = frozenset((int, str))


def _is_of(function: FunctionType, made: Made) -> bool:
    """Whether a function has the code and the defaults that it had when its derivative was made."""
    return (
        made[1] is function.__code__
        and made[2] is function.__defaults__
        and made[3] is function.__kwdefaults__
    )


def _differentiated(
    function: FunctionType, names: tuple[str, ...], kind: Kind, options: Options
) -> FunctionType:
    """The function that is differentiated: itself, or its gradient."""
    if kind == "derivative":
        return function
    of_gradient = Options(check_dims=options.check_dims, optimized=options.optimized, is_seed_fixed=True)
    gradient = derivative(function, names, of_gradient)
    assert isinstance(gradient, FunctionType)
    return gradient


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
    parameters = Parameters.of(function)
    names = parameters.names
    positional = names[skipped : parameters.positional]
    stars = {parameters.vararg: "*", parameters.kwarg: "**"}
    found = []
    for one in wrt if isinstance(wrt, tuple) else (wrt,):
        if isinstance(one, int) and not isinstance(one, bool) and 0 <= one < len(positional):
            found.append(positional[one])
        elif isinstance(one, str) and one in names:
            found.append(one)
        else:
            raise ValueError(
                f"`{function.__name__}` has no parameter {one!r}: it has "
                + ", ".join(stars.get(name, "") + name for name in names[skipped:])
            )
    return tuple(dict.fromkeys(found))


def _name(function: FunctionType, wrt: tuple[str, ...], kind: Kind, options: Options) -> str:
    """``dfdx``, as in the paper; ``df`` for several parameters; ``f_tangent``, ``f_jacobian``."""
    name = "lambda" if function.__name__ == "<lambda>" else function.__name__
    if kind == "second":
        return f"{name}_hessian" if options.matrix else f"{name}_hvp"
    if options.matrix:
        return f"{name}_jacobian"
    if options.is_forward:
        return f"{name}_tangent"
    return f"d{name}d{wrt[0]}" if len(wrt) == 1 else f"d{name}"


def _words(function: FunctionType, wrt: tuple[str, ...], kind: Kind, options: Options) -> str:
    """The docstring of a derivative."""
    if kind == "second":
        what = "The Hessian" if options.matrix else "The product of the Hessian and a vector"
    elif options.matrix:
        what = "The Jacobian"
    else:
        what = "The derivative in forward mode" if options.is_forward else "The gradient"
    names = ", ".join(f"`{name}`" for name in wrt)
    return f"{what} of `{function.__name__}` with respect to {names}."
