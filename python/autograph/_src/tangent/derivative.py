"""Functions from generated text: compiled with the globals and the closure of the original."""

from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.source import GENERATED, diagnostic_error, function_query, source_of
from autograph._src.tangent import runtime
from autograph._src.tangent.checkpoint import is_checkpointed
from autograph._src.tangent.nested_code import nested_code
from autograph._src.tangent.objects import Objects, function_of, is_differentiated
from autograph.errors import ConversionError


@dataclass(frozen=True)
class Options:
    """How a derivative is to be written: what `autodiff` takes."""

    wrt: tuple[str, ...]
    preserve_result: bool = False
    value_first: bool = False
    check_dims: bool = True
    optimized: bool = True
    has_default_seed: bool = True
    is_forward: bool = False
    is_split: bool = False


@dataclass
class Request:
    """What the generator is asked for; Rust reads the attributes."""

    wrt: list[str]
    names: list[str]
    preserve_result: bool
    value_first: bool
    check_dims: bool
    optimized: bool
    has_default_seed: bool
    is_callee: bool
    is_again: bool
    may_write: bool
    is_forward: bool


@dataclass
class Piece:
    """A generated function: its text, the original, the lines of the original's file.

    ``backward`` is the line with which the backward pass begins, 0 where there is none. ``derivatives`` are
    those in it: line of the original's file, operation, and the variables that are read. ``takes_saved`` says
    that it is a backward pass alone, and is given what the forward pass has kept.
    """

    name: str
    text: str
    original: FunctionType
    lines: list[int]
    backward: int = 0
    derivatives: list[tuple[int, str, list[str]]] = field(default_factory=list)
    takes_saved: bool = False


@dataclass
class Derivative:
    """What a generated function is made of.

    Attributes:
        function: The function that it is a derivative of.
        text: The text of its file: itself, then the passes of the functions that it calls.
        file: The name of that file.
        lines: By line of the text: file and line of the original.
        pieces: The functions in the text.
    """

    function: FunctionType
    text: str
    file: str
    lines: dict[int, tuple[str, int]]
    pieces: list[Piece] = field(default_factory=list)


_numbers = itertools.count(1)


def derive(function: FunctionType, options: Options, name: str) -> FunctionType:
    """The derivative of a function, compiled.

    Args:
        function: A function with a source.
        options: How it is to be written.
        name: What it is called.

    Returns:
        A function of Python; its attribute ``__tangent__`` is a `Derivative`.

    Raises:
        ConversionError: What has no derivative as source, with its place.
    """
    writer = written(function, options, name, root_may_write=True)
    if options.is_split and writer.root_is_called:
        # A function that calls it has the halves too, and arguments that are the caller's.
        writer = written(function, options, name, root_may_write=False)
    return compiled(function, writer.pieces, name)


def written(function: FunctionType, options: Options, name: str, *, root_may_write: bool) -> Writer:
    """The texts of a derivative and of the passes of all that it calls."""
    writer = Writer(options, names_around(function), root_may_write=root_may_write)
    if options.is_split:
        writer.write_split(function, name)
    else:
        writer.write(function, [name], list(options.wrt), is_callee=False)
    while writer.waiting:
        callee, active, names = writer.waiting.pop(0)
        writer.write(callee, list(dict.fromkeys(names)), list(active), is_callee=True)
    return writer


class Writer:
    """Writes a derivative and those of the functions that it calls."""

    def __init__(self, options: Options, taken: set[str], *, root_may_write: bool) -> None:
        self.options = options
        self.pieces: list[Piece] = []
        self.waiting: list[tuple[FunctionType, tuple[str, ...], tuple[str, str]]] = []
        self._known: dict[tuple[FunctionType, tuple[str, ...]], tuple[str, str]] = {}
        self._names = taken
        self._root: FunctionType | None = None
        self._root_may_write = root_may_write
        self.root_is_called = False

    def write(self, function: FunctionType, names: list[str], wrt: list[str], *, is_callee: bool) -> None:
        options = self.options
        self._names.update(names)
        source = source_of(function)
        request = Request(
            wrt,
            names,
            options.preserve_result and not is_callee,
            options.value_first and not is_callee,
            options.check_dims and not is_callee,
            options.optimized,
            options.has_default_seed,
            is_callee,
            is_callee and is_checkpointed(function),
            is_callee and function is self._root and self._root_may_write,
            options.is_forward,
        )
        objects = Objects(function, self._halves)
        require_modules(objects, function)
        try:
            found = _core.tangent_derivative(source.parsed, function_query(function), objects, request)
        except _core.DiagnosticError as error:
            raise diagnostic_error(error, source.file, function.__name__) from None
        is_split = len(found) == 2
        self.pieces += [
            Piece(name, text, function, lines, backward, derivatives, is_split and backward > 0)
            for name, text, lines, backward, derivatives in found
        ]

    def write_split(self, function: FunctionType, name: str) -> None:
        """The two halves, and the function that calls them: they may write to their arguments, as it may."""
        halves = self._halves(function, self.options.wrt)
        self._root = function
        self._names.add(name)
        self.pieces.append(driver_of_halves(function, name, halves, self.options))

    def _halves(self, callee: FunctionType, active: tuple[str, ...]) -> tuple[str, str]:
        """The names of a callee's forward and backward pass; they are written later."""
        known = self._known.get((callee, active))
        self.root_is_called = self.root_is_called or callee is self._root
        if known is None:
            name = "lambda" if callee.__name__ == "<lambda>" else callee.__name__
            if self.options.is_forward:
                tangent = self._fresh(f"{name}_tangent")
                known = (tangent, tangent)
            else:
                known = (self._fresh(f"{name}_forward"), self._fresh(f"{name}_backward"))
            self._known[callee, active] = known
            self.waiting.append((callee, active, known))
        return known

    def _fresh(self, wish: str) -> str:
        return _other(wish, self._names)


