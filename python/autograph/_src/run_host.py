"""What a running graph needs of Python: the functions of its sites, and exceptions for its failures."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from numpy.typing import NDArray

from autograph import _core
from autograph._src.runtime_errors import runtime_error_class
from autograph._src.staging.control.raised import with_context
from autograph._src.staging.tensors.python_scalars import left_64_bits
from autograph._src.staging.trace.callers import NO_CALLER
from autograph._src.staging.trace.exception_parts import put
from autograph._src.staging.trace.trace import Trace
from autograph._src.tracebacks import traceback_at
from autograph.errors import AutographError, GraphRuntimeError, Location


class Host:
    """The Python side of the runs of a graph, made when all its nodes have been recorded.

    Args:
        trace: The trace that has recorded it.
        where: Where the traced function is defined.

    Attributes:
        places: What the graph says of itself: its locations, the words of its sites, and the callers of
            the locations.
    """

    def __init__(self, trace: Trace, where: Location | None) -> None:
        self._where = where
        self._locations = trace.callers.locations()
        self._callers = trace.callers.callers()
        self._sites = [site.run for site in trace.sites]
        words = [site.words for site in trace.sites]
        self.places = self._locations, words, self._callers

    @property
    def has_sites(self) -> bool:
        """Whether runs may call functions of Python."""
        return bool(self._sites)

    def show(self, site: int, arrays: list[NDArray[Any]]) -> object:
        """Runs the function of a site on the values that the graph hands over."""
        return self._sites[site](arrays)

    def error(self, failure: _core.GraphFailure) -> BaseException:
        """The exception for a failed run, with a traceback of the user's functions."""
        kind, number, details, calls, _, _ = failure.args
        places = self._chain(number, calls)
        where = places[-1] if places else self._where
        error, code = self._raised(kind, details, where)
        inner = error.__traceback__ if kind == "host" else None
        put(error, "__traceback__", traceback_at(places or [where] if where else [], code, inner))
        if isinstance(error, AutographError):
            error.location = error.location or where
        return with_context(error, sys.exception())

    def _raised(self, kind: str, details: Any, where: Location | None) -> tuple[BaseException, str]:
        """The exception to raise for a failure, and the failure's code."""
        if kind == "host":
            return details or TypeError("a callback gave other values than it says"), "AG201"
        if kind == "check":
            name, message, site, arrays = details
            raised = self._sites[site](arrays) if site is not None else _builtin_error(name, message)
            return raised, "AG201"
        if kind == "index":
            index, axis, size = details
            return IndexError(f"index {index} is out of bounds for axis {axis} with size {size}"), "AG202"
        if kind == "negative_power":
            return ValueError("Integers to negative integer powers are not allowed."), "AG204"
        # CPython does not fail here, or fails at another place: the classes below are ours.
        if kind == "overflow":
            return left_64_bits(), "AG203"
        base: type[Exception]
        code, base, message = "AG207", RecursionError, "maximum recursion depth exceeded"
        if kind == "fault":
            code, base = "AG208", RuntimeError
            message = f"a fault of AutoGraph itself, please report it: {details[0]}"
        elif kind == "memory":
            code, base = "AG205", MemoryError
            message = f"Unable to allocate {details[0]} bytes for a staged array"
        return runtime_error_class(base)(message, code=code, location=where), code

    def _chain(self, number: int | None, calls: list[int]) -> list[Location]:
        """The call stack of the user's program at a failure, outermost call first."""
        chain: list[Location] = []
        for innermost in [number, *calls]:
            place = NO_CALLER if innermost is None else innermost
            while place != NO_CALLER:
                chain.append(self._locations[place])
                place = self._callers[place]
        return chain[::-1]


def _builtin_error(name: str, message: str) -> Exception:
    """The exception that a check names; `GraphValueError` stands for a failure that Python does not have."""
    base = getattr(builtins, name.removeprefix("Graph"), None)
    if base is None or name == "GraphRuntimeError":
        return GraphRuntimeError(message, code="AG201")
    if name.startswith("Graph"):
        return runtime_error_class(base)(message, code="AG201")
    made: Exception = base(message) if message else base()
    return made
