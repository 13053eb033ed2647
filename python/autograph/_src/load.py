"""Making the converted function: compiles the generated text with the user's file, lines and columns.

The function made shares the original's globals, closure cells, defaults and attributes.
"""

from __future__ import annotations

import ast
import inspect
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import Literal

from autograph import _core
from autograph._src.closure_cells import cells_of
from autograph._src.code_identity import CodeMap
from autograph._src.comprehension_frames import ComprehensionFrames
from autograph._src.source import GENERATED, Source, diagnostic_error, function_query, source_of
from autograph._src.staleness import Original, difference
from autograph.errors import ConversionError, Location


@dataclass(frozen=True)
class Converted:
    """The conversion of one code object.

    Attributes:
        text: The generated Python.
        code: Its code object, with the positions of the user's source.
        refusal: Why the function runs unconverted, or ``None``.
    """

    text: str
    code: CodeType
    refusal: ConversionError | None = None


Walked = Literal["loop", "steps", "manager"]
"""Who takes the items of a generator: a loop or a builtin, whoever asks for one at a time, or a `with`."""

_conversions: dict[tuple[bool, Walked | None], CodeMap[Converted]] = {
    (spells, walk): CodeMap() for spells in (False, True) for walk in (None, "loop", "steps", "manager")
}
"""By whether they spell operators out, and for whom they are walks of generator functions."""

_lock = threading.RLock()

_made: dict[int, CodeType] = {}
"""All code objects made here, by ``id``: functions that converted code defines are already converted."""

_as_written: dict[int, CodeType] = {}
"""Code objects in converted functions that hold the user's unchanged code and may still be converted."""

_written: dict[int, tuple[CodeType, CodeType]] = {}
"""By ``id``: code that conversion leaves as it is inside of a function, and the user's own code of it."""

_blocks: dict[int, CodeType] = {}
"""Code objects that conversion made from a block or an operand of the user's function."""

_FUNCTION = inspect.CO_NEWLOCALS
_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

NOT_CONVERTIBLE = "AG010"
"""The error code for functions that run unconverted: generators and ``async`` functions."""


def conversion_of(
    function: FunctionType, spells_operators: bool = False, walk: Walked | None = None
) -> Converted:
    """The conversion of a function's code, made once for all closures that share it.

    Args:
        function: The function.
        spells_operators: Whether Python's operators become calls.
        walk: For whom a generator function becomes the function that walks over its items.

    Raises:
        ConversionError: If the source cannot be found, or is not the source of this code.
    """
    code = function.__code__
    conversions = _conversions[spells_operators, walk]
    known = conversions.get(code)
    if known is None:
        with _lock:
            known = conversions.get(code)
            if known is None:
                known = conversions.set(code, _convert(function, spells_operators, walk))
    return known


def is_converted_code(code: CodeType) -> bool:
    """Whether a code object was made by conversion."""
    return id(code) in _made


def written_code(code: CodeType) -> CodeType:
    """The user's own code for code that conversion leaves as it is in a function; else the code itself."""
    known = _written.get(id(code))
    return code if known is None else known[1]


def is_block(code: CodeType) -> bool:
    """Whether conversion made a code object from a block or an operand of the user's function."""
    return id(code) in _blocks


def _convert(function: FunctionType, spells_operators: bool, walk: Walked | None) -> Converted:
    source = source_of(function)
    code = function.__code__
    try:
        orders = _variable_orders(code)
        query = function_query(function, written_code(code))
        result = source.parsed.convert(*query, orders, spells_operators, walk)
    except _core.DiagnosticError as error:
        refusal = diagnostic_error(error, source.file, code.co_name)
        if refusal.code == NOT_CONVERTIBLE:
            return Converted("", code, refusal)
        raise refusal from None
    made_here = is_converted_code(code) or id(code) in _as_written or GENERATED.get(code) is True
    original = Original(
        result.original,
        result.original_class,
        source.imports,
        code.co_flags & _FUTURES,
        frozenset(parameter.__name__ for parameter in getattr(function, "__type_params__", ())),
    )
    changed = None if made_here else difference(code, original)
    if changed is not None:
        raise ConversionError(
            f"the source of `{code.co_name}` is not what runs: {changed}",
            code="AG003",
            location=Location(source.file, code.co_name, code.co_firstlineno, 0, code.co_firstlineno, 0),
            help="import the module again, or run the cell again that defines the function",
        )
    return Converted(result.text, _compile(result, code, source))


_FRAME_READERS = frozenset(("locals", "vars", "dir", "eval", "exec"))


def _variable_orders(code: CodeType) -> list[tuple[str, list[str]]]:
    """The variables of a code object and its nested ones, in CPython's order, where they read their frame.

    ``locals()`` in converted code then lists them in the same order.
    """
    found = []
    if not _FRAME_READERS.isdisjoint(code.co_names):
        found.append((code.co_name, [*code.co_varnames, *code.co_cellvars, *code.co_freevars]))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _variable_orders(constant)
    return found


def _compile(result: _core.ConvertedText, original: CodeType, source: Source) -> CodeType:
    flags = original.co_flags & _FUTURES
    module = compile(result.text, source.file, "exec", dont_inherit=True, flags=flags)
    factory = _nested(module, result.generated_functions[0])
    if GENERATED.get(original) is True:
        # Code that `tangent` has made reads variables of functions around it that its text does not show.
        unseen = [name for name in original.co_freevars if name not in factory.co_varnames]
        tree = _with_variables(result, unseen)
        module = compile(tree, source.file, "exec", dont_inherit=True, flags=flags)
        factory = _nested(module, result.generated_functions[0])
    inner = _nested(factory, "<lambda>" if original.co_name == "<lambda>" else result.function_name)
    return _Relocation(result, original).of(inner)


