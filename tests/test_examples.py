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
    perceptron = re.search(r"perceptron's held-out accuracy ([\d.]+)%", done.stdout)
    assert perceptron is not None and float(perceptron[1]) > 85, done.stdout


def numbers_of(done: subprocess.CompletedProcess[str], pattern: str) -> list[float]:
    """What a pattern's group matches in the output, as numbers."""
    assert done.returncode == 0, done.stderr
    found = [float(number) for number in re.findall(pattern, done.stdout, re.M)]
    assert found, done.stdout
    return found


def test_a_recurrent_network_learns_a_text() -> None:
    """By full and by truncated back-propagation, and by the full one better."""
    full, truncated = numbers_of(run(str(EXAMPLES / "rnn_training.py")), r"steps: ([\d.]+)")
    assert full < truncated < 0.2


def test_meta_learning_makes_adapting_better() -> None:
    before, after = numbers_of(run(str(EXAMPLES / "maml.py")), r"error ([\d.]+) after adapting")
    assert after < 0.8 * before


def test_a_policy_learns_to_balance() -> None:
    lengths = numbers_of(run(str(EXAMPLES / "policy_gradient.py")), r"([\d.]+) moves an episode")
    assert lengths[0] < 40 and max(lengths) > 150


def test_an_ode_is_fitted_through_its_solver() -> None:
    done = run(str(EXAMPLES / "neural_ode.py"))
    assert numbers_of(done, r"steps: ([\d.]+)")[0] < 0.01 * numbers_of(done, r"misfit ([\d.]+)")[0]
    assert len(set(numbers_of(done, r"solver steps (\d+)"))) > 1


def test_a_tree_lstm_learns(tmp_path: Path) -> None:
    """On the real trees where `SST_DIR` names them, else on random ones, which it learns by heart."""
    done = run(str(EXAMPLES / "tree_lstm.py"), "--trees", "60", "--epochs", "4")
    losses = numbers_of(done, r"epoch \d+: loss ([\d.]+)")
    assert losses[-1] < 0.8 * losses[0]
    (tmp_path / "dev.txt").write_text("(3 (2 It) (4 (2 's) (3 fine)))\n(1 (2 No) (0 fun))\n")
    done = run(str(EXAMPLES / "tree_lstm.py"), "--data", str(tmp_path), "--epochs", "1")
    assert done.stdout.startswith(
        "the Stanford sentiment treebank: 2 trees, 5 words\nloss of the first tree: "
    )


def test_an_estimator_is_fitted() -> None:
    """It is an ordinary object between its staged methods, pickled and cloned; and as in plain Python."""
    staged = run(str(EXAMPLES / "estimator.py"), "--rows", "400")
    plain = run(str(EXAMPLES / "estimator.py"), "--rows", "400", AUTOGRAPH_DISABLE="1")
    assert min(numbers_of(staged, r"score ([\d.]+)")) > 0.99
    assert re.sub(r"[\d.]+ ms", "", staged.stdout) == re.sub(r"[\d.]+ ms", "", plain.stdout)


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


def test_the_listings_of_the_tangent_paper() -> None:
    done = run(str(EXAMPLES / "tangent" / "listings.py"))
    assert done.returncode == 0, done.stderr
    assert "bx = by * x + by * x" in done.stdout
    assert "Warning, large gradient of x 12.0" in done.stdout
    assert "bvar3" in done.stdout


def test_the_perceptron_of_the_tangent_paper_learns_digits() -> None:
    done = run(str(EXAMPLES / "tangent" / "train_mlp.py"))
    accuracy = numbers_of(done, r"held-out accuracy ([\d.]+)%")[0]
    losses = numbers_of(done, r"^epoch \d+ loss ([\d.]+)$")
    assert accuracy > 85 and losses[0] > losses[-1]
