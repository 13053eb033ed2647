"""Choices among constants and strings of the run: as CPython, or refused at a place of the program.

Kinds of values, places that choose among them and uses are crossed: one in sixty-seven of the programs,
or all of them under `make cross`.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from choice_programs import HEAD, KINDS, PLACES, USES, texts
from program_texts import run_text
from programs import assert_same
from whole import in_turn

CASES = [
    (np.float64(1.5), np.int64(3), np.array([1.0, 2.0, -2.0])),
    (np.float64(0.5), np.int64(0), np.array([])),
    (np.float64(-1.5), np.int64(1), np.array([0.5])),
    (np.float64(0.5), np.int64(2), np.array([-3.0, 0.1])),
]
"""Calls of one function, one after the other: they take the different paths of one graph."""


def told(function: Callable[..., Any], case: tuple[Any, ...]) -> tuple[Any, ...]:
    """The result of a call or its exception, and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*(one.copy() for one in case))
        except ag.AutographError as error:
            assert error.code != "AG208" and error.location is not None, error
            return "refused", error, ""
        except Exception as error:
            return "raised", (type(error), str(error).splitlines()[:1]), printed.getvalue()
    return "gave", result, printed.getvalue()


@pytest.mark.parametrize("use", USES)
def test_as_python(use: str) -> None:
    counts: Counter[bool] = Counter()
    for row, kind in enumerate(KINDS):
        for column, place in enumerate(PLACES):
            if not in_turn(row, 5 * column, list(USES).index(use), among=67):
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                module = run_text(HEAD + texts(kind, place, use), f"<{kind}, {place}, {use}>")
            staged = ag.function(module["f"])
            for case in CASES:
                want, got = told(module["f"], case), told(staged, case)
                counts[got[0] == "refused"] += 1
                if got[0] != "refused":
                    assert (want[0], want[2]) == (got[0], got[2]), (kind, place, case, want, got)
                    is_same(want[1], got[1])
    assert counts[False] or use in ("in a set", "same")


def is_same(want: Any, got: Any) -> None:
    """Two results alike, their constants the very same objects."""
    if isinstance(want, (list, tuple)):
        assert type(got) is type(want) and len(got) == len(want)
        for one, other in zip(want, got, strict=True):
            is_same(one, other)
    elif isinstance(want, dict):
        assert list(want) == list(got)
        is_same(list(want.values()), list(got.values()))
    elif type(want).__name__ == "Record":
        is_same(vars(want), vars(got))
    elif isinstance(want, (str, bytes, float, np.ndarray)):
        assert_same(got, want)
    else:
        assert type(got) is type(want) and (got is want or got == want)


def in_tuples_that_may_be_none(xs):
    out = []
    for v in xs:
        s = "big" if v > 1 else "small"
        out.append((s, f"{s:>7}", v) if v > 0 else None)
    return out


def of_two_manners(xs):
    x = xs.sum()
    s = "p" if x > 1 else "q"
    return f"{x}{s:>3}" if x > 0 else f"<{s}|{x}" if x < 0 else None


def best_of(xs):
    best = None
    for v in xs:
        if best is None or v > best[1]:
            best = ("high" if v > 1 else "low", v)
    return best


@pytest.mark.parametrize("program", [in_tuples_that_may_be_none, of_two_manners, best_of])
def test_what_is_not_chosen_is_not_made(program: Callable[..., Any]) -> None:
    """Its graph values are placeholders, which are codes of nothing."""
    staged = ag.function(program)
    for xs in ([1.5, -1.0, 0.5], [], [-1.0], [2.0, -2.0], [0.5]):
        is_same(program(np.array(xs)), staged(np.array(xs)))