def driver_of_halves(function: FunctionType, name: str, halves: tuple[str, str], options: Options) -> Piece:
    """The text of a function that runs a forward and a backward pass."""
    forward, backward = halves
    signature = inspect.signature(function)
    taken = {*signature.parameters, forward, backward}
    seed, value, saved = (_other(wish, taken) for wish in ("by", "value", "saved"))
    last = f"{seed}=1.0" if options.has_default_seed else seed
    check = f"    tangent.check_seed({seed}, {value})\n" if options.check_dims else ""
    wrt = options.wrt
    if len(wrt) == 1:
        results = [f"tangent.as_gradient({backward}({saved}, {seed}), {wrt[0]})"]
        before = ""
    else:
        parts = [_other(f"b{one}", taken) for one in wrt]
        before = f"    {', '.join(parts)} = {backward}({saved}, {seed})\n"
        results = [f"tangent.as_gradient({part}, {one})" for part, one in zip(parts, wrt, strict=True)]
    if options.preserve_result:
        results.append(value)
    arguments = ", ".join(_passed(one) for one in signature.parameters.values())
    parameters = _parameters_of(function, last)
    text = (
        f"def {name}({parameters}):\n"
        f"    {value}, {saved} = {forward}({arguments})\n{check}{before}"
        f"    return {', '.join(results)}\n"
    )
    line = function.__code__.co_firstlineno
    return Piece(name, text, function, [line] * text.count("\n"))


def _other(wish: str, taken: set[str]) -> str:
    """The name, or one with a number where it is taken; temporaries have theirs after an underscore."""
    names = itertools.chain([wish], (f"{wish}{number}" for number in itertools.count(2)))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name


def _passed(parameter: inspect.Parameter) -> str:
    """How a parameter is passed on."""
    name = parameter.name
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return f"*{name}"
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        return f"**{name}"
    return f"{name}={name}" if parameter.kind is inspect.Parameter.KEYWORD_ONLY else name


