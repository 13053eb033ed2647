"""Whether a source text is still the source of the code that runs.

A file may have been edited since it was imported, or a notebook cell run again under another name.
Converting such a source would silently run another program, so this file compiles the source again and
compares the result with the live code:

    def rate(x):
        return x * 0.1         # on disk it says 0.2 by now: refused (AG003)

It compiles the function's own text only, at its own indentation, inside a minimal class and function that
stand for the surrounding scopes:

    class C:                      class C:                  # private names are mangled by its name
        def m(self, a):            def _(a, __class__):     # parameters: the live code's free variables
            def f(x):        →        def f(x):
                return a + x              return a + x

It imports the names that the file imports: where CPython sees the import, it compiles ``np.sin(x)`` to
other instructions than ``x.sin()``.

Two code objects match if their instructions, names, constants (with types), parameters, flags and exception
tables are equal, and so are those of nested code objects. Line numbers are not compared. Class bodies
inside a function are compared by their names and methods only, since CPython writes line numbers into them.

Tools that rewrite code while it is imported, such as pytest for its assertions, make the live code differ.
They leave recognisable names in the code. In that case only the parameters and the names that the functions
assign are compared, in order, without the tool's names.
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
"""Names that reveal a tool which rewrites code: pytest, beartype, pydevd, typeguard."""


@dataclass(frozen=True)
class Original:
    """A function as its file defines it.

    Attributes:
        text: A lambda's expression, or the lines of a ``def``.
        class_name: The enclosing class, whose name mangles private names in the text.
        imports: The names that the file imports: CPython 3.11 compiles calls of their attributes differently.
        flags: The flags of ``__future__`` imports.
        type_parameters: The function's own type parameters, which are free variables inside it too.
    """

    text: str
    class_name: str | None
    imports: frozenset[str]
    flags: int
    type_parameters: frozenset[str]


def difference(code: CodeType, original: Original) -> str | None:
    """The first difference between a code object and its source, in words; ``None`` if they match.

    Args:
        code: The live code.
        original: The text, with the surroundings that compiling it depends on.
    """
    found = _compare(code, original, [])
    if found is not None and "super" in _names(code):
        # Since 3.12 `super().a` compiles differently if the module mentions `super` outside functions.
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
    """The code object that the text compiles to in surroundings like those of the live code."""
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
    """Header lines of the enclosing class and function, where the compiled code depends on them."""
    is_indented = original.text[:1].isspace() and code.co_name != "<lambda>"
    parts = code.co_qualname.split(".")
    is_method = len(parts) > 1 and parts[-2] != "<locals>" and parts[-2][0] != "<"
    own = original.type_parameters
    free = [name for name in code.co_freevars if name.isidentifier() and name not in own]
    if is_method and "__class__" in free:
        free.remove("__class__")  # the enclosing class provides it
    headers = [f"class {original.class_name}:"] if original.class_name else []
    if free:
        # A method: its class stands inside the function whose variables it uses. Any other function with
        # a class name stands inside a method of that class.
        headers.insert(0 if is_method else len(headers), f"def _({', '.join(free)}):")
    return headers or (["if 1:"] if is_indented else [])


def _compiled(source: str, flags: int) -> CodeType:
    if "\\" in source or " is " in source:
        with warnings.catch_warnings():  # Python has issued these warnings when it compiled the file.
            warnings.simplefilter("ignore")
            code: CodeType = compile(source, "<source>", "exec", dont_inherit=True, flags=flags)
            return code
    code = compile(source, "<source>", "exec", dont_inherit=True, flags=flags)
    return code


def _names(code: CodeType) -> set[str]:
    # Local variables count too: CPython 3.11 does not distinguish them from imported names here.
    names = {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def _outermost(module: CodeType, name: str, depth: int) -> CodeType | None:
    """The least deeply nested code object of this name; the last one if there are several."""
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
    """The names that a function and its nested functions assign; tools that rewrite code keep these."""
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
    """The first difference between the methods of two class bodies, in words; ``None`` if they match."""
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
