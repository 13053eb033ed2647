"""Exceptions of the user in the graph: a run raises a copy of the exception raised while recording.

    if x > 2:
        raise TooLarge(x, limit=2)      # its arguments and attributes hold staged values

Recording notes the exception's class, arguments, attributes, cause and context; the run makes an exception
of that class with the values of the run. It does not call `__init__` again, since `__init__` may take other
arguments than those that `args` keeps. An exception object from before the call is raised itself.
"""

from __future__ import annotations

import dis
import os
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.backends.protocol import names_of_ours
from autograph._src.load import is_converted_code
from autograph._src.operators.statements import assert_stmt
from autograph._src.own_attributes import has_own
from autograph._src.staging.control.run_templates import Template, said
from autograph._src.staging.objects.kept_errors import class_of_error, is_kept
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.callers import steps_of
from autograph._src.staging.trace.exception_parts import chain, chained, parts_of, put, remade
from autograph._src.staging.trace.frames import here, is_internal_file, location_of
from autograph._src.staging.trace.outside import refuse_locked
from autograph._src.staging.trace.restarts import fills_template, learn_operators
from autograph._src.staging.trace.sites import Site, words_of_call
from autograph._src.staging.trace.trace import Trace
from autograph._src.tracebacks import entries_of
from autograph.errors import AutographError, StagingError

Reader = Callable[[list[NDArray[Any]]], BaseException]
"""Makes an exception from the operands' arrays."""


def exception_reader(template: Template, error: BaseException, outer: BaseException | None = None) -> Reader:
    """A function from the operands' arrays to an exception like this one, with its cause and context.

    Args:
        template: Collects the operands.
        error: The exception.
        outer: The exception that the caller of the traced function was handling; it belongs to that call,
            not to the run, and is left out of the context.
    """
    return _reader(template, error, outer, {})


def _reader(
    template: Template, error: BaseException, outer: BaseException | None, known: dict[int, Reader]
) -> Reader:
    if id(error) in known:
        return known[id(error)]
    kind = class_of_error(error)
    args, state = parts_of(error)
    readers = [template.reader(value) for value in args]
    named = {name: template.reader(value) for name, value in state.items()}
    # If one exception is both the cause and the context, it is made once.
    made_last: list[tuple[list[NDArray[Any]], BaseException]] = []
    is_suppressed = error.__suppress_context__

    def again(arrays: list[NDArray[Any]]) -> BaseException:
        if made_last and made_last[0][0] is arrays:
            return made_last[0][1]
        made = remade(
            kind,
            tuple(read(arrays) for read in readers),
            {name: read(arrays) for name, read in named.items()},
        )
        made_last[:] = [(arrays, made)]
        chain(made, "__cause__", None if cause is None else cause(arrays))
        chain(made, "__context__", None if context is None else context(arrays))
        put(made, "__suppress_context__", is_suppressed)
        made_last.clear()
        return made

    known[id(error)] = again
    given, around = chained(error, "__cause__"), chained(error, "__context__")
    cause = None if given is None else _reader_of_chained(template, given, outer, known)
    is_left_out = around is None or around is outer
    context = None if is_left_out else _reader_of_chained(template, around, outer, known)
    return again


def _reader_of_chained(
    template: Template, error: object, outer: BaseException | None, known: dict[int, Reader]
) -> Reader:
    """The reader of a cause or a context, which may be one of several."""
    if isinstance(error, BaseException):
        return _reader(template, error, outer, known)
    return template.reader(error)


def with_context(error: BaseException, handled: BaseException | None) -> BaseException:
    """Sets the context of an exception as `raise` does while `handled` is being handled."""
    last, seen = error, {id(error)}
    while last.__context__ is not None and id(last.__context__) not in seen:
        last = last.__context__
        seen.add(id(last))
    if handled is not None and id(handled) not in seen and last.__context__ is None:
        put(last, "__context__", handled)
    return error


_NUMPY = os.path.join(os.path.dirname(os.path.abspath(np.__file__)), "")

_TOO_DEEP = "maximum recursion depth exceeded"
"""CPython's message. Both branches of a staged `if` are recorded, so a recursion under it never ends."""


