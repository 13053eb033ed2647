"""What a debugger sees of staged values of every kind: a text with type and line, and never an error."""

from __future__ import annotations

import bdb
import copy
import inspect
import io
import pdb
import pprint
import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest


@dataclass
class Body:
    mass: float
    speed: Any = 0.0


class Plain:
    def __init__(self, mass: float) -> None:
        self.mass = mass


class Pair(NamedTuple):
    first: Any
    second: Any


VALUES = {
    "float": "x * 2",
    "array": "w * 2",
    "int": "n + 1",
    "bool": "x > 1",
    "argument": "w",
    "transposed": "np.outer(w, w).T",
    "part": "w[1:]",
    "mask": "w[w > 1]",
    "complex": "x + 1j",
    "complex array": "w * 1j",
    "optional": "None if x > 1 else x",
    "optional array": "None if x > 1 else w * 2",
    "optional tuple": "None if x > 1 else (x, n)",
    "union": "0 if x > 1 else x",
    "union of arrays": "w if x > 1 else 2",
    "choice of strings": "'a' if x > 1 else 'b'",
    "choice of functions": "np.sin if x > 1 else np.cos",
    "choice or number": "'a' if x > 1 else x",
    "text": "f'{x} of {w}'",
    "text of the run": "''.join(['ab' for _ in range(n)])",
    "tuple": "(x, w)",
    "pair": "Pair(x, n)",
    "list": "[x, n]",
    "grown list": "[i * x for i in range(n)]",
    "list of lists": "[[i * x] for i in range(n)]",
    "list of dicts": "[{'a': i * x} for i in range(n)]",
    "element of a list of dicts": "[{'a': i * x} for i in range(n)][0]",
    "list of objects": "[Body(i * x) for i in range(n)]",
    "row": "[Body(i * x) for i in range(n)][0]",
    "row of a plain class": "[Plain(i * x) for i in range(n)][0]",
    "one of two objects": "Body(x) if x > 1 else Body(2 * x)",
    "object": "Body(x)",
    "dict": "{'a': x, 'b': w}",
    "keyed dict": "{i * n: x for i in range(n)}",
    "views of a keyed dict": "{i * n: x for i in range(n)}.items()",
    "keyed set": "{i * n for i in range(n)}",
    "counter": "Counter([i % n for i in range(n)])",
    "defaultdict": "filled(defaultdict(int), n)",
    "ordered dict": "filled(OrderedDict(), n)",
    "deque": "deque([i * x for i in range(n)])",
    "generator": "(i * x for i in range(n))",
    "iterator": "iter([i * x for i in range(n)])",
    "range": "range(n)",
    "zip": "zip(w, w)",
    "enumerate": "enumerate(w)",
    "method": "w.sum",
    "function": "lambda k: k * x",
    "node": "tree",
}
"""By name, the expression of a value: `x`, `n` are scalars, `w` is an array, `tree` may be `None`."""

PLAIN = ("method", "function", "generator", "iterator")
"""What has no kind of its own."""


def filled(table: Any, n: Any) -> Any:
    for i in range(n):
        table[i * n] = i
    return table


class Tree:
    def __init__(self, value: float, left: Tree | None = None) -> None:
        self.value = value
        self.left = left


TREE = Tree(1.0, Tree(2.0, Tree(3.0)))

SCOPE = {"np": np, **{one.__name__: one for one in (Body, Plain, Pair, filled, Counter, defaultdict, deque)}}
SCOPE["OrderedDict"] = OrderedDict


def program(name: str, tmp_path: Any) -> Callable[..., Any]:
    """A function that makes the value on its third line, and has it beside what depends on it."""
    source = f"def f(x, n, w, tree):\n    depth = 0\n    y = {VALUES[name]}\n    z = x + 1\n"
    source += "    while tree is not None:\n        depth += 1\n        tree = tree.left\n"
    source += "    return z, depth\n"
    file = tmp_path / "program.py"
    file.write_text(source)
    scope = dict(SCOPE)
    exec(compile(source, str(file), "exec"), scope)
    function: Callable[..., Any] = scope["f"]
    return function


LOOKS: dict[str, Callable[[Any], Any]] = {
    "repr": repr,
    "str": str,
    "format": format,
    "dir": dir,
    "pprint": lambda value: pprint.pformat({"y": [value], "z": value}),
    "members": inspect.getmembers,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "vars": lambda value: vars(value) if hasattr(value, "__dict__") else None,
}


class Looker(bdb.Bdb):
    """Looks at the variables of one file at each line."""

    def __init__(self, file: str, look: Callable[[Any], Any]) -> None:
        super().__init__()
        self.file = file
        self.look = look
        self.seen: list[Any] = []

    def user_line(self, frame: FrameType) -> None:
        if frame.f_code.co_filename == self.file and frame.f_code.co_name == "f":
            for name, value in frame.f_locals.items():
                if name in ("y", "x", "n", "w", "tree"):
                    self.seen.append((frame.f_lineno, name, self.look(value)))


def looked(name: str, look: Callable[[Any], Any], tmp_path: Any) -> tuple[Any, list[Any]]:
    """What the staged function gives under a debugger, and what that has seen."""
    function = program(name, tmp_path)
    looker = Looker(function.__code__.co_filename, look)
    result = looker.runcall(ag.function(function), *ARGUMENTS)
    return result, looker.seen


ARGUMENTS = np.float64(1.5), np.int64(3), np.array([0.5, 1.5, 2.5]), TREE


@pytest.mark.parametrize("name", VALUES)
def test_looking_never_raises_and_changes_nothing(name: str, tmp_path: Any) -> None:
    try:
        want = repr(ag.function(program(name, tmp_path))(*ARGUMENTS))
    except ag.StagingError as error:
        pytest.fail(f"{name}: {error}")
    for how, look in LOOKS.items():
        result, seen = looked(name, look, tmp_path)
        assert repr(result) == want, how
        assert any(variable == "y" for _, variable, _ in seen), how


@pytest.mark.parametrize("name", [name for name in VALUES if name not in PLAIN])
def test_texts_name_no_class_of_this_package(name: str, tmp_path: Any) -> None:
    _, seen = looked(name, repr, tmp_path)
    texts = [text for _, variable, text in seen if variable == "y"]
    assert texts
    assert not [text for text in texts if re.search(r"autograph|Staged[A-Z]|Tensor|Keyed|staging", text)]


def test_a_text_has_type_and_line(tmp_path: Any) -> None:
    _, seen = looked("array", repr, tmp_path)
    texts = {variable: text for _, variable, text in seen}
    assert texts["y"] == "<staged float64 array of shape (3,) from program.py:3>"
    assert texts["w"] == "<staged float64 array of shape (3,)>"


def test_pdb_prints_a_value(tmp_path: Any) -> None:
    function = program("array", tmp_path)
    file = function.__code__.co_filename
    commands, output = (
        io.StringIO(f"b {file}:4\nc\np y\npp [y]\nargs\n" + "c\n" * 9),
        io.StringIO(),
    )
    debugger = pdb.Pdb(stdin=commands, stdout=output, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    debugger.runcall(ag.function(function), *ARGUMENTS)
    assert "<staged float64 array of shape (3,) from program.py:3>" in output.getvalue()


def test_the_program_itself_is_refused() -> None:
    @ag.do_not_convert
    def texts(x: Any) -> Any:
        return pprint.pformat(x)

    def f(x: Any) -> Any:
        return len(texts(x))

    with pytest.raises(ag.StagingError) as caught:
        ag.function(f)(np.float64(1.0))
    assert caught.value.code == "AG101"
