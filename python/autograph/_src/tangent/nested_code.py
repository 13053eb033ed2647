"""Code with free variables from the text of a function alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import CodeType


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


def _named(code: CodeType, name: str) -> CodeType:
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)
