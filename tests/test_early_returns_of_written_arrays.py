"""Arrays that a loop writes and its variables show: alone, in tuples, beside `None`, after more writes."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

LOOPS = {
    "for": "for i in range(n):\n    {body}",
    "while": "i = -1\nwhile i + 1 < n:\n    i += 1\n    {body}",
    "over rows": "i = -1\nfor r in x[:n]:\n    i += 1\n    {body}",
    "nested": "for i in range(n):\n    for j in range(2):\n        {body}\n    p[1] -= 1.0",
}
SHOWN = {
    "the array": "q",
    "a pair": "q, i",
    "a pair of pairs": "(q, i), (p, x[i])",
    "one array twice": "q, q",
    "views": "q[1:], p[::-1], q.T",
    "a named tuple": "Found(i, q)",
    "a new array": "q * 2.0, q",
}
USES = {
    "returned": ("return {shown}", "return {shown}"),
    "kept": ("found = {shown}\n    break", "q[0] += 100.0\nreturn found, q"),
    "kept again and again": ("found = {shown}", "return found, p"),
    "kept and written": ("found = {shown}\n    q[1] = -5.0\n    p = p + 1.0", "p[2] = 7.0\nreturn found, p"),
    "with else": ("found = {shown}\n    break", "return found"),
}
BEFORE = {"unbound": "", "none": "found = None"}
HEAD = """
import numpy as np
from collections import namedtuple

Found = namedtuple("Found", "place array")

"""


def program(name: str, loop: str, shown: str, use: str, before: str) -> str:
    inside, after = (text.format(shown=SHOWN[shown]) for text in USES[use])
    depth = 8 if loop != "nested" else 12
    body = f"q[i] += x[i]\nif q[i] > t:\n    {inside}".replace("\n", "\n" + " " * (depth - 4))
    text = "\n".join(("q, p = np.zeros(5), x * 3.0", BEFORE[before], LOOPS[loop].format(body=body)))
    if use == "with else":
        text += f"\nelse:\n    found = {SHOWN[shown] if before == 'unbound' else 'None'}"
    if use == "returned":
        after = f"i = 0\n{after}"
    lines = "\n".join(f"    {line}" for line in f"{text}\n{after}".splitlines())
    return f"def {name}(x, n, t):\n{lines}\n\n\n"


def outcome(function: Any, x: Any, n: int, t: float) -> Any:
    given = x.copy()
    try:
        result = function(given, n, t)
    except UnboundLocalError as error:
        return str(error)
    return typed(result), given.tolist()


def typed(value: Any) -> Any:
    """A result with its types. Which arrays of it are one after a staged test: see docs/differences.md."""
    if isinstance(value, tuple):
        return type(value).__name__, [typed(one) for one in value]
    return (value.dtype, value.tolist()) if isinstance(value, np.ndarray) else (type(value), value)


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("loop", LOOPS)
def test_they_are_those_of_cpython(loop: str, before: str, tmp_path: Path) -> None:
    pairs = list(itertools.product(SHOWN, USES))
    texts = [program(f"f{place}", loop, *pair, before) for place, pair in enumerate(pairs)]
    module = module_of(HEAD + "\n" + "".join(texts), tmp_path, f"early_{loop.replace(' ', '_')}_{before}")
    x = np.array([0.5, -1.0, 2.0, 0.25, 3.0])
    refused = set()
    for place, pair in enumerate(pairs):
        plain = getattr(module, f"f{place}")
        staged = ag.function(plain, dynamic="n")
        for n, t in ((0, 1.0), (5, 1.5), (4, 0.2), (5, 99.0)):
            want = outcome(plain, x, n, t)
            try:
                got = outcome(staged, x, n, t)
            except ag.StagingError as error:
                assert error.location is not None
                refused.add((pair, error.code))
                continue
            assert got == want, (pair, n, t, texts[place])
    left = [pair for pair, _ in refused if "a new array" not in pair]
    assert all(use == "kept and written" for _, use in left), left
    assert loop == "nested" or len(left) == 2, left
