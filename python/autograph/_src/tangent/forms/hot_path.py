"""Which text of a derivative a call runs: that for the forms of its arguments, or the general one.

::

    def dfdx(x, w, by=1.0):
        if guard(x, w, by):                     # added: an array of (16, 16), one of (16,), a float
            return dfdx_for_these_forms(x, w, by)
        if watch(x, w, by):                     # added, until four texts are made
            return choice(x, w, by)
        ...                                     # the general text

The tests are in front of the bytecode of the general text (`prologue.py`), which stays what it is: its file,
its lines, its variables.
"""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any
from weakref import ref

import numpy as np

from autograph import _core
from autograph._src.prologue import with_choice
from autograph._src.source import GENERATED
from autograph._src.tangent.forms.texts import known_for
from autograph._src.tangent.forms.values import Array, Literal, Number, Value, form_of
from autograph._src.tangent.pieces import Derivative, Piece

Compile = Callable[[Derivative, Sequence[Piece]], FunctionType]

MOST_TEXTS = 4
"""How many texts a derivative has, beside the general one."""
MOST_TRIALS = 8
"""How many forms are looked at."""
MOST_CALLS = 16
"""After how many calls with forms that need the general text no others are waited for."""


class Choice:
    """Is called with arguments whose forms have not been seen: makes a text for them, if it is worth it.

    It is a constant of its function's code object, in which the garbage collector finds no cycles: so it does
    not hold the function.
    """

    def __init__(self, function: FunctionType, compile_pieces: Compile) -> None:
        self.function = ref(function)
        self.code = function.__code__
        self.general = by_position(function)
        self.compile_pieces = compile_pieces
        self.watch: _core.FormWatch | None = _core.FormWatch(MOST_CALLS)
        self.seen: set[tuple[object, ...]] = set()
        self.texts: list[tuple[_core.FormGuard, FunctionType]] = []
        self.lock = threading.RLock()

    def __call__(self, *arguments: Any) -> Any:
        function = self.function()
        if function is None or is_watched():
            return self.general(*arguments)
        with self.lock:
            made = self._made(function, arguments)
        return (self.general if made is None else made)(*arguments)

    def _made(self, function: FunctionType, arguments: Sequence[Any]) -> FunctionType | None:
        """The function for the forms of arguments; none where the general text is."""
        values = list(map(form_of, arguments))
        forms = tuple(map(_as_told, values))
        if self.watch is None:
            return None
        if forms in self.seen:
            self._renew(function, is_last=True)
            return None
        self.seen.add(forms)
        derivative = function.__tangent__  # type: ignore[attr-defined]
        known = known_for(derivative, values) if any(forms) else None
        made = None
        if known is None:
            self.watch.add(forms)
        else:
            made = by_position(self.compile_pieces(derivative, known.pieces))
            self.texts.append((_core.FormGuard(forms, known.variables), made))
        is_last = len(self.texts) >= MOST_TEXTS or len(self.seen) >= MOST_TRIALS
        if made is not None or is_last:
            self._renew(function, is_last=is_last)
        return made

    def _renew(self, function: FunctionType, *, is_last: bool) -> None:
        """Puts the tests for what is known in front of the function's code."""
        code = self.code
        if is_last:
            self.watch = None
        if self.watch is not None:
            code = with_choice(code, self.watch, self) or code
        for guard, made in reversed(self.texts):
            code = with_choice(code, guard, made) or code
        GENERATED.set(code, True)
        function.__code__ = code


def add_choice(function: FunctionType, compile_pieces: Compile) -> None:
    """Lets a derivative have texts for known forms, where this interpreter's bytecode is known."""
    choice = Choice(function, compile_pieces)
    assert choice.watch is not None
    code = with_choice(function.__code__, choice.watch, choice)
    if code is not None:
        GENERATED.set(code, True)
        function.__code__ = code


def by_position(function: FunctionType) -> FunctionType:
    """A function that takes all its arguments by position."""
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    made = FunctionType(
        code.replace(co_argcount=count, co_kwonlyargcount=0),
        function.__globals__,
        function.__name__,
        None,
        function.__closure__,
    )
    made.__module__ = function.__module__
    return made


def is_watched() -> bool:
    """Whether a debugger or a tool for coverage looks at the lines that run: it has the general text."""
    if sys.gettrace() is not None:
        return True
    if sys.version_info >= (3, 12):
        tools = (sys.monitoring.DEBUGGER_ID, sys.monitoring.COVERAGE_ID)
        return any(sys.monitoring.get_tool(one) is not None for one in tools)
    return False


def _as_told(value: Value) -> tuple[np.dtype[Any], tuple[int, ...]] | type | None:
    """A form as the guard is told it."""
    if isinstance(value, Array):
        return value.dtype, value.shape
    if isinstance(value, Number):
        return value.kind
    return type(None) if isinstance(value, Literal) else None


def text_for(function: Callable[..., Any], arguments: Sequence[Any] | Mapping[str, Any]) -> str:
    """The text of a derivative for the forms of arguments; the general one where there is no other.

    Args:
        function: A derivative, or one that is bound to an object.
        arguments: Arguments, or arguments by name.

    Raises:
        TypeError: They are none of the function.
    """
    plain = function.__func__ if isinstance(function, MethodType) else function
    derivative = plain.__tangent__  # type: ignore[attr-defined]
    signature = inspect.signature(function)
    bound = signature.bind(**arguments) if isinstance(arguments, Mapping) else signature.bind(*arguments)
    bound.apply_defaults()
    given = bound.arguments
    if isinstance(function, MethodType):
        first = next(iter(inspect.signature(plain).parameters))
        given = {first: function.__self__, **given}
    code = plain.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return str(derivative.text)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    known = known_for(derivative, [form_of(given[name]) for name in names])
    return str(derivative.text) if known is None else "\n\n".join(piece.text for piece in known.pieces)
