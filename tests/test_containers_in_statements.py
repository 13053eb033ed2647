"""Dicts, lists and what is nested in them, bound anew by staged statements: as CPython, or refused.

The programs are crossed: a structure, where it comes from, the statement that binds it, what is done with it.
"""

from __future__ import annotations

import copy
import itertools
import warnings
from collections import OrderedDict, defaultdict
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

A, B = np.array([1.0, 2.0]), np.array([[3.0, 4.0], [5.0, 6.0]])

STRUCTURES: dict[str, tuple[Any, str]] = {
    "dict": ({"a": A, "b": B}, "{k: v * 0.5 + x for k, v in p.items()}"),
    "display": ({"a": A, "b": B}, "{'a': p['a'] + x, 'b': p['b'] * x}"),
    "spread": ({"a": A, "b": B}, "{**p, 'a': p['a'] * 0.5 + x}"),
    "union": ({"a": A, "b": B}, "p | {'a': p['a'] * 0.5 + x}"),
    "numbers": (
        {"lr": 0.5, "step": 1, "on": True},
        "{'lr': p['lr'] * 0.9, 'step': p['step'] + 1, 'on': not p['on']}",
    ),
    "scalars": ({1: np.float64(0.5), (2, "z"): np.int64(3)}, "{k: v + 1 for k, v in p.items()}"),
    "constant": (
        {"a": A, "name": "adam", "none": None},
        "{'a': p['a'] * 0.5, 'name': p['name'], 'none': p['none']}",
    ),
    "empty": ({}, "{k: v * 2.0 for k, v in p.items()}"),
    "dict of dicts": (
        {"u": {"w": A, "b": B}, "v": {"w": B}},
        "{n: {k: v * 0.5 + x for k, v in q.items()} for n, q in p.items()}",
    ),
    "dict of lists": ({"w": [A, B], "t": 0}, "{'w': [v * 0.5 + x for v in p['w']], 't': p['t'] + 1}"),
    "dict of tuples": ({"w": (A, 1)}, "{k: (v[0] * 0.5, v[1] + 1) for k, v in p.items()}"),
    "ordered": (OrderedDict(b=B, a=A), "OrderedDict((k, v * 0.5 + x) for k, v in p.items())"),
    "defaulting": (defaultdict(float, a=A), "defaultdict(float, {k: v * 0.5 + x for k, v in p.items()})"),
    "list": ([A, B, A + B], "[v * 0.5 + x for v in p]"),
    "list of dicts": (
        [{"w": A, "b": B}, {"w": B, "b": A}],
        "[{k: v * 0.5 + x for k, v in q.items()} for q in p]",
    ),
    "list of lists": ([[A], [A, B]], "[[v * 0.5 for v in q] for q in p]"),
    "tuple of a dict": (({"a": A}, 0), "({k: v * 0.5 + x for k, v in p[0].items()}, p[1] + 1)"),
    "tuple of a list": (([A, B], 0), "([v * 0.5 + x for v in p[0]], p[1] + 1)"),
}
"""An example, and what a step makes of it."""

ENTRIES = {
    "argument": "p",
    "its copy": "copied(p)",
    "made before": "step(p, x)",
}

STATEMENTS = {
    "for": "for i in range(n):\n        p = step(p, x)",
    "in place": "for i in range(n):\n        p = STEP",
    "while": "i = 0\n    while i < n:\n        p = STEP\n        i += 1",
    "break": "for i in range(n):\n        p = STEP\n        if x * i > 1.5:\n            break",
    "if": "if n > 2:\n        p = STEP",
    "if else": "if n > 2:\n        p = STEP\n    else:\n        p = step(STEP, x)",
    "ternary": "p = step(p, x) if n > 2 else p",
    "if in for": "for i in range(n):\n        if i % 2 == 0:\n            p = STEP",
    "nested for": "for i in range(n):\n        for j in range(i):\n            p = STEP",
    "two names": "before = p\n    for i in range(n):\n        before = p\n        p = STEP",
    "kept": "best = p\n    for i in range(n):\n        p = STEP\n"
    "        if i < 2:\n            best = p\n    p = best",
    "return in for": "for i in range(n):\n        p = STEP\n        if i > 4:\n            return p",
    "attribute": "class Holder: pass\n    h = Holder()\n    h.p = p\n    for i in range(n):\n"
    "        h.p = step(h.p, x)\n    p = h.p",
    "nonlocal": "def go():\n        nonlocal p\n        p = STEP\n    for i in range(n):\n        go()",
}

USES = {
    "returned": "return p",
    "beside the argument": "return p, given",
    "once more": "return step(p, x)",
    "leaves": "return len(p), [one for one in p]",
}

COPIED = """
from collections import OrderedDict, defaultdict


def copied(p):
    return [*p] if isinstance(p, list) else p.copy() if isinstance(p, dict) else p
"""

PROGRAM = """
def program_{number}(given, n, x):
    def step(p, x):
        return {step}
    p = given
    p = {entry}
    {statement}
    {use}
"""


def cases() -> list[tuple[str, str, str, str]]:
    return list(itertools.product(STRUCTURES, ENTRIES, STATEMENTS, USES))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = COPIED
    for number, (structure, entry, statement, use) in enumerate(cases()):
        step = STRUCTURES[structure][1]
        text += PROGRAM.format(
            number=number,
            step=step,
            entry=ENTRIES[entry],
            statement=STATEMENTS[statement].replace("STEP", step),
            use=USES[use],
        )
    return module_of(text, tmp_path_factory.mktemp("containers"), "containers_in_statements")


def described(value: object) -> object:
    """Classes, keys, dtypes and numbers of a result."""
    if isinstance(value, dict):
        return [type(value), [(key, described(one)) for key, one in value.items()]]
    if isinstance(value, (list, tuple)):
        return [type(value), [described(one) for one in value]]
    return type(value), str(getattr(value, "dtype", "")), repr(value)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_containers_that_statements_bind_are_those_of_python(programs: ModuleType, structure: str) -> None:
    refused: list[tuple[str, ...]] = []
    for number, case in enumerate(cases()):
        if case[0] != structure:
            continue
        function = getattr(programs, f"program_{number}")
        staged = ag.function(function)
        for n in (0, 1, 3, 7):
            given = STRUCTURES[structure][0]
            want = function(copy.deepcopy(given), n, np.float64(0.25))
            argument = copy.deepcopy(given)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    found = staged(argument, np.int64(n), np.float64(0.25))
            except ag.AutographError as error:
                assert error.location is not None, case
                refused.append((*case, error.code, error.message))
                break
            assert described(found) == described(want), (case, n)
            assert described(argument) == described(given), (case, n)
    assert not refused, (len(refused), refused[:3])
