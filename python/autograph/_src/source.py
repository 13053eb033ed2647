"""Finding the source text of a function from its code object, through ``linecache``."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from autograph import _core
from autograph._src.code_identity import CodeMap
from autograph.errors import ConversionError, Location


@dataclass(frozen=True)
class Source:
    """A source file, parsed.

    Attributes:
        file: File name, as the code object has it.
        text: The whole file.
        parsed: The file's tree, shared between all functions of the file.
        imports: The names that the file imports at module level.
    """

    file: str
    text: str
    parsed: _core.ParsedModule
    imports: frozenset[str]


Position = tuple[int, int, int, int]
"""Line, column, end line, end column; lines from 1, columns in bytes from 0."""

FunctionQuery = tuple[str, str, int, Position | None, list[str]]
"""What a function's source is found by: `function_query`."""

_parsed: dict[str, Source] = {}

TRANSFORMED: CodeMap[bool] = CodeMap()
"""Code objects compiled from changed trees: the text of their file is not their source."""

GENERATED: CodeMap[bool] = CodeMap()
"""Code objects compiled from text that was made for them, as derivatives are: it cannot have changed."""

_HELP = (
    "define it in a file, a notebook cell or the REPL of Python 3.13; code compiled from a string needs its"
    " text in `linecache`"
)
_HELP_IN_REPL = "the REPL keeps sources since Python 3.13: define it in a file or a notebook cell"


def source_of(function: FunctionType) -> Source:
    """The source file of a function.

    Raises:
        ConversionError: If there is no source, or Python's grammar does not accept it.
    """
    code = function.__code__
    if TRANSFORMED.get(code):
        raise ConversionError(
            f"`{function.__qualname__}` was compiled from a tree that is not what its file says",
            code="AG002",
            help="make it by `to_callable(..., keep_positions=False)`, which gives it a source of its own",
        )
    lines = _lines(code.co_filename, function.__globals__)
    if not lines:
        raise ConversionError(
            f"the source of `{function.__qualname__}` cannot be found (file {code.co_filename!r})",
            code="AG002",
            help=_HELP_IN_REPL if code.co_filename == "<stdin>" else _HELP,
        )
    text = "".join(lines)
    known = _parsed.get(code.co_filename)
    if known is None or known.text != text:
        parsed = _parse(code, text)
        imports = frozenset(parsed.imports) - {"*"}
        known = _parsed[code.co_filename] = Source(code.co_filename, text, parsed, imports)
    return known


def function_query(function: FunctionType, code: CodeType | None = None) -> FunctionQuery:
    """The key by which the core finds a function: names, first line, a place in a lambda, parameters.

    Args:
        function: The function.
        code: The user's own code of it, if conversion has made the function.
    """
    code = function.__code__ if code is None else code
    has_varargs, has_varkeywords = code.co_flags & 4, code.co_flags & 8
    count = code.co_argcount + code.co_kwonlyargcount + bool(has_varargs) + bool(has_varkeywords)
    parameters = list(code.co_varnames[:count])
    return code.co_name, code.co_qualname, code.co_firstlineno, _lambda_position(function), parameters


def _lines(file: str, variables: dict[str, Any]) -> list[str]:
    """The present lines of a file, or the cached lines of a notebook cell, which has no file."""
    cached = linecache.cache.get(file)
    linecache.checkcache(file)
    lines = linecache.getlines(file, variables)
    if not lines and cached is not None and len(cached) == 4:
        # `checkcache` drops a cell whose entry has a time: it looks like a file that no longer exists.
        linecache.cache[file] = cached
        lines = cached[2]
    return lines


def _parse(code: CodeType, text: str) -> _core.ParsedModule:
    try:
        return _core.parse(text)
    except _core.DiagnosticError as error:
        raise diagnostic_error(error, code.co_filename) from None


def diagnostic_error(error: _core.DiagnosticError, file: str, function: str = "") -> ConversionError:
    """The exception for a refusal by the converter, located in the user's file."""
    code, message, help, position = error.args
    return ConversionError(message, code=code, help=help, location=Location(file, function, *position))


def _lambda_position(function: FunctionType) -> Position | None:
    """A position inside a lambda's body, which tells it from other lambdas on the same line."""
    if function.__code__.co_name != "<lambda>":
        return None
    for line, end_line, column, end_column in function.__code__.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) != (end_line, end_column):
            return (line, column, end_line, end_column)
    return None
