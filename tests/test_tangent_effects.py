"""An effect of the forward pass happens once and in its place, or the program is refused where it stands."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph.errors import ConversionError
from tangent_checks import is_close, is_guard, is_located
from tangent_effects import EFFECTS, PLACES, Crossed, Done, changed, crossing, do, module_of

MODES: dict[str, Any] = {
    "joint": lambda f: tangent.grad(f, preserve_result=True),
    "split": lambda f: tangent.autodiff(f, motion="split"),
    "forward": lambda f: tangent.jvp(f),
    "not optimized": lambda f: tangent.autodiff(f, optimized=False),
}


Programs = Callable[[str], ModuleType]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """The module of an effect, imported once."""
    folder = tmp_path_factory.mktemp("effects")
    return functools.cache(lambda effect: module_of(folder, effect))


def faults_of(module: ModuleType, one: Crossed, mode: str) -> list[str]:
    """What a derivative does otherwise than the program.

    Raises:
        ConversionError: It is refused.
        TypeError: Its arguments are.
    """
    function = getattr(module, one.name)
    want, slope = plain(module, one.name)
    derivative = MODES[mode](function)
    found = do(module, derivative, *([1.0] if mode == "forward" else []))
    if is_guard(found.error):
        assert found.error is not None
        raise found.error
    faults = list(changed(found, want))
    if want.error is None and found.error is None:
        if mode == "joint" and repr(found.result[1]) != repr(want.result):
            faults.append(f"the result is {found.result[1]!r}, and not {want.result!r}")
        gradient = found.result[0] if mode == "joint" else found.result
        if not is_close(gradient, slope, 1e-6):
            faults.append(f"the gradient is {gradient}, and not {slope}")
    return faults


@functools.cache
def plain(module: ModuleType, name: str) -> tuple[Done, float]:
    """What the program does, and its derivative by differences."""
    function = getattr(module, name)
    want = do(module, function)
    if want.error is not None:
        return want, np.nan
    values = [
        do(module, lambda x, *rest, step=step: function(x + step, *rest)).result for step in (1e-6, -1e-6)
    ]
    return want, float((values[0] - values[1]) / 2e-6)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("effect", EFFECTS)
def test_an_effect_happens_once_and_in_its_place(programs: Programs, effect: str, mode: str) -> None:
    kinds: Counter[str] = Counter()
    faults = []
    for one in crossing():
        if one.effect != effect or one.place == "in a block":
            continue
        try:
            found = faults_of(programs(effect), one, mode)
        except ConversionError as refused:
            assert is_located(refused)
            kinds["refused"] += 1
        except TypeError as error:
            assert is_guard(error), repr(error)
            kinds["guarded"] += 1
        else:
            kinds["done"] += 1
            faults += [f"{one.place}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)
    assert kinds["done"] >= LEAST.get(effect, len(PLACES)), kinds


LEAST: dict[str, int] = {
    "log of the caller": 13,
    "value in a log of the caller": 12,
    "array of the caller": 13,
    "value in an array of the caller": 12,
    "value in an attribute": 5,
    "value in an attribute, by a function": 6,
    "value in an array": 5,
    "item of a dict": 5,
}
"""In how many places an effect is taken, where it is not all: the others are refused."""


@pytest.mark.parametrize("effect", EFFECTS)
def test_an_effect_of_a_block_happens_in_the_backward_pass(programs: Programs, effect: str) -> None:
    """The adjoint is there what it is in the paper: of `y`, 1.5, before it is doubled."""
    one = next(one for one in crossing() if one.effect == effect and one.place == "in a block")
    module = programs(effect)
    function = getattr(module, one.name)
    nothing = do(module, lambda x, log, out: x * x * x)
    assert list(changed(do(module, function), nothing)) == []
    in_callee = next(other for other in crossing() if other.effect == effect and other.place == "before")
    # The plain program that has the effect once, with the adjoint as its value.
    want = do(module, lambda x, log, out: getattr(module, in_callee.name)(1.5, log, out))
    found = do(module, tangent.grad(function))
    assert list(changed(found, want)) == []
    if want.error is None:
        assert is_close(found.result, 1.5 * 2 * 3.0 + 2.25, 1e-9)
