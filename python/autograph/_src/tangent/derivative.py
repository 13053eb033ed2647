"""Functions from generated text: compiled with the globals and the closure of the original."""

from __future__ import annotations

import ast
import itertools
import linecache
import math
import sys
from collections.abc import Mapping, Sequence
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.source import GENERATED, diagnostic_error, function_query, source_of
from autograph._src.tangent import runtime
from autograph._src.tangent.checkpoint import is_checkpointed
from autograph._src.tangent.classes import CLASSES, MAKERS, PASSES
from autograph._src.tangent.drivers import driver_of_columns, driver_of_halves, driver_of_rows, other_name
from autograph._src.tangent.forms.hot_path import add_choice
from autograph._src.tangent.instances import Instance
from autograph._src.tangent.nested_code import code_of_text, refusal_of_text
from autograph._src.tangent.object_paths import objects_given_to
from autograph._src.tangent.objects import Objects, function_of, is_differentiated, names_of
from autograph._src.tangent.pieces import Derivative, Options, Piece, Request
from autograph._src.tangent.super_calls import methods_in
from autograph._src.tangent.users_lines import in_users_file, remember
from autograph._src.tangent.written_arguments import Writes, WrittenArguments, level_of
from autograph.errors import ConversionError

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
    root = Instance(function, given=objects_given_to(function, options.owner))
    # Forward passes for each column run the function again, and must find its arguments as they were.
    writer = written(root, options, name, root_may_write=options.matrix != "columns")
    if (options.is_split or options.matrix == "rows") and writer.root_is_called:
        # A function that calls it has the halves too, and arguments that are the caller's.
        writer = written(root, options, name, root_may_write=False)
    return compiled(function, writer.pieces, name)


def written(root: Instance, options: Options, name: str, *, root_may_write: bool) -> Writer:
    """The texts of a derivative and of the passes of all that it calls."""
    writer = Writer(options, names_around(root.function), root_may_write=root_may_write)
    if options.matrix == "columns":
        writer.write_columns(root, name)
    elif options.is_split or options.matrix == "rows":
        writer.write_split(root, name)
    else:
        writer.write(root, [name], list(options.wrt), is_callee=False)
    writer.write_callees()
    return writer


