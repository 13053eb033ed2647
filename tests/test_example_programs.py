"""Every program of `examples/programs` does the same plain, converted, interpreted and native."""

from __future__ import annotations

import copy
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same

FOLDER = Path(__file__).parent.parent / "examples" / "programs"
FILES = sorted(FOLDER.glob("*.py"))


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def interpreted(function: Any) -> Any:
    staged = ag.function(function)

    def call(*arguments: Any) -> Any:
        leaves, concrete = staged._specialise(arguments, {})
        return concrete.interpret(leaves)

    return call


def cases() -> Any:
    for path in FILES:
        for program, calls in load(path).PROGRAMS.items():
            for number, arguments in enumerate(calls):
                yield pytest.param(program, arguments, id=f"{path.stem}-{program.__name__}-{number}")


@pytest.mark.parametrize(("program", "arguments"), [*cases()])
@pytest.mark.parametrize("way", [ag.to_graph, interpreted, ag.function])
def test_the_same_result(program: Any, arguments: Any, way: Any) -> None:
    expected_arguments = copy.deepcopy(arguments)
    with np.errstate(all="ignore"):
        want = program(*expected_arguments)
        got = way(program)(*arguments)
    assert_same(got, want)
    assert_same(arguments, expected_arguments)


def checked() -> Any:
    for path in FILES:
        for program, (make, is_right) in getattr(load(path), "CHECKED", {}).items():
            yield pytest.param(program, make, is_right, id=f"{path.stem}-{program.__name__}")


@pytest.mark.parametrize(("program", "make", "is_right"), [*checked()])
@pytest.mark.parametrize("way", [lambda program: program, ag.function])
def test_the_same_distribution(program: Any, make: Any, is_right: Any, way: Any) -> None:
    assert is_right(way(program)(*make()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_runs_by_itself(path: Path) -> None:
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, done.stderr
