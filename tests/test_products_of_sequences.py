"""A list, tuple or string times a number of every kind, in any order and in place, as in CPython."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import is_refused, module_of, outcome

SEQUENCES = ((1.0, 2), [1.0, 2.0], "ab", (), [])
NUMBERS: tuple[Any, ...] = (
    *(2, 0, 2.5, True, 1j, np.float64(1.5), np.int64(2), np.uint8(3), np.bool_(True), np.complex128(1j)),
    *(np.ones(2), np.array(2), np.array([2])),
)
FORMS = {
    "behind": "return number * sequence",
    "before": "return sequence * number",
    "number in place": "number *= sequence\n    return number",
    "sequence in place": "sequence *= number\n    return sequence",
    "grown": "found = list(sequence)\n    found *= number\n    return found",
}


@pytest.mark.parametrize("form", FORMS)
def test_products(form: str, tmp_path: Path) -> None:
    text = f"def f(sequence, number):\n    {FORMS[form]}\n"
    function = module_of(text, tmp_path, f"products_{form.replace(' ', '_')}").f
    staged = ag.function(function)
    different = []
    for sequence in SEQUENCES:
        for number in NUMBERS:
            arguments = (sequence, number)
            want, got = outcome(function, arguments), outcome(staged, arguments)
            if want != got and not is_refused(staged, arguments):
                different.append((sequence, number, want, got))
    assert not different


def test_a_base_is_of_strings_only() -> None:
    with pytest.raises(TypeError, match="can't convert non-string with explicit base"):
        ag.function(lambda x: int(x, 2))(2.5)
