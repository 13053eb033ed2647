"""Errors in text that is not in a file: messages show the line of the text itself."""

from __future__ import annotations

from autograph import _core
from autograph._src.source import Position
from autograph.errors import ConversionError, Location


class TextError(ConversionError):
    """Text that cannot be parsed, or a template that cannot be filled; the message shows the text's line.

    Args:
        message: The reason.
        text: The whole text.
        position: The place in the text: line, column, end line, end column; lines count from 1, columns
            in bytes from 0.
        code: Code of the catalogue.
        help: What to change, or ``None``.

    Example:
        >>> from autograph.transformations import TextError, parse
        >>> try:
        ...     parse("x = (1")
        ... except TextError as error:
        ...     error.code, error.message
        ('AG001', "'(' was never closed")
    """

    def __init__(
        self, message: str, text: str, position: Position, *, code: str, help: str | None = None
    ) -> None:
        super().__init__(message, code=code, location=Location("<text>", "", *position), help=help)
        lines = text.splitlines()
        self._line = lines[position[0] - 1] if 0 < position[0] <= len(lines) else ""

    def __str__(self) -> str:
        assert self.location is not None
        end = self.location.end_column if self.location.end_line == self.location.line else 0
        length = len(self._line.encode())
        column = min(self.location.column, length)
        place = (self.location.line, column, min(end, length) if end > column else length)
        return _core.render_error(self.code, self.message, self.help, "<text>", place, self._line)
