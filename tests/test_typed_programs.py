"""Programs with types pass type checkers: public names have the types of their use, in examples too."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))

PROGRAM = """
from __future__ import annotations

import autograph as ag
import numpy as np
from autograph import tangent
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


def energy(x: float, stiffness: float = 2.0) -> float:
    return stiffness * x * x


force: float = tangent.grad(energy)(2.0, stiffness=3.0)
stiffer: float = tangent.hessian(energy, "x")(2.0) + tangent.hvp(energy)(2.0, dx=1.0)
slopes: tuple[float, float] = tangent.jacobian(energy, wrt=(0, "stiffness"), mode="forward")(2.0)
source: str = tangent.to_source(tangent.jvp(energy))
shown(clipped(kept) + float(weights.value[0]) + float(rows.sum()))
"""


# The name of a file, and what a checker has against it, by line.
Complaints = dict[str, list[str]]

# scikit-learn has no types.
MYPY_CONFIGURATION = """
[mypy]
[mypy-sklearn.*]
ignore_missing_imports = True
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("typed") / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def by_mypy(program: Path) -> Complaints:
    """What `mypy --strict` says, in one run for all files: most of it reads the types of NumPy."""
    folder = program.parent
    (folder / "mypy.ini").write_text(MYPY_CONFIGURATION)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=mypy.ini", "--output=json"]
    # Two examples of one name, in two folders, are two modules only below a common base.
    done = subprocess.run(
        [*command, "--explicit-package-bases", "--cache-dir=cache", str(program), *map(str, EXAMPLES)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "MYPYPATH": os.pathsep.join([str(ROOT / "python"), str(ROOT)])},
        check=False,
    )
    assert done.returncode in (0, 1) and not done.stderr, done.stderr + done.stdout
    found: Complaints = {}
    for line in filter(None, done.stdout.splitlines()):
        one = json.loads(line)
        found.setdefault(str((folder / one["file"]).resolve()), []).append(f"{one['line']}: {one['message']}")
    assert bool(found) == bool(done.returncode)
    # None of it is in the package, which these files import.
    assert set(found) <= {str(path.resolve()) for path in [program, *EXAMPLES]}, found
    return found


@pytest.fixture(scope="module")
def by_pyright(program: Path) -> Complaints:
    """What pyright says as it is by default; the package of it on PyPI is basedpyright."""
    files = [str(program), *map(str, EXAMPLES)]
    configuration = {
        "include": files,
        "extraPaths": [str(ROOT / "python")],
        "typeCheckingMode": "standard",
    }
    (program.parent / "pyrightconfig.json").write_text(json.dumps(configuration))
    pyright = Path(sys.executable).parent / "basedpyright"
    done = subprocess.run(
        [pyright, "--project", program.parent, "--pythonpath", sys.executable, "--outputjson"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr + done.stdout
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(files)
    found: Complaints = {}
    for one in report["generalDiagnostics"]:
        line = one["range"]["start"]["line"] + 1
        found.setdefault(str(Path(one["file"]).resolve()), []).append(f"{line}: {one['message']}")
    return found


def test_a_program_with_types_passes(program: Path, by_mypy: Complaints, by_pyright: Complaints) -> None:
    assert by_mypy.get(str(program.resolve()), []) == []
    assert by_pyright.get(str(program.resolve()), []) == []
    assert runpy.run_path(str(program))["root"] == pytest.approx(2.0**0.5)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT / "examples")))
def test_an_example_passes(path: Path, by_mypy: Complaints, by_pyright: Complaints) -> None:
    assert "type: ignore" not in path.read_text()
    assert by_mypy.get(str(path.resolve()), []) == []
    assert by_pyright.get(str(path.resolve()), []) == []
