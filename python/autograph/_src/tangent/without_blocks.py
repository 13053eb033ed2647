"""Functions without their ``grad_of`` blocks, which belong to the backward pass."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from autograph._src.source import source_of
from autograph._src.tangent.injection import grad_of
from autograph._src.tangent.instances import Instance
from autograph._src.tangent.nested_code import nested_code
from autograph._src.tangent.objects import Objects

Function = TypeVar("Function", bound=Callable[..., Any])


def without_blocks(function: Function) -> Function:
    """The function that skips its ``grad_of`` blocks; its attribute ``__original__`` is the one with them.

    Raises:
        TypeError: It is not a function that is written with ``def``.
    """
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
        raise TypeError(
            f"`tangent` decorates a function that is written with `def`, and {function!r} is none"
        )
    code = function.__code__
    text = source_of(function).text
    lines = ast.parse(text)
    definition = next(
        node
        for node in ast.walk(lines)
        if isinstance(node, ast.FunctionDef)
        and node.name == function.__name__
        and _first_line(node) == code.co_firstlineno
    )
    _Without(Objects(Instance(function), None)).visit(definition)
    definition.decorator_list = []
    names = code.co_freevars
    made = nested_code(definition, names, code.co_filename)
    cells = dict(zip(names, function.__closure__ or (), strict=True))
    plain = FunctionType(
        made.replace(co_qualname=code.co_qualname),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        tuple(cells[name] for name in made.co_freevars),
    )
    plain.__kwdefaults__ = function.__kwdefaults__
    plain.__doc__, plain.__module__ = function.__doc__, function.__module__
    plain.__annotations__ = function.__annotations__
    plain.__original__ = function  # type: ignore[attr-defined]
    return cast(Function, plain)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


class _Without(ast.NodeTransformer):
    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def visit_With(self, node: ast.With) -> ast.AST:
        calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
        if any(self._objects.find(ast.unparse(call.func)) is grad_of for call in calls):
            return ast.copy_location(ast.Pass(), node)
        self.generic_visit(node)
        return node