class Writer:
    """Writes a derivative and those of the functions that it calls."""

    def __init__(self, options: Options, taken: set[str], *, root_may_write: bool) -> None:
        self.options = options
        self.pieces: list[Piece] = []
        self.waiting: list[tuple[Instance, tuple[str, ...], tuple[str, str]]] = []
        self._known: dict[tuple[Instance, tuple[str, ...]], tuple[str, str]] = {}
        self._names = taken
        self._writes = WrittenArguments()
        self._root: Instance | None = None
        self._root_may_write = root_may_write
        self.root_is_called = False

    def write(self, instance: Instance, names: list[str], wrt: list[str], *, is_callee: bool) -> None:
        options, function = self.options, instance.function
        self._names.update(names)
        source = source_of(function)
        is_root = instance == self._root
        request = Request(
            wrt,
            names,
            options.preserve_result and not is_callee,
            options.value_first and not is_callee,
            options.check_dims and not is_callee,
            options.optimized,
            options.has_default_seed,
            options.is_seed_fixed and not is_callee,
            is_callee,
            is_callee and instance.around is None and is_checkpointed(function),
            is_callee and is_root and self._root_may_write,
            options.is_forward,
            self._writes.of(instance) if is_callee and not is_root else None,
            [level_of(one) for one in instance.levels],
        )
        objects = Objects(instance, self._halves, self._writes_of_callee)
        require_modules(objects, function)
        try:
            found = _core.tangent_derivative(source.parsed, function_query(function), objects, request)
        except _core.DiagnosticError as error:
            raise _refusal(diagnostic_error(error, source.file, function.__name__)) from None
        is_nested, is_split = instance.around is not None, len(found) == 2
        self.pieces += [
            Piece(
                name,
                text,
                function,
                lines,
                is_nested,
                backward,
                derivatives,
                is_split and backward > 0,
                {one: objects.kind_of(path) for one, path in known},
                is_pass=is_callee and (options.is_forward or (is_split and not backward)),
                makes_object=instance.constructs is not None or function in MAKERS,
            )
            for name, text, lines, backward, derivatives, known in found
        ]

    def write_split(self, root: Instance, name: str) -> None:
        """The two halves, and the function that calls them: they may write to their arguments, as it may."""
        self._root = root
        function = root.function
        halves = self._halves(root, self.options.wrt)
        self.root_is_called = False
        self._names.add(name)
        place = len(self.pieces)
        self.write_callees()
        resized = self._resized(root)
        if self.options.matrix:
            driver = driver_of_rows(function, name, halves, self.options.wrt, resized)
        else:
            driver = driver_of_halves(function, name, halves, self.options, resized)
        self.pieces.insert(place, driver)

    def _resized(self, root: Instance) -> set[str]:
        """The parameters of which other items may be there after the forward pass, or in another order."""
        words = ("del ", "[:] = ", ".clear()")
        if not any(word in piece.text for piece in self.pieces for word in words):
            return set()
        return {name for name, _ in self._writes.of(root)[0] if name in self.options.wrt}

    def write_columns(self, root: Instance, name: str) -> None:
        """A forward pass by each parameter, and the function that calls them for each column."""
        self._root = root
        self._names.add(name)
        found = [(wrt, self._halves(root, (wrt,))[0]) for wrt in self.options.wrt]
        self.write_callees()
        texts = {piece.name: piece.text for piece in self.pieces}
        passes = [(wrt, tangent, _keyword_of_tangent(texts[tangent])) for wrt, tangent in found]
        self.pieces.insert(0, driver_of_columns(root.function, name, passes))

    def write_callees(self) -> None:
        """The passes of the functions that are called, and of those that they call."""
        while self.waiting:
            callee, active, names = self.waiting.pop(0)
            self.write(callee, list(dict.fromkeys(names)), list(active), is_callee=True)

    def _halves(self, callee: Instance, active: tuple[str, ...]) -> tuple[str, str]:
        """The names of a callee's forward and backward pass; they are written later."""
        known = self._known.get((callee, active))
        self.root_is_called = self.root_is_called or callee == self._root
        if known is None:
            name = callee.called
            if self.options.is_forward:
                tangent = self._fresh(f"{name}_tangent")
                known = (tangent, tangent)
            else:
                known = (self._fresh(f"{name}_forward"), self._fresh(f"{name}_backward"))
            self._known[callee, active] = known
            self.waiting.append((callee, active, known))
        return known

    def _writes_of_callee(self, callee: Instance) -> Writes:
        """What a callee does to its arguments.

        A driver calls the halves of the root, and expects the results of the root.
        """
        return self._writes.of(callee) if callee != self._root else self._writes.unknown(callee)

    def _fresh(self, wish: str) -> str:
        return other_name(wish, self._names)


def _refusal(error: ConversionError) -> ConversionError:
    """A refusal, with its place in the user's file where a derivative was differentiated."""
    if error.location is None:
        return error
    location, words = in_users_file(error.location)
    if not words:
        return error
    help = f"{error.help}; `tangent.to_source` shows the text" if error.help else None
    if error.code == "AG023":  # The names are those of the text, which the user cannot change.
        help = (
            "differentiate in another order, `tangent.grad(tangent.jvp(f))` or"
            " `tangent.grad(tangent.grad(f))`, or bind a new list or array in place of changing one"
        )
    return ConversionError(f"{error.message}{words}", code=error.code, help=help, location=location)


def _keyword_of_tangent(text: str) -> str:
    """How a pass in forward mode is given the tangent, its last parameter: ``dx=``, or by position."""
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    keywords = definition.args.kwonlyargs
    return f"{keywords[-1].arg}=" if keywords else ""


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
        used = names_of(one.__code__)
        names |= used
        values = [one.__globals__[name] for name in used if name in one.__globals__]
        values += [cell.cell_contents for cell in one.__closure__ or () if _is_bound(cell)]
        for value in values:
            # A module's own `__getattr__` may import, or warn.
            if isinstance(value, ModuleType):
                inner = [vars(value).get(name) for name in used]
            elif isinstance(value, type):
                inner = [getattr(value, name, None) for name in used]
                inner += methods_in(value, [*used])
            else:
                inner = [value]
            waiting += [found for found in map(function_of, inner) if found and is_differentiated(found)]
    return names


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
    result = _compiled(function, pieces, name, {})
    functions = result.__tangent__.functions  # type: ignore[attr-defined]
    functions[name] = general = FunctionType(
        result.__code__, result.__globals__, name, result.__defaults__, result.__closure__
    )
    general.__kwdefaults__ = result.__kwdefaults__
    add_choice(result, _compiled_for_forms)
    return result


