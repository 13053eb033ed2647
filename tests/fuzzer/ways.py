"""The ways to run a pure-Python program: as it is, converted, under a back-end, recorded and run.

`converted` replaces every function and method of the program by `ag.to_graph` of it; `watched` runs
the program while a back-end is active that stages nothing; `traced` records everything and then runs
the recording (`tracer.py`).
"""

from __future__ import annotations

import dataclasses
import itertools
import linecache
from types import CodeType, FunctionType
from typing import Any

import autograph as ag
from autograph._src import operators
from autograph._src.load import conversion_of
from autograph.backends import Backend, activated

from fuzzer.avoided import AVOIDED, known_fault
from fuzzer.outcome import Outcome, difference, observe
from fuzzer.tracer import traced
from fuzzer.verdicts import Failure, Verdicts
from fuzzer.writer import PROLOGUE

PROLOGUE_FILE = "<prologue of the fuzzer>"
GLOBALS = ("LOG", "COUNT")


def remember(text: str, file: str) -> CodeType:
    """Compiles a text whose source can be found again."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    return compile(text, file, "exec")


_offsets = itertools.count()
_prologue = remember(PROLOGUE, PROLOGUE_FILE)


class Watching(Backend):
    """Active, and without any staged value: the operators ask it, and nothing is staged."""

    name = "the watching back-end"


WATCHING = Watching()


def as_it_is(scope: dict[str, Any], arguments: Any) -> Any:
    return scope["f"](*arguments)


def converted(scope: dict[str, Any], arguments: Any) -> Any:
    for name, value in [*scope.items()]:
        if type(value) is FunctionType:
            scope[name] = converted_function(value)
        elif isinstance(value, type) and value.__module__ == "program":
            for member, inner in [*vars(value).items()]:
                if type(inner) is FunctionType:
                    setattr(value, member, converted_function(inner))
                elif type(inner) is property:
                    setters = converted_function(inner.fset) if inner.fset else None
                    setattr(value, member, property(converted_function(inner.fget), setters))
                elif type(inner) in (staticmethod, classmethod):
                    setattr(value, member, type(inner)(converted_function(inner.__func__)))
    return scope["f"](*arguments)


def converted_function(function: Any) -> Any:
    """The converted function; a generator stays as it is."""
    return function if conversion_of(function).refusal is not None else ag.to_graph(function)


def watched(scope: dict[str, Any], arguments: Any) -> Any:
    with activated(WATCHING):
        return operators.converted_call(scope["f"], *arguments)


def recorded(scope: dict[str, Any], arguments: Any) -> Any:
    return traced(scope["f"], scope, GLOBALS, arguments)


WAYS = {"converted": converted, "watched": watched, "traced": recorded}
ARGUMENTS = ((3, 5), (0, -2), (7, 1), (-4, 4), (2, 3))


def run_way(way: Any, code: CodeType, arguments: tuple[Any, ...]) -> Outcome:
    """Runs the program in a fresh module."""
    scope: dict[str, Any] = {"__name__": "program"}
    exec(_prologue, scope)
    exec(code, scope)
    before = scope["LOG"]

    def effects() -> Any:
        return [before, scope["COUNT"]]

    return observe(lambda: way(scope, arguments), effects, code.co_filename)


def try_program(text: str, file: str, arguments: Any, ways: Any) -> Verdicts:
    """Runs a program in several ways: the first failure, and a verdict for each way."""
    # Equal code on equal lines shares a conversion.
    offset = "\n" * (next(_offsets) % 2000) if "equal code twice" in AVOIDED else ""
    code = remember(offset + text, file)
    verdicts = []
    try:
        for values in arguments:
            want = run_way(as_it_is, code, values)
            for name in ways:
                got = run_way(WAYS[name], code, values)
                part = judged(got, want, name)
                if part == "refused":
                    assert got.refusal is not None
                    verdicts.append(f"{name}: refused {got.refusal.code}")
                elif part is not None and part.startswith("known"):
                    verdicts.append(f"{name}: {part}")
                elif part is not None:
                    return Failure(name, part, values, text, got, want), verdicts
                else:
                    verdicts.append(f"{name}: same")
    finally:
        linecache.cache.pop(file, None)
    return None, verdicts


def judged(got: Outcome, want: Outcome, way: str) -> str | None:
    """`None` where the outcomes are the same, `refused`, `known …`, or what differs."""
    if got.refusal is not None:
        return "refused" if got.refusal.code and got.refusal.location is not None else "refusal"
    if way == "traced" and want.error is not None:
        # The variables of the module are written back when the recording has run to its end.
        got.effects[2].pop()
        want = dataclasses.replace(want, effects=(*want.effects[:2], want.effects[2][:-1]))
    part = difference(got, want, has_lines=way != "traced")
    fault = known_fault(got, want) if part is not None else None
    return part if fault is None else f"known fault, {fault}"
