"""Templates: Python text in which names are placeholders for symbols, expressions and statements.

>>> import ast
>>> from autograph.transformations import parse, templates, to_source
>>> loop = templates.replace(
...     '''
...     counter = 0
...     while test:
...         counter += 1
...         body
...     ''',
...     counter="rounds",                                 # a symbol
...     test=ast.parse("n > 1", mode="eval").body,        # an expression
...     body=parse("n = n // 2"),                         # statements
... )
>>> print(to_source(loop))
rounds = 0
while n > 1:
    rounds += 1
    n = n // 2

Names of the template without a replacement stay. A replacement is copied for each place. The copy keeps its
positions and gets the context of its place, so the same ``Name`` may stand left and right of ``=``. The
template's own nodes have no positions.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence
from typing import TypeAlias

from autograph._src.transformations.parsing import parse
from autograph._src.transformations.placeholders import Placeholders
from autograph._src.transformations.text_errors import TextError

Replacement: TypeAlias = str | ast.AST | Sequence[ast.AST]
"""The possible replacements: a symbol, a node, or several nodes."""


def replace(template: str, /, **replacements: Replacement) -> list[ast.stmt]:
    """The statements of a template, with its placeholders replaced.

    A placeholder is a name. What may replace it depends on its place:

    - An expression: a symbol, possibly dotted (``"np.exp"``), or an expression.
    - An item of a call, tuple, list, set, or of decorators, bases or targets: also several
      expressions; in a call also ``ast.keyword`` nodes.
    - A statement of its own: also one or several statements, or an empty list to remove it.
    - The name of a definition, attribute, keyword, import, handler, pattern or type parameter, or a name
      in ``global`` or ``nonlocal``: a symbol.
    - A parameter: a symbol, or one or several ``ast.arg`` nodes; for a single parameter also
      ``ast.arguments``.
    - A keyword ``name=…``: also several ``ast.keyword`` nodes, which replace it as a whole.

    Args:
        template: Python source, which may be indented as a whole.
        **replacements: The replacement for each name.

    Returns:
        The statements, new ones at each call.

    Raises:
        TextError: AG001 if the template does not parse; AG012 if it has no such name, or if a replacement
            does not fit its place.

    Example:
        >>> from autograph.transformations import templates, to_source
        >>> print(to_source(templates.replace("def f(args): return g(args)", f="both", args="x")))
        def both(x):
            return g(x)
    """
    text = textwrap.dedent(template)
    statements = parse(text)
    return Placeholders(text, replacements).fill(statements)


def replace_as_expression(template: str, /, **replacements: Replacement) -> ast.expr:
    """The expression of a template, with its placeholders replaced.

    Args:
        template: Python source of one expression.
        **replacements: The replacement for each name, as for :func:`replace`.

    Returns:
        The expression, a new one at each call.

    Raises:
        TextError: As :func:`replace`; AG012 also if the template is not one expression.

    Example:
        >>> import ast
        >>> from autograph.transformations import templates, to_source
        >>> to_source(templates.replace_as_expression("f(x, f)", f="g", x=ast.Constant(1)))
        'g(1, g)'
    """
    text = textwrap.dedent(template)
    statements = replace(text, **replacements)
    if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        lines = text.splitlines() or [""]
        position = (1, 0, 1, len(lines[0].encode()))
        raise TextError(
            "the template is not one expression",
            text,
            position,
            code="AG012",
            help="use `templates.replace` for statements",
        )
    return statements[0].value
