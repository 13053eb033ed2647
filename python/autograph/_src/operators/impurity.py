"""Refuses impure calls: reading a clock, a random draw, a file, or an iterator.

A call with plain arguments runs once, while the graph is recorded, and its result becomes a constant of the
graph. That is right for `math.sqrt(2)` and wrong for `time.time()`, so impure calls are refused:

    seconds = time.time()          # one time for all calls
    item = next(items)             # `items` comes from outside: one item for all calls

Log messages and warnings are effects like `print`: they are recorded and happen at every run of the graph.
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
"""Functions that are recorded as effects of the graph even if all arguments are plain."""

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
"""Functions that read interpreter state. A guard compares their result before the graph runs again."""

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
"""Classes written in C whose objects are immutable, or that guards or other code handle."""

_BUILTIN_WALKERS = (
    "next sum min max any all sorted list tuple set frozenset dict enumerate zip map filter reversed"
)
_WALKERS = frozenset((*_BUILTIN_WALKERS.split(), "reduce", "extend", "join", "update", "fromkeys", "deque"))
"""The names of functions, methods and classes that consume an iterator."""

_NOW = frozenset(("now", "today", "utcnow"))
_OUTSIDE = "draw or read it outside the staged function and pass it as an argument"
_GENERATOR = "draw from a generator: `rng = np.random.default_rng(seed)`, or pass one as an argument"


def refuse_impure(function: Any, args: tuple[Any, ...] = ()) -> None:
    """Refuses a call whose result must not become a constant of the graph.

    Raises:
        StagingError: If the function may return another result, or has an effect, each time it is called.
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
    """Whether a function stops in a debugger, as ``breakpoint`` and ``pdb.set_trace`` do."""
    name = getattr(function, "__name__", None)
    return name == "set_trace" and getattr(function, "__module__", None) in _DEBUGGERS


def _impure_name(function: object) -> str | None:
    """The name of an impure function for messages; ``None`` if the function is pure."""
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
    """Refuses to consume an iterator that was made outside of this trace, or outside of this staged block.

    Raises:
        StagingError: If the value is such an iterator. Only the first call of the function would consume it,
            and a block that runs several times, or never, would consume it once.
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
    """Refuses to call methods of an object from outside whose state no guard can compare.

    Raises:
        StagingError: If the value is such an object: a queue, a `ctypes` number, a weak reference.
    """
    trace = current_trace()
    kind: object = type(value)
    if trace is None or not trace.surroundings.is_outside(value) or not is_opaque(kind):
        return
    raise _frozen(f"reading a {type(value).__name__} from outside", _OUTSIDE)


@functools.cache
def is_opaque(kind: type) -> bool:
    """Whether the objects of a class may have state that no Python attribute shows."""
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
    """Whether a class is a plain iterator class."""
    known = _iterators.get(kind)
    if known is None:
        known = _iterators[kind] = hasattr(kind, "__next__") and not kind.__module__.startswith("autograph.")
    return known


_iterators: dict[type, bool] = {}


def _frozen(name: str, help: str) -> Exception:
    return _refusal(f"{name} would run once, while tracing, and its result be frozen into the graph", help)


def _refusal(message: str, help: str) -> Exception:
    return staging_error("AG123", message, help)
