"""The functions that run the passes of a derivative: their texts."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Collection, Sequence
from types import FunctionType

from autograph._src.source import source_of
from autograph._src.tangent.pieces import Options, Piece


def driver_of_halves(
    function: FunctionType,
    name: str,
    halves: tuple[str, str],
    options: Options,
    resized: Collection[str] = (),
) -> Piece:
    """The text of a function that runs a forward and a backward pass.

    Args:
        function: What is differentiated.
        name: That of the driver.
        halves: The names of the passes.
        options: What the derivative is to be.
        resized: The parameters of which the forward pass may take items, or change the order.
    """
    forward, backward = halves
    taken = {*inspect.signature(function).parameters, forward, backward}
    seed, value, saved = (other_name(wish, taken) for wish in ("by", "value", "saved"))
    last = f"{seed}=1.0" if options.has_default_seed else seed
    check = f"    tangent.check_seed({seed}, {value})\n" if options.check_dims else ""
    given, copies = _given(options.wrt, resized, taken)
    wrt = options.wrt
    if len(wrt) == 1:
        results = [f"tangent.as_gradient({backward}({saved}, {seed}), {given[0]})"]
        before = ""
    else:
        parts = [other_name(f"b{one}", taken) for one in wrt]
        before = f"    {', '.join(parts)} = {backward}({saved}, {seed})\n"
        results = [f"tangent.as_gradient({part}, {one})" for part, one in zip(parts, given, strict=True)]
    if options.preserve_result:
        results.append(value)
    first = "".join(f"    {one}\n" for one in copies)
    text = (
        f"def {name}({_parameters_of(function, last)}):\n{first}"
        f"    {value}, {saved} = {forward}({_arguments(function)})\n{check}{before}"
        f"    return {', '.join(results)}\n"
    )
    line = function.__code__.co_firstlineno
    return Piece(name, text, function, [line] * text.count("\n"))


def _given(wrt: Sequence[str], resized: Collection[str], taken: set[str]) -> tuple[list[str], list[str]]:
    """The names of the arguments as they were given, and the statements that keep them."""
    given = [other_name(f"{one}_given", taken) if one in resized else one for one in wrt]
    pairs = zip(given, wrt, strict=True)
    return given, [f"{kept} = tangent.copy_containers({one})" for kept, one in pairs if kept != one]


def driver_of_rows(
    function: FunctionType,
    name: str,
    halves: tuple[str, str],
    wrt: Sequence[str],
    resized: Collection[str] = (),
) -> Piece:
    """The text of a function that gives a Jacobian: one forward pass, a backward pass for each element."""
    forward, backward = halves
    taken = {*inspect.signature(function).parameters, forward, backward}
    seed, value, saved = (other_name(wish, taken) for wish in ("by", "y", "saved"))
    loop = f"for {seed} in tangent.units({value})"
    given, copies = _given(wrt, resized, taken)
    if len(wrt) == 1:
        rows = other_name("rows", taken)
        row = f"tangent.as_gradient({backward}({saved}, {seed}), {given[0]})"
        body = [f"{rows} = [{row} {loop}]"]
        results = [f"tangent.from_rows({rows}, {value}, {given[0]})"]
    else:
        every = [other_name(f"{one}_rows", taken) for one in wrt]
        parts = [other_name(f"b{one}", taken) for one in wrt]
        body = [f"{rows} = []" for rows in every]
        body += [f"{loop}:", f"    {', '.join(parts)} = {backward}({saved}, {seed})"]
        body += [
            f"    {rows}.append(tangent.as_gradient({part}, {one}))"
            for rows, part, one in zip(every, parts, given, strict=True)
        ]
        results = [
            f"tangent.from_rows({rows}, {value}, {one})" for rows, one in zip(every, given, strict=True)
        ]
    first = f"{value}, {saved} = {forward}({_arguments(function)})"
    return _driver(function, name, [*copies, first, *body, f"return {', '.join(results)}"])


def driver_of_columns(function: FunctionType, name: str, passes: Sequence[tuple[str, str, str]]) -> Piece:
    """The text of a function that gives a Jacobian: a forward pass for each element of an argument.

    Args:
        function: What is differentiated.
        name: That of the driver.
        passes: For each parameter: its name, that of its pass, and how that is given the tangent: ``dx=``, or
            by position.
    """
    taken = {*inspect.signature(function).parameters, *(one for _, one, _ in passes)}
    direction = other_name("direction", taken)
    body, results = [], []
    for wrt, tangent, keyword in passes:
        columns = other_name("columns" if len(passes) == 1 else f"{wrt}_columns", taken)
        called = f"{tangent}({_arguments(function, f'{keyword}{direction}')})"
        body.append(f"{columns} = [{called} for {direction} in tangent.directions({wrt})]")
        results.append(f"tangent.from_columns({columns}, {wrt})")
    return _driver(function, name, [*body, f"return {', '.join(results)}"])


def _driver(function: FunctionType, name: str, body: Sequence[str]) -> Piece:
    lines = [f"def {name}({_parameters_of(function)}):", *(f"    {line}" for line in body)]
    return Piece(name, "\n".join(lines) + "\n", function, [function.__code__.co_firstlineno] * len(lines))


def _arguments(function: FunctionType, *last: str) -> str:
    """The parameters, passed on; a keyword argument stands before ``**rest``."""
    every = inspect.signature(function).parameters.values()
    rest = [_passed(one) for one in every if one.kind is inspect.Parameter.VAR_KEYWORD]
    others = [_passed(one) for one in every if one.kind is not inspect.Parameter.VAR_KEYWORD]
    return ", ".join([*others, *last, *rest])


def other_name(wish: str, taken: set[str]) -> str:
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


def _parameters_of(function: FunctionType, last: str = "") -> str:
    """The parameters as the source has them, and one more."""
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
            rest, arguments.kwarg = arguments.kwarg, None
            if last.isidentifier() and arguments.defaults and not (arguments.vararg or arguments.kwonlyargs):
                last = f"*, {last}"
            parts = [ast.unparse(arguments), last, *([f"**{rest.arg}"] if rest else [])]
            return ", ".join(part for part in parts if part)
    raise AssertionError(f"the source of {function!r} has its definition")
