"""Arrays that a loop writes and a function returns: they are made in the memory of the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

MADE = {
    "zeros": "a, b = np.zeros(6), np.ones(6)",
    "copies": "a, b = x.copy(), x[::-1].copy()",
    "sums": "a = x + 1.0\nb = a * 2.0",
    "one of the other": "a = x * 2.0\nb = a + 0.0",
    "stored": "a = np.zeros(6)\na[2] = 5.0\nb = a.copy()\nb[1] = 7.0",
    "arguments": "a, b = x, x + 0.0",
}
BODIES = {
    "one": "a = a + x[i]",
    "elements": "a[i] = b[i] + 1.0\nb[5 - i] = a[i]",
    "swapped": "a, b = b, a\na[i] += 1.0",
    "turned": "a, b = b, a + x",
    "three": "a, b, c = b, c, a\nc = c + 1.0",
    "reads the beginning": "a = a + start[i]",
    "reads a part of the beginning": "a = a + part[1]\nb = b + part[0]",
    "rows of the beginning": "a = a + start[::-1]",
    "sometimes": "if x[i] > 0:\n    a = a * 2.0\nelse:\n    b = b - a",
    "nested": "for k in range(2):\n    a = a + b[k]\n    b = b + a[i]",
}
RETURNED = ("a", "a, b", "b, a", "a, a", "a, b, c", "a, start", "(a[1:], b)", "a.sum(), a", "a + b, a")
HEADS = {"for": "for i in range(n):", "while": "i = -1\nwhile i + 1 < n:\n    i += 1"}


def indented(text: str, depth: int) -> str:
    return "\n".join(" " * 4 * depth + line for line in text.splitlines())


def program(name: str, made: str, head: str, body: str, returned: str) -> str:
    return f"""
def {name}(x, n):
{indented(MADE[made], 1)}
    c = a - b
    start = a
    part = start[1:4]
{indented(HEADS[head], 1)}
{indented(BODIES[body], 2)}
    return {returned}


"""


def outcome(function: Any, x: Any, n: int) -> Any:
    given = x.copy()
    result = function(given, n)
    parts = result if isinstance(result, tuple) else (result,)
    return [np.asarray(part).tolist() for part in parts], given.tolist()


@pytest.mark.parametrize("made", MADE)
def test_arrays_are_those_of_cpython(made: str, tmp_path: Path) -> None:
    texts, names = [], []
    for body in BODIES:
        if made in ("arguments",) and body in ("elements", "swapped"):
            continue  # They would write to the argument.
        for head in HEADS:
            for number, returned in enumerate(RETURNED):
                names.append(f"{head}_{body.replace(' ', '_')}_{number}")
                texts.append(program(names[-1], made, head, body, returned))
    module = module_of("import numpy as np\n" + "".join(texts), tmp_path, "loops_" + made.replace(" ", "_"))
    x = np.array([0.5, -1.0, 2.0, 0.25, -0.5, 3.0])
    refused = 0
    for name in names:
        plain = getattr(module, name)
        staged = ag.function(plain, dynamic="n")
        for n in (0, 1, 2, 5):
            try:
                got = outcome(staged, x, n)
            except ag.StagingError as error:
                assert error.location is not None, name
                refused += 1
                continue
            assert got == outcome(plain, x, n), (name, n)
    assert refused < len(names), "a quarter of the programs is refused"
