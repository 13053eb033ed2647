"""The exceptions this package raises.

Each shows the user's file, line, column and source line, a code to search for, the reason and,
where there is one, what to change. What fails while a graph runs is also of the class that plain
Python raises there: ``except IndexError`` catches a staged index out of range.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass

from autograph import _core


@dataclass(frozen=True)
class Location:
    """A place in the user's source; lines count from 1, columns are byte offsets from 0."""

    file: str
    function: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"


class AutographError(Exception):
    """Base of all exceptions of this package.

    Attributes:
        code: Code of the catalogue, such as ``AG101``.
        message: The reason, one line.
        location: The place in the user's source, or ``None``.
        help: What to change, or ``None``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        location: Location | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.location = location
        self.help = help

    def __str__(self) -> str:
        shown = getattr(self, "_shown", None) or (self.message, self.code, self.location, self.help)
        message, code, location, help = shown
        if location is None and help is None and not code:
            return message
        return render(code, message, location, help)


class ConversionError(AutographError):
    """A function's source cannot be found, read or converted."""


class StagingError(AutographError):
    """A statement or operation cannot be recorded into the graph."""


class GraphRuntimeError(AutographError):
    """A graph failed while it ran; also of the class that plain Python raises there."""


class DtypeError(StagingError, TypeError):
    """Dtypes that do not fit the operation."""


class ShapeError(StagingError, ValueError):
    """Shapes that do not fit the operation."""


class StagedIndexError(StagingError, IndexError):
    """An index that is out of range already when the graph is recorded."""


_runtime_classes: dict[type[Exception], type[GraphRuntimeError]] = {}


def runtime_error_class(base: type[Exception]) -> type[GraphRuntimeError]:
    """The class of a run-time failure where plain Python raises ``base``."""
    if issubclass(GraphRuntimeError, base):
        return GraphRuntimeError
    known = _runtime_classes.get(base)
    if known is None:
        documentation = f"`{base.__name__}`, raised while a graph ran."
        name = f"Graph{base.__name__}"
        known = _runtime_classes[base] = type(name, (GraphRuntimeError, base), {"__doc__": documentation})
    return known


def render(code: str, message: str, location: Location | None, help: str | None) -> str:
    """The full text of an error: code and message, source line with the place marked, remedy."""
    if location is None:
        text = f"{message} [{code}]" if code else message
        return f"{text}\nhelp: {help}" if help else text
    line = linecache.getline(location.file, location.line).rstrip("\n")
    end_column = location.end_column if location.end_line == location.line else len(line.encode())
    place = (location.line, location.column, end_column)
    return _core.render_error(code, message, help, location.file, place, line)
