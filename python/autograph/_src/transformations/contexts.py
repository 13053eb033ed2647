"""Setting whether an expression is read, assigned or deleted.

.. code-block:: python

    a, b[i], *c    # as a target: a, b[i], c are stored, b and i are still read
"""

from __future__ import annotations

import ast

ASSIGNABLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Starred, ast.Tuple, ast.List)
"""The expressions that have a context."""


def with_context(node: ast.expr, context: ast.expr_context) -> ast.expr:
    """Sets the context of an expression and of the parts that share it; returns the expression."""
    if isinstance(node, ASSIGNABLE):
        node.ctx = type(context)()
    if isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            with_context(element, context)
    elif isinstance(node, ast.Starred):
        with_context(node.value, context)
    return node
