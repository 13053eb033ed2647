"""Every program of `tests/run`: converted, interpreted, native and in any size, it equals CPython's own."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import Case, Outcome, assert_same, cases, load, run


def interpreted(function: Any) -> Any:
    """The function staged, its graph run by the reference interpreter."""
    staged = ag.function(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, concrete = staged._specialise(args, kwargs)
        return concrete.interpret(leaves)

    return call


def twice(function: Any) -> Any:
    """The function staged and called a second time, so that the cached graph is what is judged."""
    staged = ag.function(function)
    return lambda *args, **kwargs: staged(*args, **kwargs)


def in_any_size(function: Any) -> Any:
    """The function staged with an input signature that leaves the sizes of arrays open."""

    def call(*args: Any, **kwargs: Any) -> Any:
        specs = list(itertools.takewhile(lambda spec: spec is not None, map(spec_of, args)))
        has_sizes = any(isinstance(spec, ag.ArraySpec) and spec.is_open() for spec in specs)
        staged = ag.function(function, input_signature=specs) if has_sizes else ag.function(function)
        return staged(*args, **kwargs)

    return call


def spec_of(value: Any) -> Any:
    if type(value) in (bool, int, float):
        return type(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return ag.ArraySpec((None,) * value.ndim, value.dtype)
    return None


def profiled(function: Any) -> Any:
    """The function staged and profiled; its profile fits together, and its lines are in the program."""
    staged = ag.function(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        profile = staged.profile(*args, **kwargs)
        assert profile.seconds >= sum(line.seconds for line in profile.lines) - 1e-12
        assert all(line.calls and (line.text or line.file.startswith("<")) for line in profile.lines)
        assert repr(profile) and profile.to_chrome_trace()["traceEvents"]
        return profile.result

    return call


@functools.cache
def plain(case: Case) -> Outcome:
    """What CPython does."""
    return run(load(case.file), case.call, lambda function: function)


WAYS = {
    "converted": ag.to_graph,
    "interpreted": interpreted,
    "native": twice,
    "in any size": in_any_size,
    "profiled": profiled,
}


@pytest.mark.filterwarnings("ignore:.* is retraced for each size:UserWarning")
@pytest.mark.parametrize("case", cases(), ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_program(case: Case, way: str) -> None:
    want = plain(case)
    got = run(load(case.file), case.call, WAYS[way])
    compare(case, way, got, want)


def compare(case: Case, way: str, got: Outcome, want: Outcome) -> None:
    if case.error is not None and (want.error is not None or way != "converted"):
        assert case.error in [base.__name__ for base in type(got.error).__mro__], got.error
        if want.error is not None:
            assert str(want.error) in str(got.error) or got.error.args == want.error.args
        assert got.printed == want.printed
        return
    if want.error is not None:
        raise want.error
    if got.error is not None:
        raise got.error
    assert_same(got.result, want.result)
    if case.value is not None:
        assert got.result == eval(case.value)
    assert got.printed == want.printed
    assert_same([list(args) for args, _ in got.arguments], [list(args) for args, _ in want.arguments])
