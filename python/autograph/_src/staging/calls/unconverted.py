"""Runs unconverted functions while a trace records, and refuses their writes to objects from outside.

    @ag.do_not_convert
    def note(history, x):
        history.append(x)       # appends a staged value, once, while tracing

A write to a container or attribute from outside the trace would happen once instead of at every run; the call
is refused. Arrays are read-only meanwhile (``staging/trace/outside.py``). An unconverted function that gets
only plain numbers may change its own globals: the program has marked it to run once, while tracing.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_among, backend_of
from autograph._src.policy import is_generated, is_user_code
from autograph._src.staging.calls.unconverted_refusals import refusals_of
from autograph._src.staging.tensors.argument_words import call_in_place_of
from autograph._src.staging.trace.frames import here, is_internal_file
from autograph._src.staging.trace.outside import put_back_changes, refusal_of_change
from autograph._src.staging.trace.surroundings import Surroundings, values_around
from autograph._src.staging.trace.trace import Trace, not_swallowed

_NO_EFFECT = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype, range, slice, type)


def run_unconverted(
    trace: Trace, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """Calls an unconverted function, and undoes and refuses its changes to objects from outside.

    Raises:
        StagingError: If it has changed an object that outlives the call (AG122).
    """
    if isinstance(function, FunctionType) and args and isinstance(args[0], list) and _is_ours(function):
        return call_in_place_of(getattr(list, function.__name__, function), function, args, kwargs)
    given = (*args, *kwargs.values())
    is_plain = all(isinstance(one, _NO_EFFECT) and backend_of(one) is None for one in given)
    if is_plain or (isinstance(function, FunctionType) and _is_known(function)):
        return function(*args, **kwargs)
    journal = trace.journal
    around = Surroundings(trace.surroundings.locked)
    for value in (*given, *((function.__self__,) if isinstance(function, MethodType) else ())):
        around.watch.add(value)
    if backend_among(given) is not None:
        for one in _called_by(function):
            around.enter(one)
    around.watch.forget(lambda one: journal.was_created(one) or hasattr(type(one), "will_change"))
    try:
        with refusals_of(function, given):
            return not_swallowed(trace, function, *args, **kwargs)
    finally:
        changed = put_back_changes(around.watch, trace.new_variables)
        around.refuse_writes(trace.new_variables)
        if changed is not None:
            raise refusal_of_change(changed, here())


def _is_known(function: FunctionType) -> bool:
    """Whether a function needs no check: one of this package, or a method that ``dataclass`` generated."""
    return _is_ours(function) or is_generated(function)


def _is_ours(function: FunctionType) -> bool:
    """Whether a function belongs to this package, such as a method of a list that the trace made."""
    return is_internal_file(function.__code__.co_filename)


def _called_by(function: object) -> list[FunctionType]:
    """A function of the user, and all functions of the user that it can reach by globals and closures."""
    found: dict[int, FunctionType] = {}
    pending = [function]
    while pending:
        one = pending.pop()
        one = getattr(one, "__func__", one)
        if isinstance(one, FunctionType) and id(one) not in found and is_user_code(one.__code__):
            found[id(one)] = one
            pending += values_around(one)
    return list(found.values())
