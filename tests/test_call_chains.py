"""What fails in the running graph has the frames of plain Python: each caller's function, line and columns."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import autograph as ag
import chain_programs
import numpy as np
import pytest

Frame = tuple[str, int | None, int | None, int | None]

ARGUMENTS = np.arange(1.0, 4.0), np.int64(7)
FINE = np.arange(1.0, 4.0), np.int64(1)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """What a call raises, with the frames of the programs; or its result."""
    try:
        with np.errstate(all="ignore"):
            return function(*args)
    except Exception as error:
        return type(error), str(error), frames_of(error)


def frames_of(error: BaseException) -> list[Frame]:
    """Function, line and columns of each frame of the programs' file."""
    frames = traceback.extract_tb(error.__traceback__)
    return [
        (one.name, one.lineno, one.colno, one.end_colno)
        for one in frames
        if one.filename == chain_programs.__file__
    ]


def cross(calling: Callable[..., Any], failing: Callable[..., Any]) -> str | None:
    """How a program differs from plain Python: the words of a refusal, or both outcomes."""

    def program(x: Any, k: Any) -> Any:
        return calling(failing, x, k)

    staged = ag.function(program)
    for args in (FINE, ARGUMENTS):
        want, got = outcome(program, *args), outcome(staged, *args)
        if isinstance(got, tuple) and isinstance(got[0], type) and issubclass(got[0], ag.StagingError):
            return "refused " + got[1].split("\n")[0]
        if repr(want) != repr(got):
            return f"{want!r}\n    {got!r}"
    return None


@pytest.mark.parametrize("calling", chain_programs.CALLING, ids=lambda one: one.__name__)
def test_frames_of_what_fails(calling: Callable[..., Any]) -> None:
    found = {failing.__name__: cross(calling, failing) for failing in chain_programs.FAILING}
    assert {name: one for name, one in found.items() if one is not None} == {}
