"""Texts for known forms: what they give is what the general texts give, to the bit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph._src.tangent.forms import hot_path, texts
from autograph.errors import ConversionError
from tangent_case import Program
from tangent_forms import faults_of, forms_of, made_of, texts_of
from tangent_programs import PROGRAMS, REFUSED
from tangent_random import Maker, module_of, text_of
from test_tangent_cross import INPUTS
from whole import drawn

ACCEPTED = [one for one in PROGRAMS if one.name not in REFUSED]
PARTS = 8


@pytest.fixture(autouse=True)
def every_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are made where one call less is in them, and for all forms."""
    monkeypatch.setattr(texts, "LEAST", 1)
    monkeypatch.setattr(hot_path, "MOST_TRIALS", 100)
    monkeypatch.setattr(hot_path, "MOST_CALLS", 10**6)
    monkeypatch.setattr(hot_path, "is_watched", lambda: False)


@pytest.mark.parametrize("program", ACCEPTED, ids=lambda one: one.name)
def test_programs(program: Program) -> None:
    for derivative in made_of(program):
        calls = forms_of(program)
        if derivative.__name__.endswith("_tangent"):
            calls = [(*args, *(args[place] for place in program.wrt)) for args in calls]
        faults = faults_of(derivative, calls)
        assert not faults, f"{derivative.__name__}\n" + "\n".join(faults[:3])


def test_many_programs_have_texts() -> None:
    """Of the programs, so many have a text for a form; of those that are called with arrays, more."""
    counts: Counter[str] = Counter()
    for program in ACCEPTED:
        derivative = next(made_of(program))
        faults_of(derivative, program.inputs)
        counts["texts"] += bool(texts_of(derivative))
    assert counts["texts"] > len(ACCEPTED) * 0.3, counts


COUNT = drawn(80, whole=400)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs(part: int, tmp_path: Path) -> None:
    with_texts = 0
    for seed in range(part * COUNT // PARTS, (part + 1) * COUNT // PARTS):
        body = Maker(seed).program()
        module = module_of({"program": body}, tmp_path, f"tangent_forms_{part}_{seed}")
        program = Program(module.program, INPUTS, (0, 1))
        try:
            made: list[Any] = list(made_of(program))
        except ConversionError:
            continue
        for derivative in made:
            calls = forms_of(program)
            if derivative.__name__.endswith("_tangent"):
                calls = [(*args, *args[:2]) for args in calls]
            faults = faults_of(derivative, calls)
            assert not faults, f"{text_of(body, 'program')}\n" + "\n".join(faults[:3])
            with_texts += bool(texts_of(derivative))
    assert with_texts


HELD = np.arange(6.0)


def flattens(x: Any) -> None:
    """Gives an array another shape."""
    x.shape = (x.size,)


tangent.register_non_differentiable(flattens)


def flattened(x: Any, n: int) -> Any:
    y = x * 2.0
    for _ in range(n):
        flattens(y)
    return np.sum(y * y)


def flattened_in_a_loop(x: Any, n: int) -> Any:
    y = x * 2.0
    total = 0.0
    for _ in range(n):
        total = total + np.sum(y * np.sin(y))
        flattens(y)
    return total


def of_a_module(x: Any, n: int) -> Any:
    return np.sum(np.ravel(x) * HELD) * n


def of_a_size(x: Any, n: int) -> Any:
    return np.sum(np.zeros((n, 3)) + x * x)


def of_a_mask(x: Any, n: int) -> Any:
    y = x[x > n]
    return np.sum(y * y)


def of_other_shapes(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y = np.sum(y * x, axis=0)
    return np.sum(y)


def of_numbers_and_arrays(x: Any, n: int) -> Any:
    y = 1.0
    for _ in range(n):
        y = y * x
    return np.sum(y)


CHANGING = [
    flattened,
    flattened_in_a_loop,
    of_a_module,
    of_a_size,
    of_a_mask,
    of_other_shapes,
    of_numbers_and_arrays,
]


@pytest.mark.parametrize("function", CHANGING, ids=lambda one: one.__name__)
def test_a_shape_that_the_forms_do_not_say_is_not_known(
    function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.linspace(-1.0, 2.0, 6).reshape(2, 3)
    derivatives: list[Any] = []
    for make in (tangent.grad, tangent.value_and_grad, tangent.jvp):
        try:
            derivatives.append(make(function))
        except ConversionError:
            continue
    assert derivatives
    for derivative in derivatives:
        more = (x * 2.0,) if derivative.__name__.endswith("_tangent") else ()
        for _ in range(2):
            for count in (0, 1, 2, 3, 2):
                assert not faults_of(
                    derivative, [(x, count, *more), (x[0], count, *(one[0] for one in more))]
                )
        monkeypatch.setitem(globals(), "HELD", HELD.astype(np.float32))
        assert not faults_of(derivative, [(x, 2, *more)])
        monkeypatch.undo()


def two_parts(v: Any) -> Any:
    return v * 1.0, v * 2.0


def rebound_by_a_callee(a: Any, x: Any) -> Any:
    a, c = two_parts(x)  # noqa: RUF059 - the parameter is bound anew.
    return c


def rebound_by_parts(a: Any, x: Any) -> Any:
    a, (b, c) = x * 2, (x, x * 3)  # noqa: F841 - likewise.
    return b + c


@pytest.mark.parametrize("function", [rebound_by_a_callee, rebound_by_parts])
def test_a_parameter_that_an_unpacking_rebinds_keeps_its_form(function: Any) -> None:
    """A part that has no derivative is bound all the same: the gradient of 0.0 was an array."""
    gradient = tangent.grad(function, wrt=(0, 1))
    of_a, of_x = gradient(0.5, np.ones(3), np.ones(3))
    assert type(of_a) is float and of_a == 0.0
    np.testing.assert_array_equal(of_x, np.full(3, 2.0 if function is rebound_by_a_callee else 4.0))
