"""Calls that mean something each time they run: a clock, a draw, a file, an iterator that is used up.

A call with plain arguments runs while the graph is recorded, once, and its result is a constant of the
graph. That is right for `math.sqrt(2)` and wrong for `time.time()`, so these are refused:

    seconds = time.time()          # one time for all calls
    item = next(items)             # `items` comes from outside: one item for all calls

Log messages and warnings are effects like `print`: they are recorded, and happen whenever the graph runs.
"""

from __future__ import annotations

import datetime
import decimal
import functools
import io
import logging
import operator
import os
import re
import struct
import warnings
from array import array
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

import numpy as np

from autograph._src.policy import is_heap_type
from autograph._src.staging.trace.active import current_trace, staging_error

RECORDED: frozenset[Callable[..., Any]] = frozenset(
    [
        print,
        warnings.warn,
        *(getattr(logging, name) for name in ("debug", "info", "warning", "error", "critical", "log")),
        *(getattr(logging.Logger, name) for name in ("debug", "info", "warning", "error", "critical", "log")),
    ]
)
"""What is an effect of the graph, also with plain arguments."""

_MODULES = frozenset(("random", "numpy.random", "time", "secrets", "uuid", "locale", "_locale"))
_FUNCTIONS: dict[Any, str] = {
    open: "`open`",
    input: "`input`",
    os.urandom: "`os.urandom`",
    os.open: "`os.open`",
    os.read: "`os.read`",
    os.write: "`os.write`",
    os.system: "`os.system`",
}
GETTERS: frozenset[Callable[..., Any]] = frozenset((np.geterr, np.get_printoptions, os.getcwd))
"""What gives a state of the interpreter, which is compared before the graph runs again."""

_KNOWN = (
    *(
        str,
        bytes,
        int,
        float,
        complex,
        tuple,
        frozenset,
        range,
        slice,
        type,
        ModuleType,
        property,
        BaseException,
    ),
    *(
        list,
        dict,
        set,
        deque,
        bytearray,
        array,
        memoryview,
        MappingProxyType,
        ContextVar,
        re.Pattern,
        re.Match,
    ),
    *(datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo, decimal.Decimal, struct.Struct),
    *(np.ndarray, np.generic, np.dtype, np.ufunc, np.flatiter, np.random.Generator, np.random.RandomState),
    *(operator.itemgetter, operator.attrgetter, operator.methodcaller, MethodWrapperType, type(...)),
    *(functools.partial, FunctionType, MethodType, BuiltinFunctionType, CodeType, type(None)),
)
"""Classes of C whose objects cannot change, are compared, or are looked at in another way."""

_BUILTIN_WALKERS = (
    "next sum min max any all sorted list tuple set frozenset dict enumerate zip map filter reversed"
)
_WALKERS = frozenset((*_BUILTIN_WALKERS.split(), "reduce", "extend", "join", "update", "fromkeys", "deque"))
"""Functions, methods and classes that use up an iterator, by their names."""

_NOW = frozenset(("now", "today", "utcnow"))
_OUTSIDE = "draw or read it outside the staged function and pass it as an argument"
_GENERATOR = "draw from a generator: `rng = np.random.default_rng(seed)`, or pass one as an argument"


def refuse_impure(function: Any, args: tuple[Any, ...] = ()) -> None:
    """Refuses a call whose result would be frozen into the graph.

    Raises:
        StagingError: If the function gives another result, or does something, each time it is called.
    """
    trace = current_trace()
    if trace is None:
        return
    if function is breakpoint or _sets_trace(function):
        raise _refusal(
            f"`{function.__name__}` would stop once, while tracing, and not when the graph runs",
            "run the program with `AUTOGRAPH_DISABLE=1`: all functions are plain Python then",
        )
    name = _impure_name(function)
    if name is not None:
        raise _frozen(name, _GENERATOR if name.startswith("`numpy.random") else _OUTSIDE)
    if getattr(function, "__name__", None) in _WALKERS:
        for value in args:
            refuse_outside_iterator(value)


_CACHE = type(functools.lru_cache(len))
_DEBUGGERS = frozenset(("pdb", "ipdb", "ipdb.__main__", "pudb", "_pytest.debugging"))


def _sets_trace(function: object) -> bool:
    """Whether it is what stops in a debugger."""
    name = getattr(function, "__name__", None)
    return name == "set_trace" and getattr(function, "__module__", None) in _DEBUGGERS


def _impure_name(function: object) -> str | None:
    """What a message calls a function, if it is impure."""
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", "function")
    module = getattr(function, "__module__", None) or getattr(type(owner), "__module__", "")
    if isinstance(owner, _CACHE):
        return f"`{name}` of a function with a cache"
    if isinstance(owner, io.IOBase):
        return f"`{name}` of a file"
    if isinstance(owner, type) and issubclass(owner, datetime.date) and name in _NOW:
        return f"`{owner.__name__}.{name}`"
    if module in _MODULES or str(module).startswith("numpy.random."):
        return f"`{module}.{name}`"
    try:
        return _FUNCTIONS.get(function)
    except TypeError:
        return None


def refuse_outside_iterator(value: object) -> None:
    """Refuses to walk an iterator that was not made in this trace, or not in this staged block.

    Raises:
        StagingError: If it is one. Only the first call of the function would use it up, and a block that
            runs often, or not at all, would use it up once.
    """
    if not is_iterator(type(value)):
        return
    trace = current_trace()
    if trace is None:
        return
    if trace.journal.was_created(value):
        if trace.journal.is_older_than_block(value):
            raise staging_error(
                "AG121",
                f"an iterator from before {trace.journal.blocks[-1].what} is advanced inside it,"
                " which would happen once, while tracing",
                "make the iterator inside the block, or keep a list and an index",
            )
        return
    raise _frozen(
        f"a step of a {type(value).__name__} from outside",
        "make a list of its items outside the staged function, or make the iterator inside it",
    )


def refuse_opaque(value: object) -> None:
    """Refuses to ask an object from outside whose class is of C, and which nobody can compare.

    Raises:
        StagingError: If it is one: a queue, a number of `ctypes`, a weak reference.
    """
    trace = current_trace()
    kind: object = type(value)
    if trace is None or not trace.surroundings.is_outside(value) or not is_opaque(kind):
        return
    raise _frozen(f"reading a {type(value).__name__} from outside", _OUTSIDE)


@functools.cache
def is_opaque(kind: type) -> bool:
    """Whether the objects of a class have a state that no attribute shows."""
    if (
        issubclass(kind, _KNOWN)
        or is_iterator(kind)
        or kind.__module__.partition(".")[0] in ("autograph", "numpy")
    ):
        return False
    return not all(_is_of_python(base) for base in kind.__mro__[:-1])


def _is_of_python(kind: type) -> bool:
    """Whether a class was written in Python."""
    has_place = "__dict__" in vars(kind) or "__slots__" in vars(kind) or kind.__dictoffset__
    return is_heap_type(kind) and bool(has_place)


def is_iterator(kind: type) -> bool:
    """Whether a class is one of plain iterators."""
    known = _iterators.get(kind)
    if known is None:
        known = _iterators[kind] = hasattr(kind, "__next__") and not kind.__module__.startswith("autograph.")
    return known


_iterators: dict[type, bool] = {}


def _frozen(name: str, help: str) -> Exception:
    return _refusal(f"{name} would run once, while tracing, and its result be frozen into the graph", help)


def _refusal(message: str, help: str) -> Exception:
    from autograph._src.staging.trace.active import staging_error

    return staging_error("AG123", message, help)