def _compiled_for_forms(derivative: Derivative, pieces: Sequence[Piece]) -> FunctionType:
    """A derivative for known forms of its arguments; it may call functions of the general one."""
    made = _compiled(derivative.function, [*pieces], derivative.name, derivative.functions)
    own = made.__tangent__  # type: ignore[attr-defined]
    for piece in pieces:
        # The defaults are those that the general text has, and was followed with.
        function, general = own.functions[piece.name], derivative.functions[piece.general]
        function.__defaults__, function.__kwdefaults__ = general.__defaults__, general.__kwdefaults__
    return made


def _compiled(
    function: FunctionType, pieces: list[Piece], name: str, others: Mapping[str, FunctionType]
) -> FunctionType:
    file = f"<tangent {name} {next(_numbers)}>"
    text = "\n\n".join(piece.text for piece in pieces)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    remember(file, pieces)
    cells = {piece.name: CellType() for piece in pieces if piece.name != name}
    # `from autograph import tangent` of the user's has the helpers too.
    theirs = Objects(Instance(function), None).find("tangent")
    helpers = theirs if getattr(theirs, "unbroadcast", None) is runtime.unbroadcast else runtime
    outside: dict[str, Any] = {"np": np, "math": math, "tangent": helpers, **others}
    made: dict[str, FunctionType] = {}
    line = 1
    for piece in pieces:
        made[piece.name] = _function(piece, file, line, {**_as_cells(outside), **cells})
        line += piece.text.count("\n") + 2
        if piece.name != name:
            cells[piece.name].cell_contents = made[piece.name]
    result = made[name]
    result.__tangent__ = Derivative(function, text, file, pieces, made)  # type: ignore[attr-defined]
    return result


def _as_cells(values: Mapping[str, Any]) -> dict[str, CellType]:
    return {name: CellType(value) for name, value in values.items()}


def _function(piece: Piece, file: str, line: int, given: Mapping[str, CellType]) -> FunctionType:
    """A function whose free variables are the helpers, its callees, and those of the original."""
    original = piece.original
    closure = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells = {**closure, **given}
    try:
        code = code_of_text(piece.text, piece.name, cells, file, line).replace(co_qualname=piece.name)
    except SyntaxError as error:
        raise refusal_of_text(error, original.__code__, piece.lines) from None
    function = FunctionType(
        code, original.__globals__, piece.name, None, tuple(cells[name] for name in code.co_freevars)
    )
    GENERATED.set(code, True)
    CLASSES[function] = piece.classes
    if piece.is_pass:
        PASSES[function] = PASSES.get(original, 0) + 1
        if piece.makes_object:
            MAKERS.add(function)
    function.__module__ = original.__module__
    definition = _head(piece.text)
    if piece.is_nested:
        function.__defaults__, function.__kwdefaults__ = _literal_defaults(definition)
    else:
        function.__defaults__, function.__kwdefaults__ = _defaults(original, definition)
    function.__annotations__ = {} if piece.is_nested else _annotations(original, definition)
    return function


def _head(text: str) -> ast.FunctionDef:
    """The definition of a text, without its body: the parameters, their annotations and defaults."""
    end = 0
    while True:
        end = text.index("\n", end) + 1
        try:
            definition = ast.parse(f"{text[:end]}    pass").body[0]
        except SyntaxError:  # A string among the defaults goes on in the next line.
            continue
        assert isinstance(definition, ast.FunctionDef)
        return definition


def _annotations(original: FunctionType, definition: ast.FunctionDef) -> dict[str, object]:
    """The annotations of those parameters that the original has too; its result is another."""
    arguments = definition.args
    parameters = [*arguments.posonlyargs, *arguments.args, arguments.vararg]
    parameters += [*arguments.kwonlyargs, arguments.kwarg]
    known = _known_annotations(original)
    return {one.arg: known[one.arg] for one in parameters if one is not None and one.arg in known}


def _known_annotations(function: FunctionType) -> dict[str, object]:
    """The annotations of a function; names that are not bound yet stay as they are written."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return dict(annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF))
    return dict(function.__annotations__)


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


def _literal_defaults(
    definition: ast.FunctionDef,
) -> tuple[tuple[object, ...] | None, dict[str, object] | None]:
    """The defaults of a function that is defined in another: literals; others are given by its calls."""
    arguments = definition.args
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    keywords = {one.arg: ast.literal_eval(default) for one, default in named if default is not None}
    return tuple(map(ast.literal_eval, arguments.defaults)) or None, keywords or None
