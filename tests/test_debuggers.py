"""A debugger that looks at variables changes no answer; an interruption is none of a trace."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import autograph as ag
import numpy as np
import pytest

RNG = np.random.default_rng(0)


def a_view_alone(x):
    a = x * 2
    b = a[1:]
    a = None
    b[0] = 3.0
    return b


def in_a_branch(x):
    y = x * 2
    if x[0] > 0:
        z = y[:2]
        y = x * 3
        z[0] = 5.0
    else:
        z = y[1:]
    return z, y


def in_a_loop(x):
    y = x * 1
    for k in range(3):
        row = y[k:]
        y = y + 1
        row = row * 2
        y[k] = row[0]
    return y


def seen_beside(x):
    a = x * 2
    b = a if x[0] > 0 else x * 3
    b[0] = 3.0
    return a


def written_through_a_view(x):
    a = x * 2
    b = a[1:]
    b[0] = 3.0
    return a


def watched(function: Any, *args: Any) -> Any:
    """A call under a debugger that looks at all variables of all frames, at each line."""
    seen: list[int] = []

    def trace(frame: FrameType, event: str, value: Any) -> Any:
        around: FrameType | None = frame
        while around is not None:
            seen.append(len(around.f_locals))
            around = around.f_back
        return trace

    outer = sys.gettrace()
    sys.settrace(trace)
    try:
        return function(*args)
    finally:
        sys.settrace(outer)
        assert seen


@pytest.mark.parametrize(
    "program", [a_view_alone, in_a_branch, in_a_loop, written_through_a_view], ids=lambda f: f.__name__
)
def test_a_debugger_changes_nothing(program: Any) -> None:
    x = np.arange(4.0)
    want = program(x)
    for got in (ag.function(program)(x), watched(ag.function(program), x)):
        np.testing.assert_equal(got, want)


def test_what_is_seen_beside_is_refused_with_and_without() -> None:
    x = np.arange(4.0)
    for call in (lambda: ag.function(seen_beside)(x), lambda: watched(ag.function(seen_beside), x)):
        with pytest.raises(ag.StagingError) as caught:
            call()
        assert caught.value.code == "AG113"


def test_an_interruption_is_not_taken_for_a_missing_stream() -> None:
    calls = []

    @ag.do_not_convert
    def stop() -> None:
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt

    def f(x):
        try:
            y = RNG.random()
        except BaseException:
            y = 0.0
        stop()
        return x + y

    with pytest.raises(KeyboardInterrupt):
        ag.function(f)(np.float64(1.0))
    assert calls == [1]
