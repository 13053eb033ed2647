"""The analyses of a function as Python objects: control flow, live names, activity, definitions, scope.

>>> from autograph.transformations import analyse
>>> def halve(n, limit):
...     rounds = 0
...     while n > limit:
...         n = n // 2
...         rounds += 1
...     return rounds
>>> loop = analyse(halve)[3]
>>> loop.reads, loop.modifies
(('limit', 'n', 'rounds'), ('n', 'rounds'))
>>> loop.live_in, loop.live_out
(('limit', 'n', 'rounds'), ('rounds',))

Conversion uses the same analyses. Names are sorted tuples, so output is the same in every run. Facts are
conservative: a name that is not live is certainly not read later, but a live name may not be read; a name
that may be unbound may turn out to be bound.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from autograph import _core
from autograph._src.entities import plain_function
from autograph._src.source import Position, diagnostic_error, function_query, source_of
from autograph._src.transformations.control_flow import ControlFlowGraph, Node, Successor
from autograph._src.transformations.facts import Facts, Scope, scope_of
from autograph._src.transformations.parsing import FunctionNode, parse_entity
from autograph._src.transformations.printing import to_source

Place: TypeAlias = ast.stmt | ast.Lambda
"""The nodes that have facts: a statement, or a lambda with its body."""


@dataclass(frozen=True)
class Analysis:
    """The analyses of one function; ``analysis[statement]`` and ``analysis[line]`` are :class:`Facts`.

    Attributes:
        node: The function's tree.
        cfg: Its control-flow graph.
        scope: Which scopes its names belong to.
        statements: Its statements in the order of the source, without those of nested functions and
            classes; for a lambda, the lambda itself.

    Example:
        >>> from autograph.transformations import analyse
        >>> analysis = analyse(lambda x: x + offset)
        >>> analysis[analysis.statements[0]].reads
        ('offset', 'x')
    """

    node: FunctionNode = field(repr=False)
    cfg: ControlFlowGraph
    scope: Scope
    statements: tuple[Place, ...] = field(repr=False)
    _facts: tuple[Facts, ...] = field(repr=False)

    def __getitem__(self, place: Place | int) -> Facts:
        """The facts of a statement.

        Args:
            place: A statement of ``node``, or of another tree of the same source; or a line number, for
                the first statement that starts on that line.

        Returns:
            The names that the statement reads and modifies, and what holds before and after it.

        Raises:
            KeyError: If the place is not a statement of the function.
        """
        for statement, facts in zip(self.statements, self._facts, strict=True):
            if statement is place:
                return facts
        for statement, facts in zip(self.statements, self._facts, strict=True):
            if isinstance(place, int):
                if statement.lineno == place:
                    return facts
            elif type(statement) is type(place) and _position(statement) == _position(place) is not None:
                return facts
        what = f"line {place}" if isinstance(place, int) else f"this `{type(place).__name__}`"
        raise KeyError(f"no statement of the function is at {what}")


def analyse(function: Callable[..., Any] | FunctionNode, /) -> Analysis:
    """Analyse a function.

    Args:
        function: A function as for :func:`parse_entity`; or the tree of a definition, in its present
            state. A tree does not show its surroundings: names of enclosing functions count as globals,
            and private names are not mangled.

    Returns:
        The analyses. Line numbers are those of the user's file; for a tree, those of its nodes.

    Raises:
        ConversionError: As :func:`parse_entity`; for a tree, AG001 if it is not valid Python.

    Example:
        >>> from autograph.transformations import analyse
        >>> def first(items, default):
        ...     for item in items:
        ...         return item
        ...     return default
        >>> print(analyse(first).cfg.mermaid(), end="")
        flowchart TD
            n0(["end"])
            n1(["start"])
            n2["items"]
            n3{"for item in items:"}
            n4["item"]
            n5["return item"]
            n7["return default"]
            n1 --> n2
            n2 --> n3
            n3 -->|true| n4
            n3 -->|false| n7
            n4 --> n5
            n5 --> n0
            n7 --> n0
    """
    if isinstance(function, FunctionNode):
        return _analyse_tree(function)
    plain = plain_function(function)
    source = source_of(plain)
    node, _ = parse_entity(plain)
    try:
        found = _core.analyse_function(source.parsed, *function_query(plain))
    except _core.DiagnosticError as error:
        raise diagnostic_error(error, source.file, plain.__name__) from None
    return _analysis(node, found)


def _analyse_tree(node: FunctionNode) -> Analysis:
    """Analyses a tree through its text: the statements of both come in the same order."""
    text = to_source(node) + "\n"
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    parameters = [parameter.arg for parameter in every if parameter is not None]
    try:
        found = _core.analyse_function(_core.parse(text), name, name, 1, None, parameters)
    except _core.DiagnosticError as error:
        raise diagnostic_error(error, "<tree>", name) from None
    return _analysis(node, found)


def _analysis(node: FunctionNode, found: _core.FunctionAnalysis) -> Analysis:
    statements: tuple[Place, ...]
    statements = (node,) if isinstance(node, ast.Lambda) else tuple(_statements_of(node.body))
    by_position: dict[Position, Place] = {
        position: statement for (position, _), statement in zip(found.statements, statements, strict=True)
    }

    def facts(lists: _core.FactLists) -> Facts:
        (reads, modifies, live_in, live_out, unbound), definitions = lists
        reaching: dict[str, list[Place]] = {}
        for name, position in definitions:
            reaching.setdefault(name, []).append(node if position is None else by_position[position])
        return Facts(
            reads=tuple(sorted(reads)),
            modifies=tuple(sorted(modifies)),
            live_in=tuple(live_in),
            live_out=tuple(live_out),
            may_be_unbound=tuple(unbound),
            definitions_reaching=MappingProxyType({name: tuple(found) for name, found in reaching.items()}),
        )

    nodes = tuple(
        Node(
            number=number,
            text=text,
            statement=None if position is None else by_position[position],
            successors=tuple(Successor(to, why) for to, why in successors),
            facts=facts(lists),
        )
        for number, text, position, successors, lists in found.nodes
    )
    cfg = ControlFlowGraph(nodes, found.drawing)
    return Analysis(
        node, cfg, scope_of(found.names), statements, tuple(facts(lists) for _, lists in found.statements)
    )


def _statements_of(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a function in the order of the source, without those of nested scopes."""
    for statement in body:
        yield statement
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _statements_inside(statement)


def _statements_inside(node: ast.AST) -> Iterator[ast.stmt]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield from _statements_of(value)
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, (ast.ExceptHandler, ast.match_case)):
                    yield from _statements_inside(part)


def _position(node: ast.AST) -> tuple[Any, ...] | None:
    names = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    found = tuple(getattr(node, name, None) for name in names)
    return None if None in found else found
