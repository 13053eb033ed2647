"""Random programs: the derivatives of each against differences, `ag.grad`, and the plain call."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from autograph.errors import ConversionError
from tangent_case import Program
from tangent_checks import Checker, is_guard, is_located
from tangent_random import Maker, Statement, module_of, shrunk, text_of
from whole import drawn

A = np.array([0.53, -0.81, 1.13])
INPUTS: list[tuple[Any, ...]] = [(0.71, A, 3), (-0.41, A[::-1].copy(), 1), (0.32, A, 0)]
COUNT = drawn(200, whole=500)
"""Programs; `make cross` runs the whole number."""
PARTS = 10


class Runner:
    """Runs the checks on programs that are written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    def faults(self, body: list[Statement]) -> list[str]:
        """What is wrong with a program.

        Raises:
            ConversionError: It is refused.
            TypeError: Its derivative refuses its arguments.
        """
        self.count += 1
        name = f"program_{self.count}"
        module = module_of({name: body}, self.folder, f"tangent_cross_{id(self)}_{self.count}")
        return Checker(Program(getattr(module, name), INPUTS, (0, 1))).run()

    def fails(self, body: list[Statement]) -> bool:
        """Whether a program is wrong; how a smaller one fails by itself is none."""
        try:
            found = self.faults(body)
            return bool(found) and not found[0].startswith("error of")
        except ConversionError:
            return False
        except TypeError as error:
            return not is_guard(error)

    def report(self, body: list[Statement], seed: int) -> str:
        """The smallest program found that fails, and what is wrong with it."""
        small = shrunk(body, self.fails) if self.fails(body) else body
        return f"seed {seed}:\n\n{text_of(small, 'program')}\n{self.faults(small)[0]}"


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs(part: int, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    kinds: Counter[str] = Counter()
    wrong = []
    for seed in range(part * COUNT // PARTS, (part + 1) * COUNT // PARTS):
        body = Maker(seed).program()
        try:
            faults = runner.faults(body)
        except ConversionError as refused:
            assert is_located(refused), text_of(body, "program")
            kinds["refused"] += 1
        except TypeError as error:
            assert is_guard(error), f"{error!r}\n{text_of(body, 'program')}"
            kinds["guarded"] += 1
        else:
            kinds["right"] += not faults
            if faults:
                wrong.append((seed, body))
    if wrong:
        seed, body = min(wrong, key=lambda one: len(text_of(one[1], "program")))
        pytest.fail(
            f"{len(wrong)} programs are wrong: seeds {[one for one, _ in wrong]}\n{runner.report(body, seed)}"
        )
    assert kinds["right"] > 0.6 * COUNT / PARTS, kinds
