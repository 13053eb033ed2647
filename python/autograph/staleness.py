"""Whether a source still is the source of the code that runs.

A file may have been edited since it was imported, a notebook's cell been run again under another
name. Conversion from such a source would silently run another program, so the source is compiled
again and its instructions, names and constants are compared with the live ones:

    def rate(x):
        return x * 0.1         # on disk it says 0.2 by now: refused (AG003)

Tools that rewrite code while it is imported, such as pytest with its assertions, make the live code
differ. They leave their mark in its names; then only parameters and names are compared.
"""

from __future__ import annotations

import inspect
import warnings
from dataclasses import dataclass
from types import CodeType
from typing import Any

_INSTRUMENTS = ("@py", "@beartype", "_pydev", "__beartype")
"""Beginnings of the names that tools put into code that they rewrite."""


@dataclass(frozen=True)
class Original:
    """A function as its file has it.

    Attributes:
        text: A lambda's expression, or the lines of a ``def``.
        class_name: The class around it, whose private names it has.
        imports: The names that the file imports: CPython 3.11 calls their attributes in another way.
        flags: The flags of ``__future__`` imports.
    """

    text: str
    class_name: str | None
    imports: frozenset[str]
    flags: int


def is_stale(code: CodeType, original: Original) -> bool:
    """Whether a text is not the source of a code object.

    Args:
        code: The live code.
        original: The text, and what compiling it depends on.
    """
    compiled = _compile(code, original)
    if compiled is None:
        return True
    if _is_instrumented(code):
        return not _has_names_of(code, compiled)
    return not _is_same(code, compiled)


def _compile(code: CodeType, original: Original) -> CodeType | None:
    """The code object that the text gives in surroundings like those of the live one."""
    imported = sorted(original.imports.intersection(_names(code)))
    source = f"import {', '.join(imported)}\n" if imported else ""
    source += _surrounded(code, original)
    try:
        return _find(_compiled(source, original.flags), code.co_name)
    except SyntaxError:
        return None


def _compiled(source: str, flags: int) -> CodeType:
    if "\\" in source:
        with warnings.catch_warnings():  # An escape that Python warns of was warned of already.
            warnings.simplefilter("ignore")
            code: CodeType = compile(source, "<source>", "exec", dont_inherit=True, flags=flags)
            return code
    code = compile(source, "<source>", "exec", dont_inherit=True, flags=flags)
    return code


def _surrounded(code: CodeType, original: Original) -> str:
    """The text in a function that has its free variables, and in its class."""
    text, class_name = original.text, original.class_name
    free = ", ".join(name for name in code.co_freevars if name != "__class__")
    # Without free variables there is no function around, where the class's name would be a variable.
    around = f"def _around_{code.co_name.strip('<>')}({free}):" if free else "if 1:"
    if code.co_name == "<lambda>":
        if class_name is None:
            return f"{around}\n made = (\n{text}\n )"
        return f"{around}\n class {class_name}:\n  made = (\n{text}\n  )"
    indent = text[: len(text) - len(text.lstrip())]
    if not indent:
        return text
    if class_name is None or len(indent) < 2:
        return f"{around}\n{text}"
    return f"{around}\n{indent[0]}class {class_name}:\n{text}"


def _names(code: CodeType) -> set[str]:
    # CPython 3.11 does not ask whether it is the imported name or a local variable.
    names = {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def _find(code: CodeType, name: str) -> CodeType | None:
    """The outermost code object of this name, by level."""
    level = [code]
    while level:
        inside = [constant for one in level for constant in one.co_consts if isinstance(constant, CodeType)]
        for one in inside:
            if one.co_name == name:
                return one
        level = inside
    return None


def _is_same(live: CodeType, compiled: CodeType) -> bool:
    # Since 3.13 one of the integers of a class body is the line it begins at.
    is_function = bool(live.co_flags & inspect.CO_NEWLOCALS)
    return (
        live.co_code == compiled.co_code
        and live.co_names == compiled.co_names
        and live.co_varnames == compiled.co_varnames
        and live.co_freevars == compiled.co_freevars
        and len(live.co_consts) == len(compiled.co_consts)
        and all(
            _is_same_constant(one, other) or (not is_function and type(one) is type(other) is int)
            for one, other in zip(live.co_consts, compiled.co_consts, strict=True)
        )
    )


def _is_same_constant(one: Any, other: Any) -> bool:
    if isinstance(one, CodeType):
        return isinstance(other, CodeType) and _is_same(one, other)
    if isinstance(one, str) and isinstance(other, str) and "<locals>." in one + other:
        # `__qualname__` of a class in the function, which has another place here.
        return one.rpartition(".")[2] == other.rpartition(".")[2]
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_is_same_constant, one, other))
    if isinstance(one, frozenset):
        return sorted(map(repr, one)) == sorted(map(repr, other))
    return repr(one) == repr(other)  # `0.0` and `-0.0` are equal, and not the same.


def _is_instrumented(code: CodeType) -> bool:
    names = (*code.co_names, *code.co_varnames)
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return any(name.startswith(_INSTRUMENTS) for name in names) or any(map(_is_instrumented, inside))


def _has_names_of(live: CodeType, compiled: CodeType) -> bool:
    """Whether rewritten code still uses what the source does."""
    count = compiled.co_argcount + compiled.co_kwonlyargcount
    return live.co_varnames[:count] == compiled.co_varnames[:count] and set(compiled.co_names) <= {
        *live.co_names,
        "AssertionError",
    }
