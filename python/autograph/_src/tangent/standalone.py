"""Derivatives as files that need NumPy alone: with the helpers and the constants that they read."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import itertools
import math
import textwrap
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.tangent import runtime
from autograph._src.tangent.guard_errors import IN_A_FILE
from autograph.errors import ConversionError

if TYPE_CHECKING:
    from autograph._src.tangent.pieces import Derivative, Piece

_HELPERS = "autograph._src.tangent.helpers"
_CONSTANTS = (int, float, complex, str, bytes, bool, type(None))


def standalone_text(derivative: Derivative) -> str:
    """The text of a file with a derivative.

    Raises:
        ConversionError: It reads a variable of its module that is neither a constant nor a function.
    """
    known = {one.name for one in derivative.pieces}
    parts = Parts(known | _all_names(derivative))
    for piece in derivative.pieces:
        parts.add_piece(piece, known)
    return parts.text()


def _all_names(derivative: Derivative) -> set[str]:
    """The names that the pieces give to values: a variable ``copy`` is not the helper ``copy``."""
    trees = [ast.parse(piece.text) for piece in derivative.pieces]
    return set().union(*map(_bound, trees))


class Parts:
    """What a file is made of, in the order in which it was found.

    Objects of two modules may have one name, which a file has once: the second gets another.

    Args:
        taken: Names that no helper, constant or function of the file can have.
    """

    def __init__(self, taken: set[str]) -> None:
        self.imports: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        self.helpers: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.pieces: list[str] = []
        self._taken = taken
        self._owners: dict[str, object] = {}

    def text(self) -> str:
        """The file."""
        lines = [
            f"import {name}" if name == alias else f"import {name} as {alias}"
            for alias, name in self.imports.items()
        ]
        constants = [f"{name} = {value}" for name, value in self.constants.items()]
        blocks = [*self.helpers.values(), *self.functions.values(), *self.pieces]
        head = "\n".join(sorted(lines))
        middle = "\n".join(constants)
        return "\n\n\n".join(part.strip("\n") for part in (head, middle, *blocks) if part) + "\n"

    def add_piece(self, piece: Piece, known: set[str]) -> None:
        text = without_annotations(piece.text)
        tree = ast.parse(text)
        closure = inspect.getclosurevars(piece.original).nonlocals
        variables = {"np": np, "math": math, **piece.original.__globals__, **closure}
        names = {
            name: self._add(name, variables, piece.original)
            for name in sorted(_free(_Bare().visit(ast.parse(text))) - known)
        }
        helpers = {name: self._add_function(getattr(runtime, name), self.helpers) for name in _helpers(tree)}
        self.pieces.append(_renamed(text, names, helpers))

    def _name(self, wish: str, owner: object) -> str:
        """The name of an object in the file: its own, or one with a number."""
        names = itertools.chain([wish], (f"{wish}_{number}" for number in itertools.count(2)))
        for name in names:
            if name in self._owners and _is_one(self._owners[name], owner):
                return name
            if name not in self._owners and name not in self._taken:
                self._owners[name] = owner
                return name
        raise AssertionError("the numbers end")

    def _add(self, name: str, variables: Mapping[str, Any], where: FunctionType) -> str:
        """Adds what a name stands for; gives the name that it has in the file."""
        value = variables.get(name)
        if isinstance(value, ModuleType):
            own = self._name(name, value)
            self.imports[own] = value.__name__
        elif isinstance(value, _CONSTANTS):
            own = self._name(name, value)
            self.constants[own] = repr(value)
        elif isinstance(value, FunctionType):
            own = self._add_function(value, self.functions, name)
        else:
            raise ConversionError(
                f"`{where.__name__}` reads `{name}`, {with_article(type(value).__name__)} of its module,"
                " which a file of its own does not have",
                code="AG021",
                help=f"give `{name}` to the function as an argument",
            )
        return own

    def _add_function(self, function: FunctionType, found: dict[str, str], name: str | None = None) -> str:
        """Adds a function, after those that it calls."""
        wish = function.__name__ if name is None else name
        own = self._name(wish, function)
        if own in self.helpers or own in self.functions:
            return own
        found[own] = ""  # It may call itself.
        if function.__name__ == "<lambda>":
            raise ConversionError(
                f"`{wish}` is a lambda, which a file of its own does not have",
                code="AG021",
                help="write it with `def`",
            )
        text, free = _read_helper(function) if _is_helper(function) else _read(function)
        variables = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
        names = {inner: self._add_inner(inner, variables, function) for inner in free}
        del found[own]
        found[own] = _renamed(text, {**names, function.__name__: own}, {})
        return own

    def _add_inner(self, name: str, variables: Mapping[str, Any], where: FunctionType) -> str:
        value = variables.get(name)
        if isinstance(value, FunctionType) and value in IN_A_FILE:
            return self._add_function(IN_A_FILE[value], self.helpers, name)
        if isinstance(value, FunctionType) and _is_helper(value):
            return self._add_function(value, self.helpers)
        return self._add(name, variables, where)


@functools.lru_cache(maxsize=1024)
def without_annotations(text: str) -> str:
    """The text of functions without the types of their parameters and results, which files need not have."""
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    starts = list(itertools.accumulate(map(len, lines), initial=0))
    whole = b"".join(lines)
    cuts = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.arg) and node.annotation is not None:
            start = starts[node.lineno - 1] + node.col_offset + len(node.arg.encode())
            cuts.append((start, _end(node.annotation, starts)))
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            start = whole.rindex(b"->", 0, starts[node.returns.lineno - 1] + node.returns.col_offset)
            cuts.append((len(whole[:start].rstrip()), _end(node.returns, starts)))
    for start, end in sorted(cuts, reverse=True):
        whole = whole[:start] + whole[end:]
    return whole.decode()


def _end(node: ast.expr, starts: list[int]) -> int:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return starts[node.end_lineno - 1] + node.end_col_offset


def _is_helper(function: FunctionType) -> bool:
    return function.__module__.startswith(_HELPERS)


def _read(function: FunctionType) -> tuple[str, list[str]]:
    """The text of a function, and the names that it reads from outside."""
    text = without_annotations(textwrap.dedent(inspect.getsource(function)))
    return text, sorted(_free(ast.parse(text)))


_read_helper = functools.cache(_read)
"""The same of a helper, whose text does not change."""


def _is_one(left: object, right: object) -> bool:
    """Whether two objects may have one name in a file."""
    if isinstance(left, _CONSTANTS):
        return type(left) is type(right) and repr(left) == repr(right)
    return left is right


def _bound(tree: ast.AST) -> set[str]:
    """The names that a text gives to values."""
    bound = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
    return bound


def _free(tree: ast.AST) -> set[str]:
    """The names that a text reads, and that are from outside of it."""
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return {name for name in read - _bound(tree) if not hasattr(builtins, name)}


class _Bare(ast.NodeTransformer):
    """Leaves out ``tangent.name``, which becomes ``name``."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "tangent":
            return ast.copy_location(ast.Constant(None), node)
        self.generic_visit(node)
        return node


def _helpers(tree: ast.AST) -> list[str]:
    """The helpers that a text calls, in order."""
    found = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tangent"
    ]
    return list(dict.fromkeys(found))


def _renamed(text: str, names: Mapping[str, str], helpers: Mapping[str, str]) -> str:
    """The text with other names: ``unbroadcast(…)`` for ``tangent.unbroadcast(…)``, too."""
    if not helpers and all(old == new for old, new in names.items()):
        return text
    places = []
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "tangent"
        ):
            if node.attr in helpers:
                places.append((node.lineno, node.col_offset, f"tangent.{node.attr}", helpers[node.attr]))
        elif isinstance(node, ast.Name) and names.get(node.id, node.id) != node.id:
            places.append((node.lineno, node.col_offset, node.id, names[node.id]))
        elif isinstance(node, ast.FunctionDef) and names.get(node.name, node.name) != node.name:
            places.append((node.lineno, node.col_offset, f"def {node.name}", f"def {names[node.name]}"))
    lines = [line.encode() for line in text.split("\n")]
    for line, column, old, new in sorted(places, reverse=True):
        row = lines[line - 1]
        lines[line - 1] = row[:column] + new.encode() + row[column + len(old.encode()) :]
    return "\n".join(line.decode() for line in lines)
