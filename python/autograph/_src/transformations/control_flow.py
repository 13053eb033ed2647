"""The control-flow graph of a function, to read or to draw.

>>> from autograph.transformations import analyse
>>> def sign(x):
...     if x < 0:
...         return -1
...     return 1
>>> for node in analyse(sign).cfg.nodes:
...     print(node.number, node.text, *node.successors)
0 end
1 start 2
2 if x < 0: 3 (true) 5 (false)
3 return -1 0
5 return 1 0
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from autograph._src.transformations.facts import Facts


@dataclass(frozen=True)
class Successor:
    """An edge from a node of the control-flow graph.

    Attributes:
        number: The number of the node that the edge leads to.
        label: ``"true"`` or ``"false"`` after a test, ``"exception"``, or ``None``.

    Example:
        >>> from autograph.transformations import Successor
        >>> str(Successor(3, "true"))
        '3 (true)'
    """

    number: int
    label: str | None

    def __str__(self) -> str:
        return f"{self.number}" if self.label is None else f"{self.number} ({self.label})"


@dataclass(frozen=True)
class Node:
    """A node of the control-flow graph: a simple statement, or a part of a compound one, such as its test.

    Attributes:
        number: The node's number, which the drawing shows as ``n2``.
        text: The first line of the node's source; ``start``, ``end``, or empty for a node without source.
        statement: The statement that the node belongs to, or ``None``.
        successors: The outgoing edges.
        facts: The names that the node reads and modifies, and what holds before and after it.

    Example:
        >>> from autograph.transformations import analyse
        >>> node = analyse(lambda x: x + 1).cfg.nodes[-1]
        >>> node.text, node.facts.reads
        ('x + 1', ('x',))
    """

    number: int
    text: str
    statement: ast.stmt | ast.Lambda | None = field(repr=False)
    successors: tuple[Successor, ...]
    facts: Facts = field(repr=False)


@dataclass(frozen=True)
class ControlFlowGraph:
    """The control-flow graph of a function, with edges for exceptions that the function catches.

    A ``finally`` block appears twice: once for normal control flow, once for exceptions and jumps.

    Attributes:
        nodes: The nodes in the order of their numbers, which may have gaps.

    Example:
        >>> from autograph.transformations import analyse
        >>> [node.text for node in analyse(lambda x: x + 1).cfg.nodes]
        ['end', 'start', 'x + 1']
    """

    nodes: tuple[Node, ...]
    _drawing: str = field(repr=False)

    def mermaid(self) -> str:
        """The graph as the text of a Mermaid flowchart.

        Returns:
            The text, which depends on the function's source only.

        Example:
            >>> from autograph.transformations import analyse
            >>> print(analyse(lambda x: x + 1).cfg.mermaid(), end="")
            flowchart TD
                n0(["end"])
                n1(["start"])
                n2["x + 1"]
                n1 --> n2
                n2 --> n0
        """
        return self._drawing
