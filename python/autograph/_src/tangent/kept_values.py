"""What of the forward pass the backward pass reads: the names that are live between the two."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph._src.tangent.objects import reads_form
from autograph._src.tangent.text_flow import (
    Reached,
    appended,
    bindings_in,
    helper_call,
    in_order,
    is_looped,
    is_read,
    live_before,
    pops,
    writes_into,
)

if TYPE_CHECKING:
    from autograph._src.tangent.pieces import Piece


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
        self,
        first: list[ast.stmt],
        second: list[ast.stmt],
        piece: Piece,
        lines: list[str],
        given: dict[str, str] | None,
    ) -> None:
        self.nodes = list(in_order(first))
        self.second = second
        self.parameters = _parameters(piece)
        self.own = frozenset(piece.original.__code__.co_varnames + piece.original.__code__.co_cellvars)
        self._lines = lines
        self._given = given or {}
        self.bindings = bindings_in(self.nodes, with_globals=given is not None)
        self._values: list[Value] | None = None

    @classmethod
    def of_one(cls, piece: Piece) -> Keeping:
        """The two passes of one function."""
        body = _body(piece.text)
        first = [one for one in body if one.lineno < piece.backward]
        return cls(first, body[len(first) :], piece, piece.text.splitlines(), None)

    @classmethod
    def of_halves(cls, piece: Piece, following: Piece) -> Keeping:
        """The passes of two functions; the backward one begins with what it is given."""
        first, second = _body(piece.text), _body(following.text)
        last = first[-1].value if isinstance(first[-1], ast.Return) else None
        saved = last.elts[1] if isinstance(last, ast.Tuple) else None
        target = second[0].targets[0] if isinstance(second[0], ast.Assign) else None
        given: dict[str, str] = {}
        if isinstance(saved, ast.Tuple) and saved.elts and isinstance(target, ast.Tuple):
            names = map(ast.unparse, saved.elts)
            given = dict(zip(names, map(ast.unparse, target.elts), strict=True))
            second = second[1:]
        return cls(first[:-1], second, piece, following.text.splitlines(), given)

    def values(self) -> list[Value]:
        """What is kept: arguments, then the others in the order of the text."""
        if self._values is None:
            self._values = self._found()
        return self._values

    def _found(self) -> list[Value]:
        live = live_before(self.second, set(), [])
        arguments = [
            name for name in self.parameters if self._second(name) in live and name not in self.bindings
        ]
        made = [name for name in self.bindings if self._second(name) in live]
        return [Value(name, self._second(name), name, "argument", False, ()) for name in arguments] + [
            self._value(name) for name in made
        ]

    def _second(self, name: str) -> str:
        """What the backward pass calls a name of the forward pass."""
        return self._given.get(name, name)

    def _value(self, name: str) -> Value:
        items = [] if name in self.own else appended(self.nodes, self.bindings, name)
        if not items:
            value, how = self._resolved(name)
            return Value(
                name, self._second(name), value, how, False, tuple(line for line, _ in self.bindings[name])
            )
        lines = tuple(line for line, _ in items)
        restored = self._restored(self._second(name))
        kinds = [
            self._resolved(one.id) if isinstance(one, ast.Name) else self._of_expr(one) for _, one in items
        ]
        values = list(dict.fromkeys(value for value, _ in kinds))
        if self._is_start(name):
            return Value(name, restored, values[0], "start", True, lines)
        hows = list(dict.fromkeys(how for _, how in kinds))
        how = hows[0] if len(hows) == 1 else "value"
        if restored == self._second(name) and self._is_test(name):
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
        reads = self._reads(self._second(name), True)
        return bool(reads) and all(one.kind == "branch" for one in reads)

    def _is_start(self, name: str) -> bool:
        """Whether it is what a block begins with that runs again."""
        second = self._second(name)
        for node in ast.walk(ast.Module(self.second, [])):
            if isinstance(node, ast.Assign) and any(is_read(one, second) for one in ast.walk(node.value)):
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
            if pops(node, name) and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                return node.targets[0].id
        return name

    def reads_of(self, value: Value) -> list[Read]:
        """The readings of a value."""
        if value.variable == self._second(value.name):
            return self._reads(value.variable, True)
        return self._reads(value.variable, False, self._second(value.name))

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
            if any(line < kept or is_looped(self.nodes, line, kept) for kept in value.lines)
        ]

    def loss_of(self, value: Value) -> int | None:
        """The line that overwrites the variable after it was kept, or writes into its array."""
        root = root_of(value)
        if value.how == "copy":
            return self._first_after(list(writes_into(self.nodes, root)), value.lines)
        if root == value.name or value.how not in ("value", "start", "form"):
            return None
        return self._first_after([line for line, _ in self.bindings.get(root, [])], value.lines)

    def _first_after(self, lines: list[int], kept: tuple[int, ...]) -> int | None:
        """The first of some lines that runs after a value was kept: below it, or in the next iteration."""
        later = [line for line in lines if line > kept[-1]]
        looped = [line for line in lines if any(is_looped(self.nodes, line, one) for one in kept)]
        return next(iter(later or looped), None)


def root_of(value: Value) -> str:
    """The variable of which a value is."""
    match = re.match(r"\w+", value.value)
    return match[0] if match else value.name


def _kind(part: ast.AST, name: str, kind: str) -> str:
    """How a piece of a statement reads a name: its value, or its class, shape and dtype alone."""
    names = {"zeros_like": "zeros", "as_gradient": "gradient"}
    helpers = [_helper_around(part, node) for node in ast.walk(part) if is_read(node, name)]
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


def _body(text: str) -> list[ast.stmt]:
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return definition.body


def _parameters(piece: Piece) -> tuple[str, ...]:
    """The parameters of the original, and those for what it reads from around."""
    if not piece.backward:
        given = ast.parse(piece.text).body[0]
        assert isinstance(given, ast.FunctionDef)
        return tuple(node.arg for node in ast.walk(given.args) if isinstance(node, ast.arg))
    code = piece.original.__code__
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return code.co_varnames[:count]


def _callee(call: object) -> str:
    return call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else "a call"
