"""Generator functions whose items are of each kind, for crossings: staged tests decide when they yield."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome_or_refusal

HEAD = """import itertools

import numpy as np


def items(xs):
"""
GENERATORS = {
    "floats": "    for x in xs:\n        if x > 0:\n            print('item', x)\n            yield x * 2\n"
    "    print('end')\n",
    "ints": "    for i in range(len(xs)):\n        if xs[i] > 0:\n            yield i\n",
    "scalars": "    total = np.float32(0)\n    for x in xs:\n        total += np.float32(x)\n"
    "        if total > 1:\n            yield total\n",
    "arrays": "    for x in xs:\n        if x > 0:\n            yield np.array([1.0, 2.0]) * x\n",
    "tuples": "    for i, x in enumerate(xs):\n        if x > 0:\n            yield x, i\n",
    "lists": "    for x in xs:\n        if x > 0:\n            yield [x, x * 2]\n",
    "strings": "    for x in xs:\n        if x > 0:\n            yield 'big' if x > 1 else 'small'\n",
    "empty": "    for x in xs:\n        if x > 9:\n            yield x\n",
    "raises": "    for x in xs:\n        if x > 2:\n            raise KeyError('large')\n"
    "        if x > 0:\n            yield x\n",
    "endless": "    t = xs.sum()\n    while True:\n        yield t\n        t = t * 0.5 + 1\n",
    "of another": "    for x in (x * 3 for x in xs if x > 0):\n        yield x\n        if x > 4:\n"
    "            return\n",
    "plain": "    yield 1\n    yield 'two'\n    yield xs.sum()\n",
}
X = np.array([0.5, 1.5, -0.5, 2.5, 1.0])
INPUTS = (X[:2], X, -X, X[:0], X[:1], X[[1, 4]], X[[3, 0, 1]], np.tile(X, 14) * 0.5, X[:2])
"""Two items, several, none and one; the same sizes again; and so many that loops are staged."""


def assert_as_cpython(
    generator: str,
    consumer: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    may_refuse: str = "",
    inputs: tuple[Any, ...] = INPUTS,
) -> None:
    """The staged program of a generator and a consumer does what the plain one does, output included.

    Args:
        generator: A key of `GENERATORS`.
        consumer: The body of ``f(xs)``.
        folder: Where the program is written.
        capsys: What is printed.
        may_refuse: The code with which it may be refused in place of that.
        inputs: The arguments of its calls.
    """
    text = f"{HEAD}{GENERATORS[generator]}\n\ndef f(xs):\n    {consumer}\n"
    program = module_of(text, folder, "consumed").f
    staged: Any = ag.function(program)
    for xs in inputs:
        capsys.readouterr()
        want, _ = outcome_or_refusal(program, (xs,))
        printed = capsys.readouterr().out
        got, is_refused = outcome_or_refusal(staged, (xs,))
        if is_refused and got != want:
            assert may_refuse and may_refuse in got[1][0], (xs, got)
            continue
        assert (got, capsys.readouterr().out) == (want, printed), xs
