"""Checkpoints: the same gradients to the bit, the same effects, less memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError
from tangent_case import Program
from tangent_checkpointed import with_callees, with_loops
from tangent_checks import call, is_guard, is_located, is_same
from tangent_programs import PROGRAMS, REFUSED

LOOPS = [
    (one, made)
    for one in PROGRAMS
    if one.name not in REFUSED and (made := with_loops(getattr(one.function, "__original__", one.function)))
]
CALLEES = [(one, made) for one in PROGRAMS if one.name not in REFUSED and (made := with_callees(one))]

REFUSED_LOOPS: dict[str, str] = {}
REFUSED_CALLEES: dict[str, str] = {}


def compare(program: Program, made: Callable[..., Any], refused: dict[str, str]) -> None:
    code = refused.get(program.name)
    if code is not None:
        with pytest.raises(ConversionError) as found:
            tangent.grad(made, program.wrt)
        assert found.value.code == code
        assert is_located(found.value)
        return
    for make in (tangent.vjp, lambda f, wrt: tangent.autodiff(f, wrt, motion="split", optimized=False)):
        wanted, derivative = make(program.function, program.wrt), make(made, program.wrt)
        for args in program.inputs:
            plain = call(tangent.tangent(program.function), args)
            seed = np.ones(np.shape(plain.result)) if np.ndim(plain.result) else 1.0
            one, other = call(wanted, (*args, seed)), call(derivative, (*args, seed))
            assert type(other.error) is type(one.error), (args, other.error)
            assert is_same(other.result, one.result), (args, tangent.to_source(derivative))
            assert (other.printed, other.logged) == (one.printed, one.logged)
            assert is_same(other.arguments[: len(args)], one.arguments[: len(args)])


@pytest.mark.parametrize(("program", "made"), LOOPS, ids=lambda one: getattr(one, "name", ""))
def test_loops(program: Program, made: Any) -> None:
    compare(program, made, REFUSED_LOOPS)


@pytest.mark.parametrize(("program", "made"), CALLEES, ids=lambda one: getattr(one, "name", ""))
def test_callees(program: Program, made: Any) -> None:
    compare(program, made, REFUSED_CALLEES)
