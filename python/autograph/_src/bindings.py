"""How the arguments of a call are bound to a function's parameters, with the defaults that it has now.

    def f(x, rate=0.1, *, steps=5): ...
    f(x, steps=3)       (x, 0.1), {"steps": 3}

A function's default arguments can be replaced, so they are looked at again by every call that needs them.
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
    """One way to write a call, for the Rust dispatcher: see ``binding.rs``.

    Attributes:
        written: How many arguments are positional, and the names of the others.
        sources: For each bound argument a word and a number, or the default.
        roots: How many bound arguments are positional, and the names of the others.
        defaults: The function that has the defaults, and these as :func:`defaults_of` gives them.
    """

    written: tuple[int, list[str]]
    sources: list[tuple[str, Any]]
    roots: tuple[int, list[str]]
    defaults: tuple[FunctionType, list[Any]]


class _Argument(NamedTuple):
    """Stands for an argument of a call while its form is made."""

    word: str
    number: int


class Binding:
    """The parameters of a function.

    Attributes:
        plain_count: As many positional arguments as this are bound without further ado; -1 if none are.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._known = _signature(function), defaults_of(function)
        kinds = {parameter.kind for parameter in self.signature.parameters.values()}
        is_plain = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY}
        self.plain_count = len(self.signature.parameters) if is_plain else -1

    @property
    def signature(self) -> inspect.Signature:
        """The signature as it was when it was looked at last."""
        return self._known[0]

    def is_plain(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call has all parameters as positional arguments."""
        return not kwargs and len(args) == self.plain_count

    def bound(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], *, has_defaults: bool
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call in the order of the parameters.

        Args:
            args: The positional arguments.
            kwargs: The named ones.
            has_defaults: Whether the defaults of the parameters that are left out are among them.

        Raises:
            TypeError: If they do not fit, in the words of CPython.
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
        """How calls are bound that are written as this one is; ``None`` if only Python can tell."""
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
        """Another object when other defaults have been seen."""
        return self._known

    def _present(self) -> tuple[inspect.Signature, list[Any]]:
        """The signature, and the defaults that the function has now."""
        defaults, known = defaults_of(self._function), self._known
        if len(defaults) != len(known[1]) or not all(map(operator.is_, defaults, known[1])):
            known = self._known = _signature(self._function), defaults
        return known


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function.__func__ if isinstance(function, classmethod) else function)


def defaults_of(function: Callable[..., Any]) -> list[Any]:
    """The arguments that a function, or what wraps it, has by itself: they can be replaced."""
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
    """Raises what CPython does for arguments that do not fit, where it binds them itself."""
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
