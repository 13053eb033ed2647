"""The analyses as Python objects, against facts written as comments beside test programs.

Keys are the fields of ``Facts``; ``definitions: x@2 5`` are the lines of the statements that may have
bound ``x`` last.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import importlib.util
import inspect
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from autograph.transformations import Analysis, Facts, analyse, parse, parse_entity, to_source

HERE = Path(__file__).parent
PROGRAMS = [HERE / "analysis/facts/programs.py", *sorted((HERE / "analysis/liveness").glob("*.py"))]
KEYS = {
    "reads": "reads",
    "modifies": "modifies",
    "live in": "live_in",
    "live out": "live_out",
    "unbound": "may_be_unbound",
}


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"analysed_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
    for value in vars(module).values():
        members = vars(value).values() if inspect.isclass(value) else [value]
        for member in members:
            if inspect.isfunction(member) and member.__code__.co_filename == module.__file__:
                yield member


def expectations(path: Path) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        code, _, comment = line.partition("  # ")
        if comment and code.strip():
            items = (item.partition(":") for item in comment.split(";"))
            found[number] = {key.strip(): names.strip() for key, _, names in items}
    return found


def shown(facts: Facts, key: str) -> str:
    if key != "definitions":
        return ", ".join(getattr(facts, KEYS[key]))
    reaching = facts.definitions_reaching.items()
    return ", ".join(f"{name}@{' '.join(str(each.lineno) for each in places)}" for name, places in reaching)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_facts_are_those_written_beside_the_program(path: Path) -> None:
    analyses = [analyse(function) for function in functions_of(load(path))]
    by_line = {statement.lineno: each for each in reversed(analyses) for statement in each.statements}
    expected = expectations(path)
    assert expected
    for line, facts in expected.items():
        for key, names in facts.items():
            if key == "live in" and path != PROGRAMS[0]:
                continue  # The core's own tests mean the start of the blocks.
            assert shown(by_line[line][line], key) == names, f"{path.name}:{line}: {key}"


def facts_of(analysis: Analysis) -> list[Any]:
    found = []
    for statement in analysis.statements:
        facts = analysis[statement]
        reaching = {
            name: [type(each) for each in places] for name, places in facts.definitions_reaching.items()
        }
        found.append((type(statement), facts, reaching))
    return found


@pytest.mark.usefixtures("parsed_once")
@pytest.mark.parametrize("module", [argparse, ast, dataclasses, inspect, re, tarfile])
def test_functions_of_the_standard_library(module: ModuleType) -> None:
    count = 0
    for function in functions_of(module):
        node, _ = parse_entity(function)
        analysis = analyse(function)
        again = analyse(node)
        is_private = re.search(r"\b__\w*[^_\W]\b", ast.unparse(node))
        if not function.__code__.co_freevars and not is_private:
            assert facts_of(again) == facts_of(analysis), function.__qualname__
        check_locals(function, analysis)
        check_liveness(function, analysis)
        count += 1
    assert count > 5


def check_locals(function: FunctionType, analysis: Analysis) -> None:
    """Python's own table of names says the same."""
    code = function.__code__
    own = set(analysis.scope.locals)
    assert own >= {name for name in code.co_varnames if not name.startswith(".")} - inlined(analysis)
    assert set(analysis.scope.captured) >= set(code.co_cellvars) - {"__class__"} - inlined(analysis)
    assert {*analysis.scope.free, *analysis.scope.nonlocals} == set(code.co_freevars)


def inlined(analysis: Analysis) -> set[str]:
    """The variables of comprehensions, which are the function's own in Python 3.12 and later."""
    targets = (each.target for each in ast.walk(analysis.node) if isinstance(each, ast.comprehension))
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def check_liveness(function: FunctionType, analysis: Analysis) -> None:
    """What is live at the start of a function is a parameter, or may be unbound where it is read."""
    first = analysis[analysis.statements[0]]
    unbound = {name for each in analysis.statements for name in analysis[each].may_be_unbound}
    declared = {*analysis.scope.captured, *analysis.scope.nonlocals, *analysis.scope.globals}
    assert {*first.live_in} <= {*analysis.scope.parameters, *unbound, *declared}, function.__qualname__


def test_nodes_of_the_graph_lead_on_to_nodes() -> None:
    analysis = analyse(load(PROGRAMS[0]).exceptions)
    numbers = [node.number for node in analysis.cfg.nodes]
    assert numbers == sorted(set(numbers))
    for node in analysis.cfg.nodes:
        assert {successor.number for successor in node.successors} <= set(numbers)
        for successor in node.successors:
            assert re.search(
                rf"n{node.number} -.*> ?(\|\w+\| )?n{successor.number}\n", analysis.cfg.mermaid()
            )
    labels = {successor.label for node in analysis.cfg.nodes for successor in node.successors}
    assert labels >= {None, "exception"}
    called = next(node for node in analysis.cfg.nodes if node.text == "text = read()")
    assert called.facts.modifies == ("text",) and called.statement is not None
    assert called.statement.lineno == 27


def test_lambdas() -> None:
    offset = 1
    analysis = analyse(lambda x, y=2: [x + offset for x in y])
    assert isinstance(analysis.node, ast.Lambda)
    assert analysis[analysis.node].reads == ("offset", "y")
    assert analysis.scope.parameters == ("x", "y") and analysis.scope.free == ("offset",)
    assert offset


def test_changed_trees_are_analysed_as_they_are() -> None:
    node = parse("def f(x):\n    if x:\n        y = x\n    return y")[0]
    assert isinstance(node, ast.FunctionDef)
    assert analyse(node)[4].may_be_unbound == ("y",)
    node.body[:0] = parse("y = 0")
    analysis = analyse(node)
    assert analysis[node.body[2]].may_be_unbound == ()
    reaching = analysis[node.body[2]].definitions_reaching
    assert [to_source(each) for each in reaching["y"]] == ["y = 0", "y = x"]
    assert reaching["x"] == (node,)


def test_what_is_no_statement_is_refused() -> None:
    analysis = analyse(load(PROGRAMS[0]).places)
    assert analysis[ast.parse(PROGRAMS[0].read_text()).body[2].body[0]].modifies == ("a.b",)  # type: ignore[attr-defined]
    with pytest.raises(KeyError, match="no statement of the function is at line 1'"):
        analysis[1]
    with pytest.raises(KeyError, match="no statement of the function is at this `Pass`"):
        analysis[ast.Pass()]


def test_everything_prints_the_same_in_every_run() -> None:
    def f(b: int, a: int) -> int:
        return b + a

    assert repr(analyse(f)[f.__code__.co_firstlineno + 1]) == (
        "Facts(reads=('a', 'b'), modifies=(), live_in=('a', 'b'), live_out=(), may_be_unbound=())"
    )
    assert "0x" not in repr(analyse(f))
