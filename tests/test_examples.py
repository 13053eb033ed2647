"""The examples run, and do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env={**os.environ, **environment}
    )


def test_training_on_images() -> None:
    """On the real images where `MNIST_DIR` names them, else on the digits that scikit-learn ships."""
    done = run(str(EXAMPLES / "train_mnist.py"))
    assert done.returncode == 0, done.stderr
    accuracy = re.search(r"held-out accuracy ([\d.]+)%", done.stdout)
    assert accuracy is not None and float(accuracy[1]) > 85, done.stdout
    assert "ag__.for_stmt(" in done.stdout
    losses = [float(loss) for loss in re.findall(r"^epoch \d+ loss ([\d.]+)$", done.stdout, re.M)]
    assert len(losses) % 3 == 0 and losses[0] > losses[1]
    name = "MNIST" if os.environ.get("MNIST_DIR") else "scikit-learn's digits"
    assert f"--- {name}: " in done.stdout


def test_a_staged_print_appears_when_it_is_reached(tmp_path: Path) -> None:
    """Before what comes after it, also when that fails."""
    script = tmp_path / "prints.py"
    script.write_text(PRINTS)
    assert run(str(script)).stdout.split() == ["0", "1", "2", "failed"]


PRINTS = """
import numpy as np
import autograph as ag

@ag.function
def f(x, n):
    for i in range(n):
        print(i)
    assert x < 0
    return x

try:
    f(np.float64(1.0), np.int64(3))
except AssertionError:
    print("failed")
"""


def test_data_that_is_not_there() -> None:
    done = run(str(EXAMPLES / "train_mnist.py"), "--data", "no_such_folder")
    assert done.returncode != 0
    assert "no_such_folder has no file t10k-images-idx3-ubyte" in done.stderr
