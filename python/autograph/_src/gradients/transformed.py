"""Transformed functions: a call in a trace is recorded into it, a call outside runs as a graph of its own.

ag.grad(f)(x)            # outside: staged as one graph for this kind of x, compiled and kept
@ag.function
def step(x):
return x - ag.grad(f)(x)    # inside: the nodes of f and of its gradient are recorded here
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Hashable
from types import FunctionType, MethodType
from typing import Any
from weakref import ref

from autograph._src.function import Function
from autograph._src.gradients.several_types import for_each_type
from autograph._src.named_callables import Making, NamedCallable
from autograph._src.staging.objects.opened_rows import opened
from autograph._src.staging.trace.active import current_trace

_KEPT = "__autograph_transformed__"
"""Attribute of functions: the transformed functions made from them, by transformation and options."""

Record = Callable[[tuple[Any, ...], dict[str, Any]], Any]
"""Records a call in a trace, given its positional and named arguments."""


class Transformed(NamedCallable):
    """A function that a transformation of this package has made from the user's function.

    It has the name and, by ``inspect.signature``, the parameters of the user's function, as in JAX.

    Attributes:
        __wrapped__: The user's function.
        record: Records a call in a trace.
    """

    # What is in `__dict__` is what the user's function has: `functools.wraps` copies it to wrappers.
    __slots__ = (
        "__dict__",
        "__weakref__",
        "_function",
        "_like",
        "_lock",
        "_made_by",
        "_shown",
        "_with_names",
        "record",
    )

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        record: Record,
        like: Callable[..., Any] | None = None,
        making: Making | None = None,
    ) -> None:
        functools.update_wrapper(self, function, updated=())
        self.__wrapped__ = function
        own = getattr(function, "__name__", type(function).__name__)
        self.__name__ = own
        self.__qualname__ = getattr(function, "__qualname__", own)
        self._shown: str = f"{name}({function._shown if isinstance(function, Transformed) else own})"
        self.__doc__ = described(name, own, getattr(function, "__doc__", None))
        self.record = record
        self._made_by = making
        self._like = function if like is None else like
        self._lock = threading.Lock()
        self._function: Function[..., Any] | None = None
        self._with_names: Function[..., Any] | None = None

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Records the call in a trace; otherwise runs it natively."""
        if current_trace() is not None:
            return for_each_type(self.record, opened(args), opened(kwargs))
        if kwargs:
            return self._named()(args, kwargs)
        return self.staged()(*args)

    def staged(self) -> Function[..., Any]:
        """The staged function that a call outside of a trace runs."""
        with self._lock:
            if self._function is None:
                self._function = staged_as(self._shown, self._like, self.record)
            return self._function

    def _named(self) -> Function[..., Any]:
        """A staged function of the positional and the named arguments: which is which means something."""

        def like(args: object, kwargs: object) -> None:
            """Provides its parameters."""

        def record(given: tuple[Any, ...], _: dict[str, Any]) -> object:
            return self.record(*given)

        with self._lock:
            if self._with_names is None:
                self._with_names = staged_as(self._shown, like, record)
            return self._with_names

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<ag.{self._shown}>"

    def _making(self) -> Making | None:
        return self._made_by


_WORDS = {
    "grad": "The gradient of `{}`",
    "value_and_grad": "The value and the gradient of `{}`",
    "jacrev": "The Jacobian of `{}`",
    "jacfwd": "The Jacobian of `{}`",
    "vmap": "`{}`, for many rows at once",
}


def described(name: str, function: str, documentation: str | None) -> str | None:
    """The documentation of a transformed function: what it is, and that of the user's function."""
    if name not in _WORDS:
        return documentation
    text = f"{_WORDS[name].format(function)} (made by `ag.{name}`). It takes the arguments of `{function}`."
    return text if not documentation else f"{text}\n\nThe documentation of `{function}`:\n\n{documentation}"


def transformed(
    name: str,
    function: Callable[..., Any],
    options: Hashable,
    record: Record,
    like: Callable[..., Any] | None = None,
    *,
    making: Making | None = None,
) -> Transformed:
    """The transformed function: the same object each time, so that it is staged only once.

    Args:
        name: The name of the transformation.
        function: The user's function.
        options: The options of the transformation, as a key.
        record: Records a call in a trace.
        like: A function that has the parameters of the transformed one, if ``function`` has others.
        making: How pickle makes it again, where its name does not lead to it.
    """
    if type(function) not in (FunctionType, Transformed):
        return Transformed(name, function, record, like, making)
    kept = function.__dict__.get(_KEPT)
    if kept is None or kept[0]() is not function:  # `functools.wraps` may have copied the attribute.
        kept = ref(function), {}
        setattr(function, _KEPT, kept)
    made: dict[Hashable, Transformed] = kept[1]
    try:
        return made.setdefault((name, options), Transformed(name, function, record, like, making))
    except TypeError:  # The options are not hashable.
        return Transformed(name, function, record, like, making)


def staged_as(name: str, function: Callable[..., Any], record: Record) -> Function[..., Any]:
    """A staged function with the user's parameters, whose calls code of this package records."""

    def recorded(*args: object, **kwargs: object) -> object:
        return record(args, kwargs)

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # A builtin without a signature.
        signature = inspect.signature(recorded)
    recorded.__signature__ = signature  # type: ignore[attr-defined]
    recorded.__name__ = recorded.__qualname__ = name
    staged: Function[..., Any] = Function(recorded)
    staged._records_itself = True
    return staged
