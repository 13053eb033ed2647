"""Exceptions of the user in the graph: what was raised while a block was recorded is made again by the run.

    if x > 2:
        raise TooLarge(x, limit=2)      # its arguments and attributes hold staged values

The exception's class, arguments, attributes and cause are recorded; the run makes an exception of the
class with the values that they have then. Its `__init__` has run when the block was recorded, and is not
called again: it may take other arguments than those that the exception keeps.

>>> class TooLarge(ValueError):
...     def __init__(self, value, *, limit):
...         super().__init__(f"{value} is over {limit}")
...         self.limit = limit
>>> again = remade(TooLarge, *parts_of(TooLarge(5, limit=3)))
>>> again.args, again.limit
(('5 is over 3',), 3)
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

from numpy.typing import NDArray

from autograph.staging.effects import Template
from autograph.staging.frames import is_internal_file, location_of
from autograph.staging.tensor import constant, require_trace
from autograph.staging.trace import staging_error

_HEAP_TYPE = 1 << 9
"""The flag of a class that a program made, not CPython."""


def builtin_base(kind: type[BaseException]) -> Any:
    """The builtin class whose layout an exception class has."""
    base: Any = kind
    while base.__flags__ & _HEAP_TYPE:
        base = base.__base__
    return base


def parts_of(error: BaseException) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments and the attributes of an exception."""
    reduced = builtin_base(type(error)).__reduce__(error)
    state = dict(reduced[2]) if len(reduced) > 2 and reduced[2] else {}
    for kind in type(error).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(error, name):
                state[name] = getattr(error, name)
    return reduced[1], state


def remade(kind: type[BaseException], args: tuple[Any, ...], state: dict[str, Any]) -> BaseException:
    """An exception of a class with these arguments and attributes."""
    base = builtin_base(kind)
    made: BaseException = base.__new__(kind, *args)
    base.__init__(made, *args)
    for name, value in state.items():
        object.__setattr__(made, name, value)
    return made


def exception_reader(
    template: Template, error: BaseException
) -> Callable[[list[NDArray[Any]]], BaseException]:
    """A function from the operands' arrays to an exception like this one, with its cause."""
    kind = type(error)
    args, state = parts_of(error)
    readers = [template.reader(value) for value in args]
    named = {name: template.reader(value) for name, value in state.items()}
    cause = None if error.__cause__ is None else exception_reader(template, error.__cause__)
    is_suppressed, context = error.__suppress_context__, error.__context__

    def again(arrays: list[NDArray[Any]]) -> BaseException:
        made = remade(
            kind,
            tuple(read(arrays) for read in readers),
            {name: read(arrays) for name, read in named.items()},
        )
        made.__cause__ = None if cause is None else cause(arrays)
        made.__context__, made.__suppress_context__ = context, is_suppressed
        return made

    return again


_TOO_DEEP = "maximum recursion depth exceeded"
"""What CPython itself says: both branches of a staged `if` are recorded, so the recursion has no end."""


def record_raise(error: BaseException) -> None:
    """Records that the run fails here with an exception that a staged block raised."""
    from autograph.staging.own_words import refusal_of_own_words

    trace = require_trace()
    if isinstance(error, RecursionError) and str(error).startswith(_TOO_DEEP):
        failures = [*trace.learned.failed.values()]
        if failures:
            raise failures[-1] from None
        raise staging_error(
            "AG138",
            "a function calls itself again and again while this statement is recorded",
            "pass the same kinds of values in each call, or write it as a loop",
        ) from None
    refusal = refusal_of_own_words(error)
    if refusal is not None:
        raise refusal from None
    place = raised_at(error)
    trace.may_raise(type(error).__name__, None if place is None else location_of(*place))
    template = Template()
    again = exception_reader(template, error)
    never = constant(False, "bool").read()
    trace.sites.append(again)
    site = len(trace.sites) - 1
    builder = trace.locate() if place is None else trace.locate_at(*place)
    builder.check(never, type(error).__name__, "", site, template.operands)


def raised_at(error: BaseException) -> tuple[CodeType, int] | None:
    """The innermost instruction of the user's program in the traceback of an exception."""
    place, step = None, error.__traceback__
    while step is not None:
        if not is_internal_file(step.tb_frame.f_code.co_filename):
            place = (step.tb_frame.f_code, step.tb_lasti)
        step = step.tb_next
    return place
