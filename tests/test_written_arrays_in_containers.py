"""An array that a staged block writes and a container that the block makes: the container has the write.

    if x[0] > 0:
        x[0] = 7.0
        r = {"z": x}        # `x` with the 7
    else:
        r = {"z": x}

The writes of a block are undone when it ends, and its results are read before that; a result may hold the
array anywhere.
"""

from __future__ import annotations

import itertools
import textwrap
from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import is_refused, module_of, outcome

CONTAINERS = {
    "dict": "{{'z': {}}}",
    "list": "[{}]",
    "tuple": "({}, 1)",
    "two": "[{0}, {0}]",
    "list_in_list": "[[{}], [x * 1]]",
    "dict_in_dict": "{{'p': {{'q': {}}}}}",
    "list_in_dict": "{{'p': [{}, 1.0]}}",
    "dict_in_list": "[{{'p': {}}}]",
    "tuple_in_list": "[({}, 2.0)]",
    "ordered": "OrderedDict(z={})",
    "named": "Pair({}, 1.0)",
    "data": "Data({}, 1.0)",
    "slots": "Slots({}, 1.0)",
    "plain": "Plain({})",
}
HELD = {"argument": "x", "own": "y"}
WRITES = {"item": "{}[0] = 7.0", "augmented": "{} += 2.0"}
ORDERS = {"before": "{write}\nr = {value}", "after": "r = {value}\n{write}"}
STATEMENTS = {
    "if": "if x[0] > 0:\n    {body}\nelse:\n    r = {value}\nreturn r, x, y",
    "else": "if x[0] > 0:\n    r = {value}\nelse:\n    {body}\nreturn r, x, y",
    "while": "r = {value}\ni = 0\nwhile i < n:\n    {body}\n    i += 1\nreturn r, x, y",
    "for": "r = {value}\nfor i in range(n):\n    {body}\nreturn r, x, y",
    "inner": "r = {value}\nfor i in range(n):\n    if x[1] > i:\n        {body}\nreturn r, x, y",
    "early": "if x[0] > 0:\n    {body}\n    return r, x, y\nreturn {value}, x, y",
}

HEAD = """
import dataclasses
from collections import OrderedDict
from typing import Any, NamedTuple

class Pair(NamedTuple):
    w: Any
    b: Any

@dataclasses.dataclass
class Data:
    w: Any
    b: Any

@dataclasses.dataclass(slots=True)
class Slots:
    w: Any
    b: Any

class Plain:
    def __init__(self, w):
        self.w = w

    def __repr__(self):
        return f"Plain({self.w!r})"
"""


def text_of(container: str, held: str, write: str, order: str, statement: str) -> str:
    value = CONTAINERS[container].format(HELD[held])
    body = ORDERS[order].format(write=WRITES[write].format(HELD[held]), value=value)
    lines = []
    for line in STATEMENTS[statement].splitlines():
        if "{body}" in line:
            lines += [line.replace("{body}", one) for one in body.splitlines()]
        else:
            lines.append(line.replace("{value}", value))
    return HEAD + "\ndef program(x, n):\n    y = x * 2.0\n" + textwrap.indent("\n".join(lines), "    ") + "\n"


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_container_has_the_write(container: str, statement: str, tmp_path: Path) -> None:
    """The same result in plain Python and staged, with the arguments afterwards; or a located refusal."""
    for number, (held, write, order) in enumerate(itertools.product(HELD, WRITES, ORDERS)):
        text = text_of(container, held, write, order, statement)
        program = module_of(text, tmp_path, f"written_{container}_{statement}_{number}").program
        staged = ag.function(program)
        for first, n in itertools.product((1.0, -1.0), (0, 1, 3)):
            arguments = (np.array([first, 2.0, 3.0]), np.int64(n))
            expected = outcome(program, arguments)
            assert outcome(staged, arguments) == expected or is_refused(staged, arguments), text
