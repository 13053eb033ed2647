"""Names in generated text: where they are bound, read, written into, and live."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any


def helper_call(expr: object) -> tuple[str, ast.expr] | None:
    """The name and the first argument of ``tangent.name(first, …)``."""
    if (
        isinstance(expr, ast.Call)
        and isinstance(expr.func, ast.Attribute)
        and isinstance(expr.func.value, ast.Name)
        and expr.func.value.id == "tangent"
        and expr.args
    ):
        return expr.func.attr, expr.args[0]
    return None


def is_read(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def pops(part: ast.AST, name: str) -> bool:
    """Whether a statement is ``variable = name.pop()``."""
    call = part.value if isinstance(part, ast.Assign) else None
    func = call.func if isinstance(call, ast.Call) and not call.args else None
    return isinstance(func, ast.Attribute) and func.attr == "pop" and is_read(func.value, name)


def bindings_in(nodes: list[ast.AST], *, with_globals: bool = False) -> dict[str, list[tuple[int, Any]]]:
    """By name: line and value of its bindings, in order; of a call in split motion the pair (name, call)."""
    found: dict[str, list[tuple[int, Any]]] = {}

    def bind(target: ast.expr, line: int, value: Any, index: int | None = None) -> None:
        if isinstance(target, ast.Name):
            call = value if isinstance(value, ast.Call) and index is not None else None
            kept = ("saved", call) if call is not None and index == 1 else value
            found.setdefault(target.id, []).append((line, kept))
        elif isinstance(target, (ast.Tuple, ast.List)):
            for number, one in enumerate(target.elts):
                bind(one, line, value, number if isinstance(value, ast.Call) else None)
        elif isinstance(target, ast.Starred):
            bind(target.value, line, None)

    declared: set[str] = set()
    for node in nodes:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            declared.update(node.names)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                bind(target, node.lineno, node.value)
        elif isinstance(node, ast.AugAssign):
            bind(node.target, node.lineno, node)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            bind(node.target, node.lineno, node.value)
        elif isinstance(node, ast.For):
            bind(node.target, node.lineno, node)
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars is not None:
                    bind(item.optional_vars, node.lineno, None)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.setdefault(node.name, []).append((node.lineno, None))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = (alias.asname or alias.name).split(".")[0]
                found.setdefault(name, []).append((node.lineno, None))
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.setdefault(node.name, []).append((node.lineno, None))
    return {name: bound for name, bound in found.items() if with_globals or name not in declared}


def in_order(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of statements from the top, without those of functions in them."""
    for statement in body:
        yield from _within(statement)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _within(child)


def appended(
    nodes: list[ast.AST], bindings: dict[str, list[tuple[int, Any]]], name: str
) -> list[tuple[int, ast.expr]]:
    """Line and argument of each ``name.append(…)``, where the list begins empty here."""
    starts = [value for _, value in bindings.get(name, [])]
    if not any(isinstance(one, ast.List) and not one.elts for one in starts):
        return []
    return [
        (node.lineno, node.args[0])
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == name
        and len(node.args) == 1
    ]


def writes_into(nodes: list[ast.AST], name: str) -> Iterator[int]:
    """The lines that write into the object of a variable."""
    for node in nodes:
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.lineno
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            root: ast.AST = node
            while isinstance(root, (ast.Subscript, ast.Attribute)):
                root = root.value
            if isinstance(root, ast.Name) and root.id == name:
                yield node.lineno


def loops_around(nodes: list[ast.AST], line: int) -> list[ast.For | ast.While]:
    """The loops whose bodies have a line, the outermost first."""
    return [
        node
        for node in nodes
        if isinstance(node, (ast.For, ast.While))
        and node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)
    ]


def is_looped(nodes: list[ast.AST], line: int, kept: int) -> bool:
    """Whether a line runs again after another has, in a loop around both."""
    around = loops_around(nodes, kept)
    return any(one in around for one in loops_around(nodes, line))


