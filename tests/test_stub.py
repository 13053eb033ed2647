"""`_core.pyi` is what the extension module has: every name, attribute, parameter and default."""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import pytest
from autograph import _core

STUB_FILE = Path(_core.__file__).with_name("_core.pyi")
STUB = ast.parse(STUB_FILE.read_text())

Shape = list[tuple[str, str, bool]]
"""Of each parameter its name, its kind, and whether it has a default."""


def is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list)


def members(node: ast.ClassDef) -> dict[str, ast.FunctionDef | None]:
    """What a class of the stub says that it has; functions with their definition."""
    found: dict[str, ast.FunctionDef | None] = {}
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            found[one.name] = None if is_property(one) else one
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            found[one.target.id] = None
    return found


CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
CONSTANTS = {
    node.target.id
    for node in STUB.body
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
}
"""Aliases of types, which are plain assignments, are the stub's own."""


def shape_of_stub(node: ast.FunctionDef) -> Shape:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [False] * (len(positional) - len(arguments.defaults)) + [True] * len(arguments.defaults)
    found = [(one.arg, "positional", has) for one, has in zip(positional, defaults, strict=True)]
    if arguments.vararg:
        found.append((arguments.vararg.arg, "*", False))
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    found += [(one.arg, "keyword", default is not None) for one, default in pairs]
    if arguments.kwarg:
        found.append((arguments.kwarg.arg, "**", False))
    return [one for one in found if one[0] != "self"]


KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def shape_of(function: Callable[..., Any]) -> Shape:
    parameters = inspect.signature(function).parameters.values()
    found = [(one.name, KINDS[one.kind], one.default is not inspect.Parameter.empty) for one in parameters]
    return [one for one in found if one[0] != "self"]


def own_names(kind: type) -> set[str]:
    """What a class has of its own; special methods are Python's, but for the constructor."""
    names = {name for name in vars(kind) if not name.startswith("__")}
    return names | ({"__init__"} if kind.__text_signature__ is not None else set())


def classes() -> Iterator[str]:
    return (name for name, value in sorted(vars(_core).items()) if isinstance(value, type))


def test_names() -> None:
    there = {name: value for name, value in vars(_core).items() if not name.startswith("__")}
    functions = {name for name, value in there.items() if isinstance(value, BuiltinFunctionType)}
    assert set(CLASSES) == set(classes())
    assert set(FUNCTIONS) == functions
    assert set(there) - set(CLASSES) - functions == CONSTANTS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_function(name: str) -> None:
    assert shape_of_stub(FUNCTIONS[name]) == shape_of(getattr(_core, name))


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_class(name: str) -> None:
    kind, said = getattr(_core, name), dict(members(CLASSES[name]))
    assert said.pop("__call__", None) is None or "__call__" in vars(kind)
    if issubclass(kind, BaseException):
        assert [ast.unparse(base) for base in CLASSES[name].bases] == [kind.__base__.__name__]
        assert not said
        return
    assert set(said) == own_names(kind)
    for member, definition in said.items():
        if member == "__init__":
            assert definition is not None
            assert shape_of_stub(definition) == shape_of(kind)
        elif definition is None:
            assert inspect.isdatadescriptor(inspect.getattr_static(kind, member)), member
        else:
            assert shape_of_stub(definition) == shape_of(getattr(kind, member)), member


def test_methods_of_ops() -> None:
    """The methods of the builder that are rows in Rust stand in the stub as these say, types and all."""
    text = STUB_FILE.read_text()
    before, mark, after = text.partition("has tests/test_stub.py write them.\n")
    methods, end, after = after.partition("\n# Family,")
    assert mark and end
    written = "".join(f"    {line}\n" for line in _core.op_methods())
    if "AG_BLESS" in os.environ:
        STUB_FILE.write_text(before + mark + written + end + after)
        methods = written
    assert methods == written, "AG_BLESS=1 writes it anew"
