"""Derivatives of derivatives where the lists that the backward pass empties are filled anywhere in a program.

Each program puts a loop, which keeps values for its backward pass, into a place. It is judged by
differences of the derivative that is one order lower, for which the plain function is the first.
"""

from __future__ import annotations

import inspect
import itertools
import linecache
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from whole import in_turn

LOOPS = {
    "numbers": "for i in range(n):\n    y = y * x\n    y = y + np.sin(y)",
    "while": "k = 0\nwhile k < n:\n    y = np.sin(y) * x\n    k += 1",
    "branches": "for i in range(n):\n    if y < 3:\n        y = y * x\n    else:\n        y = np.sin(y) + x",
    "items": "for v in [x, y, x * y]:\n    y = np.sin(y * v)",
    "array": ("a = np.zeros(4)\nfor i in range(n):\n    a[i] = y * x\n    y = np.sin(a[i]) * a[i]"),
    "list": "r = [y]\nfor i in range(n):\n    r.append(np.sin(r[i]) * x)\ny = y * r[n]",
    "loop": "for i in range(n):\n    for j in range(i):\n        y = np.sin(y) * x",
}
"""What keeps values."""

PLACES = {
    "straight": "{loop}",
    "branch": "if n > 1:\n    {loop}",
    "other branch": "if n > 1:\n    y = y * 2.0\nelse:\n    {loop}",
    "branch of a branch": ("if n > 0:\n    if n > 1:\n        {loop}\n    else:\n        y = y * 2.0"),
    "branch of three": "if n > 0:\n    if n > 1:\n        if n < 3:\n            {loop}",
    "elif": "if n > 2:\n    y = y * x\nelif n > 0:\n    {loop}\nelse:\n    y = np.sin(y)",
    "loop": "for m in range(2):\n    {loop}",
    "loop in a branch in a loop": "for m in range(2):\n    if m + n > 1:\n        {loop}",
    "branches in a loop": "for m in range(2):\n    if n > 0:\n        if m < n:\n            {loop}",
    "try": "try:\n    {loop}\nfinally:\n    y = y * 1.5",
    "finally": "try:\n    y = y * 1.5\nfinally:\n    {loop}",
    "try in a branch": "if n > 1:\n    try:\n        {loop}\n    finally:\n        y = y * 1.5",
    "with": "with np.errstate(all='ignore'):\n    {loop}",
    "with in a branch": "if n > 1:\n    with np.errstate(all='ignore'):\n        {loop}",
    "early return": "if n > 1:\n    {loop}\n    return y * x",
    "after an early return": "if n > 1:\n    return y * x\n{loop}",
    "early return in a branch": (
        "if n > 0:\n    if n > 1:\n        {loop}\n        return y * x\n    y = np.sin(y)"
    ),
    "early return in a loop": "for m in range(3):\n    {loop}\n    if m + n > 2:\n        return y * x",
    "break": "for m in range(3):\n    if m == n:\n        break\n    {loop}",
    "break after it": "for m in range(3):\n    {loop}\n    if m == n:\n        break",
    "continue": "for m in range(3):\n    if m == n:\n        continue\n    {loop}",
    "else of a loop": "for m in range(2):\n    if m == n:\n        break\n    y = y * x\nelse:\n    {loop}",
    "match": "match n:\n    case 0:\n        y = y * x\n    case 1 | 2:\n        {loop}",
    "match in a branch": "if n > 0:\n    match n:\n        case 1 | 2:\n            {loop}",
    "callee": "def inner(y, x, n):\n    if n > 1:\n        {loop}\n    return y\ny = inner(y, x, n)",
    "callee in a branch": "def inner(y, x, n):\n    {loop}\n    return y\nif n > 1:\n    y = inner(y, x, n)",
    "closure": "def inner(y):\n    if n > 1:\n        {loop}\n    return y\ny = inner(y) * inner(x)",
    "twice": "if n > 1:\n    {loop}\nif n < 3:\n    {loop}",
}
"""Where it stands."""

WAYS = {"grad": tangent.grad, "jvp": tangent.jvp}
SECOND = [*itertools.product(WAYS, repeat=2)]
THIRD = [*itertools.product(WAYS, repeat=3)]


def program(place: str, loop: str) -> Callable[[float, int], float]:
    """A function of a number, and how often its loop runs."""
    lines = []
    for line in PLACES[place].splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines.append(textwrap.indent(LOOPS[loop], indent) if line.strip() == "{loop}" else line)
    body = textwrap.indent("\n".join(["y = x * x", *lines, "return y * y"]), "    ")
    text = f"import numpy as np\n\n\ndef f(x, n):\n{body}\n"
    name = f"<tape {place} {loop}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    variables: dict[str, Any] = {"__name__": name}
    exec(compile(text, name, "exec"), variables)
    return variables["f"]


def called(derivative: Callable[..., Any], x: float, n: int) -> float:
    """A derivative with seeds and tangents of 1.0."""
    names = list(inspect.signature(derivative).parameters)[2:]
    return float(derivative(x, n, **dict.fromkeys(names, 1.0)))


def check(place: str, loop: str, ways: tuple[str, ...]) -> int:
    """Compares the last derivative with differences of the one before; in how many runs."""
    functions: list[Callable[..., Any]] = [program(place, loop)]
    for way in ways:
        functions.append(WAYS[way](functions[-1], "x"))
    compared = 0
    for x, n in itertools.product((0.7, 1.3), range(4)):
        step = 1e-5
        ends = [called(functions[-2], x + sign * step, n) for sign in (1, -1)]
        wanted = (ends[0] - ends[1]) / (2 * step)
        found = called(functions[-1], x, n)
        assert np.isclose(found, wanted, rtol=1e-5, atol=1e-5 * (1 + max(map(abs, ends)))), (
            x,
            n,
            found,
            wanted,
        )
        compared += 1
    return compared


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("place", PLACES)
def test_first_and_second_derivatives(place: str, loop: str) -> None:
    """Of the first derivatives all; of the second a half, in turn, unless `make cross` asks for all."""
    for ways in [("grad",), ("jvp",)]:
        assert check(place, loop, ways) == 8
    for number, ways in enumerate(SECOND):
        if in_turn([*PLACES].index(place), [*LOOPS].index(loop), number, among=2):
            assert check(place, loop, ways) == 8


@pytest.mark.parametrize("place", PLACES)
def test_third_derivatives(place: str) -> None:
    """A half of them, in turn, unless `make cross` asks for all."""
    for number, ways in enumerate(THIRD):
        if in_turn([*PLACES].index(place), number, among=2):
            assert check(place, "numbers", ways) == 8
