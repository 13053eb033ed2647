"""Functions under ``functools.singledispatch`` are converted: their tests on data, and what they print."""

from __future__ import annotations

import functools
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same


@functools.singledispatch
def measured(value, factor=1):
    print("other", factor)
    return value


@measured.register
def _(value: int, factor=1):
    print("int", value)
    return value * 2


@measured.register
def _(value: float, factor=1):
    print("float", value)
    if value > 0:
        return value * factor
    return -value


@measured.register(np.ndarray)
def _(value, factor=1):
    print("array")
    return value.sum() * factor


def once(value):
    return measured(value)


def several(value):
    return measured(value, factor=3), measured("text"), list(map(measured, [value, 1.0]))


ARGUMENTS = (1.5, -2.5, 3, True, np.float64(2.0), np.int64(-2), np.array([1.0, 2.0]))


@pytest.mark.parametrize("program", [once, several])
def test_the_chosen_function_is_converted(program: Any, capsys: Any) -> None:
    staged = ag.function(program)
    for argument in (*ARGUMENTS, *ARGUMENTS):
        got, printed = staged(argument), capsys.readouterr().out
        assert_same((got, printed), (program(argument), capsys.readouterr().out))


def test_a_function_that_is_registered_later_is_seen() -> None:
    @functools.singledispatch
    def kind(value):
        return 0.0

    staged = ag.function(lambda value: kind(value) + value)
    assert staged(np.float64(1.0)) == 1.0
    kind.register(float, lambda value: 2.0)
    assert staged(np.float64(1.0)) == 3.0
