"""Comparisons of two numbers of every kind: as they are, from a list, of several types, or maybe ``None``.

Which number is on the left decides what the answer is: ``np.float64(1.5) == 2j`` is a NumPy bool, and
``2j == np.float64(1.5)`` is none. Each four of the two ways to make a number, the comparison and the numbers
meet; `make cross` runs each five.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal
from whole import drawn, in_turn

NUMBERS = {
    "bool": True,
    "int": 2,
    "float": 1.5,
    "complex": 1.5 + 0j,
    "bool_": np.bool_(True),
    "int32": np.int32(2),
    "int64": np.int64(3),
    "float32": np.float32(1.5),
    "float64": np.float64(1.5),
    "complex64": np.complex64(1.5),
    "complex128": np.complex128(2j),
}
MADE = {
    "itself": "{0} = {1}",
    "element": "{0} = [{1}, {1}][k]",
    "several": "{0} = 2\n    if c:\n        {0} = {1}",
    "optional": "{0} = None\n    if c:\n        {0} = {1}",
    "found": "{0} = None\n    for v in [{1}] * 6:\n        if c:\n            {0} = v",
}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@pytest.mark.parametrize("right", MADE)
@pytest.mark.parametrize("left", MADE)
def test_sides(left: str, right: str, tmp_path: Path) -> None:
    made = f"    {MADE[left].format('a', 'x')}\n    {MADE[right].format('b', 'y')}\n"
    text = "".join(
        f"def f{number}(x, y, c, k):\n{made}    return a {symbol} b\n"
        for number, symbol in enumerate(COMPARISONS)
    )
    module = module_of(text, tmp_path, f"sides_{left}_{right}")
    shift = list(MADE).index(left) + list(MADE).index(right)
    different = []
    same = 0
    for number, symbol in enumerate(COMPARISONS):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for (place, (name, x)), (column, (other, y)) in product(enumerate(NUMBERS.items()), repeat=2):
            if not in_turn(shift, number, place, column, among=len(MADE)):
                continue
            for c in (np.bool_(True), np.bool_(False)):
                arguments = (x, y, c, np.int64(0))
                want = outcome(function, arguments)
                got, is_refusal = outcome_or_refusal(staged, arguments)
                same += want == got
                if want != got and not is_refusal:
                    different.append((name, symbol, other, c, want, got))
    assert not different
    assert same > drawn(130, whole=1000)
