"""What gradients save: measured, in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ARRAY = 800_000
"""Bytes of the array that a loop works on: 100,000 floats."""

PROGRAM = '''
import pathlib
import resource
import autograph as ag
import numpy as np

STATUS = pathlib.Path("/proc/self/status")

def peak():
    """Of this process alone: what `getrusage` says begins, on Linux, with the peak of the parent."""
    if not STATUS.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024

{program}

run(np.linspace(0.1, 1.0, 8))
x = np.linspace(0.1, 1.0, 100_000)
before = peak()
run(x)
print(peak() - before)
'''

HALVING = """
def halving(x):
    for _ in ag.staged(range(200)):
        if np.sum(x) > 1:
            x = x / 2
    return np.sum(x)

run = {what}(halving)
"""

WAVES = """
def waves(x):
    w = 0.5 * x
    for i in ag.staged(range(300)):
        ag.set_loop_options({options})
        x = np.sin(x) * w + np.cos(x * x) * (i % 3)
    return np.sum(x * w)

run = ag.grad(waves)
"""


def peak_of(folder: Path, program: str) -> float:
    """The bytes that a run takes at its peak, in arrays."""
    script = folder / "program.py"
    script.write_text(PROGRAM.format(program=program))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return int(done.stdout) / ARRAY


def test_a_loop_that_halves_saves_no_arrays(tmp_path: Path) -> None:
    value, gradient = (peak_of(tmp_path, HALVING.format(what=what)) for what in ("ag.function", "ag.grad"))
    assert gradient - value < 3


def test_a_gradient_without_a_limit_saves_what_it_needs_of_each_iteration(tmp_path: Path) -> None:
    """What the tests below are about: without their options it is hundreds of arrays."""
    assert peak_of(tmp_path, WAVES.format(options="")) > 500


def test_a_checkpointed_loop_saves_an_array_an_iteration(tmp_path: Path) -> None:
    assert 250 < peak_of(tmp_path, WAVES.format(options="checkpoint=True")) < 345


@pytest.mark.parametrize("arrays", [200, 50, 20])
def test_a_memory_limit_holds(arrays: int, tmp_path: Path) -> None:
    """Beside what is saved there are the arrays that an iteration works on, and those handed to functions."""
    assert peak_of(tmp_path, WAVES.format(options=f"memory_limit={arrays * ARRAY}")) < arrays + 16
