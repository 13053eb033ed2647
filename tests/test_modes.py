"""NumPy's modes for floating-point errors, and warnings that are errors: obeyed, or refused where set."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest


def inverse(x: Any) -> Any:
    return 1.0 / x


def larger(x: Any) -> Any:
    total = x
    for _ in range(3):
        total = total * 1e200
    return total


def less(x: Any) -> Any:
    return x - x


def overflowing(n: Any) -> Any:
    return n + np.int64(2**63 - 1)


@contextmanager
def as_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


PROGRAMS: list[tuple[Callable[..., Any], Any]] = [
    (inverse, np.float64(0.0)),
    (inverse, np.zeros(2)),
    (inverse, np.float64(2.0)),
    (larger, np.float64(1e10)),
    (less, np.float64(np.inf)),
    (overflowing, np.int64(5)),
]

MODES: dict[str, Callable[[], Any]] = {
    "divide": lambda: np.errstate(divide="raise"),
    "all": lambda: np.errstate(all="raise"),
    "over": lambda: np.errstate(over="raise"),
    "print": lambda: np.errstate(all="print"),
    "warnings": as_errors,
}


def _outcome(function: Callable[..., Any], argument: Any) -> Any:
    try:
        result = function(argument)
    except ag.AutographError:
        raise
    except Exception as error:
        return type(error), str(error)
    return type(result), np.asarray(result).tolist()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("program", "argument"), PROGRAMS)
def test_a_mode_of_the_caller_is_obeyed(
    program: Callable[..., Any], argument: Any, mode: str, capfd: pytest.CaptureFixture[str]
) -> None:
    staged = ag.function(program)
    with np.errstate(all="ignore"):
        for _ in range(2):  # The second call is the dispatcher's.
            assert repr(_outcome(staged, argument)) == repr(_outcome(program, argument))
    capfd.readouterr()
    with MODES[mode]():
        want, said = _outcome(program, argument), capfd.readouterr().out
        assert repr(_outcome(staged, argument)) == repr(want) and capfd.readouterr().out == said
    with np.errstate(all="ignore"):
        assert repr(_outcome(staged, argument)) == repr(_outcome(program, argument))


def test_a_mode_of_the_first_call_is_obeyed() -> None:
    staged = ag.function(inverse)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        staged(np.float64(0.0))
    with np.errstate(divide="ignore"):
        assert staged(np.float64(0.0)) == np.inf


def test_seterr_of_the_caller_is_obeyed() -> None:
    staged = ag.function(inverse)
    assert staged(np.float64(2.0)) == staged(np.float64(2.0)) == 0.5
    before = np.seterr(divide="raise")
    try:
        with pytest.raises(FloatingPointError):
            staged(np.float64(0.0))
    finally:
        np.seterr(**before)
    assert staged(np.float64(2.0)) == 0.5


def test_a_staged_run_gives_no_runtime_warnings() -> None:
    for program, argument in PROGRAMS:
        staged = ag.function(program)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            staged(argument)
            staged(argument)
        assert not [one for one in caught if one.category is RuntimeWarning]


def test_a_filter_for_other_warnings_changes_nothing() -> None:
    notes = []

    @ag.do_not_convert
    def note() -> None:
        notes.append("traced")

    def f(x: Any) -> Any:
        note()
        return x + 1.0

    staged = ag.function(f)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        assert staged(np.float64(1.0)) == staged(np.float64(1.0)) == 2.0
    assert notes == ["traced"]


INSIDE = {
    'with np.errstate(divide="raise"):\n        return 1.0 / x': "AG107",
    'with np.errstate(all="warn"):\n        return 1.0 / x': "AG107",
    'with np.errstate(over="call"):\n        return 1.0 / x': "AG107",
    'with np.errstate(all="ignore"):\n        return 1.0 / x': None,
    "with np.errstate():\n        return 1.0 / x": None,
    'np.seterr(all="raise")\n    return 1.0 / x': "AG107",
    'np.seterr(all="ignore")\n    return 1.0 / x': "AG107",
    "with kept:\n        return 1.0 / x": "AG107",
    "return decorated(x)": "AG107",
    'with warnings.catch_warnings():\n        warnings.simplefilter("error")\n    return x': "AG107",
    'warnings.filterwarnings(action="error")\n    return 1.0 / x': "AG107",
    'with warnings.catch_warnings():\n        warnings.simplefilter("ignore")\n        return 1.0 / x': None,
}

_HEAD = """
import warnings

import numpy as np

kept = np.errstate(divide="raise")


@np.errstate(divide="raise")
def decorated(x):
    return 1.0 / x


def f(x):
    """


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("body", INSIDE)
def test_a_mode_that_is_set_inside(tmp_path: Path, body: str) -> None:
    path = tmp_path / "program_with_modes.py"
    path.write_text(_HEAD + body + "\n")
    module = _load(path)
    code = INSIDE[body]
    for _ in range(2):
        if code is None:
            assert ag.function(module.f)(np.float64(0.0)) == np.inf
            continue
        with pytest.raises(ag.StagingError) as caught:
            ag.function(module.f)(np.float64(0.0))
        assert caught.value.code == code
        place = ag.errors.place_of(caught.value)
        assert place is not None and place.file == str(path)
