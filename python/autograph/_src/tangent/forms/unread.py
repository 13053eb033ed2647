"""What a text keeps for helpers that have left it: forms of values, in lists that nothing reads any more.

::

    y_form = tangent.form(y)                    # all of these go, if what is taken
    y_form_values.append(y_form)                # from the list is not read
    ...
    y_form = y_form_values.pop()
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from autograph._src.tangent.forms.edits import Edit


@dataclass
class _Uses:
    """Where a name is: in statements that may go, and how often elsewhere."""

    statements: list[ast.stmt] = field(default_factory=list)
    lists: set[str] = field(default_factory=set)
    others: int = 0


def unread(
    tree: ast.FunctionDef, edits: Mapping[ast.AST, Edit], parents: Mapping[ast.AST, ast.AST]
) -> list[Edit]:
    """The statements of a function that keep what nothing reads, to be left out."""
    uses: dict[str, _Uses] = defaultdict(_Uses)
    others = []
    for stmt in _statements(tree):
        found = _keeps(stmt)
        if found is None:
            others.append(stmt)
            continue
        name, held = found
        for one in (name, held):
            if one is not None:
                uses[one].statements.append(stmt)
        if name is not None and held is not None:
            uses[name].lists.add(held)
            uses[held].lists.add(name)
    if uses:
        for stmt in others:
            for one in _names_in(stmt, edits):
                uses[one].others += 1
        for argument in ast.walk(tree.args):
            if isinstance(argument, ast.arg):
                uses[argument.arg].others += 1
    gone = _unread_names(uses)
    every = {stmt for name in gone for stmt in uses[name].statements}
    every.update(stmt for stmt in _statements(tree) if _is_itself(stmt, edits))
    if any(every.issuperset(_block_of(stmt, parents)) for stmt in every):
        return []  # A block has to have a statement.
    return [Edit(stmt, None) for stmt in sorted(every, key=lambda one: one.lineno)]


def _is_itself(stmt: ast.stmt, edits: Mapping[ast.AST, Edit]) -> bool:
    """Whether it is `bx = bx`, once it has changed."""
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1:
        return False
    target, value = stmt.targets[0], stmt.value
    while (edit := edits.get(value)) is not None and edit.parts is not None and len(edit.parts) == 1:
        (only,) = edit.parts
        if isinstance(only, str):
            return False
        value = only
    if value is stmt.value or not (isinstance(value, ast.Name) and isinstance(target, ast.Name)):
        return False
    return value.id == target.id


def _unread_names(uses: Mapping[str, _Uses]) -> set[str]:
    """The names and lists that are read for each other only."""
    gone = {name for name, one in uses.items() if not one.others and one.statements and one.lists}
    while True:
        read = {name for name in gone if not uses[name].lists <= gone}
        if not read:
            return gone
        gone -= read


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a function, those in blocks after the one that they are in."""
    for name in ("body", "orelse", "finalbody"):
        for stmt in getattr(node, name, ()):
            if isinstance(stmt, ast.stmt):
                yield stmt
                yield from _statements(stmt)


def _keeps(stmt: ast.stmt) -> tuple[str | None, str | None] | None:
    """The name and the list of a statement that keeps a form, or takes it again."""
    value = stmt.value if isinstance(stmt, (ast.Assign, ast.Expr)) else None
    if isinstance(stmt, ast.Assign):
        if len(stmt.targets) != 1 or not isinstance(stmt.targets[0], ast.Name):
            return None
        name = stmt.targets[0].id
        if isinstance(value, ast.List) and not value.elts:
            return None, name
        if isinstance(value, ast.Call) and not value.keywords:
            if ast.unparse(value.func) == "tangent.form" and isinstance(value.args[0], ast.Name):
                return name, None
            held = _list_of(value, "pop", 0)
            return None if held is None else (name, held)
    elif isinstance(value, ast.Call) and (held := _list_of(value, "append", 1)) is not None:
        (item,) = value.args
        return (item.id, held) if isinstance(item, ast.Name) else None
    return None


def _list_of(call: ast.Call, method: str, count: int) -> str | None:
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == method and isinstance(func.value, ast.Name):
        return func.value.id if len(call.args) == count and not call.keywords else None
    return None


def _names_in(stmt: ast.stmt, edits: Mapping[ast.AST, Edit]) -> Iterator[str]:
    """The names in a statement, those of blocks in it left out, once it has changed."""
    waiting: list[ast.AST | str] = [stmt]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield from re.findall(r"[^\W\d]\w*", node)
            continue
        edit = edits.get(node)
        if edit is not None:
            waiting += edit.parts or ()
            continue
        if isinstance(node, ast.Name):
            yield node.id
        waiting += [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.stmt)]


def _block_of(stmt: ast.stmt, parents: Mapping[ast.AST, ast.AST]) -> list[ast.stmt]:
    """The statements beside one."""
    parent = parents[stmt]
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, ())
        if isinstance(block, list) and stmt in block:
            return block
    return []
