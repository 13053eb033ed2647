"""The trace that records on this thread, and errors that point to the user's line it is recording."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from autograph._src.backends.protocol import without_our_names
from autograph._src.staging.trace.frames import here
from autograph.errors import AutographError, DtypeError, ShapeError, StagingError

if TYPE_CHECKING:
    from autograph._src.staging.trace.trace import Trace


class _OfThread(threading.local):
    trace: Trace | None = None


_state = _OfThread()


def current_trace() -> Trace | None:
    """The trace that records on this thread, or ``None``."""
    return _state.trace


def require_trace() -> Trace:
    """The trace that records on this thread.

    Raises:
        StagingError: If no trace records on this thread.
    """
    trace = current_trace()
    if trace is None:
        raise StagingError("a staged value is used outside a staged function", code="AG110", location=here())
    return trace


def is_foreign(value: object) -> bool:
    """Whether a value is a staged one of another library, which this trace's recorder takes as it is."""
    trace = current_trace()
    return trace is not None and issubclass(type(value), trace.builder.value_types)


def staging_error(code: str, message: str, help: str | None = None) -> StagingError:
    """Makes an error that points to the user's line that is running now."""
    error = StagingError(message, code=code, location=here(), help=help)
    trace = current_trace()
    if trace is not None and code in _VALUE_NEEDED:
        trace.value_needed = error
    return error


_VALUE_NEEDED = ("AG101", "AG117")
"""The error codes that unconverted code gets when it needs the plain value of a staged one."""


def into_plain_array(array: object = None) -> StagingError:
    """The error for `plain_array[i] = staged_value`: NumPy has no place for a staged value.

    Raises:
        Learned: If the array is one of the caller's that becomes an argument of the graph.
    """
    require_trace().callers_objects.learn_array(array)
    return staging_error(
        "AG114",
        "a staged value cannot be written into an array that is not staged",
        "make the array inside the staged function, or pass it as an argument",
    )


def type_error(message: str, help: str | None = None) -> DtypeError:
    """A ``TypeError`` of our own class, so that nobody mistakes it for one that the program raises."""
    return DtypeError(without_our_names(message), code="AG109", location=here(), help=help)


def type_error_of(error: TypeError) -> Exception:
    """The same for an error of Python or NumPy; one of ours is given back."""
    return error if isinstance(error, AutographError) else type_error(str(error).splitlines()[0])


def value_error(message: str) -> ShapeError:
    """A ``ValueError`` of our own class, for the same reason."""
    return ShapeError(message, code="AG102", location=here())


@contextmanager
def tracing(trace: Trace) -> Iterator[Trace]:
    """Makes a trace the one that records on this thread."""
    outer = current_trace()
    _state.trace = trace
    try:
        yield trace
    finally:
        _state.trace = outer
        trace.is_finished = True
