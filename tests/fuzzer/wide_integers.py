"""Whether a program in plain Python computes an int beyond 64 bits, which is all a staged one has.

    b += b + b        # 40 times: CPython goes on, and a graph fails with AG203

The program runs with every operation and call handed to a function that looks at its result.
"""

from __future__ import annotations

import ast
import contextlib
import io
from typing import Any

import numpy as np

LOOK = "_look"


class _Watched(ast.NodeTransformer):
    """``a + f(b)`` as ``_look(a + _look(f(b)))``, and ``a += b`` with ``_look(a)`` after it."""

    def _looked_at(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        looked = ast.Call(ast.Name(LOOK, ast.Load()), [node], [])
        return ast.copy_location(looked, node)

    visit_BinOp = visit_UnaryOp = visit_Call = _looked_at

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """The sum is looked at after it is stored."""
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return [node]
        target = ast.Name(node.target.id, ast.Load())
        look = ast.Expr(ast.Call(ast.Name(LOOK, ast.Load()), [target], []))
        return [node, ast.copy_location(look, node)]


def leaves_64_bits(text: str, arguments: tuple[Any, ...]) -> bool:
    """Whether the program's `f` computes such an int on its way."""
    is_wide = False

    def look(value: Any) -> Any:
        nonlocal is_wide
        is_wide = is_wide or (type(value) is int and not -(2**63) <= value < 2**63)
        return value

    tree = ast.fix_missing_locations(_Watched().visit(ast.parse(text)))
    scope: dict[str, Any] = {"np": np, "__name__": "program", LOOK: look}
    exec(compile(tree, "<watched>", "exec"), scope)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        scope["f"](*arguments)
    return is_wide
