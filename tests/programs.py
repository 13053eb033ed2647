"""The programs of `tests/run`: CPython running the original function is the judge.

A file's first lines say what to run. `# run: f(args)` compares the results, `# run: f(args) == value`
states the value as well, `# raises: f(args) Name` expects an exception of that class.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import importlib.util
import io
import re
import sys
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "run"
_LINE = re.compile(r"# (?P<kind>run|raises): (?P<call>.*?\))(?: == (?P<value>.*)| (?P<error>\w+))?$")


@dataclasses.dataclass(frozen=True)
class Case:
    """One line of one file."""

    file: str
    call: str
    value: str | None
    error: str | None

    def __str__(self) -> str:
        return f"{self.file}:{self.call}"


def cases() -> list[Case]:
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        for line in path.read_text().splitlines():
            match = _LINE.match(line)
            if match:
                found.append(Case(path.stem, match["call"], match["value"], match["error"]))
    return found


@functools.cache
def code_of(path: Path) -> CodeType:
    """The code of a program, which is converted once."""
    return compile(path.read_text(), str(path), "exec")


def load(name: str) -> ModuleType:
    """Import a program anew, so that no state is shared."""
    path = FOLDER / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"tests_run_{name}", path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    exec(code_of(path), vars(module))
    return module


@dataclasses.dataclass
class Outcome:
    """What a call did: its result or exception, what it printed, its arguments afterwards."""

    result: Any
    error: BaseException | None
    printed: str
    arguments: Any


def run(module: ModuleType, call: str, wrap: Any) -> Outcome:
    """Call the function of a module through `wrap`, with arguments of its own."""
    name, _, rest = call.partition("(")
    arguments: list[Any] = []

    def caller(*args: Any, **kwargs: Any) -> Any:
        arguments.append((args, kwargs))
        return wrap(getattr(module, name))(*args, **kwargs)

    scope = {"np": np, **vars(module), "caller": caller}
    printed = io.StringIO()
    result, error = None, None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            result = eval(f"caller({rest}", scope)
        except Exception as raised:
            error = raised
    return Outcome(result, error, printed.getvalue(), copy.deepcopy(arguments))


def assert_same(got: Any, want: Any) -> None:
    """Equal structure, types and dtypes, and values up to rounding."""
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want), (got, want)
        for one, other in zip(got, want, strict=True):
            assert_same(one, other)
        return
    if isinstance(want, dict):
        assert list(got) == list(want)
        assert_same(list(got.values()), list(want.values()))
        return
    assert type(got) is type(want), (type(got), type(want), got, want)
    if isinstance(want, (np.ndarray, np.generic)):
        assert got.dtype == want.dtype and got.shape == want.shape, (
            got.dtype,
            want.dtype,
            got.shape,
            want.shape,
        )
    if isinstance(want, (float, np.floating)) or (isinstance(want, np.ndarray) and want.dtype.kind in "fc"):
        single = getattr(want, "dtype", np.dtype(float)) in (np.float32, np.complex64)
        tolerance = 2e-5 if single else 1e-11
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    elif isinstance(want, (np.ndarray, np.generic, int, str, bytes, type(None))):
        np.testing.assert_array_equal(got, want)
