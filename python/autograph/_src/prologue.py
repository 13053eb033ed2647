"""A function's own bytecode behind a test that may jump to another version of the function.

    def f(a, /, b, *rest, k, **more):
        if is_recording():                                            # added
            return dispatch((a, b, *rest), {"k": k, **more})          # added
        ...                                                           # the bytecode of f, as it is

The added part runs before everything else in the code object: before cells are made, before a generator
is returned, before the ``RESUME`` that makes the frame visible. So no traceback, debugger or profiler sees
it, it costs no Python frame and no level of recursion, and parameters are plain locals in it.

The part is compiled from source for the function's parameter list and then relocated: its constants come
after those of the function. That works only for the CPython versions whose bytecode this file knows.
"""

from __future__ import annotations

import ast
import dis
import keyword
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

IS_SERVED = sys.implementation.name == "cpython" and (3, 11) <= sys.version_info[:2] <= (3, 13)
"""Whether this file knows the interpreter's bytecode."""

_UNIT = 2
"""Bytes of a code unit: an opcode and its argument."""
_LARGEST_CODE = 1 << 20
"""Larger code objects, in code units, get a wrapper instead: their jumps might need longer arguments."""
_VARARGS, _VARKEYWORDS = 4, 8
_TEST, _DISPATCH = b"is_recording", b"dispatch"
"""Placeholder constants in the template for the two callables: bytes, which no keyword's name can be."""


@dataclass(frozen=True)
class _Instruction:
    """One instruction of the template.

    ``constant`` is set where the argument is an index of a constant; ``end`` is the offset after the
    instruction in the template.
    """

    operation: int
    argument: int
    caches: int
    has_constant: bool
    is_exit: bool
    end: int

    def encoded(self, argument: int) -> bytes:
        """The code units. An argument that is filled in later always takes two of them."""
        prefixes = bytearray()
        if self.has_constant or self.is_exit or argument > 0xFF:
            prefixes += bytes((dis.EXTENDED_ARG, argument >> 8))
        return bytes(prefixes) + bytes((self.operation, argument & 0xFF)) + bytes(_UNIT * self.caches)


@dataclass(frozen=True)
class _Template:
    """The added part for one parameter list."""

    instructions: tuple[_Instruction, ...]
    constants: tuple[Any, ...]
    stack_size: int

    def code(self, first_constant: int) -> bytes:
        """The code units, with the template's constants from this index on."""
        parts, after_exit, exit_at = bytearray(), 0, 0
        exit_instruction = self.instructions[0]
        for one in self.instructions:
            start = len(parts)
            parts += one.encoded(one.argument + first_constant if one.has_constant else one.argument)
            if one.is_exit:
                exit_instruction, exit_at, after_exit = one, start, len(parts)
        distance = (len(parts) - after_exit) // _UNIT
        parts[exit_at:after_exit] = exit_instruction.encoded(distance)
        return bytes(parts)


def with_prologue(
    code: CodeType, is_recording: Callable[[], object], dispatch: Callable[[Any, Any], object]
) -> CodeType | None:
    """The code object with the test in front.

    Args:
        code: The code of a function.
        is_recording: Tells whether to run the other version; it must need no Python frame.
        dispatch: Runs the other version, given the tuple of positional and the dict of keyword arguments.

    Returns:
        The new code object, or ``None`` if this file does not know the interpreter or the code object's
        form.
    """
    return _with_template(code, is_recording, dispatch, is_given=False)


def with_choice(
    code: CodeType, is_chosen: Callable[..., object], other: Callable[..., object]
) -> CodeType | None:
    """The code object with a test of its arguments in front, which may call another function with them.

    ::

        def f(a, /, b, *, k):
            if is_chosen(a, b, k):                                    # added
                return other(a, b, k)                                 # added
            ...

    Args:
        code: The code of a function without ``*rest`` and ``**more``.
        is_chosen: Is given the arguments by position; it must need no Python frame.
        other: Is called with them, by position.

    Returns:
        As `with_prologue`; ``None`` for a function with ``*rest`` or ``**more`` too.
    """
    if code.co_flags & (_VARARGS | _VARKEYWORDS):
        return None
    return _with_template(code, is_chosen, other, is_given=True)


def _with_template(
    code: CodeType, test: Callable[..., object], other: Callable[..., object], *, is_given: bool
) -> CodeType | None:
    if not IS_SERVED or len(code.co_code) > _LARGEST_CODE * _UNIT or len(code.co_consts) > 0xFF00:
        return None
    keywords_end = code.co_argcount + code.co_kwonlyargcount
    has_rest, has_more = bool(code.co_flags & _VARARGS), bool(code.co_flags & _VARKEYWORDS)
    names = code.co_varnames[: keywords_end + has_rest + has_more]
    if not all(name.isidentifier() and not keyword.iskeyword(name) for name in names):
        return None
    template = _template(
        names, code.co_posonlyargcount, code.co_argcount, code.co_kwonlyargcount, has_rest, has_more, is_given
    )
    if template is None:
        return None
    added = template.code(len(code.co_consts))
    callables = {_TEST: test, _DISPATCH: other}
    constants = (callables.get(one, one) if type(one) is bytes else one for one in template.constants)
    units = len(added) // _UNIT
    return code.replace(
        co_code=added + code.co_code,
        co_consts=(*code.co_consts, *constants),
        co_stacksize=max(code.co_stacksize, template.stack_size),
        co_exceptiontable=_shifted(code.co_exceptiontable, units),
        co_linetable=_no_location(units) + code.co_linetable,
    )


