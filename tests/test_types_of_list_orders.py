"""The type of `xs < ys`: that of the comparison that decides, and `bool` where the lengths do."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from generated_programs import compared, module_of

ELEMENTS = {
    "ints": "[int(k), 2]",
    "numbers of NumPy's": "[k, k + 1]",
    "both": "[k, 2.0]",
    "float32": "[np.float32(k), np.float32(2)]",
    "tuples": "[(int(k), 1.0), (2, 2.0)]",
    "tuples of NumPy's": "[(k, 1.0), (k, 2.0)]",
    "lists": "[[int(k)], [2, 3]]",
    "lists of NumPy's": "[[k], [k, k]]",
    "none": "[]",
}
MAKERS = {
    "known": "v = {made}",
    "grown": "v = {made}\n    for j in range(n):\n        v.append({made}[0] if {made} else 1)",
    "cut": "v = {made}[:n]",
    "one of two": "v = {made}\n    if n > 1:\n        v = {made}[:1]",
}
OPERATORS = ("<", "<=", ">", ">=", "==", "!=")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("right", ELEMENTS)
@pytest.mark.parametrize("maker", MAKERS)
def test_types(maker, right, tmp_path):
    text, calls = "import numpy as np\n", {}
    for number, (left, sign) in enumerate(itertools.product(ELEMENTS, OPERATORS)):
        made = MAKERS[maker].format(made=ELEMENTS[left])
        text += f"\n\ndef f{number}(k, n):\n    {made}\n    w = {ELEMENTS[right]}\n"
        text += f"    return v {sign} w, w {sign} v\n"
        calls[f"f{number}"] = [(np.int64(k), np.int64(n)) for k, n in ((0, 2), (2, 0), (5, 3))]
    same, different, _ = compared(module_of(text, tmp_path, "orders_of_lists"), calls)
    assert different == []
    assert same
