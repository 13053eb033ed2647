"""The tools for people's own transformations: trees, text, callables, positions."""

from __future__ import annotations

import ast
import doctest
import functools
import importlib
import inspect
import pkgutil
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import pytest
from autograph._src import transformations
from autograph.transformations import parse, parse_entity, pretty, to_callable, to_source

MODULES = [
    transformations.__name__,
    *(f"autograph._src.transformations.{m.name}" for m in pkgutil.iter_modules(transformations.__path__)),
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def standard_library() -> list[Path]:
    folder = Path(inspect.getfile(inspect)).parent
    names = [
        "argparse",
        "ast",
        "bisect",
        "dataclasses",
        "difflib",
        "enum",
        "functools",
        "inspect",
        "textwrap",
    ]
    return [folder / f"{name}.py" for name in names]


@pytest.mark.parametrize("path", standard_library(), ids=lambda path: path.stem)
def test_source_of_a_tree_parses_to_the_tree(path: Path) -> None:
    statements = parse(path.read_text())
    again = parse(to_source(statements))
    assert [ast.dump(node) for node in again] == [ast.dump(node) for node in statements]


def test_new_nodes_need_no_positions_for_their_source() -> None:
    loop = ast.For(ast.Name("i", ast.Store()), ast.Name("x", ast.Load()), [ast.Pass()], [])
    assert to_source(loop) == "for i in x:\n    pass"
    assert not hasattr(loop, "lineno")


@pytest.mark.usefixtures("parsed_once")
def test_functions_of_the_standard_library_are_found() -> None:
    count = 0
    for module in (textwrap_module(), inspect, ast, functools):
        for name, function in sorted(vars(module).items()):
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                if hasattr(function, "__wrapped__"):
                    continue
                node, source = parse_entity(function)
                assert isinstance(node, ast.FunctionDef) and node.name == function.__code__.co_name, name
                expected = ast.parse(source).body[0]
                assert ast.dump(node) == ast.dump(expected), name
                count += 1
    assert count > 80


def textwrap_module() -> Any:
    return importlib.import_module("textwrap")


pair = (lambda x: x + 1), (lambda x: x + 2)


def test_lambdas_of_a_line_are_told_apart() -> None:
    assert [parse_entity(each)[1] for each in pair] == ["lambda x: x + 1", "lambda x: x + 2"]
    node, _ = parse_entity(pair[1])
    assert isinstance(node, ast.Lambda)
    assert to_callable(node, like=pair[1])(1) == 3


def test_lines_are_those_of_the_file() -> None:
    def nested(x: int) -> str:
        text = """
        stays"""
        return text * x

    node, source = parse_entity(nested)
    assert isinstance(node, ast.FunctionDef)
    assert node.lineno == nested.__code__.co_firstlineno and node.col_offset == 4
    assert source.splitlines()[2:] == ['        stays"""', "    return text * x"]


def test_refusals_are_those_of_conversion() -> None:
    scope: dict[str, Any] = {}
    exec("def f(): pass", scope)
    codes = []
    for function in (scope["f"], len):
        with pytest.raises(ag.ConversionError) as raised:
            parse_entity(function)
        codes.append(raised.value.code)
    assert codes == ["AG002", "AG011"]


def test_bad_syntax_is_located() -> None:
    with pytest.raises(ag.ConversionError) as raised:
        parse("x = 1\nwhile x\n    pass\n")
    assert str(raised.value).splitlines()[0] == "error[AG001]: expected ':'"
    assert "2 | while x" in str(raised.value)


def test_pretty_shows_what_differs() -> None:
    assert pretty(parse("x = [1, None]; global y")) == (
        "Assign\n  targets:\n    - Name id='x' ctx=Store\n  value: List ctx=Load\n    elts:\n"
        "      - Constant value=1\n      - Constant value=None\nGlobal\n  names:\n    - 'y'"
    )


class Add(ast.NodeTransformer):
    """Subtraction made of addition."""

    def visit_Sub(self, node: ast.Sub) -> ast.Add:
        return ast.Add()


@pytest.mark.parametrize("keep_positions", [True, False])
def test_closures_defaults_and_attributes_stay(keep_positions: bool) -> None:
    offset = 10

    def subtract(x: float, y: int = 2, /, *rest: int, scale: int = 3, **more: int) -> float:
        """Documented."""
        nonlocal offset
        offset += 1
        return (x - y) * scale - offset - sum(rest) - sum(more.values())

    subtract.note = "kept"  # type: ignore[attr-defined]
    node, _ = parse_entity(subtract)
    added = to_callable(Add().visit(node), like=subtract, keep_positions=keep_positions)
    assert added(1) == 9 + 11 and offset == 11
    assert added(1, 1, 5, scale=1, k=7) == 2 + 12 + 5 + 7
    assert added.note == "kept" and added.__doc__ == "Documented."
    assert inspect.signature(added) == inspect.signature(subtract)
    assert added.__qualname__ == subtract.__qualname__


class Base:
    """A class whose methods are transformed."""

    def __init__(self) -> None:
        self.__hidden = 5

    def value(self, __private: int = 1) -> int:
        """Private names, with an inner function."""
        return (lambda: self.__hidden - __private)()


class Derived(Base):
    """Its method calls `super()`."""

    def value(self, more: int = 0) -> int:
        """Through the cell `__class__`."""
        return super().value() - more


@pytest.mark.parametrize("keep_positions", [True, False])
@pytest.mark.parametrize(("function", "expected"), [(Base.value, 6), (Derived.value, 4)])
def test_methods(function: Callable[..., int], expected: int, keep_positions: bool) -> None:
    node, _ = parse_entity(function)
    assert to_callable(Add().visit(node), like=function, keep_positions=keep_positions)(Derived()) == expected


def test_new_parameters_get_their_defaults_and_decorators_do_not_run() -> None:
    base = 4

    @functools.lru_cache
    def f(x: int, y: int = 1) -> int:
        return x + y + base

    original = f.__wrapped__
    node, _ = parse_entity(original)
    assert isinstance(node, ast.FunctionDef) and node.decorator_list
    node.args.args.append(ast.arg("z"))
    node.args.defaults.append(ast.parse("base * 100", mode="eval").body)
    node.body[:0] = parse("x = x + z")
    assert to_callable(node, like=original)(1, 2) == 407


def fails(x: Any) -> Any:
    """Raises in its third line."""
    y = x - 1
    return [0][y - 2]


def test_tracebacks_show_the_lines_of_nodes_that_kept_them() -> None:
    node, _ = parse_entity(fails)
    assert isinstance(node, ast.FunctionDef)
    node.body[1:1] = parse("\n\n\nx = x")
    for statement in ast.walk(node.body[1]):
        for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(statement, name):
                delattr(statement, name)
    with pytest.raises(IndexError) as raised:
        to_callable(Add().visit(node), like=fails)(3)
    frame = traceback.extract_tb(raised.tb)[-1]
    assert frame.filename == __file__ and frame.line == "return [0][y - 2]"
    assert frame.lineno == fails.__code__.co_firstlineno + 3
    with pytest.raises(IndexError) as raised:
        to_callable(node, like=fails, keep_positions=False)(3)
    frame = traceback.extract_tb(raised.tb)[-1]
    assert frame.filename.startswith("<transformed fails ") and frame.line == "return [0][y + 2]"


def test_a_transformed_function_is_never_taken_for_what_its_file_says() -> None:
    node, _ = parse_entity(fails)
    changed = to_callable(Add().visit(node), like=fails)
    for use in (parse_entity, ag.to_code):
        with pytest.raises(ag.ConversionError, match=r"not what its file says .AG002"):
            use(changed)
    own = to_callable(node, like=fails, keep_positions=False)
    assert "y = x + 1" in parse_entity(own)[1]
    assert "y = x + 1" in ag.to_code(own)


def test_trees_that_do_not_compile_are_refused() -> None:
    node, _ = parse_entity(fails)
    assert isinstance(node, ast.FunctionDef)
    node.body = [ast.Expr(ast.Name("x", ast.Store()))]
    with pytest.raises(ag.ConversionError, match=r"`fails` cannot be compiled: .*AG001"):
        to_callable(node, like=fails)