# The template


@lru_cache(maxsize=1024)
def _template(
    names: tuple[str, ...],
    positional_only: int,
    positional: int,
    keywords: int,
    has_rest: bool,
    has_more: bool,
    is_given: bool,
) -> _Template | None:
    """The added part, compiled for these parameters; ``None`` if the compiler's output is unexpected.

    The arguments are given to the test too, and to the other function by position, if it ``is_given`` them.
    """
    parameters = [ast.arg(name) for name in names]
    keywords_end = positional + keywords
    rest = parameters[keywords_end] if has_rest else None
    more = parameters[-1] if has_more else None
    loaded = [ast.Name(name, ast.Load()) for name in names]
    items: list[ast.expr] = [*loaded[:positional]]
    keys: list[ast.expr | None] = [ast.Constant(name) for name in names[positional:keywords_end]]
    values = [*loaded[positional:keywords_end]]
    if has_rest:
        items.append(ast.Starred(loaded[keywords_end], ast.Load()))
    if has_more:
        keys.append(None)
        values.append(loaded[-1])
    tested: list[ast.expr] = [*loaded] if is_given else []
    arguments: list[ast.expr] = tested or [ast.Tuple(items, ast.Load()), ast.Dict(keys, [*values])]
    function = ast.FunctionDef(
        name="template",
        args=ast.arguments(
            posonlyargs=parameters[:positional_only],
            args=parameters[positional_only:positional],
            vararg=rest,
            kwonlyargs=parameters[positional:keywords_end],
            kw_defaults=[None] * keywords,
            kwarg=more,
            defaults=[],
        ),
        body=[ast.If(_called(_TEST, tested), [ast.Return(_called(_DISPATCH, arguments))], [])],
        decorator_list=[],
        returns=None,
    )
    if sys.version_info >= (3, 12):
        function.type_params = []
    module = ast.fix_missing_locations(ast.Module([function], []))
    compiled = compile(module, "<template>", "exec", dont_inherit=True, optimize=0)
    code = next(one for one in compiled.co_consts if isinstance(one, CodeType))
    if code.co_varnames != names:
        return None
    instructions = _added_part(code)
    return None if instructions is None else _Template(instructions, code.co_consts, code.co_stacksize)


def _called(constant: bytes, arguments: list[ast.expr]) -> ast.expr:
    """A call of a constant.

    The constant stands in a conditional expression, which the compiler folds away: without it the compiler
    would warn that a bytes object is not callable.
    """
    callee = ast.IfExp(ast.Constant(1), ast.Constant(constant), ast.Constant(0))
    return ast.Call(callee, arguments, [])


def _added_part(code: CodeType) -> tuple[_Instruction, ...] | None:
    """The instructions between the leading ``RESUME`` and the trailing ``return None``."""
    raw = [*_instructions(code.co_code)]
    exits = [place for place, one in enumerate(raw) if one.is_exit]
    if len(exits) != 1 or dis.opname[raw[0].operation] != "RESUME":
        return None
    jump = raw[exits[0]]
    end = jump.end + jump.argument * _UNIT
    inside = tuple(one for one in raw[1:] if one.end <= end)
    is_understood = dis.opname[inside[-1].operation] == "RETURN_VALUE" and inside[-1].end == end
    return inside if is_understood else None


def _instructions(code: bytes) -> Iterator[_Instruction]:
    """The instructions of bytecode, with ``EXTENDED_ARG`` prefixes folded into their arguments."""
    offset = argument = 0
    while offset < len(code):
        operation, argument = code[offset], argument << 8 | code[offset + 1]
        offset += _UNIT
        if operation == dis.EXTENDED_ARG:
            continue
        first = offset
        while offset < len(code) and code[offset] == _CACHE:
            offset += _UNIT
        caches = (offset - first) // _UNIT
        is_exit = dis.opname[operation].startswith("POP_JUMP_")
        yield _Instruction(operation, argument, caches, operation in dis.hasconst, is_exit, offset)
        argument = 0


_CACHE = dis.opmap.get("CACHE", 0)
"""The opcode of inline cache entries, which the specialising interpreter fills."""


# The tables of the code object


def _no_location(units: int) -> bytes:
    """Line table entries for code units that belong to no line; one entry covers up to eight units."""
    sizes = [8] * (units // 8) + ([units % 8] if units % 8 else [])
    return bytes(0x80 | 15 << 3 | size - 1 for size in sizes)


def _shifted(table: bytes, units: int) -> bytes:
    """An exception table for code that has moved back by so many units.

    An entry is four numbers (start, length, target, and depth with a flag), each in groups of six bits, most
    significant first. Bit 0x40 says that another group follows, bit 0x80 that an entry begins.
    """
    numbers = list(_numbers(table))
    shifted = bytearray()
    for place, number in enumerate(numbers):
        moves = place % 4 in (0, 2)
        shifted += _groups(number + units if moves else number, is_first=place % 4 == 0)
    return bytes(shifted)


def _numbers(table: bytes) -> Iterator[int]:
    number = 0
    for group in table:
        number = number << 6 | group & 0x3F
        if not group & 0x40:
            yield number
            number = 0


def _groups(number: int, is_first: bool) -> bytes:
    groups = [number & 0x3F]
    while number := number >> 6:
        groups.append(number & 0x3F | 0x40)
    if is_first:
        groups[-1] |= 0x80
    return bytes(reversed(groups))
