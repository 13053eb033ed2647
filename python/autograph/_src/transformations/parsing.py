"""From functions and text to trees: Python's own ``ast`` nodes, at the lines of the user's file.

>>> from autograph.transformations import parse
>>> [type(statement).__name__ for statement in parse('''
...     x = 1
...     return x
... ''')]
['Assign', 'Return']

A live function is found as conversion finds it, by its code object. That distinguishes decorated functions,
nested functions and several lambdas on one line, or refuses them.
"""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, TypeAlias

from autograph import _core
from autograph._src.entities import plain_function
from autograph._src.source import Position, Source, diagnostic_error, function_query, source_of
from autograph._src.transformations.text_errors import TextError

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
"""The nodes that define functions."""


def parse_entity(function: Callable[..., Any], /) -> tuple[FunctionNode, str]:
    """The tree of a live function, and the text it was written as.

    Args:
        function: A function written in Python, a lambda or a method. This package's decorators and
            wrappers are looked through.

    Returns:
        A pair of the definition, a new tree at each call, with the lines and columns of the user's file;
        and its source text, dedented, from the first decorator on.

    Raises:
        ConversionError: AG002 if there is no source, AG003 if it has changed since, AG004 if
            several lambdas could be the function, AG011 if it is not a Python function.

    Example:
        >>> from autograph.transformations import parse_entity
        >>> def double(x):
        ...     return x + x
        >>> node, source = parse_entity(double)
        >>> node.name, node.body[0].lineno
        ('double', 2)
        >>> print(source)
        def double(x):
            return x + x
    """
    plain = plain_function(function)
    source = source_of(plain)
    position = position_of(plain, source)
    return _definition_at(source, position), _text_at(source.text, position)


def parse(text: str, /) -> list[ast.stmt]:
    """The statements of a string, which may be indented as a whole.

    ``return``, ``yield`` and similar statements are allowed outside of functions.

    Args:
        text: Python source.

    Returns:
        The statements, with the line numbers of the string.

    Raises:
        TextError: AG001, with the place in the string, if Python's grammar does not accept the text.

    Example:
        >>> from autograph.transformations import parse
        >>> parse("x = (1")
        Traceback (most recent call last):
        ...
        autograph.transformations.TextError: error[AG001]: '(' was never closed
         --> <text>:1:5
          |
        1 | x = (1
          |     ^^
    """
    dedented = textwrap.dedent(text)
    try:
        return ast.parse(dedented).body
    except SyntaxError as error:
        raise _syntax_error(error, dedented) from None


def position_of(function: FunctionType, source: Source) -> Position:
    """The position of a function's definition in its file, decorators included."""
    try:
        return _core.find_function(source.parsed, *function_query(function))
    except _core.DiagnosticError as error:
        raise diagnostic_error(error, source.file, function.__name__) from None


def _definition_at(source: Source, position: Position) -> FunctionNode:
    line, column, end_line, end_column = position
    found = [
        node
        for node in ast.walk(ast.parse(source.text))
        if isinstance(node, FunctionNode)
        and (node.end_lineno, node.end_col_offset) == (end_line, end_column)
        and (node.lineno, node.col_offset) >= (line, column)
    ]
    # Nested definitions may end at the same place, but they start later.
    return min(found, key=lambda node: (node.lineno, node.col_offset))


def _text_at(text: str, position: Position) -> str:
    line, column, end_line, end_column = position
    lines = [part.encode() for part in re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)[line - 1 : end_line]]
    lines[-1] = lines[-1][:end_column]
    is_whole = not lines[0][:column].strip()
    if not is_whole:
        lines[0] = lines[0][column:]
    joined = b"".join(lines).decode()
    return _dedented(joined, column) if is_whole else joined


def _dedented(text: str, width: int) -> str:
    """Lines without their first ``width`` characters of indentation; lines inside strings stay."""
    inside = set(_lines_inside_strings(text))
    lines = text.splitlines(keepends=True)
    return "".join(
        line if number in inside or line[:width].strip() else line[width:]
        for number, line in enumerate(lines, start=1)
    )


def _lines_inside_strings(text: str) -> Iterator[int]:
    starts = []
    for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(text)).readline):
        name = tokenize.tok_name[token.type]
        if name in ("FSTRING_START", "TSTRING_START"):
            starts.append(token.start[0])
        elif name in ("FSTRING_END", "TSTRING_END"):
            yield from range(starts.pop() + 1, token.end[0] + 1)
        elif name == "STRING":
            yield from range(token.start[0] + 1, token.end[0] + 1)


def _syntax_error(error: SyntaxError, text: str) -> TextError:
    start = (error.lineno or 1, max((error.offset or 1) - 1, 0))
    end = (error.end_lineno or start[0], max((error.end_offset or 1) - 1, 0))
    lines = text.splitlines()
    # `SyntaxError` counts columns in characters, this package in bytes.
    columns = [
        len(lines[line - 1][:column].encode()) if 0 < line <= len(lines) else column
        for line, column in (start, end)
    ]
    return TextError(error.msg, text, (start[0], columns[0], end[0], columns[1]), code="AG001")
