"""What of the forward pass the backward pass reads: the names that are live between them, in the generated text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph._src.tangent.objects import reads_form

if TYPE_CHECKING:
    from autograph._src.tangent.derivative import Piece


@dataclass(frozen=True)
class Value:
    """A name that is read; the variable that it is restored to, and what it is the value of."""

    name: str
    variable: str
    value: str
    how: Any
    is_list: bool
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Read:
    """A reading in the backward pass: its line, the comment above with its line, and what reads there."""

    line: int
    section: str
    section_line: int
    kind: str
    text: str


class Keeping:
    """A forward and a backward pass.

    Args:
        first: The statements of the forward pass.
        second: Those of the backward pass.
        piece: The generated function of the forward pass.
        lines: The lines of the text of the backward pass.
    """

    def __init__(
        self, first: list[ast.stmt], second: list[ast.stmt], piece: Piece, lines: list[str]
    ) -> None:
        self.first = first
        self.second = second
        self.parameters = _parameters(piece)
        self.own = frozenset(piece.original.__code__.co_varnames + piece.original.__code__.co_cellvars)
        self._lines = lines
        self.bindings = bindings_in(first)

    @classmethod
    def of_one(cls, piece: Piece) -> Keeping:
        """The two passes of one function."""
        body = _body(piece.text)
        first = [one for one in body if one.lineno < piece.backward]
        return cls(first, body[len(first) :], piece, piece.text.splitlines())

    @classmethod
    def of_halves(cls, piece: Piece, following: Piece) -> Keeping:
        """The passes of two functions; the backward one begins with what it is given."""
        first, second = _body(piece.text), _body(following.text)
        is_given = isinstance(second[0], ast.Assign) and isinstance(second[0].targets[0], ast.Tuple)
        return cls(first[:-1], second[is_given:], piece, following.text.splitlines())

    def values(self) -> list[Value]:
        """What is kept: arguments, then the others in the order of the text."""
        live = live_before(self.second, set(), [])
        arguments = [name for name in self.parameters if name in live and name not in self.bindings]
        made = [name for name in self.bindings if name in live]
        return [Value(name, name, name, "argument", False, ()) for name in arguments] + [
            self._value(name) for name in made
        ]

    def _value(self, name: str) -> Value:
        items = [] if name in self.own else appended(self.first, name)
        if not items:
            value, how = self._resolved(name)
            return Value(name, name, value, how, False, tuple(line for line, _ in self.bindings[name]))
        lines = tuple(line for line, _ in items)
        restored = self._restored(name)
        kinds = [self._resolved(one.id) if isinstance(one, ast.Name) else self._of_expr(one) for _, one in items]
        values = list(dict.fromkeys(value for value, _ in kinds))
        if self._is_start(name):
            return Value(name, restored, values[0], "start", True, lines)
        hows = list(dict.fromkeys(how for _, how in kinds))
        how = hows[0] if len(hows) == 1 else "value"
        if restored == name and self._is_test(name):
            how, values = "branch", self._tests(items)
        return Value(name, restored, " or ".join(values), how, True, lines)

    def _tests(self, items: list[tuple[int, ast.expr]]) -> list[str]:
        """The tests whose truth is kept; of constants the name of the list says what they are."""
        found = []
        for _, item in items:
            bound = self.bindings.get(item.id, []) if isinstance(item, ast.Name) else []
            value = bound[-1][1] if bound else item
            if isinstance(value, ast.expr) and not isinstance(value, ast.Constant):
                found.append(ast.unparse(value))
        return list(dict.fromkeys(found)) or ["what follows ran"]

    def _of_expr(self, expr: ast.expr) -> tuple[str, str]:
        call = helper_call(expr)
        if call is not None and call[0] in ("form", "copy"):
            return ast.unparse(call[1]), call[0]
        return ast.unparse(expr), "value"

    def _resolved(self, name: str) -> tuple[str, str]:
        """What a variable is the value of, and how it is kept."""
        found = self.bindings.get(name, [])
        if not found:
            return name, "value"
        if name not in self.own and any(isinstance(one, ast.AugAssign) for _, one in found):
            return name, "count"
        value = found[-1][1]
        if isinstance(value, tuple):
            return _callee(value[1]), "callee"
        if not isinstance(value, ast.expr):
            return name, "value"
        text, how = self._of_expr(value)
        if how != "value":
            return text, how
        if isinstance(value, ast.Name):
            return value.id, "start" if self._is_start(name) else "value"
        return (text, "branch") if self._is_test(name) else (name, "value")

    def _is_test(self, name: str) -> bool:
        """Whether the backward pass reads a name as a test alone."""
        reads = self._reads(name, True)
        return bool(reads) and all(one.kind == "branch" for one in reads)

    def _is_start(self, name: str) -> bool:
        """Whether it is what a block begins with that runs again."""
        for node in ast.walk(ast.Module(self.second, [])):
            if isinstance(node, ast.Assign) and any(_is_read(one, name) for one in ast.walk(node.value)):
                return self._comment(node.lineno, 1)[0].startswith("Again: ")
        return False

    def _comment(self, line: int, step: int) -> tuple[str, int]:
        """The comment that follows a line, or is above it, and its line."""
        while 0 < line + step <= len(self._lines):
            line += step
            text = self._lines[line - 1].strip()
            if text.startswith("# "):
                return text.removeprefix("# "), line
        return "", line

    def _restored(self, name: str) -> str:
        """The variable that ``variable = name.pop()`` binds; itself where it is popped elsewhere."""
        for node in ast.walk(ast.Module(self.second, [])):
            if _pops(node, name) and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                return node.targets[0].id
        return name

    def reads_of(self, value: Value) -> list[Read]:
        """The readings of a value."""
        if value.variable == value.name:
            return self._reads(value.name, True)
        return self._reads(value.variable, False, value.name)

    def _reads(self, name: str, starts: bool, restored_from: str = "") -> list[Read]:
        """The readings that a value reaches: from the start, or from where it is restored."""
        reached = Reached(name, restored_from)
        reached.block(self.second, starts)
        found = []
        for part, kind in reached.found:
            line = part.lineno  # type: ignore[attr-defined]
            section, section_line = self._comment(line, -1)
            found.append(Read(line, section, section_line, _kind(part, name, kind), ast.unparse(part)))
        return found

    def bindings_of(self, value: Value) -> list[int]:
        """The lines of the forward pass that make a value; none of an argument."""
        if value.how == "argument":
            return []
        root = root_of(value)
        if root == value.name or value.how in ("count", "branch", "callee"):
            return list(value.lines)
        if root not in self.bindings:
            return [] if root in self.parameters else list(value.lines)
        return [
            line
            for line, _ in self.bindings[root]
            if any(line < kept or _is_looped(self.first, line, kept) for kept in value.lines)
        ]

    def loss_of(self, value: Value) -> int | None:
        """The line that overwrites the variable after it was kept, or writes into its array."""
        root = root_of(value)
        if value.how == "copy":
            return next(iter(writes_into(self.first, root)), None)
        if root == value.name or value.how not in ("value", "start", "form"):
            return None
        lines = [line for line, _ in self.bindings.get(root, [])]
        later = [line for line in lines if line > value.lines[-1]]
        looped = [line for line in lines if any(_is_looped(self.first, line, kept) for kept in value.lines)]
        return next(iter(later or looped), None)


def root_of(value: Value) -> str:
    """The variable of which a value is."""
    match = re.match(r"\w+", value.value)
    return match[0] if match else value.name


def _kind(part: ast.AST, name: str, kind: str) -> str:
    """How a piece of a statement reads a name: its value, or its class, shape and dtype alone."""
    names = {"zeros_like": "zeros", "as_gradient": "gradient"}
    helpers = [_helper_around(part, node) for node in ast.walk(part) if _is_read(node, name)]
    if helpers and all(one is not None for one in helpers):
        return names.get(helpers[0] or "", "form")
    return kind


def _helper_around(part: ast.AST, wanted: ast.AST) -> str | None:
    """The helper that reads of a name its class, shape and dtype alone."""
    for node in ast.walk(part):
        if isinstance(node, ast.Call):
            for position, one in enumerate(node.args):
                if one is wanted:
                    path = ast.unparse(node.func)
                    is_form = path == "tangent.as_gradient" or reads_form(path, position)
                    return path.removeprefix("tangent.") if is_form else None
    return None


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
        is_read = any(_is_read(node, self._name) for node in ast.walk(part)) or (
            isinstance(part, ast.AugAssign) and _stores(part.target) == {self._name}
        )
        if state and is_read and (part, kind) not in self.found:
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
            is_bound = isinstance(statement, ast.For) and self._name in _stores(statement.target)
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
        if self._list and _pops(statement, self._list):
            return True
        return state and self._name not in _stores(statement)


def _body(text: str) -> list[ast.stmt]:
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return definition.body


def _parameters(piece: Piece) -> tuple[str, ...]:
    code = piece.original.__code__
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return code.co_varnames[:count]


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


def _callee(call: object) -> str:
    return call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else "a call"


def _is_read(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _pops(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Assign) and ast.unparse(part.value) == f"{name}.pop()"


def bindings_in(body: list[ast.stmt]) -> dict[str, list[tuple[int, Any]]]:
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
    for node in _in_order(body):
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
    return {name: bound for name, bound in found.items() if name not in declared}


def _in_order(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of statements from the top; those of functions and comprehensions in them have scopes of their own."""
    for statement in body:
        yield from _within(statement)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _within(child)


