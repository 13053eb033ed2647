"""Variables that may be unbound, and else are of any kind, ``None`` among them.

    if c:                      # staged
        v = None
    elif n:
        v = (x, 1)
    return v                   # unbound on the third path: UnboundLocalError

A part of the products of ways to bind, of three values and of reads is drawn at random, and run on each path.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from textwrap import indent
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

HEAD = """from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    first: float
    second: float


@dataclass
class Box:
    value: object


"""
VALUES = [
    *("3", "2.5", "True", "x", "np.array([1.0, 2.0])", "1j", "x * 1j"),
    *("()", "((),)", "(x,)", "(1, 2)", "((x, 1), 2)", "('a',)", "('a', x)", "([x],)", "(None, x)"),
    *("Pair(x, 1.0)", "[]", "[x, 1.0]", "[[x], [1.0]]", "{'a': x}", "Box(x)", "'a'", "{1}", "range(3)"),
]
BINDINGS = [
    "if c:\n    v = {0}\nelif n:\n    v = {1}",
    "if c:\n    pass\nelif n:\n    v = {1}\nelse:\n    v = {0}",
    "if c:\n    v = {0}\nif n:\n    v = {1}",
    "if n > 1:\n    v = {0}\nelif n > 0:\n    v = {1}\nelif c:\n    v = {2}",
    "if c:\n    if n:\n        v = {0}\n    else:\n        v = {1}\nelif n > 1:\n    v = {2}",
    "i = 0\nwhile i < n:\n    if c:\n        v = {0}\n    else:\n        v = {1}\n    i += 1",
    "for i in range(n):\n    if c: v = {0}\n    elif i: v = {1}\n    else: v = {2}",
    "v = {0}\nif c:\n    v = {1}\nelif n:\n    del v",
    "if c:\n    return {0}\nif n > 1:\n    return {1}\nif n > 0:\n    return {2}",
]
READS = [
    *("v\nreturn 1", "return v", "return v, 1", "return v is None", "w = 7\nif c:\n    w = v\nreturn w"),
    "def inner():\n    return v\nreturn inner()",
]
PROGRAMS = 60
PATHS = [(np.bool_(c), np.int64(n)) for n in range(3) for c in (0, 1)]


def program(number: int, draws: random.Random) -> str:
    """One function; `None` is drawn often, since most kinds join with it in a way of their own."""
    first, second, third = (draws.choice(VALUES) if draws.random() < 0.7 else "None" for _ in range(3))
    if draws.random() < 0.4:
        second = first
    lines = draws.choice(BINDINGS).format(first, second, third)
    if not lines.startswith("if c:\n    return"):
        lines += "\n" + draws.choice(READS)
    return f"def f{number}(x, c, n):\n{indent(lines, '    ')}\n\n\n"


def outcome(function: Any, *arguments: Any) -> str:
    try:
        result = function(*arguments)
    except ag.errors.AutographError:
        return "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return f"{result!r} {type(result).__name__}"


@pytest.mark.parametrize("part", range(3))
def test_as_python(part: int, tmp_path: Path) -> None:
    draws = random.Random(part)
    programs = [program(number, draws) for number in range(PROGRAMS)]
    module = module_of(HEAD + "".join(programs), tmp_path, f"unbound_{part}")
    counts: Counter[str] = Counter()
    different = []
    for number, text in enumerate(programs):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for path in PATHS:
            want, got = outcome(function, np.float64(1.5), *path), outcome(staged, np.float64(1.5), *path)
            counts["refused" if got == "refused" else want.partition(":")[0][:17]] += 1
            if want != got != "refused":
                different.append((text, path, want, got))
    assert not different
    assert counts["UnboundLocalError"] >= PROGRAMS // 6, counts
    assert counts["refused"] < PROGRAMS * len(PATHS) * 2 // 3, counts
