"""Binding a call's arguments to a function's parameters, with the function's present defaults.

    def f(x, rate=0.1, *, steps=5): ...
    f(x, steps=3)       # bound: (x, 0.1), {"steps": 3}

A program can replace a function's defaults (``f.__defaults__ = …``), so every call that needs them reads
them again.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, NamedTuple

_MORE_ARGUMENTS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class Form(NamedTuple):
    """One way to write a call, such as ``f(x, steps=…)``, for the Rust dispatcher: see ``binding.rs``.

    Attributes:
        written: How many arguments the call passes by position, and the names of those it passes by keyword.
        sources: Where each bound argument comes from: ``("positional", i)``, ``("named", i)`` or
            ``("default", value)``.
        roots: How many bound arguments are positional, and the names of the others.
        defaults: The function that owns the defaults, and the defaults as :func:`defaults_of` gives them.
    """

    written: tuple[int, list[str]]
    sources: list[tuple[str, Any]]
    roots: tuple[int, list[str]]
    defaults: tuple[FunctionType, list[Any]]


class _Argument(NamedTuple):
    """A placeholder for an argument: binding it shows which parameter the argument reaches."""

    word: str
    number: int


class Binding:
    """The parameters of a function.

    Attributes:
        plain_count: The number of parameters if all can be positional: a call with so many positional
            arguments needs no binding. Otherwise -1.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._known = _signature(function), defaults_of(function)
        kinds = {parameter.kind for parameter in self.signature.parameters.values()}
        is_plain = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY}
        self.plain_count = len(self.signature.parameters) if is_plain else -1

    @property
    def signature(self) -> inspect.Signature:
        """The signature at the last call that needed it."""
        return self._known[0]

    def is_plain(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call passes every parameter by position."""
        return not kwargs and len(args) == self.plain_count

    def bound(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], *, has_defaults: bool
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call in the order of the parameters.

        Args:
            args: The positional arguments.
            kwargs: The named ones.
            has_defaults: Whether to fill in the defaults of parameters that the call leaves out.

        Raises:
            TypeError: If the arguments do not fit the parameters; the message is CPython's.
        """
        if self.is_plain(args, kwargs):
            return args, kwargs
        signature, _ = self._present()
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            refusal = error
        else:
            if has_defaults:
                bound.apply_defaults()
            return bound.args, bound.kwargs
        _refuse(self._function, args, kwargs)
        raise refusal

    def form(self, args: tuple[Any, ...], kwargs: dict[str, Any], *, has_defaults: bool) -> Form | None:
        """How to bind every call that is written like this one; ``None`` if that takes Python."""
        holder = getattr(self._function, "__func__", self._function)
        if type(holder) is not FunctionType or not all(
            type(name) is str and name.isidentifier() for name in kwargs
        ):
            return None
        signature, defaults = self._present()
        named = {name: _Argument("named", number) for number, name in enumerate(kwargs)}
        bound = signature.bind(*[_Argument("positional", number) for number in range(len(args))], **named)
        if has_defaults:
            bound.apply_defaults()
        values = [*bound.args, *bound.kwargs.values()]
        sources: list[tuple[str, Any]] = [
            (value.word, value.number) if type(value) is _Argument else ("default", value) for value in values
        ]
        return Form((len(args), [*kwargs]), sources, (len(bound.args), [*bound.kwargs]), (holder, defaults))

    def version(self) -> tuple[Any, ...]:
        """The signature and defaults that were used last: another object after the defaults have changed."""
        return self._known

    def _present(self) -> tuple[inspect.Signature, list[Any]]:
        """The function's present signature and defaults."""
        defaults, known = defaults_of(self._function), self._known
        if len(defaults) != len(known[1]) or not all(map(operator.is_, defaults, known[1])):
            known = self._known = _signature(self._function), defaults
        return known


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def defaults_of(function: Callable[..., Any]) -> list[Any]:
    """The replaceable values that a callable supplies itself: its defaults, and a partial's arguments."""
    found: list[Any] = []
    while isinstance(function, functools.partial):
        found += [*function.args, *function.keywords, *function.keywords.values()]
        function = function.func
    if not inspect.isroutine(function) and not isinstance(function, (staticmethod, classmethod)):
        function = inspect.getattr_static(type(function), "__call__", None)
    function = getattr(function, "__func__", function)
    named = getattr(function, "__kwdefaults__", None) or {}
    return [*found, *(getattr(function, "__defaults__", None) or ()), *named, *named.values()]


def _refuse(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raises CPython's own error for arguments that do not fit, unless a wrapper hides the parameters."""
    if isinstance(function, MethodType):
        args = (function.__self__, *args)
    holder = getattr(function, "__func__", function)
    if type(holder) is FunctionType and not {"__signature__", "__wrapped__"} & holder.__dict__.keys():
        _without_body(holder)(*args, **kwargs)


def _without_body(function: FunctionType) -> FunctionType:
    """A function with the same parameters that does nothing."""
    code, empty = function.__code__, _nothing.__code__
    more = code.co_flags & _MORE_ARGUMENTS
    count = code.co_argcount + code.co_kwonlyargcount + more.bit_count()
    like = empty.replace(
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_varnames=code.co_varnames[:count],
        co_nlocals=count,
        co_flags=empty.co_flags | more,
    )
    made = FunctionType(like, {}, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    return made


def _nothing() -> None:
    pass
