"""Texts for known forms: what they give is what the general texts give, to the bit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
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
