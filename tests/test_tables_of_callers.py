"""Dicts of the caller that a run asks for keys of its own: as CPython, or refused, and nothing is written."""

from __future__ import annotations

import contextlib
import io
import itertools
import warnings
from collections import Counter
from typing import Any

import autograph as ag
import numpy as np
import pytest
from caller_table_programs import DICTS, PLACES, USES, arguments, text
from generated_programs import module_of
from test_grown_tuples import told
from whole import in_turn

CALLS = [
    (np.array([1.0, 2.0, 1.0]), np.int64(3)),
    (np.array([5.0, 0.0, 5.0, 7.0]), np.int64(5)),
    (np.array([5.0, 0.0]), np.int64(4)),
]
"""The third has a new dict where that is an argument."""


def outcomes(make: Any, place: str, use: str, folder: Any, *, is_staged: bool) -> list[Any]:
    """What three calls give, raise and print, and what is in the dict afterwards."""
    module = module_of(text(place, use), folder, f"caller_table_{is_staged:d}")
    d, found = make(), []
    module.d = d
    program = module.around(d) if place == "of a closure" else module.program
    called = ag.function(program) if is_staged else program
    for number, (x, n) in enumerate(CALLS):
        if number == 2 and "argument" in place:
            d = make()
        before, printed = told(list(d.items())), io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = called(*arguments(place, d), x.copy(), n)
            what: Any = told(result), result is d
        except ag.AutographError as error:
            assert error.location is not None, error
            assert told(list(d.items())) == before, "a call that is refused writes nothing"
            return [*found, "refused"]
        except Exception as error:
            what = type(error), str(error)
        found.append((what, type(d), told(list(d.items())), printed.getvalue()))
    return found


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", DICTS)
def test_programs(kind, place, tmp_path):
    for number, use in enumerate(USES):
        if not in_turn(list(DICTS).index(kind), PLACES.index(place), number, among=23):
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
