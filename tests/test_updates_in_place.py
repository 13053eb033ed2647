"""``target op= value`` of every kind of target: names, items, slices, attributes, in branches and loops.

Some of the programs are drawn, always the same ones: `make cross` draws twice as many.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal
from whole import drawn

OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "|", "@", "<<")
TARGETS = {
    "name": "v = x\nseen = v\nv {op}= {value}\nreturn v, seen, x",
    "attribute": "o = Holder()\no.v = x\nseen = o.v\no.v {op}= {value}\nreturn o.v, seen, x",
    "item": "o = [x, x]\nseen = o[0]\no[0] {op}= {value}\nreturn o, seen, x",
    "key": "o = {{'a': x}}\nseen = o['a']\no['a'] {op}= {value}\nreturn o, seen, x",
    "item of an array": "o = np.full(3, 2.0)\no[1] {op}= {value}\nreturn o, x",
    "slice of an array": "o = np.full((2, 2), 2.0)\np = o\no[1:] {op}= {value}\nreturn o, p, x",
    "mask": "o = np.arange(4.0)\no[o > 1] {op}= {value}\nreturn o, x",
    "item of an item": "o = [[x], [x]]\np = o[0]\no[0][0] {op}= {value}\nreturn o, p",
    "closure": "v = x\ndef g():\n    nonlocal v\n    v {op}= {value}\ng()\nreturn v, x",
    "staged item": "o = [x, x, x, x, x, x]\nfor i in range(n):\n    o[i] {op}= {value}\nreturn o",
    "list": "v = [1.0, 2.0]\nseen = v\nv {op}= {value}\nreturn v, seen",
    "grown list": "v = []\nfor i in range(n):\n    v.append(1.0)\nseen = v\nv {op}= {value}\nreturn v, seen",
    "list in a list": "o = [[1.0, 2.0]]\nseen = o[0]\no[0] {op}= {value}\nreturn o, seen",
    "list of an attribute": "o = Holder()\no.v = [x]\nseen = o.v\no.v {op}= {value}\nreturn o.v, seen",
    "tuple": "v = (1.0, 2.0)\nseen = v\nv {op}= {value}\nreturn v, seen",
    "dict": "v = {{'a': 1.0}}\nseen = v\nv {op}= {value}\nreturn v, seen",
    "set": "v = {{1.0}}\nseen = v\nv {op}= {value}\nreturn v, seen",
    "loop": "v = x\nseen = v\nfor i in range(n):\n    v {op}= {value}\nreturn v, seen, x",
    "branch": "v = x\nseen = v\nif n > 1:\n    v {op}= {value}\nreturn v, seen, x",
}
VALUES = (
    *("maybe", "several", "2", "k", "(1, 2)", "row", "range(2)", "None", "[1.0, 2.0]"),
    *("x", "[x]", "{'b': x}", "np.ones(2)", "np.float64(1.5)", "1j * k"),
)
ARGUMENTS: tuple[Any, ...] = (
    *(2.5, 3, True, (1.0, 2), np.float64(2.5), np.int32(3)),
    *(np.array([1.0, 2.0]), np.array([1, 2]), np.ones(2, np.float32)),
)
HEAD = "maybe = None\nif n > 0:\n    maybe = k\nseveral = 1\nif n > 1:\n    several = 1.5\n"


@pytest.mark.parametrize("target", TARGETS)
def test_updates(target: str, tmp_path: Path) -> None:
    pairs = [(operator, value) for operator in OPERATORS for value in VALUES]
    functions = []
    for number, (operator, value) in enumerate(pairs):
        body = HEAD + TARGETS[target].format(op=operator, value=value)
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        functions.append(f"def f{number}(x, k, row, n):\n{lines}")
    text = "import numpy as np\n\n\nclass Holder:\n    pass\n\n\n" + "".join(functions)
    module = module_of(text, tmp_path, f"updates_of_{target.replace(' ', '_')}")
    different = []
    programs = [(number, x) for number in range(len(pairs)) for x in ARGUMENTS]
    for number, x in random.Random(target).sample(programs, drawn(75, whole=150)):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for n in (np.int64(2), np.int64(0), np.int64(1)):
            arguments = (x, np.int64(2), np.array([1.0, 3.0]), n)
            want = outcome(function, arguments)
            got, is_refusal = outcome_or_refusal(staged, arguments)
            if want != got and not is_refusal:
                different.append((pairs[number], arguments, want, got))
    assert not different
