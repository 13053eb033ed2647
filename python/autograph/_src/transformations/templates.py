"""Quote and unquote: Python text with names that stand for symbols, expressions, statements.

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

Every name of the template that is not replaced stays. What is put in is copied each time, keeps its
positions, and gets the context of its place: the same ``Name`` may stand left and right of ``=``.
Nodes of the template itself have no positions.
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
"""What may be put in: a symbol, a node, or several."""


def replace(template: str, /, **replacements: Replacement) -> list[ast.stmt]:
    """The statements of a template, with its placeholders replaced.

    A placeholder is a name; what may replace it depends on where it stands:

    - an expression: a symbol, possibly dotted (``"np.exp"``), or an expression;
    - an item of a call, tuple, list, set, or of decorators, bases, targets: also several
      expressions; of a call also ``ast.keyword`` nodes;
    - a statement of its own: also a statement or several, none to leave it out;
    - the name of a definition, attribute, keyword, import, handler, pattern or type parameter, or of
      a ``global`` or ``nonlocal``: a symbol;
    - a parameter: a symbol, an ``ast.arg`` or several; one that stands alone, also ``ast.arguments``;
    - a keyword ``name=…``: also several ``ast.keyword`` nodes, which replace it as a whole.

    Args:
        template: Python source, which may be indented as a whole.
        **replacements: What to put in for each name.

    Returns:
        The statements, new ones at each call.

    Raises:
        ConversionError: AG001 if the template does not parse; AG012 if it has no such name, or what
            is to be put in does not fit the place.

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
        **replacements: What to put in for each name, as for :func:`replace`.

    Returns:
        The expression, a new one at each call.

    Raises:
        ConversionError: As :func:`replace`; AG012 also if the template is not one expression.

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
