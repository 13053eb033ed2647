"""What fails in the running graph has plain Python's frames: function, line and columns of each caller."""

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


def lines_of(result: Any) -> Any:
    """An outcome with functions and lines only."""
    return (*result[:2], [frame[:2] for frame in result[2]]) if isinstance(result, tuple) else result


def is_refused(result: Any) -> bool:
    return isinstance(result, tuple) and issubclass(result[0], ag.StagingError)


def program_of(calling: Callable[..., Any], failing: Callable[..., Any]) -> Callable[..., Any]:
    def program(x: Any, k: Any) -> Any:
        return calling(failing, x, k)

    return program


def cross(calling: Callable[..., Any], failing: Callable[..., Any]) -> str | None:
    """How a program differs from plain Python: its refusal, or both outcomes."""
    program = program_of(calling, failing)
    staged = ag.function(program)
    for args in (FINE, ARGUMENTS):
        want, got = outcome(program, *args), outcome(staged, *args)
        if is_refused(got):
            return f"refused {got[1].splitlines()[0]}"
        if failing is chain_programs.by_a_write:  # CPython marks the target of a write, and we all of it.
            want, got = lines_of(want), lines_of(got)
        if repr(want) != repr(got):
            return f"{want!r}\n    {got!r}"
    return None


UNCONVERTED = ("in_a_generator", "in_an_operator", "in_a_property")
"""Ways to call that run functions as they are written: what these test must be known while recording."""


@pytest.mark.parametrize("calling", chain_programs.CALLING, ids=lambda one: one.__name__)
def test_frames_of_what_fails(calling: Callable[..., Any]) -> None:
    found = {failing.__name__: cross(calling, failing) for failing in chain_programs.FAILING}
    found = {name: one for name, one in found.items() if one is not None}
    refused = [name for name, one in found.items() if one.startswith("refused")]
    if calling.__name__ in UNCONVERTED:
        assert len(refused) < 20
    elif calling in (chain_programs.in_a_generator_expression, chain_programs.with_map):
        assert refused == ["by_next"]  # tests/test_stop_iteration.py
    else:
        assert not refused
    assert {name: one for name, one in found.items() if name not in refused} == {}


def inside(program: Callable[..., Any]) -> Callable[..., Any]:
    """The program as a staged function that another one calls."""
    inner = ag.function(program)
    return ag.function(lambda x, k: inner(x, k) + 1.0)


TRANSFORMED: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "grad": ag.grad,
    "value_and_grad in a graph": lambda program: ag.function(lambda x, k: ag.value_and_grad(program)(x, k)),
    "jvp": lambda program: lambda x, k: ag.jvp(lambda y: program(y, k), (x,), (x,)),
    "vmap": lambda program: lambda x, k: ag.vmap(program, in_axes=(0, None))(np.stack([x, x]), k),
    "a staged function in another": inside,
}


@pytest.mark.parametrize("how", TRANSFORMED)
def test_frames_of_derivatives_and_batches(how: str) -> None:
    agreed = 0
    for calling in chain_programs.CALLING:
        for failing in chain_programs.FAILING:
            program = program_of(calling, failing)
            want = lines_of(outcome(program, *ARGUMENTS))
            got = outcome(TRANSFORMED[how](program), *ARGUMENTS)
            if is_refused(got):
                continue
            if how == "vmap":  # An index into a batch is one into the axis after that of the batch.
                want, got = (want[0], want[2]), (got[0], got[2])
                got = got[0], [frame[:2] for frame in got[1]]
            else:
                got = lines_of(got)
            assert repr(got) == repr(want), (calling.__name__, failing.__name__)
            agreed += 1
    assert agreed > 600
