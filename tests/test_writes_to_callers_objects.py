"""What a staged function writes to objects of its caller: each call does what CPython does, or is refused.

The programs are generated: where the place is, what is written there, and where the write stands. Each is
called several times, with other numbers, and somebody else writes to the place between two of the calls. What
a call gives, raises and leaves everywhere is compared. After a refusal nothing has changed.
"""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest

_HEAD = """
import types
from dataclasses import dataclass

import autograph as ag
import numpy as np


class Model:
    count = {value}

    def __init__(self):
        self.v = {value}
        self.other = 1.5

    def set(self, value):
        self.v = value


class Slots:
    __slots__ = ("v",)


@dataclass
class Record:
    v: object
    w: float = 2.0


class Checked:
    def __init__(self):
        self.log = []
        self._v = {value}

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.log.append(len(self.log))
        self._v = value


G = {value}
GL = [{value}, 1.0]
GD = {{"k": {value}}}
config = types.ModuleType("config")
config.v = {value}


def make():
    model, outer, slots, record, checked = Model(), Model(), Slots(), Record({value}), Checked()
    outer.child = Model()
    slots.v = {value}
    closed = {value}
    xs, d = [{value}, 2.0], {{"k": {value}, "z": 1.0}}
    row = [{value}]
    pair = (row, row)
"""

_TAIL = """
    def state():
        return (
            vars(model), vars(outer.child), slots.v, vars(record), checked.log, checked.v, closed, xs, d, row,
            G, GL, GD, config.v, Model.count, pair[0] is pair[1],
        )

    def reset():
        model.v = outer.child.v = slots.v = record.v = checked._v = config.v = Model.count = {value}
        GL[0] = xs[0] = GD["k"] = d["k"] = row[0] = {value}

    def call(wrapped, x, n):
        return wrapped(model, outer, slots, record, checked, xs, d, pair, x, n)

    return f, call, state, reset
"""

PLACES = {
    "attribute": "model.v",
    "nested attribute": "outer.child.v",
    "slot": "slots.v",
    "dataclass": "record.v",
    "property": "checked.v",
    "item of an argument": "xs[0]",
    "item of a dict": 'd["k"]',
    "item in a tuple": "pair[1][0]",
    "global": "G",
    "item of a global list": "GL[0]",
    "item of a global dict": 'GD["k"]',
    "variable around": "closed",
    "module": "config.v",
    "class": "Model.count",
}

VALUES = {
    "float": ("1.5", ["T = x * 2", "T += x", "T = 2.5"]),
    "int": ("3", ["T = n + 1", "T += 1", "T = 7"]),
    "bool": ("False", ["T = x > 2", "T = True"]),
    "array": (
        "np.array([1.0, 2.0, 3.0])",
        ["T = T * x", "T += x", "T[0] = x", "T[1:] *= 2.0", "T.fill(2.0)"],
    ),
    "tuple": ("(1.0, 2)", ["T = (x, n)", "T = (T[0] + x, T[1])"]),
    "list": (
        "[3.0, 1.0]",
        [
            *("T = [x, 1.0]", "T.append(x)", "T[0] = x", "T.extend([x, 2.0])", "T.insert(0, x)", "T.pop()"),
            *("T.sort()", "T.clear()", "T += [x]", "del T[0]", "T[:] = [x]", "T.reverse()", "T *= 2"),
        ],
    ),
    "dict": (
        '{"a": 1.0, "b": 2.0}',
        [
            *('T["a"] = x', 'T["c"] = x', 'del T["a"]', "T.update(b=x)", 'T.setdefault("q", x)'),
            *('T.pop("a")', 'T = {"a": x}', 'T |= {"a": x}', "T.clear()"),
        ],
    ),
    "None": ("None", ["T = x", "T = None", "T = np.ones(2) * x"]),
    "str": ('"a"', ['T = "b"', 'T = T + "b"']),
}
"""What is at the places first, and statements that write there."""

FLOWS = {
    "straight": "LINE\nreturn x + 1.0",
    "twice": "LINE\nLINE\nprint(n)\nreturn x",
    "if": "if x > 2:\n    LINE\nreturn x",
    "else": "if x > 2:\n    y = x\nelse:\n    y = x * 2\n    LINE\nreturn y",
    "for": "for i in range(n):\n    LINE\nreturn x",
    "while": "i = 0\nwhile i < n:\n    i += 1\n    LINE\n    if i > 2:\n        break\nreturn i",
    "early": "if x > 2:\n    return x\nLINE\nreturn x * 2",
    "callee": "def inner(x, n):\n    NONLOCAL\n    LINE\nif x > 0:\n    inner(x, n)\nreturn x",
    "raise": "LINE\nif x > 2:\n    raise ValueError(n)\nLINE\nreturn x",
    "failing": "y = np.ones(3)\nfor i in range(n):\n    LINE\n    y[i] = x\nLINE\nreturn y",
}