def record_raise(error: BaseException) -> bool:
    """Records that the run raises here the exception that a staged block raised.

    Returns:
        Whether a handler of the program takes it.
    """
    trace = require_trace()
    known = trace.remembered.get(("caught", id(error)))
    raised_again = known[1] if known is not None and known[0] is error else None
    if raised_again is None:
        _refuse_ours(error)
    if isinstance(error, RecursionError) and str(error).startswith(_TOO_DEEP):
        failures = [*trace.facts.recursion.refusals.values()]
        if failures:
            raise failures[-1] from None
        raise staging_error(
            "AG138",
            "a function calls itself again and again while this statement is recorded",
            "pass the same kinds of values in each call, or write it as a loop",
        ) from None
    steps = steps_of(error.__traceback__)
    template = Template(gives_values=True)
    try:
        is_given = trace.surroundings.is_outside(error) or _was_there(trace, error)
        if not is_given:
            trace.journal.created(error)
        again = _same(error) if is_given else exception_reader(template, error, trace.handled)
    except StagingError as refused:  # It holds a value that it cannot hold: point to its `raise`.
        refused.location = location_of(*steps[-1]) if steps else refused.location
        raise
    kind = class_of_error(error)
    trace.sites.append(Site(again, words_of_call(kind.__name__, [*map(said, error.args)])))
    site = len(trace.sites) - 1
    place = None if raised_again is None else raised_again.place
    return trace.check(None, kind, "", site, template.operands, raised=error, steps=steps, place=place)


def note_raised(error: BaseException) -> None:
    """Notes that the program has made an exception that Python raises while recording."""
    trace = require_trace()
    trace.objects.errors.require_chain(error, class_of_error(error).__name__)
    if not trace.surroundings.is_outside(error) and not _was_there(trace, error):
        trace.journal.created(error)


def _refuse_ours(error: BaseException) -> None:
    """Raises our own error if the exception is one, wraps one, or complains about a staged value."""
    if has_own(error, "is_of_run") or is_kept(error):
        return  # A statement of a generated function has raised it, or `raise` of a value of the run.
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, AutographError):
            raise seen from None  # NumPy has replaced it by an exception of its own.
        seen = seen.__cause__
    if _is_fault(error):
        raise StagingError(
            f"a fault of AutoGraph itself, please report it: {error!r}", code="AG208"
        ) from error
    if not _is_of_program(error):
        trace = require_trace()
        refuse_locked(error, trace.surroundings.locked, trace.callers_objects.learn_locked)
    if isinstance(error, TypeError) and not _is_of_program(error):
        _learn_template(error)
    is_of_python = isinstance(error, (TypeError, AttributeError, ValueError)) and not _is_of_program(error)
    if is_of_python and names_of_ours(" ".join(one for one in error.args if type(one) is str)):
        steps = [one for one in steps_of(error.__traceback__) if is_converted_code(one[0])]
        raise StagingError(
            "a staged value is given to code that is not staged, which does not take it",
            code="AG105",
            location=location_of(*steps[-1]) if steps else here(),
            help="call it outside the staged function, or mark a function that calls it `@ag.py_function`",
        ) from None


def _learn_template(error: BaseException) -> None:
    """Has operators spelled out if ``%`` raised the error: a template refuses a staged number as no number.

    Raises:
        Learned: If they are not spelled out yet.
    """
    entries = entries_of(error.__traceback__)
    if entries and fills_template(entries[-1].tb_frame.f_code, entries[-1].tb_lasti):
        learn_operators(entries[-1].tb_frame)


def _is_fault(error: BaseException) -> bool:
    """Whether the exception is a bug of this package: an unexpected `AssertionError` or `NameError`."""
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    if entry is None or not is_internal_file(entry.tb_frame.f_code.co_filename):
        return False
    code = entry.tb_frame.f_code
    if code.co_filename.startswith(_NUMPY):  # `np.testing` raises for plain values.
        return False
    if isinstance(error, AssertionError):
        return code is not assert_stmt.__code__  # `assert_stmt` raises for an `assert` of the program.
    return isinstance(error, NameError) and code.co_code[entry.tb_lasti] != dis.opmap["RAISE_VARARGS"]


def _is_of_program(error: BaseException) -> bool:
    """Whether a `raise` statement of the program raised the exception."""
    steps = steps_of(error.__traceback__)
    if not steps:
        return False
    code, instruction = steps[-1]
    return code.co_code[instruction] == dis.opmap["RAISE_VARARGS"]


def _same(error: BaseException) -> Reader:
    return lambda arrays: error


def _was_there(trace: Trace, error: BaseException) -> bool:
    """Whether an exception existed before the call, as a global, closure variable or argument."""
    if trace.journal.was_created(error):
        return False
    entry = error.__traceback__
    while entry is not None:
        if not is_internal_file(entry.tb_frame.f_code.co_filename) and _is_around(entry.tb_frame, error):
            return True
        entry = entry.tb_next
    return False


def _is_around(frame: FrameType, error: BaseException) -> bool:
    """Whether a global, closure variable or parameter of a frame is bound to an exception."""
    if any(value is error for value in frame.f_globals.values()):
        return True
    names = {*frame.f_code.co_freevars, *frame.f_code.co_varnames[: frame.f_code.co_argcount]}
    return any(value is error for name, value in frame.f_locals.items() if name in names)
