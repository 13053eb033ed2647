"""Changes of a text: a call that leaves it, with the text of its argument left as it is."""

from __future__ import annotations

import ast
import bisect
import itertools
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_ATOMS = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Tuple, ast.List)


@dataclass(frozen=True)
class Edit:
    """What stands for a node: parts of its text, and text between them.

    Attributes:
        parts: Text, or a node whose text stays. None for a statement that goes.
        saved: How many calls the text has less.
    """

    node: ast.expr | ast.stmt
    parts: tuple[str | ast.expr, ...] | None
    saved: int = 1


def argument(node: ast.expr) -> tuple[str | ast.expr, ...]:
    """An expression as an operand: with parentheses, where it is more than a name or a call."""
    return (node,) if _is_atom(node) else ("(", node, ")")


def operand_of_sum(node: ast.expr) -> tuple[str | ast.expr, ...]:
    """The same, in a sum: products need no parentheses."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.MatMult, ast.Pow)):
        return (node,)
    return argument(node)


def is_dropped_freely(node: ast.expr) -> bool:
    """Whether nothing happens where an expression is not evaluated: its variables are known to be bound."""
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, (ast.UnaryOp, ast.Tuple)):  # `-1`, `(0, 1)`
        return all(isinstance(one, ast.Constant) for one in _operands(node))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        # `np.shape(x)`
        func = node.func
        is_shape = isinstance(func.value, ast.Name) and (func.value.id, func.attr) == ("np", "shape")
        return is_shape and all(isinstance(one, ast.Name) for one in node.args)
    return False


def _operands(node: ast.UnaryOp | ast.Tuple) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node.operand]


def _is_atom(node: ast.expr) -> bool:
    return isinstance(node, _ATOMS) or (isinstance(node, ast.Constant) and isinstance(node.value, float))


def edited(text: str, edits: Sequence[Edit], parents: Mapping[ast.AST, ast.AST]) -> tuple[str, list[int]]:
    """The text with changes; the lines that it has no more, from 0.

    Args:
        text: The text of the nodes.
        edits: The changes; one in a part of the text that another drops is none.
        parents: What each node stands in.
    """
    whole = text.encode()
    starts = [0, *itertools.accumulate(len(line) for line in whole.splitlines(keepends=True))]
    by_node: dict[ast.AST, Edit] = {edit.node: edit for edit in edits}
    cuts_of = [(edit, _cuts(edit, whole, starts, by_node, parents)) for edit in edits]
    gone = _largest(cut[:2] for _, cuts in cuts_of for cut in cuts if cut[0] < cut[1])
    stay = [
        cuts for edit, cuts in cuts_of if edit.parts is None or not _is_in(_span(edit.node, starts), gone)
    ]
    made, place = bytearray(), 0
    for start, end, new in sorted(itertools.chain(*stay)):
        made += whole[place:start] + new
        place = end
    lines = [range(edit.node.lineno - 1, edit.node.end_lineno or 0) for edit in edits if edit.parts is None]
    return (made + whole[place:]).decode(), sorted(itertools.chain(*lines))


Cut = tuple[int, int, bytes]
"""Start and end of what goes, and what comes in its place."""


def _cuts(
    edit: Edit,
    whole: bytes,
    starts: Sequence[int],
    edits: Mapping[ast.AST, Edit],
    parents: Mapping[ast.AST, ast.AST],
) -> list[Cut]:
    start, end = _span(edit.node, starts)
    if edit.parts is None:
        return [(starts[edit.node.lineno - 1], starts[edit.node.end_lineno or edit.node.lineno], b"")]
    parts = edit.parts
    # Its own parentheses: `(a if b else c) * d`.
    has_own = isinstance(parents.get(edit.node), (ast.BinOp, ast.UnaryOp))
    has_own = has_own and whole[start - 1 : start] == b"(" and whole[end : end + 1] == b")"
    if _is_closed(parts) and has_own:
        start, end = start - 1, end + 1
    elif not (_is_closed(parts) or has_own or _stands_alone(edit.node, edits, parents)):
        parts = ("(", *parts, ")")
    cuts = []
    words = ""
    for part in parts:
        if isinstance(part, str):
            words += part
            continue
        first, last = _span(part, starts)
        cuts.append((start, first, words.encode()))
        words, start = "", last
    return [*cuts, (start, end, words.encode())]


def _largest(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that are in no other one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda one: (one[0], -one[1])):
        if not found or end > found[-1][1]:
            found.append((start, end))
    return found


def _is_in(span: tuple[int, int], gone: Sequence[tuple[int, int]]) -> bool:
    """Whether a node is in what goes, and is not what goes itself."""
    place = bisect.bisect_right(gone, (span[0], sys.maxsize)) - 1
    return place >= 0 and span[1] <= gone[place][1] and span != gone[place]


def _span(node: ast.expr | ast.stmt, starts: Sequence[int]) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _stands_alone(node: ast.AST, edits: Mapping[ast.AST, Edit], parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether an expression needs no parentheses in its place, whatever it is."""
    parent = parents.get(node)
    outer = None if parent is None else edits.get(parent)
    if outer is not None and outer.parts is not None and node in outer.parts:
        place = outer.parts.index(node)
        if len(outer.parts) == 1:
            return _stands_alone(outer.node, edits, parents)
        before, after = outer.parts[max(place - 1, 0)], outer.parts[min(place + 1, len(outer.parts) - 1)]
        opens = isinstance(before, str) and before.endswith(("(", ", "))
        return opens and isinstance(after, str) and after.startswith((")", ", "))
    if isinstance(parent, ast.Call):
        return node is not parent.func
    return isinstance(parent, (ast.Assign, ast.Return, ast.AugAssign, ast.Expr, ast.Tuple))


def _is_closed(parts: Sequence[str | ast.expr]) -> bool:
    """Whether what stands for a node is a call, or a name."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return isinstance(first, str) or _is_atom(first)
    opens = isinstance(first, str) and "(" in first[1:]
    return isinstance(last, str) and last.endswith(")") and (opens or last.startswith("."))
