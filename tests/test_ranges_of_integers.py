"""Loops over integers, in every direction and with every kind of test, as CPython runs them.

The engine leaves out the checks of indices and sums that the loops around them make unnecessary. Each program
here is tried with arguments that go just beyond what the loop allows: then the same error has to be raised.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

LOOPS = {
    "for up": "for i in range(a, b):\n{body}",
    "for up by two": "for i in range(a, b, 2):\n{body}",
    "for down": "for i in range(b, a, -1):\n{body}",
    "for down by three": "for i in range(b, a, -3):\n{body}",
    "while below": "i = a\nwhile i < b:\n{body}\n    i += 1",
    "while not above": "i = a\nwhile i <= b:\n{body}\n    i += 1",
    "while above": "i = b\nwhile i > a:\n{body}\n    i -= 1",
    "while not below": "i = b\nwhile i >= a:\n{body}\n    i -= 2",
    "while below from the right": "i = a\nwhile b > i:\n{body}\n    i = 1 + i",
    "while both": "i = a\nwhile i < b and x[i] > -2.0:\n{body}\n    i += 1",
    "while either": "i = a\nwhile i < b or i < 2:\n{body}\n    i += 1",
    "while not": "i = a\nwhile not i >= b:\n{body}\n    i += 1",
    "while two carries": "i, k = a, b\nwhile i < k:\n{body}\n    if x[i] > 0: i += 1\n    else: k -= 1",
    "while conditional": "i = a\nwhile i < b:\n{body}\n    if x[i] > 0: i += 1\n    else: i += 2",
    "while multiplied": "i = a\nwhile i < b:\n{body}\n    i = 2 * i + 1",
    "nested": "for k in range(a, b):\n    i = k\n    while i > 0 and x[i] > x[i-1]:\n{deep}\n        i -= 1",
    "nested for": "for k in range(a, b):\n    for i in range(k, b):\n{deep}",
    "with break": "for i in range(a, b):\n    if i > 6:\n        break\n{body}",
    "with continue": "for i in range(a, b):\n    if i % 2 == 0:\n        continue\n{body}",
    "shifted": "i, before = a, b\nwhile i < b:\n    i, before = i + 1, i\n{body}",
    "swapped": "i, k = a, b\nfor _ in range(3):\n    i, k = k, i\n{body}",
}
BODIES = {
    "read": "total += x[i]",
    "read beside": "total += x[i + 1] - x[i - 1]",
    "read from the end": "total += x[-i]",
    "read half": "total += x[i // 2] + x[i % 3]",
    "read mirrored": "total += x[len(x) - 1 - i]",
    "read masked": "total += x[i & 3] + x[i >> 1]",
    "read twice": "total += x[2 * i]",
    "write": "y[i] = total\ntotal += 1",
    "write beside": "y[i + 1] = y[i] + 1\ntotal += y[i]",
    "tested": "if i >= 1:\n    total += x[i - 1]\nelse:\n    total += x[i]",
    "tested both": "if 0 <= i < len(x):\n    total += x[i]\nelse:\n    total -= 1",
    "tested beyond": "if i < len(x) - 2 or i < 0:\n    total += x[i + 2]",
    "clipped": "total += x[min(max(i, 0), len(x) - 1)]",
    "counted": "count += 1\ntotal += x[count - 1]",
    "counted sometimes": "if x[i % 8] > 0:\n    count += 1\ntotal += x[count]",
    "two axes": "total += m[i, i // 2] + m[i // 3, -1]",
}
ARGUMENTS = [(0, 8), (0, 9), (1, 7), (-3, 4), (-9, 2), (3, 3), (5, 2), (7, 8), (-8, 0), (2, 12)]


def indented(text: str, depth: int) -> str:
    return "\n".join(" " * 4 * depth + line for line in text.splitlines())


def program(loop: str, body: str, name: str) -> str:
    inside = LOOPS[loop].format(body=indented(BODIES[body], 1), deep=indented(BODIES[body], 2))
    return f"""
def {name}(x, m, a, b):
    y = x.copy()
    total = 0.0
    count = 0
{indented(inside, 1)}
    return total, y, count
"""


def outcome(function: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    try:
        total, y, count = function(*args)
    except IndexError as error:
        # What is seen while recording is refused in more words, at a place.
        return "IndexError", str(error) if type(error) is IndexError else None
    return float(total), y.tolist(), int(count)


@pytest.mark.parametrize("loop", LOOPS)
def test_loops_are_as_in_python(loop: str, tmp_path: Path) -> None:
    names = {body: body.replace(" ", "_") for body in BODIES}
    text = "".join(program(loop, body, name) for body, name in names.items())
    module = module_of(text, tmp_path, "loops_" + loop.replace(" ", "_"))
    x = np.array([0.5, -1.0, 2.0, 0.25, -0.5, 3.0, 1.5, -1.5])
    m = np.arange(64.0).reshape(8, 8)
    for body, name in names.items():
        plain = getattr(module, name)
        for dynamic, arguments in ((("a", "b"), ARGUMENTS), ((), ARGUMENTS[::3])):
            staged = ag.function(plain, dynamic=dynamic, static=tuple({"a", "b"} - set(dynamic)))
            for a, b in arguments:
                if loop == "while multiplied" and a < 0:
                    continue  # It never ends: -1 is 2 * -1 + 1.
                got, expected = outcome(staged, x, m, a, b), outcome(plain, x, m, a, b)
                if got[1] is None:
                    expected = (expected[0], None)
                assert got == expected, (body, dynamic, a, b)


EDGES = [2**63 - 1, 2**63 - 3, -(2**63), -(2**63) + 2, 2**62, 2**60, 0]


def summed(start: int, step: int, times: int) -> tuple[int, int]:
    value, i = start, 0
    while i < times:
        if value != 5:
            value += step
        i += 1
    return value, i + 1


@pytest.mark.parametrize(("step", "times"), [*itertools.product((1, -1, 3, 2**62), (0, 1, 2, 5))])
def test_sums_that_leave_64_bits_are_refused(step: int, times: int) -> None:
    """A carry that starts near an end of the range is checked, whatever is added to it."""
    staged = ag.function(summed, static="step", dynamic=("start", "times"))
    for start in EDGES:
        expected = summed(start, step, times)
        if -(2**63) <= expected[0] < 2**63:
            assert staged(start, step, times) == expected
        else:
            with pytest.raises(OverflowError):
                staged(start, step, times)
