"""``ag.function``: the decorator that makes a staged function, or stages what a descriptor holds."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from autograph._src.descriptors import staged_inside
from autograph._src.function import Function
from autograph._src.numerics import Numerics

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
D = TypeVar("D", bound="property | functools.cached_property[Any] | functools.partialmethod[Any]")


@overload
def function(
    f: D,
    /,
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
    numerics: Numerics | None = None,
) -> D: ...
@overload
def function(  # type: ignore[overload-overlap]  # A static method is callable, too.
    f: staticmethod[P, R],
    /,
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
    numerics: Numerics | None = None,
) -> staticmethod[P, R]: ...
@overload
def function(
    f: classmethod[T, P, R],
    /,
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
    numerics: Numerics | None = None,
) -> classmethod[T, P, R]: ...
@overload
def function(
    f: Callable[P, R],
    /,
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
    numerics: Numerics | None = None,
) -> Function[P, R]: ...
@overload
def function(
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
    numerics: Numerics | None = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...


def function(
    f: Any = None,
    /,
    *,
    static: str | Iterable[str] = (),
    dynamic: str | Iterable[str] = (),
    input_signature: Sequence[Any] | None = None,
    numerics: Numerics | None = None,
) -> Any:
    """Stage a function: each call runs one native graph, control flow included.

    The first call with arguments of some kind records the function into a graph and compiles it;
    later calls with such arguments run the graph without Python.

    - NumPy arrays, NumPy scalars and Python floats are inputs of the graph. Arrays of other libraries on
      the CPU are inputs too, and are not copied. The third size of a dimension makes it a size of the run:
      one graph for all.
    - Other arguments are constants of the graph: another value records another graph. A Python int is a
      constant at first. With its second value it becomes an input, unless the program needs its value
      while it is traced.
    - Lists, tuples, dicts, NamedTuples and dataclasses are trees of such arguments.

    ``signatures()`` and ``retraces`` of the result tell what was recorded and why.

    Args:
        f: The function, written for NumPy. Leave it out to use ``function`` as a decorator with options.
        static: Name or names of parameters whose numbers, floats too, are constants of the graph. Arrays
            stay inputs, of sizes that are never open.
        dynamic: Name or names of parameters whose ints and bools are inputs from the first call on.
        input_signature: For each positional argument except ``self`` an :class:`autograph.ArraySpec`,
            ``float``, ``int`` or ``bool``, or a tree of them. A call converts plain numbers to these types
            and refuses other arguments that do not match. A size of ``None`` may differ from call to
            call: one graph serves all sizes.
        numerics: Which numbers it gives, ``"fast"`` or ``"exact"``, whatever :func:`autograph.set_numerics`
            says. Inside of another staged function, that function's count.

    Returns:
        A :class:`autograph.Function`: a callable with the same parameters and results. Each call makes the
        objects that it returns anew, except those that the caller passed. A returned view shares memory
        with its array, as in NumPy, if that array is returned too or was passed. ``docs/differences.md``
        lists the few differences from plain Python.

    Raises:
        ValueError: If ``static`` or ``dynamic`` names no parameter, if both name the same one, if the
            input signature has more arguments than the function, or if there are no such numerics.
        ConversionError: At the first call, if the source cannot be found or converted.
        StagingError: At the first call, if a statement or operation cannot be recorded.
        GraphRuntimeError: If the graph fails in a way that plain Python would not: an int left 64 bits, or
            memory ran out. Exceptions of the program, Python or NumPy are raised unchanged.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> def collatz(n):
        ...     steps = 0
        ...     while n != 1:
        ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
        ...         steps += 1
        ...     return steps
        >>> ag.function(collatz)(np.int64(27))
        111
        >>> @ag.function(static="rate", dynamic="n")
        ... def decayed(x, rate, n):
        ...     return x * rate**n
        >>> decayed(np.ones(2), 0.5, 3), decayed(np.ones(2), 0.5, 4)
        (array([0.125, 0.125]), array([0.0625, 0.0625]))
        >>> decayed.signatures()
        ['(x: f64[2], rate: 0.5, n: int)']
    """
    stage = functools.partial(
        function, static=static, dynamic=dynamic, input_signature=input_signature, numerics=numerics
    )
    if f is None:
        return stage
    descriptor = staged_inside(f, stage)
    if descriptor is not None:
        return descriptor
    has_options = static or dynamic or input_signature is not None or numerics is not None
    if isinstance(f, Function) and not has_options:
        return f
    plain = f.__wrapped__ if isinstance(f, Function) else f
    return Function(plain, static, dynamic, input_signature, numerics)
