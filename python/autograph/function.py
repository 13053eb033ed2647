"""``ag.function``: trace once for each kind of arguments, compile, run natively."""

from __future__ import annotations

import functools
import inspect
import os
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from autograph import operators
from autograph.backends.native import NATIVE
from autograph.backends.protocol import activated, active_backend
from autograph.concrete import ConcreteFunction, record
from autograph.convert import plain_function
from autograph.operators.calls import ORIGINAL
from autograph.staging.trace import current_trace
from autograph.trees import Rebuild, flatten

P = ParamSpec("P")
R = TypeVar("R")


class Function(Generic[P, R]):
    """A staged function, made by :func:`autograph.function`.

    Attributes:
        __wrapped__: The user's function.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        plain_function(function)
        functools.update_wrapper(self, function)
        self.__wrapped__ = function
        setattr(self, ORIGINAL, function)
        self._signature = inspect.signature(function)
        self._cache: dict[Hashable, ConcreteFunction] = {}
        self._lock = threading.RLock()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function: natively, from the second call with such arguments on without Python."""
        if active_backend() is not None:
            return operators.converted_call(self.__wrapped__, *args, **kwargs)  # type: ignore[no-any-return]
        if os.environ.get("AUTOGRAPH_DISABLE") == "1":
            return self.__wrapped__(*args, **kwargs)
        leaves, concrete = self._specialise(args, kwargs)
        return concrete(leaves)  # type: ignore[no-any-return]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """A method of an instance, staged."""
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<ag.function {self.__qualname__}>"

    __qualname__: str

    def concrete_function(self, *args: P.args, **kwargs: P.kwargs) -> ConcreteFunction:
        """The specialisation that a call with these arguments runs, traced if it is not yet.

        Args:
            *args: As for a call.
            **kwargs: As for a call.

        Returns:
            The traced and compiled function, whose ``graph`` can be read.
        """
        return self._specialise(args, kwargs)[1]

    def _specialise(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], ConcreteFunction]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        leaves: list[Any] = []
        structure, rebuild = flatten((list(bound.args), bound.kwargs), leaves)
        key = (structure, *(leaf_key(leaf) for leaf in leaves))
        concrete = self._cache.get(key)
        if concrete is None or not concrete.is_valid():
            with self._lock:
                concrete = self._cache.get(key)
                if concrete is None or not concrete.is_valid():
                    concrete = record(self.__wrapped__, leaves, rebuild, self.__name__)
                    self._cache[key] = concrete
        return leaves, concrete

    __name__: str


def leaf_key(leaf: Any) -> Hashable:
    """What of an argument a trace depends on: the type of arrays and floats, the value of the rest."""
    kind = type(leaf)
    if kind is np.ndarray:
        return (leaf.dtype, leaf.shape)
    if kind is float:
        return float
    if kind in (int, bool, str, bytes, type(None)):
        return (kind, leaf)
    if isinstance(leaf, np.generic):
        return leaf.dtype
    return Identity(leaf)


@dataclass(frozen=True, eq=False)
class Identity:
    """A key that is one object; it keeps the object, so that its identity stays its own."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@overload
def function(f: Callable[P, R], /) -> Function[P, R]: ...
@overload
def function() -> Callable[[Callable[P, R]], Function[P, R]]: ...


def function(f: Any = None, /) -> Any:
    """Stage a function: its calls run one native graph, control flow included.

    The first call with arguments of some kind records the function into a graph and compiles it;
    later calls with such arguments run it without Python. NumPy arrays, NumPy scalars and Python
    floats are inputs of the graph; other arguments are part of its identity, so another value
    records another graph. Lists, tuples, dicts, NamedTuples and dataclasses are trees of arguments.

    Args:
        f: The function, written for NumPy. Without it, a decorator.

    Returns:
        A callable with the same signature and results.

    Raises:
        ConversionError: At the first call, if the source cannot be found or converted.
        StagingError: At the first call, if a statement or operation cannot be recorded.
        GraphRuntimeError: When the graph runs; also of the class that plain Python raises there.

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
    """
    if f is None:
        return function
    return f if isinstance(f, Function) else Function(f)
