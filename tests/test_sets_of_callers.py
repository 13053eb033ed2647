"""Sets of the caller that a run asks for keys of its own, or changes: as CPython, or refused."""

from __future__ import annotations

import itertools
from typing import Any

import autograph as ag
import numpy as np
import pytest
from caller_set_programs import SETS, USES
from caller_table_programs import PLACES, outcomes_of
from test_grown_tuples import told
from whole import in_turn

OF_SETS = [place for place in PLACES if place != "two arguments"]
"""The places of a set; two arguments of that program are dicts."""


def shown(result: Any) -> Any:
    """What a result is: a set by its elements and their types, as its order outside may be another one."""
    return (set, sorted(map(repr, result))) if isinstance(result, set) else told(result)


def outcomes(make: Any, place: str, use: str, folder: Any, *, is_staged: bool) -> list[Any]:
    """What three calls give, raise and print, and what is in the set afterwards, in its order."""
    return outcomes_of(make, (place, use), folder, is_staged=is_staged, contents=list, shown=shown)


@pytest.mark.parametrize("place", OF_SETS)
@pytest.mark.parametrize("kind", SETS)
def test_programs(kind, place, tmp_path):
    for number, use in enumerate(USES):
        if not in_turn(list(SETS).index(kind), OF_SETS.index(place), number, among=94):
            continue
        expected = outcomes(SETS[kind], place, use, tmp_path, is_staged=False)
        found = outcomes(SETS[kind], place, use, tmp_path, is_staged=True)
        for one, other in zip(expected, found, strict=False):
            assert other in ("refused", one), (kind, place, use)


TAKEN = [0, 1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16]
"""The uses of which none is refused, whatever numbers a set holds."""


@pytest.mark.parametrize("place", OF_SETS)
@pytest.mark.parametrize("kind", ["an empty one", "of ints", "of floats", "of ints of two types"])
def test_what_is_taken(kind, place, tmp_path):
    for number in TAKEN:
        if in_turn(list(SETS).index(kind), OF_SETS.index(place), number, among=10):
            use = USES[number]
            expected = outcomes(SETS[kind], place, use, tmp_path, is_staged=False)
            assert outcomes(SETS[kind], place, use, tmp_path, is_staged=True) == expected, use


def added(seen, n):
    for k in range(n):
        seen.discard(k * 8)
        seen.add(k * 16)


def test_the_order_is_that_of_the_program_whatever_was_removed_before():
    for removed, n in itertools.product(range(0, 80, 8), (3, 9, 30)):
        one, other = SETS["with removed ones"](), SETS["with removed ones"]()
        for seen in (one, other):
            seen.update(range(0, removed, 8))
            seen.discard(removed)
        added(one, n)
        STAGED(other, np.int64(n))
        assert [*one] == [*other]


STAGED = ag.function(added)


def test_keys_stay_the_same_objects():
    key = 123456789
    seen = {key, 1 << 40}
    STAGED(seen, np.int64(3))
    assert any(one is key for one in seen)


def visited(seen, n):
    for k in range(n):
        if k not in seen:
            seen.add(k)
    return len(seen)


def test_a_set_that_grows_is_few_graphs():
    staged, seen = ag.function(visited), set()
    for n in range(1, 40):
        assert staged(seen, np.int64(n)) == n
    assert seen == set(range(39))
    assert len(staged.concrete_functions()) < 10
