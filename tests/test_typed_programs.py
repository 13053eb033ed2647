"""A program with types passes the strict type checker: public names have the types of their use."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PROGRAM = """
from __future__ import annotations

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@ag.function
def newton(a: float, n: int) -> float:
    x = a
    for _ in range(n):
        x = 0.5 * (x + a / x)
    return x


@ag.function
def loss(weights: Floats, xs: Floats) -> float:
    total = 0.0
    for x in xs:
        total += float(np.tanh(ag.stop_gradient(x) @ weights))
    return total


@ag.convert
def clipped(x: float) -> float:
    return x if x > 0.0 else 0.0


@ag.do_not_convert
def shown(x: float) -> None:
    print(x)


weights = ag.Variable(np.zeros(3))
slope = ag.grad(loss)(np.zeros(3), np.ones((2, 3)))
weights.assign_sub(0.1 * slope)
root: float = newton(2.0, 8)
kept: float = ag.stop_gradient(root)
rows = ag.stack([np.ones(2), np.zeros(2)])
text: str = ag.to_code(clipped)
shown(clipped(kept) + float(weights.value[0]) + float(rows.sum()))
"""


def test_a_program_with_types_passes(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}/cache"]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
    done = subprocess.run(
        [*command, str(program)], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert done.returncode == 0, done.stdout
    assert runpy.run_path(str(program))["root"] == pytest.approx(2.0**0.5)
