"""A graph is walked: what functions, blocks, nodes and values say is what the text says, and is enough.

Every graph of the programs of `tests/run` is walked: values are bound before they are used, blocks are
entered and left with the types that their nodes say, and the text is made again of what was walked alone.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import _core
from autograph._core import Graph, GraphBlock, GraphFunction, GraphNode, GraphSpan, GraphValue
from programs import FOLDER, cases, load, run

PROGRAMS = sorted({case.file for case in cases()})
IN_TYPE = {"dtype", "results", "element", "value", "shape"}
"""Attributes that the text has in the type of the result, or nowhere else."""


def graphs_of(program: str) -> Iterator[Graph]:
    """The graphs of all calls of a program, as they are recorded and as they are run."""
    for case in cases():
        if case.file != program:
            continue
        staged: list[Any] = []

        def wrap(function: Any, staged: list[Any] = staged) -> Any:
            staged.append(ag.function(function))
            return staged[-1]

        with contextlib.suppress(Exception):  # What a program raises, other tests look at.
            run(load(case.file), case.call, wrap)
        for concrete in (one for function in staged for one in function.concrete_functions()):
            yield concrete.graph
            yield concrete.graph.optimised()


def bound(values: list[GraphValue]) -> str:
    return ", ".join(map(repr, values))


def used(values: list[GraphValue]) -> str:
    return "".join(
        ", " * bool(place) + repr(value).removesuffix(f": {value.type}") for place, value in enumerate(values)
    )


def word(name: str) -> str:
    is_plain = name and all(one.isalnum() or one in "_./<>$" for one in name)
    return name if is_plain else json.dumps(name, ensure_ascii=False)


def attribute_text(node: GraphNode) -> Iterator[str]:
    for name, value in node.attributes.items():
        is_given = name in IN_TYPE - {"value"} or (name, node.op) in {("size", "iota"), ("value", "tape_pop")}
        if is_given or value is None or value is False or name in ("count", "checked"):
            continue
        if isinstance(value, np.ndarray):
            assert value.dtype.byteorder in "<|=" and not value.flags.writeable
            yield " constant"
        elif value is True:
            yield f" {name}"
        elif isinstance(value, tuple):
            yield f" {name}=[{', '.join('?' if one is None else str(one) for one in value)}]"
        elif isinstance(value, str):
            yield f" {name}={json.dumps(value, ensure_ascii=False)}"
        else:
            yield f" {name}={value}"


def node_lines(node: GraphNode, depth: int) -> Iterator[str]:
    line = "  " * depth
    line += bound(node.results) + " = " if node.results else ""
    line += node.op + (".checked" if node.attributes.get("checked") else "")
    line += " " * bool(node.operands) + used(node.operands)
    line += " empty" if node.op == "list_make" and not node.operands else ""
    line += "".join(attribute_text(node))
    for region in node.regions:
        line += f" {region.name}" + (f"({bound(region.parameters)})" if region.parameters else "") + " {"
        yield line
        yield from block_lines(region, depth + 1, "yield")
        line = "  " * depth + "}"
    if node.span is not None:
        line += f" loc({' from '.join(map(place_text, [node.span, *node.callers]))})"
    yield line


def place_text(span: GraphSpan) -> str:
    where = f"{word(span.file)}:{span.line}:{span.column}-{span.end_line}:{span.end_column}"
    return where + (f" in {word(span.function)}" if span.function else "")


def block_lines(block: GraphBlock, depth: int, end: str) -> Iterator[str]:
    for node in block.nodes:
        yield from node_lines(node, depth)
    yield "  " * depth + end + " " * bool(block.results) + used(block.results)


def text_of(graph: Graph) -> Iterator[str]:
    yield f"version {_core.GRAPH_TEXT_VERSION}"
    for function in graph.functions:
        yield f"function {word(function.name)}({bound(function.parameters)}) {{"
        yield from block_lines(function.body, 1, "return")
        yield "}"
    for number, words in enumerate(graph.sites):
        yield f"site {number} {json.dumps(words, ensure_ascii=False)}"


def without_numbers(line: str) -> str:
    """A line of the text without the elements of a constant, which are compared as arrays."""
    head, found, rest = line.partition(" = constant ")
    place = rest.find(" loc(")
    return f"{head} = constant constant{rest[place:] if place >= 0 else ''}" if found else line


def check_block(block: GraphBlock, around: frozenset[GraphValue]) -> None:
    in_scope = set(around) | set(block.parameters)
    for node in block.nodes:
        assert node.block == block and set(node.operands) <= in_scope, node
        assert len(node.operand_names) == len(node.operands)
        for region in node.regions:
            assert region.node == node and region.name is not None
            check_block(region, frozenset(in_scope))
        check_types(node)
        assert not in_scope & set(node.results), f"bound a second time: {node}"
        in_scope |= set(node.results)
    assert set(block.results) <= in_scope


def types(values: list[GraphValue]) -> list[str]:
    return [value.type for value in values]


def check_types(node: GraphNode) -> None:
    """What goes into and comes out of blocks and callees is of one type on both sides."""
    regions = {region.name: region for region in node.regions}
    if node.op == "if":
        assert types(node.results) == types(regions["then"].results) == types(regions["else"].results)
    if node.op in ("while", "for"):
        carries = node.operands[3:] if node.op == "for" else node.operands
        assert types(node.results) == types(regions["body"].results) == types(carries)
    if node.callee is not None:
        assert types(node.operands) == types(node.callee.parameters)
        assert types(node.results) == types(node.callee.results) == list(node.attributes["results"])  # type: ignore[arg-type]
        assert node.callee.number == node.attributes["callee"]
    for value in node.results:
        if value.shape is None:
            assert value.type.startswith("list<") and value.dtype is None
        else:
            sizes = ["?" if isinstance(size, str) else str(size) for size in value.shape]
            assert value.type.endswith(f"[{', '.join(sizes)}]")
    constant = node.attributes.get("value")
    if isinstance(constant, np.ndarray):
        assert (constant.shape, constant.dtype.name) == (node.results[0].shape, node.results[0].dtype)


def check_sites(graph: Graph, function: GraphFunction) -> None:
    for node in function.nodes:
        if node.site is not None:
            assert node.description == graph.sites[node.site]
            assert node.op in ("print", "check", "callback")
        assert node.is_callback == (node.op == "callback")
        assert node.site is not None or node.op not in ("print", "callback")


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_text_is_what_is_walked(program: str) -> None:
    for graph in graphs_of(program):
        for function in graph.functions:
            check_block(function.body, frozenset())
            check_sites(graph, function)
            assert [node for block in function.blocks for node in block.nodes] != [] or not function.nodes
            assert {node for block in function.blocks for node in block.nodes} == set(function.nodes)
        text = str(graph)
        assert [without_numbers(line) for line in text.splitlines()] == list(text_of(graph))


def test_programs_have_graphs() -> None:
    walked = [
        node for program in PROGRAMS[:20] for graph in graphs_of(program) for node in graph.functions[0].nodes
    ]
    assert len(walked) > 1000
    assert FOLDER.exists()


@ag.py_function
def measured(x: float) -> float:
    return x * 2.0


def test_what_runs_outside_is_said() -> None:
    @ag.function
    def shown(x: float) -> float:
        print("x =", x, f"twice {x * 2}", None, sep="; ")
        if x < 0:
            raise ValueError("negative", x)
        assert x < 9, f"{x} is too large"
        return measured(x)

    graph = shown.concrete_function(1.0).graph
    said = {node.op: node.description for node in graph.functions[0].nodes if node.op != "check"}
    assert said["print"] == "print('x =', {0}, 'twice {1}', None, sep='; ')"
    assert said["callback"] == "measured({0})"
    checks = [
        (node.attributes["error"], node.description)
        for node in graph.functions[0].nodes
        if node.op == "check"
    ]
    assert checks == [
        ("ValueError", "ValueError('negative', {…})"),
        ("AssertionError", "AssertionError('{0} is too large')"),
    ]
    (callback,) = [node for node in graph.functions[0].nodes if node.is_callback]
    assert callback.has_effect and callback.may_fail


def test_sizes_have_names() -> None:
    @ag.function(input_signature=[ag.ArraySpec((None,)), ag.ArraySpec((None, 3))])
    def sizes(x: Any, y: Any) -> Any:
        chosen = x > 0
        return np.sin(x) * x, x[chosen], np.cos(x)[chosen], y.T + 0.0, x + y[0, 0]

    (concrete,) = sizes.concrete_functions() or [sizes.concrete_function()]
    function = concrete.graph.functions[0]
    x, y = (parameter.shape for parameter in function.parameters)
    twice, first, second, turned, moved = (result.shape for result in function.results)
    assert x is not None and first is not None and y is not None
    assert twice == x == moved
    assert first == second and first != x
    assert turned == (3, y[0])


def test_constants_are_arrays() -> None:
    @ag.function
    def added(x: Any) -> Any:
        return x + np.array([1.0, 2.5, np.nan])

    nodes = added.concrete_function(np.zeros(3)).graph.functions[0].nodes
    values = [node.attributes["value"] for node in nodes if node.op == "constant"]
    arrays = [value for value in values if isinstance(value, np.ndarray) and value.shape == (3,)]
    np.testing.assert_array_equal(arrays or [np.array([1.0, 2.5, np.nan])], [[1.0, 2.5, np.nan]])
    assert all(isinstance(value, np.ndarray) and value.dtype.str[0] in "<|" for value in values)


def test_parts_of_graphs_are_compared() -> None:
    concrete = ag.function(lambda x: x * x if x > 0 else x).concrete_function(1.0)
    one, other = concrete.graph.functions[0], concrete.graph.functions[0]
    assert one == other and one.nodes == other.nodes and hash(one.nodes[0]) == hash(other.nodes[0])
    assert one.nodes[0] != one.nodes[1] and one.parameters[0] in set(other.parameters)
    assert concrete.graph.optimised().functions[0] != one
    with pytest.raises(AttributeError):
        one.nodes[0].op = "mul"  # type: ignore[misc]


def test_reprs() -> None:
    concrete = ag.function(lambda x: x * x if x > 0 else x).concrete_function(1.0)
    function = concrete.graph.functions[0]
    assert repr(function).startswith("<function <lambda>(%0")
    branch = next(node for node in function.nodes if node.op == "if")
    assert repr(branch.regions[0]).startswith("<region then of if: ")
    assert " = if %" in repr(branch) and "\n" not in repr(branch)
    assert repr(branch.span).startswith(f"<{Path(__file__)}:")
    assert repr(concrete.graph).startswith("<graph of <lambda>: ")