def appended(body: list[ast.stmt], name: str) -> list[tuple[int, ast.expr]]:
    """Line and argument of each ``name.append(…)``, where the list begins empty here."""
    starts = [value for _, value in bindings_in(body).get(name, [])]
    if not any(isinstance(one, ast.List) and not one.elts for one in starts):
        return []
    return [
        (node.lineno, node.args[0])
        for node in _in_order(body)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == name
        and len(node.args) == 1
    ]


def writes_into(body: list[ast.stmt], name: str) -> Iterator[int]:
    """The lines that write into the object of a variable."""
    for node in _in_order(body):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.lineno
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            root: ast.AST = node
            while isinstance(root, (ast.Subscript, ast.Attribute)):
                root = root.value
            if isinstance(root, ast.Name) and root.id == name:
                yield node.lineno


def loops_around(body: list[ast.stmt], line: int) -> list[ast.For | ast.While]:
    """The loops whose bodies have a line, the outermost first."""
    return [
        node
        for node in _in_order(body)
        if isinstance(node, (ast.For, ast.While)) and node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)
    ]


def _is_looped(body: list[ast.stmt], line: int, kept: int) -> bool:
    """Whether a line runs again after another has, in a loop around both."""
    around = loops_around(body, kept)
    return any(one in around for one in loops_around(body, line))


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
        return _loads(statement)
    if isinstance(statement, ast.Break):
        return set(loops[-1][0]) if loops else live
    if isinstance(statement, ast.Continue):
        return set(loops[-1][1]) if loops else live
    if isinstance(statement, ast.If):
        then = live_before(statement.body, live, loops)
        return then | live_before(statement.orelse, live, loops) | _loads(statement.test)
    if isinstance(statement, (ast.For, ast.While)):
        head = statement.iter if isinstance(statement, ast.For) else statement.test
        bound = _stores(statement.target) if isinstance(statement, ast.For) else set()
        start = live | (set() if isinstance(statement, ast.For) else _loads(head))
        while True:
            new = start | (live_before(statement.body, start, [*loops, (live, start)]) - bound)
            if new == start:
                return start | _loads(head)
            start = new
    if isinstance(statement, ast.With):
        inner = live_before(statement.body, live, loops)
        for item in reversed(statement.items):
            inner = (inner - (_stores(item.optional_vars) if item.optional_vars else set())) | _loads(item.context_expr)
        return inner
    if isinstance(statement, ast.Try):
        last = live_before(statement.finalbody, live, loops)
        return live_before(statement.body, last, loops)
    return (live - _stores(statement)) | _loads(statement)


def _loads(node: ast.AST) -> set[str]:
    found = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    return found


def _stores(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