CALLS = [(1.0, 2), (3.0, 1), (2.5, 5), (1.0, 0), (1.5, 3)]
"""The arguments; somebody else writes to the places before the last call."""


def program(place: str, value: str, line: str, flow: str) -> str:
    declared = {"global": "global G", "variable around": "nonlocal closed"}.get(place, "pass")
    target = PLACES[place]
    text = FLOWS[flow].replace("NONLOCAL", declared).replace("LINE", re.sub(r"\bT\b", target, line))
    body = "\n".join("        " + one for one in [declared, *text.splitlines()])
    head = "    def f(model, outer, slots, record, checked, xs, d, pair, x, n):\n"
    return _HEAD.format(value=value) + head + body + "\n" + _TAIL.format(value=value)


def load(path: Path, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def outcomes(
    module: ModuleType, wrap: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]
) -> list[tuple[str, str, str]]:
    """What each call gives or raises, prints, and leaves."""
    f, call, state, reset = module.make()
    wrapped, found = wrap(f), []
    for number, (x, n) in enumerate(CALLS):
        if number == len(CALLS) - 1:
            reset()
        before = repr(state())
        try:
            result = repr(call(wrapped, np.float64(x), np.int64(n)))
        except ag.AutographError as error:
            result = f"refused: {error.code}"
            place = ag.errors.place_of(error)
            assert place is not None and place.file.endswith(f"{module.__name__}.py"), error
            assert repr(state()) == before
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        found.append((result, capsys.readouterr().out, repr(state())))
    return found


def check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str, value: str, line: str, flow: str
) -> str | None:
    """The code of the first refusal, if there is one."""
    text = program(place, value, line, flow)
    name = "program_that_writes_outside"
    wanted = outcomes(load(tmp_path / f"{name}.py", text), lambda f: f, capsys)
    found = outcomes(load(tmp_path / f"{name}.py", text), ag.function, capsys)
    for number, (got, want) in enumerate(zip(found, wanted, strict=True)):
        if got[0].startswith("refused"):
            return got[0]
        assert got == want, f"call {number} of\n{text}\n{got}\nis not\n{want}"
    return None


CASES = [
    (place, kind, line, flow)
    for (place, (kind, (_, lines)), flow) in itertools.product(PLACES, VALUES.items(), FLOWS)
    for line in lines
]

SHARE = 12
"""One program in so many is run by the tests, another one for each combination of place and flow."""


def cases_of(place: str) -> list[tuple[str, str, str]]:
    found = [(kind, line, flow) for one, kind, line, flow in CASES if one == place]
    return found[list(PLACES).index(place) % SHARE :: SHARE]


@pytest.mark.parametrize("place", PLACES)
def test_a_write(tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    """It is made as in CPython, or refused; and not too much is refused."""
    cases = cases_of(place)
    refused = [
        (kind, line, flow)
        for kind, line, flow in cases
        if check(tmp_path, capsys, place, VALUES[kind][0], line, flow) is not None
    ]
    assert len(refused) < 0.4 * len(cases), refused


STAGED = [
    ("attribute", "int", "T += 1", "for"),
    ("attribute", "array", "T = T * x", "while"),
    ("attribute", "list", "T.append(x)", "for"),
    ("attribute", "list", "T.append(x)", "failing"),
    ("dataclass", "float", "T += x", "raise"),
    ("property", "float", "T = x * 2", "else"),
    ("slot", "float", "T += x", "callee"),
    ("item of an argument", "list", "T.append(x)", "while"),
    ("item of a dict", "float", "T = x * 2", "early"),
    ("item in a tuple", "float", "T += x", "if"),
    ("global", "int", "T += 1", "callee"),
    ("global", "list", "T.append(x)", "for"),
    ("item of a global dict", "float", "T += x", "for"),
    ("variable around", "int", "T += 1", "callee"),
    ("module", "float", "T = x * 2", "if"),
    ("class", "int", "T += 1", "straight"),
    ("attribute", "None", "T = x", "straight"),
    ("attribute", "dict", 'T["c"] = x', "straight"),
    ("attribute", "str", 'T = T + "b"', "straight"),
]
"""What has to be staged."""


@pytest.mark.parametrize("case", STAGED, ids=str)
def test_it_is_staged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: tuple[str, str, str, str]
) -> None:
    place, kind, line, flow = case
    assert check(tmp_path, capsys, place, VALUES[kind][0], line, flow) is None
