"""Dicts of the caller that a run asks for keys of its own: as CPython, or refused, and nothing is written."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import autograph as ag
import numpy as np
import pytest
from caller_table_programs import DICTS, PLACES, USES, outcomes_of
from test_grown_tuples import told
from whole import in_turn


def outcomes(make: Any, place: str, use: str, folder: Any, *, is_staged: bool) -> list[Any]:
    """What three calls give, raise and print, and what is in the dict afterwards."""
    return outcomes_of(
        make, (place, use), folder, is_staged=is_staged, contents=lambda d: list(d.items()), shown=told
    )


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", DICTS)
def test_programs(kind, place, tmp_path):
    for number, use in enumerate(USES):
        if not in_turn(list(DICTS).index(kind), PLACES.index(place), number, among=69):
            continue
        expected = outcomes(DICTS[kind], place, use, tmp_path, is_staged=False)
        found = outcomes(DICTS[kind], place, use, tmp_path, is_staged=True)
        for one, other in zip(expected, found, strict=False):
            assert other in ("refused", one), (kind, place, use)


TAKEN = [
    (place, use)
    for (first, place), (second, use) in itertools.product(enumerate(PLACES), enumerate(USES[:7]))
    if in_turn(first, second, among=3)
]


@pytest.mark.parametrize(("place", "use"), TAKEN)
@pytest.mark.parametrize("kind", ["an empty one", "of ints", "that is ordered", "with a default"])
def test_what_is_taken(kind, place, use, tmp_path):
    """Nothing that is said to be taken is refused."""
    expected = outcomes(DICTS[kind], place, use, tmp_path, is_staged=False)
    assert outcomes(DICTS[kind], place, use, tmp_path, is_staged=True) == expected


def kept(d, n):
    for k in range(n):
        d[k] = d.get(k, 1000)


def test_keys_and_values_that_are_not_written_stay_the_same_objects():
    key, value, other = 123456789, 987654321, 1 << 40
    d = {key: value, 1: other}
    ag.function(kept)(d, np.int64(3))
    assert [*d] == [key, 1, 0, 2]
    assert next(iter(d)) is key and d[key] is value and d[1] is other


def memo(cache, n):
    for k in range(n):
        if k not in cache:
            cache[k] = k * k
    return len(cache)


def test_a_cache_that_grows_is_few_graphs():
    staged, cache = ag.function(memo), {}
    for n in range(1, 40):
        assert staged(cache, np.int64(n)) == n
    assert cache == {k: k * k for k in range(39)}
    assert len(staged.concrete_functions()) < 10


def counted(c, x):
    for v in x:
        c[v] += 1
    return c


def test_a_counter_stays_one():
    c = Counter()
    assert ag.function(counted)(c, np.array([1, 5, 1])) is c
    assert c == Counter([1, 5, 1]) and type(next(iter(c))) is np.int64
