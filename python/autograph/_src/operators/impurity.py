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
import operator
import os
import re
import struct
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
from typing import Any, TypeVar

import numpy as np

from autograph._src.backends.protocol import active_backend
from autograph._src.operators.impure_functions import frozen_result, impure_name
from autograph._src.operators.plain_code import refuse_effects_of_steps
from autograph._src.policy import is_heap_type, is_user_class
from autograph.errors import StagingError

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

_OF_WALKERS = ("itertools", "functools", "heapq", "math", "statistics", "collections", "numpy", "operator")
"""Modules whose functions and classes consume the iterators that they are given."""

_OUTSIDE = "draw or read it outside the staged function and pass it as an argument"
_GENERATOR = "draw from a generator: `rng = np.random.default_rng(seed)`, or pass one as an argument"


def refuse_impure(function: Any, args: tuple[Any, ...] = ()) -> None:
    """Refuses a call whose result must not become a constant of the graph.

    Raises:
        StagingError: If the function may return another result, or has an effect, each time it is called.
    """
    backend = active_backend()
    if backend is None:
        return
    if function is breakpoint or _sets_trace(function):
        backend.would_freeze(
            f"`{function.__name__}` would stop once, while tracing, and not when the graph runs",
            "run the program with `AUTOGRAPH_DISABLE=1`: all functions are plain Python then",
        )
    name = impure_name(function)
    if name is not None:
        help = _GENERATOR if name.startswith("`numpy.random") else _OUTSIDE
        backend.would_freeze(frozen_result(name), help)
    if getattr(function, "__name__", None) in _WALKERS or _is_of(function, _OF_WALKERS):
        for value in args:
            refuse_outside_iterator(value)
    if isinstance(function, MethodWrapperType):  # `items.__next__`
        refuse_outside_iterator(function.__self__)


def _is_of(function: object, modules: tuple[str, ...]) -> bool:
    """Whether one of these modules defines a function or a class."""
    return str(getattr(function, "__module__", None)).partition(".")[0] in modules


_DEBUGGERS = frozenset(("pdb", "ipdb", "ipdb.__main__", "pudb", "_pytest.debugging"))


def _sets_trace(function: object) -> bool:
    """Whether a function stops in a debugger, as ``breakpoint`` and ``pdb.set_trace`` do."""
    name = getattr(function, "__name__", None)
    return name == "set_trace" and getattr(function, "__module__", None) in _DEBUGGERS


def refuse_outside_iterator(value: object, *, is_alone: bool = False) -> None:
    """Refuses to consume an iterator that was made outside of this trace, or outside of this staged block.

    Args:
        value: The value.
        is_alone: Whether those that it takes from are left out: what runs in its place asks for them itself.

    Raises:
        StagingError: If the value is such an iterator. Only the first call of the function would consume it,
            and a block that runs several times, or never, would consume it once. Or if it is an object of the
            user's that prints when it is walked.
    """
    backend = active_backend()
    if backend is None:
        return
    if is_user_class(type(value)):
        refuse_effects_of_steps(type(value))
    if is_iterator(type(value)):
        try:
            backend.will_advance(value, is_alone)
        except StagingError:
            _learn(value)
            raise


_learn: Callable[[object], None]

Learner = TypeVar("Learner", bound=Callable[[object], None])


def learn_by(learner: Learner) -> Learner:
    """Registers what may record anew a program that advances an iterator where it is refused."""
    global _learn
    _learn = learner
    return learner


def refuse_opaque(value: object) -> None:
    """Refuses to call methods of an object from outside whose state no guard can compare.

    Raises:
        StagingError: If the value is such an object: a queue, a `ctypes` number, a weak reference.
    """
    backend = active_backend()
    kind: Any = type(value)
    if backend is not None and is_opaque(kind):
        backend.reads_opaque(value)


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
