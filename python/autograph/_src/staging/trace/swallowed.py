"""Refusals that a handler in code of the user took: a recording that met one ends with it.

    class Table:
        @property
        def first(self):            # runs as it is written while a graph is recorded
            try:
                return self.rows[self.k] if self.k > 0 else 0.0    # refused: the truth of `self.k > 0`
            except Exception:
                return -1.0         # else the graph would hold -1.0 for all runs

An exception of this package passes through converted `try` statements (:meth:`Trace.attempt`). In other code
it is found afterwards: its traceback has the frame that took it, which it has not if this package took it.
"""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from autograph._src.made_errors import WATCHERS
from autograph._src.policy import is_user_file
from autograph._src.staging.trace.active import current_trace
from autograph._src.staging.trace.frames import is_internal_file
from autograph._src.staging.trace.plain_handlers import FINALLY, WITH, may_have_handlers
from autograph._src.staging.trace.signals import TraceControl
from autograph.errors import AutographError

if TYPE_CHECKING:
    from autograph._src.staging.trace.trace import Trace

_PASSED = frozenset((FINALLY,))
_PASSED_BY_SIGNALS = frozenset((FINALLY, WITH))


def _note(error: BaseException) -> None:
    """Keeps an exception that a handler in code that is not converted may take."""
    trace = current_trace()
    if trace is not None:
        if _is_for_a_log(sys._getframe(1)):
            return
        passed = _PASSED_BY_SIGNALS if isinstance(error, TraceControl) else _PASSED
        kinds = [type(error), *(_OF_NUMPY if getattr(error, "code", "") == "AG101" else ())]
        if any(trace.callers.are_taken(sys._getframe(1), kind, passed) for kind in kinds):
            trace.may_be_swallowed.append(error)


def _is_for_a_log(frame: FrameType | None) -> bool:
    """Whether a library makes a text for a log, which the program does not get."""
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] in _LOGS:
            return True
        frame = frame.f_back
    return False


_LOGS = frozenset(("asyncio", "logging"))

_OF_NUMPY = (ValueError, TypeError)
"""What NumPy raises in place of an error that it got for a value: `plain[0] = staged`."""

WATCHERS.append(_note)


def swallowed(trace: Trace) -> BaseException | None:
    """The first exception of this package that has come to a handler of the user, if any.

    Args:
        trace: A trace whose recording has ended with a result.
    """
    for error in trace.may_be_swallowed:
        if error is trace.value_needed or _has_reached_a_handler(error.__traceback__):
            return error if isinstance(error, AutographError) else getattr(error, "error", error)
    return None


def _has_reached_a_handler(traceback: TracebackType | None) -> bool:
    """Whether an exception has left this package for code that is not converted and has handlers."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_internal_file(code.co_filename) and may_have_handlers(code):
            return True
        traceback = traceback.tb_next
    return False