def live_before(body: list[ast.stmt], after: set[str], loops: list[tuple[set[str], set[str]]]) -> set[str]:
    """The names that statements read before they bind them, where `after` are read later.

    Args:
        body: The statements.
        after: The names that are read after them.
        loops: For each loop around: what is live after it, and at its head.
    """
    live = set(after)
    for statement in reversed(body):
        live = _live(statement, live, loops)
    return live


def _live(statement: ast.stmt, live: set[str], loops: list[tuple[set[str], set[str]]]) -> set[str]:
    if isinstance(statement, (ast.Return, ast.Raise)):
        return set(loads(statement))
    if isinstance(statement, ast.Break):
        return set(loops[-1][0]) if loops else live
    if isinstance(statement, ast.Continue):
        return set(loops[-1][1]) if loops else live
    if isinstance(statement, ast.If):
        then = live_before(statement.body, live, loops)
        return then | live_before(statement.orelse, live, loops) | loads(statement.test)
    if isinstance(statement, (ast.For, ast.While)):
        head = statement.iter if isinstance(statement, ast.For) else statement.test
        bound = stores(statement.target) if isinstance(statement, ast.For) else frozenset()
        start = live if isinstance(statement, ast.For) else live | loads(head)
        while True:
            new = start | (live_before(statement.body, start, [*loops, (live, start)]) - bound)
            if new == start:
                return start | loads(head)
            start = new
    if isinstance(statement, ast.With):
        inner = live_before(statement.body, live, loops)
        for item in reversed(statement.items):
            bound = stores(item.optional_vars) if item.optional_vars else frozenset()
            inner = (inner - bound) | loads(item.context_expr)
        return inner
    if isinstance(statement, ast.Try):
        # A jump out of it goes through its end.
        through = [
            (live_before(statement.finalbody, a, loops), live_before(statement.finalbody, b, loops))
            for a, b in loops
        ]
        return live_before(statement.body, live_before(statement.finalbody, live, loops), through)
    return (live - stores(statement)) | loads(statement)


@functools.lru_cache(maxsize=4096)
def loads(node: ast.AST) -> frozenset[str]:
    found = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    return frozenset(found)


@functools.lru_cache(maxsize=4096)
def stores(node: ast.AST) -> frozenset[str]:
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load))
    return frozenset(one.id for one in names)


class Reached:
    """The readings of a name that hold a value: from the start, or from where a list is popped.

    Args:
        name: The variable.
        restored_from: The list; empty where the value is there from the start.
    """

    def __init__(self, name: str, restored_from: str) -> None:
        self._name = name
        self._list = restored_from
        self.found: list[tuple[ast.AST, str]] = []

    def block(self, body: list[ast.stmt], state: bool) -> bool:
        """Whether the name holds the value after statements, by whether it does before them."""
        for statement in body:
            state = self._statement(statement, state)
        return state

    def _read(self, part: ast.AST, kind: str, state: bool) -> None:
        if state and (part, kind) not in self.found and self._name in loads(part):
            self.found.append((part, kind))

    def _statement(self, statement: ast.stmt, state: bool) -> bool:
        if isinstance(statement, ast.If):
            self._read(statement.test, "branch", state)
            then = self.block(statement.body, state)
            return self.block(statement.orelse, state) or then
        if isinstance(statement, (ast.For, ast.While)):
            is_for = isinstance(statement, ast.For)
            head = statement.iter if isinstance(statement, ast.For) else statement.test
            self._read(head, "loop" if is_for else "branch", state)
            is_bound = isinstance(statement, ast.For) and self._name in stores(statement.target)
            for _ in range(2):
                state = self.block(statement.body, state and not is_bound) or state
            return state
        if isinstance(statement, ast.With):
            for item in statement.items:
                self._read(item.context_expr, "", state)
            return self.block(statement.body, state)
        if isinstance(statement, ast.Try):
            return self.block([*statement.body, *statement.finalbody], state)
        self._read(statement, "", state)
        if self._list and pops(statement, self._list):
            return True
        return state and self._name not in stores(statement)
