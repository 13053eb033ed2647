"""Programs with checkpoints, made of programs without: in each loop over a range, or of each callee."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from types import FunctionType
from typing import Any

from autograph import tangent
from tangent_case import Program


class _Loops(ast.NodeTransformer):
    """Puts ``tangent.checkpoint`` around the ranges of loops."""

    def __init__(self) -> None:
        self.count = 0

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        head = node.iter
        if isinstance(head, ast.Call) and isinstance(head.func, ast.Name) and head.func.id == "range":
            self.count += 1
            node.iter = ast.parse(f"tangent.checkpoint({ast.unparse(head)}, every=2)", mode="eval").body
        return node


def with_loops(function: FunctionType) -> FunctionType | None:
    """The function with checkpoints in its loops; ``None`` if it has no loop over a range."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    loops = _Loops()
    loops.visit(definition)
    if not loops.count or function.__closure__:
        return None
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    name = f"<checkpoints {function.__name__}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    variables: dict[str, Any] = {**function.__globals__, "tangent": tangent}
    exec(compile(text, name, "exec"), variables)
    made: FunctionType = variables[function.__name__]
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def with_callees(program: Program) -> FunctionType | None:
    """The function whose module has its functions checkpointed; ``None`` if it calls none."""
    function = program.function
    if not isinstance(function, FunctionType) or "__original__" in function.__dict__:
        return None
    called = [
        name
        for name in function.__code__.co_names
        if type(function.__globals__.get(name)) is FunctionType
        and function.__globals__[name].__module__ == function.__module__
    ]
    if not called or function.__closure__:
        return None
    variables = dict(function.__globals__)
    for name in called:
        variables[name] = tangent.checkpoint(variables[name])
    made = FunctionType(function.__code__, variables, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made
