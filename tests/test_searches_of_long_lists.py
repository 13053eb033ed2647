"""What asks all elements of a list, tuple or constant table that has many: as in CPython, and not refused."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reach.judge import Program, judged

TABLE = {key: key * key for key in range(0, 120, 2)}
ODD = list(range(1, 160, 2))
FEW = (3, 5, 5, 8)


def members(xs: list[Any], v: Any) -> Any:
    return v in xs, v not in tuple(xs), xs.count(v), tuple(xs).count(v + 1)


def positions(xs: list[Any], v: Any) -> Any:
    return xs.index(v), tuple(xs).index(v), xs.index(v, 1), xs.index(xs[-1], -3)


def positions_or_none(xs: list[Any], v: Any) -> Any:
    try:
        return xs.index(v, 2, -1)
    except ValueError:
        return -1


def compared(xs: list[Any], v: Any) -> Any:
    ys = [*xs[:-1], v]
    return xs == ys, xs < ys, tuple(xs) <= tuple(ys), xs != ys, tuple(xs) == tuple(ys), ys > xs[:-2]


def asked(xs: list[Any], v: Any) -> Any:
    return any(xs), all(xs), any([x > v for x in xs]), all([x < v for x in xs]), any([]), all(())


def in_constants(xs: list[Any], v: Any) -> Any:
    return v in TABLE, v in ODD, v in set(ODD), TABLE.get(v), TABLE.get(v, -1), v in FEW, ODD.count(v)


def of_constants(xs: list[Any], v: Any) -> Any:
    return TABLE[v + v], ODD.index(v + v + 1), FEW.count(v)


def letters(xs: list[Any], v: Any) -> Any:
    letter = chr(97 + int(v) % 26)
    return letter in string.ascii_letters, letter in string.digits, letter in set(string.ascii_lowercase[::2])


def numbers(count: int, last: float) -> list[float]:
    return [float(i * 7 % 60) for i in range(count)] + [last]


CALLS = (
    (numbers(70, 3.0), 21.0),
    (numbers(70, 3.0), 99.0),
    (numbers(70, 3.0), 3.0),
    (numbers(70, 0.0), 0.0),
    (numbers(4, 1.0), 7.0),
    ([0.0, -0.0, 0.0], 5.0),
    ([1.0], 1.0),
    (numbers(70, float("nan")), float("nan")),
)
WAYS: dict[str, Callable[[float], Any]] = {"float": float, "numpy": np.float64, "int": int, "int8": np.int8}
FUNCTIONS = (members, positions, positions_or_none, compared, asked, in_constants, of_constants, letters)
WITHOUT_NAN = (in_constants, letters)
"""Programs that look into sets, where NaN is refused, and that make ints."""


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("way", WAYS)
def test_they_are_as_cpythons(way: str, function: Callable[..., Any]) -> None:
    has_nan = way in ("float", "numpy") and function not in WITHOUT_NAN
    calls = [(xs, v) for xs, v in CALLS if has_nan or v == v]
    made = [([WAYS[way](x) for x in xs], WAYS[way](v)) for xs, v in calls]
    verdict = judged(Program("long lists", function, (*made, *made[::-1])))
    assert not verdict.differences
    assert verdict.refusal is None
