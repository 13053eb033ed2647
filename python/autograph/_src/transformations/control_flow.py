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
    """A way on from a node.

    Attributes:
        number: The node it leads to.
        label: ``"true"`` or ``"false"`` for what a test says, ``"exception"``, or ``None``.
    """

    number: int
    label: str | None

    def __str__(self) -> str:
        return f"{self.number}" if self.label is None else f"{self.number} ({self.label})"


@dataclass(frozen=True)
class Node:
    """A simple statement, or a part of a compound one, such as its test.

    Attributes:
        number: Its number in the drawing: ``n2`` there is 2.
        text: The first line of its source; ``start``, ``end``, or nothing where ways meet and part.
        statement: The statement it belongs to, or ``None``.
        successors: The ways on.
        facts: What it does, and what holds around it.
    """

    number: int
    text: str
    statement: ast.stmt | ast.Lambda | None = field(repr=False)
    successors: tuple[Successor, ...]
    facts: Facts = field(repr=False)


@dataclass(frozen=True)
class ControlFlowGraph:
    """The control flow of a function, with the ways of exceptions that are caught in it.

    A ``finally`` block stands in it twice: for the way on, and for exceptions and jumps.

    Attributes:
        nodes: The nodes by number, which may have gaps.
    """

    nodes: tuple[Node, ...]
    _drawing: str = field(repr=False)

    def mermaid(self) -> str:
        """The graph as the text of a Mermaid flowchart.

        Returns:
            The text, which depends on nothing but the source.

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
