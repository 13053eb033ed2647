"""The text of an exception of this package."""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING

from autograph import _core

if TYPE_CHECKING:
    from autograph.errors import Location


def rendered(
    code: str, message: str, location: Location | None, help: str | None, label: str | None = None
) -> str:
    """The full text of an error: code and message, source line with the place marked, remedy.

    Args:
        code: Code of the catalogue.
        message: The reason.
        location: The place, or ``None``.
        help: What to change, or ``None``.
        label: What stands beside the marked place, or ``None``.

    Returns:
        The text, of several lines.

    Example:
        >>> print(rendered("AG011", "`len` is not a Python function", None, "write one"))
        `len` is not a Python function [AG011]
        help: write one
    """
    if location is None:
        text = f"{message} [{code}]" if code else message
        return f"{text}\nhelp: {help}" if help else text
    line = linecache.getline(location.file, location.line).rstrip("\n")
    end_column = location.end_column if location.end_line == location.line else len(line.encode())
    place = (location.line, location.column, end_column)
    return _core.render_error(code, message, help, location.file, place, line, label)
