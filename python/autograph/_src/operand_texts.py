"""The operands of an operation as the user wrote them, read from the source at its place.

x @ w               BinOp: `x`, `w`
x += y              AugAssign: `x`, `y`
np.dot(a, b=w)      Call of `dot`: `a`, and `w` for `b`
x.dot(w)            Call of `dot`: the receiver `x`, and `w`
"""

from __future__ import annotations

import ast
import linecache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from autograph.errors import Location

MOST_CHARACTERS = 40
"""The most characters of an operand's text; a longer one is cut."""


class Written(NamedTuple):
    """An operation in the user's source.

    Attributes:
        operation: The class of the operator's node, such as ``MatMult``, or the name of the function.
        operands: The texts of the operands, in their order; a tuple of texts for a list that is written out.
        named: The texts of the operands that are given by name.
        receiver: The text before the dot of a method or of a function of a module; ``None`` without a dot.
    """

    operation: str
    operands: tuple[str | tuple[str, ...], ...]
    named: dict[str, str]
    receiver: str | None = None


def written_at(location: Location) -> Written | None:
    """The operation whose source stands at a place.

    Args:
        location: The place.

    Returns:
        The operation; ``None`` if the source is gone, or is no operation whose operands have places.
    """
    text = _source_at(location)
    for source in (f"(\n{text}\n)", text):
        try:
            statement = ast.parse(source).body[0]
        except (SyntaxError, IndexError, ValueError):
            continue
        node = statement.value if isinstance(statement, ast.Expr) else statement
        return _written(node, source)
    return None


def _source_at(location: Location) -> str:
    """The text at a place; its columns count bytes."""
    lines = linecache.getlines(location.file)[location.line - 1 : location.end_line]
    if not lines:
        return ""
    encoded = [line.encode() for line in lines]
    encoded[-1] = encoded[-1][: location.end_column]
    encoded[0] = encoded[0][location.column :]
    return b"".join(encoded).decode(errors="replace")


def _written(node: ast.AST, source: str) -> Written | None:
    """The operation of a node, with the texts of its operands."""
    if isinstance(node, ast.BinOp):
        return Written(type(node.op).__name__, _texts([node.left, node.right], source), {})
    if isinstance(node, ast.AugAssign):
        return Written(type(node.op).__name__, _texts([node.target, node.value], source), {})
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return Written(type(node.ops[0]).__name__, _texts([node.left, *node.comparators], source), {})
    if not isinstance(node, ast.Call) or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    named = {one.arg: _text(one.value, source) for one in node.keywords if one.arg is not None}
    if isinstance(node.func, ast.Attribute):
        receiver = _text(node.func.value, source)
        return Written(node.func.attr, _texts(node.args, source), named, receiver)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    return Written(name, _texts(node.args, source), named)


def _texts(nodes: list[ast.expr], source: str) -> tuple[str | tuple[str, ...], ...]:
    """The text of each node; those of the elements for a list or tuple without stars."""
    found: list[str | tuple[str, ...]] = []
    for node in nodes:
        is_display = isinstance(node, (ast.List, ast.Tuple))
        elements = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
        if is_display and not any(isinstance(one, ast.Starred) for one in elements):
            found.append(tuple(_text(one, source) for one in elements))
        else:
            found.append(_text(node, source))
    return tuple(found)


def _text(node: ast.expr, source: str) -> str:
    """The text of a node on one line, cut if it is long."""
    text = " ".join((ast.get_source_segment(source, node) or ast.unparse(node)).split())
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
