"""Whether a source still is the source of the code that runs.

A file may have been edited since it was imported, a notebook's cell been run again under another
name. Conversion from such a source would silently run another program, so the source is compiled
again and compared with the live code:

    def rate(x):
        return x * 0.1         # on disk it says 0.2 by now: refused (AG003)

Only the function's own text is compiled, at its own indentation, inside what stands for its
surroundings:

    class C:                      class C:                  # private names are mangled by its name
        def m(self, a):            def _(a, __class__):     # parameters: the live code's free variables
            def f(x):        →        def f(x):
                return a + x              return a + x

Names that the file imports are imported there too: CPython calls ``np.sin(x)`` otherwise than
``x.sin()`` where it sees the import.

Equal are instructions, names, constants (with their types), parameters, flags and exception tables of
the code object and of those inside it. Line numbers are not compared. Class bodies inside a function
are compared by their names and methods only, since CPython writes line numbers into them.

Tools that rewrite code while it is imported, such as pytest with its assertions, make the live code
differ. They leave their mark in its names; then only the parameters and the names that the functions
assign are compared, in their order and without those added.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

_INSTRUMENTED = re.compile(
    r"@py|@beartype|_pydev|__beartype|check_argument_types|check_return_type|TypeCheckMemo"
)
"""Beginnings of the names that tools put into code that they rewrite."""


@dataclass(frozen=True)
class Original:
    """A function as its file has it.

    Attributes:
        text: A lambda's expression, or the lines of a ``def``.
        class_name: The class around it, whose private names it has.
        imports: The names that the file imports: CPython 3.11 calls their attributes in another way.
        flags: The flags of ``__future__`` imports.
        type_parameters: Those of the function itself: inside it they are free variables too.
    """

    text: str
    class_name: str | None
    imports: frozenset[str]
    flags: int
    type_parameters: frozenset[str]


def difference(code: CodeType, original: Original) -> str | None:
    """What differs between a code object and its source, in words; ``None`` if nothing does.

    Args:
        code: The live code.
        original: The text, and what compiling it depends on.
    """
    found = _compare(code, original, [])
    if found is not None and "super" in _names(code):
        # Since 3.12 `super().a` is another instruction where the module says `super` outside functions.
        found = _compare(code, original, ["super"])
    return found


def _compare(code: CodeType, original: Original, first_lines: list[str]) -> str | None:
    compiled = _compile(code, original, first_lines)
    if compiled is None:
        return "it does not compile by itself"
    if _is_instrumented(code):
        return _difference_of_names(code, compiled)
    return _difference(code, compiled)


def _compile(code: CodeType, original: Original, first_lines: list[str]) -> CodeType | None:
    """The code object that the text gives in surroundings like those of the live one."""
    headers = _headers(code, original)
    if code.co_name == "<lambda>":
        indentation, text = " " * len(headers), f"({original.text}\n)"
    else:
        text = original.text.lstrip()
        indentation = original.text[: len(original.text) - len(text)]
    if len(indentation) < len(headers):
        return None
    imported = sorted(original.imports.intersection(_names(code)))
    lines = [*first_lines, *([f"import {', '.join(imported)}"] if imported else [])]
    lines += [indentation[:level] + header for level, header in enumerate(headers)]
    try:
        module = _compiled("\n".join([*lines, indentation + text]), original.flags)
    except (SyntaxError, ValueError):
        return None
    depth = len(headers) + bool(original.type_parameters)
    return _outermost(module, code.co_name, depth + 1)


def _headers(code: CodeType, original: Original) -> list[str]:
    """The class and the function around a code object, as far as they matter to its code."""
    is_indented = original.text[:1].isspace() and code.co_name != "<lambda>"
    parts = code.co_qualname.split(".")
    is_method = len(parts) > 1 and parts[-2] != "<locals>" and parts[-2][0] != "<"
    own = original.type_parameters
    free = [name for name in code.co_freevars if name.isidentifier() and name not in own]
    if is_method and "__class__" in free:
        free.remove("__class__")  # the class around it has that
    headers = [f"class {original.class_name}:"] if original.class_name else []
    if free:
        # A method's class stands in the function whose variables it uses; any other function stands
        # in a method.
        headers.insert(0 if is_method else len(headers), f"def _({', '.join(free)}):")
    return headers or (["if 1:"] if is_indented else [])


def _compiled(source: str, flags: int) -> CodeType:
    if "\\" in source or " is " in source:
        with warnings.catch_warnings():  # What Python warns of here it has warned of already.
            warnings.simplefilter("ignore")
            code: CodeType = compile(source, "<source>", "exec", dont_inherit=True, flags=flags)
            return code
    code = compile(source, "<source>", "exec", dont_inherit=True, flags=flags)
    return code


def _names(code: CodeType) -> set[str]:
    # CPython 3.11 does not ask whether it is the imported name or a local variable.
    names = {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def _outermost(module: CodeType, name: str, depth: int) -> CodeType | None:
    """The code object of this name that is nested least deeply; of several the last."""
    level = [module]
    for _ in range(depth + 1):
        level = [inner for code in level for inner in code.co_consts if isinstance(inner, CodeType)]
        found = [code for code in level if code.co_name == name and code.co_flags & inspect.CO_OPTIMIZED]
        if found:
            return found[-1]
    return None


def _is_instrumented(code: CodeType) -> bool:
    return any(_INSTRUMENTED.match(name) for name in (*code.co_names, *code.co_varnames)) or any(
        _is_instrumented(inner) for inner in code.co_consts if isinstance(inner, CodeType)
    )


def _parameters(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[:count]


def _difference_of_names(live: CodeType, compiled: CodeType) -> str | None:
    if _parameters(live) != _parameters(compiled):
        return "its parameters differ"
    if list(_written_names(live)) != list(_written_names(compiled)):
        return "the names it uses differ"
    return None


def _written_names(code: CodeType) -> Iterator[str]:
    """The names a function assigns, then those of the functions inside it: what tools leave alone."""
    yield from (name for name in (*code.co_varnames, *code.co_cellvars) if not _INSTRUMENTED.match(name))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _written_names(inner)


_COMPARED = (
    ("co_varnames", "its parameters or local variables differ"),
    ("co_argcount", "its parameters differ"),
    ("co_posonlyargcount", "its parameters differ"),
    ("co_kwonlyargcount", "its parameters differ"),
    ("co_names", "the names it uses differ"),
    ("co_freevars", "the variables of enclosing functions that it uses differ"),
    ("co_cellvars", "the variables that inner functions use differ"),
)


def _difference(live: CodeType, compiled: CodeType) -> str | None:
    for attribute, reason in _COMPARED:
        if getattr(live, attribute) != getattr(compiled, attribute):
            return reason
    if (live.co_flags ^ compiled.co_flags) & ~inspect.CO_NESTED:
        return "it is another kind of function"
    if not live.co_flags & inspect.CO_OPTIMIZED:
        return _difference_of_functions(live, compiled)
    if len(live.co_consts) != len(compiled.co_consts):
        return "its constants differ"
    for one, other in zip(live.co_consts, compiled.co_consts, strict=True):
        if isinstance(one, CodeType) and isinstance(other, CodeType):
            inner = _difference(one, other)
            if inner is not None:
                return inner
        elif one is not other and not _is_same_constant(one, other):
            return f"the constant {other!r} was {one!r}"
    if live.co_code != compiled.co_code or live.co_exceptiontable != compiled.co_exceptiontable:
        return "its statements differ"
    return None


def _difference_of_functions(live: CodeType, compiled: CodeType) -> str | None:
    """What differs between the methods of two class bodies."""
    methods = [[c for c in code.co_consts if isinstance(c, CodeType)] for code in (live, compiled)]
    if len(methods[0]) != len(methods[1]):
        return "the methods of a class in it differ"
    found = (_difference(one, other) for one, other in zip(*methods, strict=True))
    return next((difference for difference in found if difference is not None), None)


def _is_same_constant(one: Any, other: Any) -> bool:
    """Equality that tells ``1`` from ``1.0`` and ``0.0`` from ``-0.0``, inside tuples too."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_is_same_constant, one, other))
    if isinstance(one, frozenset):
        return sorted(map(repr, one)) == sorted(map(repr, other))
    return repr(one) == repr(other) if isinstance(one, (float, complex)) else bool(one == other)
