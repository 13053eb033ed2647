"""`v in g` and `v not in g` of generators of the program: asked up to the match, as CPython asks them."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome_or_refusal
from generators_of_kinds import GENERATORS, X, assert_as_cpython
from whole import IS_WHOLE, in_turn

VALUES = {
    "floats": ("xs.sum() * 1.0", "3.0", "2"),
    "ints": ("1", "len(xs) - 1", "1.0"),
    "scalars": ("np.float32(2)", "xs.sum()", "2"),
    "strings": ("'big'", "'small'", "'none'"),
    "empty": ("0.5", "xs.sum()", "'text'"),
    "raises": ("1.5", "2.5", "xs.sum()"),
    "endless": ("xs.sum()", "xs.sum() * 0.5 + 1", "(xs.sum() * 0.5 + 1) * 0.5 + 1"),
    "of another": ("1.5", "xs.sum()", "4.5"),
    "plain": ("1", "'two'", "xs.sum()"),
}
"""What is looked up among the items of each kind; it is found, or the items end."""
SEARCHES = {
    "in": "return V in items(xs)",
    "not in": "return V not in items(xs)",
    "goes on": "g = items(xs)\n    return V in g, next(g, None)",
    "twice": "g = items(xs)\n    return V in g, next(g, None) is None if ENDS else 0",
    "branch": "g = items(xs)\n    n = 0\n    if V in g:\n        n = 1\n    elif len(xs) > 1:\n"
    "        n = 2\n"
    "    return n",
    "after next": "g = items(xs)\n    next(g, None)\n    return V in g",
    "in a loop": "n = 0\n    for k in range(len(xs) + 2):\n        if V not in items(xs + (k % 2)):\n"
    "            n += 1\n    return n if ENDS else 0",
    "in a loop of the run": "n = 0\n    for k in range(int(np.abs(xs).sum()) + 1):\n"
    "        if V in items(xs + k):\n            n += 1\n    return n if ENDS else 0",
    "of one in a loop of the run": "g = items(xs)\n    n = 0\n"
    "    for k in range(int(np.abs(xs).sum()) % 4 + 1 if ENDS else 1):\n"
    "        if V in g:\n            n += 1\n    return n, next(g, None)",
    "of an expression": "return V in (v for v in items(xs) if V == V)",
    "in a callee": "def has(g):\n        return V in g\n    return has(items(xs))",
}
SLOW = (("of another", "of an expression"), ("of another", "in a loop"))
"""What is recorded in many seconds."""
CASES = [
    (generator, value, search)
    for (row, generator), (layer, value), (column, search) in product(
        enumerate(VALUES), enumerate(range(3)), enumerate(SEARCHES)
    )
    if in_turn(row, layer, column, among=5) and (generator != "endless" or " + " not in SEARCHES[search])
    if IS_WHOLE or (generator, search) not in SLOW
]


@pytest.mark.parametrize(("generator", "value", "search"), CASES)
def test_searched(
    generator: str, value: int, search: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SEARCHES[search].replace("V", VALUES[generator][value])
    text = text.replace("ENDS", str(generator != "endless"))
    assert generator in GENERATORS
    assert_as_cpython(generator, text, tmp_path, capsys)


def positives(xs):
    for x in xs:
        if x > 0:
            yield np.array([x, x * 2])


def of_arrays(xs):
    return xs[0] in positives(xs)


def by_a_loop(xs):
    return any(np.array_equal(v, xs[:2]) for v in positives(xs))


def test_what_is_ambiguous_is_refused_with_a_remedy() -> None:
    with pytest.raises((ValueError, ag.StagingError), match="ambiguous"):
        ag.function(of_arrays)(X)
    for xs in (X, -X, np.array([1.0, 2.0])):
        assert outcome_or_refusal(ag.function(by_a_loop), (xs,))[0] == outcome_or_refusal(by_a_loop, (xs,))[0]
