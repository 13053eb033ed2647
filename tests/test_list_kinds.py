"""Lists that staged loops fill, of every kind of element, given to every consumer: right, or refused."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph.errors import AutographError
from list_kinds import CONSUMERS, KINDS, module_text, name_of
from programs import assert_same

NUMBERS = ("int", "float", "bool", "float32", "float64", "int32", "int64", "float and never None")

REFUSED_OF_NUMBERS = {"np.vstack", "array of a list of it", "tuple", "unpacked", "is"}
"""What asks for a number of elements that only the run knows, or for the identity of a number."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path: Path = tmp_path_factory.mktemp("list_kinds") / "generated_list_kinds.py"
    path.write_text(module_text())
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(function: Callable[..., Any]) -> tuple[Any, BaseException | None, str]:
    """The result, the exception, what was printed."""
    printed = io.StringIO()
    v, w = np.array([1.0, 2.0, 0.5, 3.0]), np.array([0.25, 0.75])
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            return function(v, w, np.int64(4), np.int64(2)), None, printed.getvalue()
        except Exception as error:
            return None, error, printed.getvalue()


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_consumers(kind: str, programs: ModuleType) -> None:
    refused = set()
    for consumer in CONSUMERS:
        function = getattr(programs, name_of(kind, consumer))
        want, wanted_error, wanted_text = outcome(function)
        got, error, text = outcome(ag.function(function))
        what = (kind, consumer, want, wanted_error, got, error)
        if wanted_error is not None:
            is_same = isinstance(error, (type(wanted_error), AutographError))
            assert is_same or type(error).__name__ == f"Graph{type(wanted_error).__name__}", what
        elif error is not None:
            assert isinstance(error, AutographError) and getattr(error, "code", None), what
            refused.add(consumer)
        else:
            assert text == wanted_text, what
            try:
                assert_same(got, want)
            except AssertionError as difference:
                raise AssertionError(what) from difference
    if kind in NUMBERS:
        assert refused <= REFUSED_OF_NUMBERS