def _parameters_of(function: FunctionType, last: str) -> str:
    """The parameters as the source has them, without annotations, and one more."""
    kinds = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for node in ast.walk(ast.parse(source_of(function).text)):
        if isinstance(node, kinds) and node.lineno >= function.__code__.co_firstlineno:
            arguments = node.args
            positional = [*arguments.posonlyargs, *arguments.args]
            if tuple(one.arg for one in positional) != names or (
                isinstance(node, ast.FunctionDef) and node.name != function.__name__
            ):
                continue
            for one in (*positional, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
                if one is not None:
                    one.annotation = None
            rest, arguments.kwarg = arguments.kwarg, None
            parts = [ast.unparse(arguments), last, *([f"**{rest.arg}"] if rest else [])]
            return ", ".join(part for part in parts if part)
    raise AssertionError(f"the source of {function!r} has its definition")


def names_around(function: FunctionType) -> set[str]:
    """The names that a function and those that it may call use: generated functions have others.

    ::

        def act(x): ...
        def act_forward(x): ...          # the user's

        def f(x):
            return act(x) * act_forward(x)
    """
    names: set[str] = set()
    seen: set[FunctionType] = set()
    waiting = [function]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        used = _names_of(one.__code__)
        names |= used
        values = [one.__globals__[name] for name in used if name in one.__globals__]
        values += [cell.cell_contents for cell in one.__closure__ or () if _is_bound(cell)]
        for value in values:
            inner = (
                [getattr(value, name, None) for name in used]
                if isinstance(value, (ModuleType, type))
                else [value]
            )
            waiting += [found for found in map(function_of, inner) if found and is_differentiated(found)]
    return names


def _names_of(code: CodeType) -> set[str]:
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return names.union(*(_names_of(one) for one in code.co_consts if isinstance(one, CodeType)))


def _is_bound(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def require_modules(objects: Objects, function: FunctionType) -> None:
    """Refuses a function where ``np``, ``math`` or ``tangent`` is something else: rules call these."""
    for name, module, words in (
        ("np", np, "NumPy"),
        ("math", math, "Python's `math`"),
        ("tangent", None, ""),
    ):
        found = objects.find(name)
        if objects.is_missing(found) or found is module:
            continue
        if module is None and getattr(found, "unbroadcast", None) is runtime.unbroadcast:
            continue
        what = (
            f"`{found.__name__}`" if isinstance(found, ModuleType) else f"of class `{type(found).__name__}`"
        )
        raise ConversionError(
            f"`{name}` is not {words or 'the module of derivatives'} in the module of `{function.__name__}`:"
            f" it is {what}",
            code="AG021",
            help=f"give that another name than `{name}`, which the generated code uses",
        )


def compiled(function: FunctionType, pieces: list[Piece], name: str) -> FunctionType:
    """The functions of a derivative, compiled from one text."""
    file = f"<tangent {name} {next(_numbers)}>"
    text = "\n\n".join(piece.text for piece in pieces)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    lines: dict[int, tuple[str, int]] = {}
    offset = 0
    for piece in pieces:
        origin = piece.original.__code__.co_filename
        lines.update({offset + number: (origin, line) for number, line in enumerate(piece.lines, 1)})
        offset += piece.text.count("\n") + 1
    cells = {piece.name: CellType() for piece in pieces if piece.name != name}
    # `from autograph import tangent` of the user's has the helpers too.
    theirs = Objects(function, None).find("tangent")
    helpers = theirs if getattr(theirs, "unbroadcast", None) is runtime.unbroadcast else runtime
    outside: dict[str, Any] = {"np": np, "math": math, "tangent": helpers}
    made: dict[str, FunctionType] = {}
    definitions = [node for node in ast.parse(text, file).body if isinstance(node, ast.FunctionDef)]
    for piece, definition in zip(pieces, definitions, strict=True):
        made[piece.name] = _function(piece, definition, file, {**_as_cells(outside), **cells})
        if piece.name != name:
            cells[piece.name].cell_contents = made[piece.name]
    result = made[name]
    result.__tangent__ = Derivative(function, text, file, lines, pieces)  # type: ignore[attr-defined]
    return result


def _as_cells(values: Mapping[str, Any]) -> dict[str, CellType]:
    return {name: CellType(value) for name, value in values.items()}


def _function(
    piece: Piece, definition: ast.FunctionDef, file: str, given: Mapping[str, CellType]
) -> FunctionType:
    """A function whose free variables are the helpers, its callees, and those of the original."""
    original = piece.original
    closure = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells = {**closure, **given}
    code = nested_code(_without_defaults(definition), cells, file).replace(co_qualname=piece.name)
    function = FunctionType(
        code, original.__globals__, piece.name, None, tuple(cells[name] for name in code.co_freevars)
    )
    GENERATED.set(code, True)
    function.__module__ = original.__module__
    function.__defaults__, function.__kwdefaults__ = _defaults(original, definition)
    return function


def _without_defaults(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The definition, whose defaults are those of the original, as objects."""
    arguments = definition.args
    bare = ast.arguments(
        posonlyargs=arguments.posonlyargs,
        args=arguments.args,
        vararg=arguments.vararg,
        kwonlyargs=arguments.kwonlyargs,
        kw_defaults=[None] * len(arguments.kwonlyargs),
        kwarg=arguments.kwarg,
        defaults=[],
    )
    for one in (*bare.posonlyargs, *bare.args, *bare.kwonlyargs, bare.vararg, bare.kwarg):
        if one is not None:
            one.annotation = None
    new = ast.FunctionDef(**{name: getattr(definition, name) for name in definition._fields})
    new.args = bare
    return ast.copy_location(new, definition)


def _defaults(
    original: FunctionType, definition: ast.FunctionDef
) -> tuple[tuple[object, ...] | None, dict[str, object] | None]:
    """The defaults of the original's parameters, and 1.0 for the adjoint of the result."""
    known = original.__code__.co_varnames[
        : original.__code__.co_argcount + original.__code__.co_kwonlyargcount
    ]
    positional = [*definition.args.posonlyargs, *definition.args.args]
    written = positional[len(positional) - len(definition.args.defaults) :]
    own = dict(
        zip(
            reversed(original.__code__.co_varnames[: original.__code__.co_argcount]),
            reversed(original.__defaults__ or ()),
            strict=False,
        )
    )
    defaults = tuple(own.get(one.arg, 1.0) for one in written)
    keywords = dict(original.__kwdefaults__ or {})
    for one, default in zip(definition.args.kwonlyargs, definition.args.kw_defaults, strict=True):
        if default is not None and one.arg not in known:
            keywords[one.arg] = 1.0
    return defaults or None, keywords or None
