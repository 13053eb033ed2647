"""Functions that are differentiated: as they are, defined in another, or given functions that are known.

::

    def f(x, w):
        def layer(h):
            return h * w
        return solve(layer, x)

Here `layer` is an instance in that of `f`, and `solve` one whose parameter is given `layer`: its derivative
is another than that of `solve` with another function, and has a parameter for `w`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, NamedTuple, Self

Span = tuple[int, int]


class Parameters(NamedTuple):
    """The parameters of a function.

    Attributes:
        names: All of them, positional ones first; ``*args`` and ``**kwargs`` without their stars, last.
        positional: How many are positional.
        optional: Those with a default, and its text where that is a literal.
        vararg: ``"args"`` of ``*args``.
        kwarg: ``"kwargs"`` of ``**kwargs``.
    """

    names: tuple[str, ...]
    positional: int
    optional: tuple[tuple[str, str | None], ...]
    vararg: str | None
    kwarg: str | None

    @classmethod
    def from_text(
        cls, found: tuple[list[str], int, list[tuple[str, str | None]], str | None, str | None]
    ) -> Self:
        """Those that were found in the text of a function."""
        names, positional, optional, vararg, kwarg = found
        return cls(tuple(names), positional, tuple(optional), vararg, kwarg)

    @classmethod
    def of(cls, function: FunctionType) -> Self:
        """Those of a function."""
        code = function.__code__
        stars = [flag for flag in (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS) if code.co_flags & flag]
        ordinary = code.co_argcount + code.co_kwonlyargcount
        names = code.co_varnames[: ordinary + len(stars)]
        places = dict(zip(stars, names[ordinary:], strict=True))
        last = function.__defaults__ or ()
        defaults = dict(zip(names[code.co_argcount - len(last) : code.co_argcount], last, strict=True))
        defaults |= function.__kwdefaults__ or {}
        optional = tuple((name, literal(value)) for name, value in defaults.items())
        vararg, kwarg = places.get(inspect.CO_VARARGS), places.get(inspect.CO_VARKEYWORDS)
        return cls(names, code.co_argcount, optional, vararg, kwarg)


def literal(value: object) -> str | None:
    """The text of a number, string, ``None`` or a tuple of these."""
    items = value if type(value) is tuple else (value,)
    is_plain = all(type(item) in (int, bool, str, type(None)) for item in items if type(item) is not float)
    is_finite = all(math.isfinite(item) for item in items if type(item) is float)
    return repr(value) if is_plain and is_finite else None


@dataclass(frozen=True)
class ObjectOf:
    """An object of a known class, whatever its attributes are; or a list or a dict: `list[Layer]`."""

    kind: Any


@dataclass(frozen=True)
class Given:
    """A function, or an object of a known class, that the callers of an instance give.

    Attributes:
        parameter: The parameter for which they give it.
        value: An instance, a function with a rule, or an `ObjectOf`.
        parameters: The parameters of `value`, where they are known.
        captured: Those of them that stand for variables around, and the parameters of the instance that
            carry these.
    """

    parameter: str
    value: object
    parameters: Parameters | None = None
    captured: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Instance:
    """A function that is differentiated.

    Attributes:
        function: The function of Python that it is, or is defined in.
        around: The instance in which it is defined; ``None`` if it is `function` itself.
        name: Its name, where it is defined in another.
        span: Its place there.
        line: The line of that place.
        given: The functions and objects that its callers give.
        constructs: The class of which it is the ``__init__``, and makes an object.
    """

    function: FunctionType
    around: Instance | None = None
    name: str = ""
    span: Span | None = None
    line: int = 0
    given: tuple[Given, ...] = ()
    constructs: type | None = None

    @property
    def called(self) -> str:
        """The name, as generated functions have it."""
        name = self.constructs.__name__ if self.constructs else self.name or self.function.__name__
        first = self.given[0].value if self.given else None
        if name.startswith("__") and isinstance(first, ObjectOf):
            return f"{first.kind.__name__}_{name.strip('_')}"  # `Layer_call` of `Layer.__call__`.
        return "lambda" if name == "<lambda>" else name

    @property
    def levels(self) -> tuple[Instance, ...]:
        """The instances around, from outside in, and itself."""
        return (*(self.around.levels if self.around else ()), self)

    @property
    def extra(self) -> list[str]:
        """The parameters for what the functions that are given take from around."""
        return [own for one in self.given for _, own in one.captured]

    @property
    def depth(self) -> int:
        """How many instances it is made of."""
        inner = [one.value.depth for one in self.given if isinstance(one.value, Instance)]
        return 1 + max((*inner, self.around.depth if self.around else 0), default=0)

    def codes(self) -> list[CodeType]:
        """Its code: for one defined in another, all of its name and line."""
        if self.around is None:
            return [self.function.__code__]
        name = "<lambda>" if self.name == "lambda" else self.name
        # `add_tried` is made of `add`: see `shared_calls.rs`.
        original = name.partition("_tried")[0]
        return [
            code
            for code in _codes_in(self.function.__code__)
            if code.co_name in (name, original, "<lambda>") and code.co_firstlineno == self.line
        ]


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes_in(one)
