"""Handlers in code that runs unconverted while a graph is recorded: a run cannot go to them.

    def safe(x, k):
        try:
            return x[k]
        except IndexError:      # a generator, a property or a class body calls `safe` as it is written
            return -1.0

`x[k]` is recorded and does not fail now. Python has left the `try` when the graph runs, so that the handler
would never run. What an instruction's handlers take is read from the bytecode.
"""

from __future__ import annotations

import builtins
import dis
import functools
import os
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

_LIBRARY = os.path.dirname(os.path.abspath(dis.__file__)) + os.sep
_INSTALLED = os.path.join(_LIBRARY, "site-packages") + os.sep

WITH, FINALLY = "with", "finally"
"""Handlers without classes: that of a ``with``, whose manager may take anything, and a ``finally``."""


def may_have_handlers(code: CodeType) -> bool:
    """Whether a code object is no converted one, and has a handler.

    In converted code each ``try`` and ``with`` is an operator, which knows its handlers.
    """
    return bool(code.co_exceptiontable) and "ag__" not in code.co_freevars and "ag__" not in code.co_names


def takes(frame: FrameType, error: type[BaseException], passed: frozenset[str] = frozenset()) -> bool:
    """Whether a handler around a frame's running instruction may take exceptions of a class.

    Args:
        frame: The frame, whose code :func:`may_have_handlers`.
        error: The class; a subclass of it may be raised too.
        passed: The handlers of no class, :data:`WITH` and :data:`FINALLY`, that do not count.
    """
    code = frame.f_code
    for handler in _handlers_at(code, frame.f_lasti):
        if isinstance(handler, str):
            # Not `with lock:` in `cached_property`, for instance.
            if handler not in passed and not _is_of_library(code):
                return True
            continue
        for names in handler:
            kinds = _classes(names, frame)
            if kinds is None or any(issubclass(error, one) or issubclass(one, error) for one in kinds):
                return True
    return False


def ends_iteration(frame: FrameType) -> bool:
    """Whether a frame handles ``StopIteration`` as an iterator or a generator does, and nothing else.

    Functions of this package that stand for iterators do so as CPython's do, while the graph is recorded.
    """
    return bool(frame.f_code.co_exceptiontable) and _STOP in _handlers_at(frame.f_code, frame.f_lasti)


def only_tidies_up(frame: FrameType) -> bool:
    """Whether what is around a generator's ``yield`` passes each exception on: a ``finally`` that ends.

    try:
        yield
    finally:
        restore()       # with no `return` and no `raise` in it
    """
    code = frame.f_code
    found = _handlers_at(code, frame.f_lasti)
    if any(one != FINALLY and not (one == WITH and _is_of_library(code)) for one in found):
        return False
    return not found or _ends_again(code)


@functools.lru_cache(256)
def _ends_again(code: CodeType) -> bool:
    """Whether each handler of a code object raises again what it has got, and does nothing else with it."""
    is_inside = False
    for step in dis.get_instructions(code):
        is_inside = is_inside or step.opname == "PUSH_EXC_INFO"
        if not is_inside:
            continue
        if step.opname == "RERAISE":
            is_inside = False
        elif step.opname.startswith(("RETURN", "RAISE", "YIELD")) or step.argval in ("exc_info", "exception"):
            return False
    return True


_STOP = ((("StopIteration",),),)


def _is_of_library(code: CodeType) -> bool:
    """Whether a code object belongs to Python's own library, whose ``with`` and ``finally`` only tidy up."""
    file = code.co_filename
    return file.startswith(_LIBRARY) and not file.startswith(_INSTALLED)


Names = tuple[tuple[str, ...], ...]
"""The classes of an ``except``: each a name and the attributes after it."""

Handler = str | tuple[Names | None, ...]
"""The classes of each ``except`` of a ``try``, ``None`` for an expression; or one of the two above."""

_ALL: Handler = ((("BaseException",),),)
"""A bare ``except``."""


@functools.lru_cache(256)
def _handlers_at(code: CodeType, instruction: int) -> tuple[Handler, ...]:
    """The handlers of each ``try`` and ``with`` around an instruction, the innermost first."""
    found: list[Handler] = []
    entries = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]
    steps = [*dis.get_instructions(code)]
    places = {step.offset: place for place, step in enumerate(steps)}
    offset: int | None = instruction
    while offset is not None:
        around = [one.target for one in entries if one.start <= offset < one.end]
        offset = around[0] if around and around[0] != offset else None
        # Only what begins so is the user's: generators, comprehensions and `await` have handlers too.
        if offset is not None and steps[places[offset]].opname == "PUSH_EXC_INFO":
            found.append(_clauses(steps, places, places[offset] + 1))
    return tuple(found)


def _clauses(steps: list[dis.Instruction], places: dict[int, int], first: int) -> Handler:
    """The handlers whose bytecode begins at a place."""
    clauses: list[Names | None] = []
    if steps[first].opname == "WITH_EXCEPT_START":
        return WITH
    while steps[first].opname not in ("RERAISE", "POP_TOP"):
        matched = next(_matches(steps, first), None)
        if matched is None:
            return FINALLY
        names, jump = matched
        clauses.append(names)
        first = places[steps[jump].argval]
    return (*clauses, *_ALL) if steps[first].opname == "POP_TOP" else tuple(clauses)


def _matches(steps: list[dis.Instruction], first: int) -> Iterator[tuple[Names | None, int]]:
    """The classes of the clause that begins at a place, and the place of its jump to the next clause."""
    stack: list[Any] = []
    for place in range(first, len(steps) - 1):
        step = steps[place]
        if step.opname == "CHECK_EXC_MATCH" and "IF_FALSE" in steps[place + 1].opname:
            names = stack[0] if len(stack) == 1 else None
            yield (names if names is None or type(names[0]) is tuple else (names,)), place + 1
            return
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            stack.append((step.argval,))
        elif step.opname == "LOAD_ATTR" and stack and None not in stack:
            stack[-1] = (*stack[-1], step.argval)
        elif step.opname == "BUILD_TUPLE" and step.arg == len(stack) and None not in stack:
            stack = [tuple(stack)]
        elif step.opname in ("POP_TOP", "WITH_EXCEPT_START", "RERAISE", "STORE_FAST", "POP_EXCEPT"):
            return  # No clause with a class.
        else:
            stack = [None, None]  # An expression that only a run could evaluate.


def _classes(names: Names | None, frame: FrameType) -> list[type[BaseException]] | None:
    """The classes that names stand for in a frame; ``None`` if that is not known."""
    if names is None or any(one is None for one in names):
        return None
    found: list[type[BaseException]] = []
    for name, *attributes in names:
        value = frame.f_locals.get(name, frame.f_globals.get(name, getattr(builtins, name, None)))
        for attribute in attributes:
            value = getattr(value, attribute, None)
        for one in value if isinstance(value, tuple) else (value,):
            if not (isinstance(one, type) and issubclass(one, BaseException)):
                return None
            found.append(one)
    return found
