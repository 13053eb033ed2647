"""From trees to text: a readable dump, and Python source.

>>> import ast
>>> from autograph.transformations import pretty, to_source
>>> tree = ast.parse("x = y + 1").body[0]
>>> print(pretty(tree))
Assign
  targets:
    - Name id='x' ctx=Store
  value: BinOp
    left: Name id='y' ctx=Load
    op: Add
    right: Constant value=1

The text depends on the tree only.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence


def pretty(node: ast.AST | Sequence[ast.AST], /, *, positions: bool = False) -> str:
    """An indented dump of a tree: one node a line, without fields that are not set.

    Args:
        node: A node, or a sequence of nodes.
        positions: Whether to write lines and columns after each node, as ``@line:column-line:column``.

    Returns:
        The text, without a newline at its end.

    Example:
        >>> import ast
        >>> from autograph.transformations import pretty
        >>> print(pretty(ast.parse("f(x)", mode="eval").body, positions=True))
        Call @1:0-1:4
          func: Name @1:0-1:1 id='f' ctx=Load
          args:
            - Name @1:2-1:3 id='x' ctx=Load
    """
    nodes = [node] if isinstance(node, ast.AST) else list(node)
    return "\n".join(line for each in nodes for line in _lines(each, "", "", positions))


def to_source(node: ast.AST | Sequence[ast.AST], /) -> str:
    """Python text that parses to the same tree.

    ``ast.unparse`` writes it, because that knows every node of the running Python. Comments and layout
    are not part of a tree, so they are lost. Nodes need no positions.

    Args:
        node: A node, or the statements of a block.

    Returns:
        The text, without a newline at its end.

    Example:
        >>> from autograph.transformations import parse, to_source
        >>> to_source(parse("x = (1+2)   # three"))
        'x = 1 + 2'
    """
    nodes = [node] if isinstance(node, ast.AST) else list(node)
    # `ast.unparse` reads the line number of some nodes to write type comments; new nodes have none.
    located = (ast.fix_missing_locations(copy.deepcopy(each)) for each in nodes)
    return "\n".join(ast.unparse(each).lstrip("\n") for each in located)


def _lines(node: ast.AST, indent: str, before: str, positions: bool) -> Iterator[str]:
    simple, nested = [], []
    for name, value in ast.iter_fields(node):
        is_the_value_none = isinstance(node, ast.Constant) and name == "value"
        if (value is None and not is_the_value_none) or value == []:
            continue
        if isinstance(value, ast.expr_context):
            simple.append(f"{name}={type(value).__name__}")
        elif isinstance(value, (ast.AST, list)):
            nested.append((name, value))
        else:
            simple.append(f"{name}={value!r}")
    yield " ".join([f"{indent}{before}{type(node).__name__}", *_position(node, positions), *simple])
    inner = indent + "  " * (2 if before == "- " else 1)
    for name, value in nested:
        if isinstance(value, ast.AST):
            yield from _lines(value, inner, f"{name}: ", positions)
            continue
        yield f"{inner}{name}:"
        for item in value:
            if isinstance(item, ast.AST):
                yield from _lines(item, inner + "  ", "- ", positions)
            else:
                yield f"{inner}  - {item!r}"


def _position(node: ast.AST, is_wanted: bool) -> list[str]:
    line = getattr(node, "lineno", None)
    if not is_wanted or line is None:
        return []
    end = f"{getattr(node, 'end_lineno', None)}:{getattr(node, 'end_col_offset', None)}"
    return [f"@{line}:{getattr(node, 'col_offset', None)}-{end}"]