def _with_variables(result: _core.ConvertedText, names: list[str]) -> ast.Module:
    """The converted text, whose factory binds further variables."""
    tree = ast.parse(result.text)
    factory = tree.body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.args.args += [ast.arg(name, lineno=factory.lineno, col_offset=0) for name in names]
    return ast.fix_missing_locations(tree)


_FUTURES = 0x1FF0000
"""The flags of ``__future__`` imports, which the original was compiled under."""


def _nested(code: CodeType, name: str) -> CodeType:
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == name:
            return constant
    raise AssertionError(f"the converted text has no function {name}")


class _Relocation:
    """Gives generated code objects the user's positions and names.

    Functions that conversion makes from blocks take the name of the user's function, so that tracebacks
    read as if these functions did not exist.
    """

    def __init__(self, result: _core.ConvertedText, original: CodeType) -> None:
        self._table = result.relocate
        self._generated = frozenset(result.generated_functions)
        self._original = original
        self._lambdas = set(_lambda_bodies(original))
        self._comprehensions = ComprehensionFrames(original)
        self._inner = list(_codes_in(original))
        factory = result.generated_functions[0]
        inner = "<lambda>" if original.co_name == "<lambda>" else result.function_name
        self._qualnames = {factory: "", f"{factory}.<locals>.{inner}": original.co_qualname}

    def of(self, code: CodeType, is_as_written: bool = False) -> CodeType:
        """A copy of a code object and its nested ones, with the user's positions and names.

        Methods of a class in the function, and functions in a generator, hold unchanged code.
        """
        first_line, table = self._table(code.co_linetable, code.co_firstlineno)
        inside = is_as_written or not code.co_flags & _FUNCTION or bool(code.co_flags & _RESUMED)
        constants = [
            self.of(constant, inside) if type(constant) is CodeType else constant
            for constant in code.co_consts
        ]
        qualname = self._qualname(code.co_qualname)
        if not code.co_flags & inspect.CO_OPTIMIZED:  # a class body: it begins with `__qualname__ = '…'`
            constants = [qualname if constant == code.co_qualname else constant for constant in constants]
        is_original = qualname == self._original.co_qualname
        made = code.replace(
            co_firstlineno=first_line,
            co_linetable=table,
            co_consts=tuple(constants),
            co_name=self._original.co_name if is_original else qualname.rpartition(".")[2],
            co_qualname=qualname,
            co_filename=self._original.co_filename,
        )
        if is_as_written or code.co_flags & inspect.CO_GENERATOR:
            self._note_written(made)
        is_generated = code.co_qualname.rpartition(".")[2] in self._generated
        if is_generated or (made.co_name == "<lambda>" and not is_original and self._is_new(made)):
            around = self._comprehensions.around(made)
            if around is not None:  # A function of its own in tracebacks, as in CPython.
                made = made.replace(co_name=around.co_name, co_qualname=around.co_qualname)
            _blocks[id(made)] = made
        # Code that calls operators (through `ag__`) is not what the user wrote.
        as_written = is_as_written and "ag__" not in code.co_freevars
        (_as_written if as_written else _made)[id(made)] = made
        return made

    def _note_written(self, made: CodeType) -> None:
        """Notes which of the user's code objects this is: its first line is that of its own ``def``."""
        found = [one for one in self._inner if one.co_qualname == made.co_qualname]
        if len(found) > 1:
            found = [one for one in found if _end_of(one) == _end_of(made)]
        if len(found) == 1:
            _written[id(made)] = made, found[0]

    def _is_new(self, code: CodeType) -> bool:
        """Whether conversion made a lambda, because the user's code has none that ends there."""
        return _end_of(code) not in self._lambdas

    def _qualname(self, qualname: str) -> str:
        """The qualified name of the user's function that a generated function belongs to."""
        known = self._qualnames.get(qualname)
        if known is None:
            around, is_local, name = qualname.rpartition(".<locals>.")
            if not is_local:
                known = qualname  # declared global
            elif name in self._generated:
                known = self._qualname(around)
            else:
                known = f"{self._qualname(around)}.<locals>.{name}"
            self._qualnames[qualname] = known
        return known


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    """The code objects of the functions and classes in a function, and in these."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes_in(constant)


def _lambda_bodies(code: CodeType) -> Iterator[Position]:
    """The positions of the bodies of a function's lambdas, those inside others too."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name == "<lambda>":
                yield _end_of(constant)
            yield from _lambda_bodies(constant)


Position = tuple[int | None, int | None, int | None, int | None]


def _end_of(code: CodeType) -> Position:
    """The position of a lambda's last instruction, which returns the value of its body."""
    return list(code.co_positions())[-1]


def instantiate(function: FunctionType, converted: Converted, operators: object) -> FunctionType:
    """The converted function: its code over the original's globals, cells, defaults and attributes."""
    if converted.refusal is not None:
        return function
    code = converted.code
    cells = cells_of(function)
    operators_cell = CellType(operators)
    closure = tuple(cells.get(name, operators_cell) for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    made.__doc__ = function.__doc__
    made.__annotations__ = function.__annotations__
    made.__dict__.update(function.__dict__)
    return made
