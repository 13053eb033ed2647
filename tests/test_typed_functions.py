"""Type checkers and editors see the user's signature of what is staged, derived or batched, and of methods.

Each line of the program that ends in `# says:` is one where mypy shows that type or makes that complaint.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PROGRAM = """
from __future__ import annotations

import functools

import autograph as ag


@ag.function
def scaled(x: float, rate: float = 0.5, *, times: int = 1) -> float:
    return x * rate


@ag.function(static="rate")
def scaled_static(x: float, rate: float = 0.5) -> float:
    return x * rate


reveal_type(scaled)  # says: Function[[x: float, rate: float =, *, times: int =], float]
reveal_type(scaled(1.0))  # says: float
reveal_type(scaled_static(1.0, rate=2.0))  # says: float
scaled("a")  # says: incompatible type "str"; expected "float"
scaled(1.0, size=2)  # says: Unexpected keyword argument "size"
reveal_type(ag.grad(scaled))  # says: def (x: float, rate: float =, *, times: int =) -> Any
ag.grad(scaled)()  # says: Too few arguments
reveal_type(ag.value_and_grad(scaled)(1.0))  # says: tuple[float, Any]
reveal_type(ag.vmap(scaled))  # says: def (x: float, rate: float =, *, times: int =) -> Any
reveal_type(ag.hessian(scaled))  # says: def (x: float, rate: float =, *, times: int =) -> Any
reveal_type(ag.jacrev(scaled))  # says: def (x: float, rate: float =, *, times: int =) -> Any
reveal_type(ag.jacfwd(scaled))  # says: def (x: float, rate: float =, *, times: int =) -> Any
reveal_type(ag.jacobian(scaled)(1.0).shape)  # says: tuple[int, int]
reveal_type(ag.checkpoint(scaled)(1.0))  # says: float
reveal_type(ag.checkpoint(scaled))  # says: def (x: float, rate: float =, *, times: int =) -> float
ag.grad(1.0)  # says: incompatible type "float"
ag.grad(ag.grad(scaled))(1.0, speed=1.0)  # says: Unexpected keyword argument "speed"
reveal_type(ag.to_graph(scaled))  # says: def (x: float, rate: float =, *, times: int =) -> float


class Layer:
    factor = 2.0

    @ag.function
    def forward(self, x: float, n: int = 1) -> float:
        return x * self.factor

    @ag.function(static="n")
    def static(self, x: float, n: int = 1) -> float:
        return x * self.factor

    @ag.grad
    def slope(self, x: float) -> float:
        return x * self.factor

    @ag.function
    @classmethod
    def class_above(cls, x: float) -> float:
        return x + cls.factor

    @classmethod
    @ag.function
    def class_below(cls, x: float) -> float:
        return x + cls.factor

    @ag.function
    @staticmethod
    def static_above(x: float) -> float:
        return x

    @staticmethod
    @ag.function
    def static_below(x: float) -> float:
        return x

    @property
    @ag.function
    def below(self) -> float:
        return self.factor

    @functools.cached_property
    @ag.function
    def kept(self) -> float:
        return self.factor


    @ag.function
    def untyped(self, x):  # says: missing a type annotation
        return x

    @staticmethod
    @ag.function
    def untyped_static(x):  # says: missing a type annotation
        return x


class Child(Layer):
    @ag.function
    def forward(self, x: float, n: int = 1) -> float:
        return super().forward(x) + 1.0


layer = Layer()
reveal_type(layer.forward)  # says: BoundMethod[[x: float, n: int =], float]
reveal_type(layer.forward(1.0, n=3))  # says: float
reveal_type(Child().forward(1.0))  # says: float
layer.forward()  # says: Missing positional argument "x"
layer.forward("a")  # says: incompatible type "str"; expected "float"
reveal_type(Layer.forward(layer, 1.0))  # says: float
reveal_type(layer.forward.signatures())  # says: list[str]
reveal_type(layer.static(1.0, 2))  # says: float
reveal_type(layer.class_above(1.0))  # says: float
reveal_type(Layer.class_above)  # says: BoundMethod[[x: float], float]
reveal_type(layer.class_below(1.0))  # says: float
reveal_type(layer.static_above(1.0))  # says: float
reveal_type(Layer.static_above)  # says: Function[[x: float], float]
reveal_type(layer.untyped(1.0))  # says: Any
reveal_type(layer.untyped_static(1.0))  # says: Any
layer.static_above("a")  # says: incompatible type "str"; expected "float"
reveal_type(layer.slope(1.0))  # says: Any
layer.slope()  # says: Missing positional argument "x"
reveal_type(layer.static_below(1.0))  # says: float
reveal_type(layer.below)  # says: float
reveal_type(layer.kept)  # says: float
reveal_type(scaled.signatures())  # says: list[str]
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[str]]:
    """What mypy says of each line."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--output=json", "--cache-dir=cache", "program.py"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT / "python")},
        check=False,
    )
    assert done.returncode == 1 and not done.stderr, done.stderr + done.stdout
    found: dict[int, list[str]] = {}
    for line in filter(None, done.stdout.splitlines()):
        one = json.loads(line)
        assert one["file"] == "program.py", line
        # How a name of a class in full and a builtin is shown differs from version to version.
        text = re.sub(r"\b(builtins|autograph\._src\.\w+|typing)\.", "", one["message"])
        found.setdefault(one["line"], []).append(text.replace("Tuple[", "tuple["))
    return found


LINES = [
    pytest.param(number, line.partition("  # says: ")[2], id=line.partition("  # says: ")[0])
    for number, line in enumerate(PROGRAM.splitlines(), 1)
    if "# says: " in line
]


@pytest.mark.parametrize(("number", "text"), LINES)
def test_a_line(said: dict[int, list[str]], number: int, text: str) -> None:
    assert any(text in one for one in said.get(number, [])), said.get(number)


def test_nothing_else_is_said(said: dict[int, list[str]]) -> None:
    expected = {number for number, line in enumerate(PROGRAM.splitlines(), 1) if "# says: " in line}
    assert {number: texts for number, texts in said.items() if number not in expected} == {}
