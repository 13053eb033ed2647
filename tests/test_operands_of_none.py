"""Every operator, with a value that may be ``None`` to its left or right, beside operands of every kind.

What a run with ``None`` raises is what CPython raises, in its words; what one with the value gives is what it
gives, and ``+=`` writes into the array that others see. Each three of the form, the operator and the operands
meet; `make cross` runs each four.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import is_refused, module_of, outcome, outcome_or_refusal
from whole import drawn, in_turn

ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>")
ORDER = ("<", "<=", ">", ">=", "==", "!=")
MAYBE = {
    "float": 1.5,
    "int": 2,
    "scalar": np.float64(1.5),
    "complex": 1.5 + 0j,
    "array": np.full(2, 2.0),
    "tuple": (1, 2),
}
BESIDE: dict[str, Any] = {
    "float": 2.5,
    "int": 3,
    "bool": True,
    "scalar": np.float64(2.0),
    "int32": np.int32(2),
    "array": np.ones(2),
    "ints": np.arange(2),
    "empty": np.zeros(0),
    "complex": 2j,
    "complexes": np.ones(2) * 1j,
    "list": [1.0, 2.0],
    "tuple": (1.0, 2),
    "none": None,
    "set": {1},
}
FORMS = {
    "right": "return other {} m",
    "left": "return m {} other",
    "updated": "seen = other\n    other {}= m\n    return other, seen",
    "updating": "seen = m\n    m {}= other\n    return m, seen",
}


@pytest.mark.parametrize("maybe", MAYBE)
@pytest.mark.parametrize("form", FORMS)
def test_operators(maybe: str, form: str, tmp_path: Path) -> None:
    operators = ARITHMETIC if form.startswith("upd") else ARITHMETIC + ORDER
    text = "".join(
        f"def f{number}(other, value, has_value):\n    m = None\n    if has_value > 0:\n        m = value\n"
        f"    {FORMS[form].format(operator)}\n"
        for number, operator in enumerate(operators)
    )
    module = module_of(text, tmp_path, f"operators_{maybe}_{form}")
    shift = list(FORMS).index(form) + list(MAYBE).index(maybe)
    different = []
    same = 0
    for number, operator in enumerate(operators):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for place, (name, other) in enumerate(BESIDE.items()):
            if not in_turn(shift, number, place, among=len(FORMS)):
                continue
            for has_value in (np.int64(-1), np.int64(1)):
                arguments = (other, MAYBE[maybe], has_value)
                want = outcome(function, arguments)
                got, is_refusal = outcome_or_refusal(staged, arguments)
                same += want == got
                if want != got and not is_refusal:
                    different.append((operator, name, has_value, want, got))
    assert not different
    assert same > drawn(5, whole=20)


MULTIPLIED: tuple[Any, ...] = (
    *(
        2,
        2.5,
        True,
        1j,
        np.float64(2),
        np.int64(1),
        np.complex128(1),
        None,
        (1.0, 2),
        [1.0, 2.0],
        ((1, 2), 3),
    ),
    *(np.ones(2), np.ones((2, 2)), np.array(2.0)),
)


@pytest.mark.parametrize("statement", ["return a @ b", "a @= b\n    return a"])
def test_matrix_products_of_what_is_no_array(statement: str, tmp_path: Path) -> None:
    name = "matmul_in_place" if "=" in statement else "matmul"
    function = module_of(f"def f(a, b):\n    {statement}\n", tmp_path, name).f
    staged = ag.function(function)
    pairs = [(a, b) for a in MULTIPLIED for b in MULTIPLIED]
    different = [pair for pair in pairs if outcome(function, pair) != outcome(staged, pair)]
    assert [pair for pair in different if not is_refused(staged, pair)] == []
