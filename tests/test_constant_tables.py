"""Look-ups in dicts, sets and ranges of plain keys by staged numbers: each use, kind of number and place."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal

TABLES = """
PRICES = {1: 2.5, 2: 3.5, 5: 0.5}
MIXED = {1: 1, 2.5: 2.0, "a": 3, None: 4, True + 1: 7, 0.1: 9, -300: 10}
MOVES = {0: (0, 1), 1: (1, 0), 2: (0, -1)}
LARGE = {2**53 + 1: 1, 2: 5}
SET = {1, 2, 2.5, "a", float("nan"), 0.1}
FROZEN = frozenset([2, 3])
GRID = {(0, 1): 2.0, (1, 0): 3.5, (2, 2.5): 1.0, (1, "a"): 4.0, "b": 5.0, ((1, 2), 1): 6.0, (1,): 7.0, 2: 8.0}
NESTED = {1: {1: 0, 2: 1}, 2: {1: 2, 2: 1}}


"""
USES = {
    "item": "PRICES[k]",
    "get": "PRICES.get(k, 0.0)",
    "get_int": "PRICES.get(k, 0)",
    "get_none": "PRICES.get(k)",
    "mixed": "MIXED.get(k, -1)",
    "pair": "MOVES[k]",
    "large": "LARGE.get(k, 0)",
    "nested": "NESTED[k][k]",
    "set": "(k in SET, k not in FROZEN, k in {1: 2, 5: 7})",
    "ranges": "(k in range(2, 9), k in range(1, 9, 2), k in range(9, 0, -3), k in range(0))",
    "tuple": "GRID[k, 0]",
    "tuple_get": "(GRID.get((k, k + 0.5)), GRID.get((k, 'a'), -1.0), GRID.get(((1, k), 1), 0))",
    "tuple_of_one": "GRID.get((k,))",
    "tuple_among": "((k, 1) in GRID, (k, k) not in {(1, 1), (2, 3)}, (1, k - 1) in {(1, 0), (1, 1)})",
    "local": "{1: x, 2: x + 1}.get(k, -x)",
    "test": "1 if k in {1, 2} else 2",
}
PLACES = {
    "straight": "return {0}",
    "branch": "r = None\n    if x > 0:\n        r = {0}\n    return r",
    "loop": "r = None\n    for _ in range(3):\n        r = {0}\n        x = x + 1\n    return r, x",
    "callee": "def inner(k):\n        return {0}\n    return inner(k)",
}
KEYS = {
    "int64": tuple(map(np.int64, (1, 2, 5, 8, -300))),
    "float": (1.0, 2.5, 0.1, float("nan"), 2.0),
    "float32": tuple(map(np.float32, (1, 2.5, 0.1))),
    "int8": tuple(map(np.int8, (1, 2, -44))),
    "bool": (np.bool_(True), np.bool_(False)),
    "array": (np.array(1),),
}


@pytest.mark.parametrize("place", PLACES)
def test_look_ups(place: str, tmp_path: Path) -> None:
    text = TABLES + "".join(
        f"def of_{use}(k, x):\n    {PLACES[place].format(written)}\n\n\n" for use, written in USES.items()
    )
    module = module_of(text, tmp_path, f"tables_{place}")
    different, same = [], 0
    for use, (kind, keys) in product(USES, KEYS.items()):
        function = getattr(module, f"of_{use}")
        staged = ag.function(function)
        for k in keys:
            want = outcome(function, (k, np.float64(1.5)))
            got, is_refusal = outcome_or_refusal(staged, (k, np.float64(1.5)))
            same += want == got
            if want != got and not is_refusal:
                different.append((use, kind, k, want, got))
    assert not different
    assert same > 120


STATES = {0: 1, 1: 2, 2: 0}


def test_a_table_is_read_again_when_it_has_changed() -> None:
    @ag.function
    def steps(x):
        state = x[0] % 3
        for v in x:
            if v in STATES:
                state = STATES[state] + v * 10
                state = state % 3
        return state

    x = np.array([1, 0, 2, 7])
    assert steps(x) == steps.__wrapped__(x)
    STATES[2] = 1
    try:
        assert steps(x) == steps.__wrapped__(x)
    finally:
        STATES[2] = 0


def test_a_table_of_the_program_is_read_as_it_is() -> None:
    def f(x, k):
        table = {1: x[0], 2: x[1]}
        before = table[k]
        table[1] = x[1] * 10
        return before, table[k], table.get(k + 1, 0.0)

    staged = ag.function(f)
    for k in (np.int64(1), np.int64(2), np.int64(3)):
        arguments = (np.array([1.0, 2.0]), k)
        assert outcome(staged, arguments) == outcome(f, arguments)


def test_gradient_through_a_table() -> None:
    def f(x, k):
        return {1: x * x, 2: 3 * x}.get(k, x) * 2

    for k, want in ((np.int64(1), 8.0), (np.int64(2), 6.0), (np.int64(9), 2.0)):
        assert ag.grad(f)(np.float64(2.0), k) == want
