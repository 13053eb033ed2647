"""The user's lines that the lines of generated texts are of, through derivatives of derivatives."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from autograph.errors import Location

if TYPE_CHECKING:
    from autograph._src.tangent.pieces import Piece

_BLOCKS = ("body", "cases")


class _Part(NamedTuple):
    """A function of a text: the line before its first, and what its lines are of."""

    before: int
    file: str
    function: str
    lines: Sequence[int]


_parts: dict[str, list[_Part]] = {}
"""By file name of a text, which stays in `linecache` too."""


def remember(file: str, pieces: Sequence[Piece]) -> None:
    """Keeps what the lines of a text are of.

    Args:
        file: The name of the text.
        pieces: Its functions, with two lines between them.
    """
    found, before = [], 0
    for piece in pieces:
        code = piece.original.__code__
        found.append(_Part(before, code.co_filename, piece.original.__name__, piece.lines))
        before += piece.text.count("\n") + 2
    _parts[file] = found


def is_generated(file: str) -> bool:
    """Whether a file is the text of a derivative."""
    return file in _parts


def users_place(file: str, line: int) -> Location | None:
    """The statement of the user's that a line of a generated text is of; ``None`` if it is of none."""
    function = ""
    while file in _parts:
        part = next((one for one in reversed(_parts[file]) if one.before < line), None)
        # What was made for no statement stands for the one before it.
        own = () if part is None else part.lines[: line - part.before]
        line = next((one for one in reversed(own) if one), 0)
        if part is None or not line:
            return None
        file, function = part.file, part.function
    return _of_statement(file, function, line)


def in_users_file(location: Location) -> tuple[Location, str]:
    """The place of a refusal of a text, and where that is: derivatives are differentiated again.

    Args:
        location: A place in the user's file, or in the text of a derivative.

    Returns:
        The user's statement, and words for the message: empty where the place is the user's already.
    """
    if not is_generated(location.file):
        return location, ""
    found = users_place(location.file, location.line)
    words = f", in line {location.line} of the text of `{location.function}`"
    return (location, "") if found is None else (found, words)


def _of_statement(file: str, function: str, line: int) -> Location:
    """The statement that begins in a line, or that the line is in; of one with a block, its first line."""
    lines = linecache.getlines(file)
    text = lines[line - 1].rstrip("\n") if 0 < line <= len(lines) else ""
    whole = (line, len(text) - len(text.lstrip()), line, len(text.encode()))
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:  # A cell of a notebook may have lines that are not Python's.
        return Location(file, function, *whole)
    found = _statement(tree, line)
    if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) and line != found.lineno:
        return _of_statement(file, function, found.lineno)  # Its first line was that of a decorator.
    if found is None or any(hasattr(found, name) for name in _BLOCKS):
        return Location(file, function, *whole)
    end_line, end_column = found.end_lineno or line, found.end_col_offset or 0
    return Location(file, function, found.lineno, found.col_offset, end_line, end_column)


def _statement(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement that a line is in; decorators are lines of a definition."""
    found: ast.stmt | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            if first <= line <= (node.end_lineno or first):
                found = node  # What is in a statement comes after it.
    return found
