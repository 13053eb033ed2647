"""Code with free variables from the text of a function alone."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Sequence
from types import CodeType

from autograph._src.tangent.users_lines import in_users_file
from autograph.errors import ConversionError, Location


def nested_code(definition: ast.FunctionDef, names: Iterable[str], file: str) -> CodeType:
    """The code of a function that reads variables of a function around it.

    Args:
        definition: The function; its positions are those of its text.
        names: The variables around it. Those that it reads are ``co_freevars`` of the code.
        file: The file of its text.
    """
    outer = ast.parse(f"def outer({', '.join(names)}):\n    pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = [definition]
    whole = compile(ast.Module([outer], []), file, "exec", dont_inherit=True)
    return _named(_named(whole, "outer"), definition.name)


def code_of_text(text: str, name: str, names: Iterable[str], file: str, line: int) -> CodeType:
    """The code of a function that reads variables of a function around it, from its text.

    The text is parsed and compiled once, and no tree of it is made for Python.

    Args:
        text: The function: its ``def`` is not indented, and its body is by four.
        name: The name of the function.
        names: The variables around it. Those that it reads are ``co_freevars`` of the code.
        file: The file that the text is in.
        line: The line of that on which the text begins.
    """
    # The definition is indented by one column, less than its body: what stands in that keeps its columns.
    whole = compile(f"def outer({', '.join(names)}):\n {text}", file, "exec", dont_inherit=True)
    return _moved(_named(_named(whole, "outer"), name), line - 2)


def refusal_of_text(error: SyntaxError, original: CodeType, lines: Sequence[int]) -> ConversionError:
    """The refusal of a function of whose text Python says that it is nested too deep.

    Args:
        error: What Python says of the text that `code_of_text` compiles.
        original: The code of the function that the text is a derivative of.
        lines: For each line of the text, that of the original's file.
    """
    place = min(max((error.lineno or 2) - 2, 0), len(lines) - 1)
    # What was made for no statement stands for the one before it.
    line = next((one for one in reversed(lines[: place + 1]) if one), original.co_firstlineno)
    text = linecache.getline(original.co_filename, line).rstrip()
    start = len(text) - len(text.lstrip())
    location, words = in_users_file(
        Location(original.co_filename, original.co_name, line, start, line, len(text.encode()))
    )
    return ConversionError(
        f"the text of the derivative is nested deeper here than Python allows: {error.msg}{words}",
        code="AG021",
        help="put some of the branches or loops into a function of their own",
        location=location,
    )


def _moved(code: CodeType, lines: int) -> CodeType:
    """The code of a text that stands so many lines further down."""
    constants = tuple(_moved(one, lines) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_firstlineno=code.co_firstlineno + lines, co_consts=constants)


def _named(code: CodeType, name: str) -> CodeType:
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)
