"""Strings beside values of the run are ordered as CPython orders them; folds call what they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
import text_order_programs
from reach.judge import Program, judged, of_numpy

WAYS: dict[str, Callable[[list[int]], Any]] = {
    "given": lambda xs: xs,
    "numpy": of_numpy,
    "floats": lambda xs: [float(x) for x in xs],
    "array": lambda xs: np.array(xs, int),
}


@pytest.mark.parametrize("function", text_order_programs.PROGRAMS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("way", WAYS)
def test_they_are_as_cpythons(way: str, function: Callable[..., Any]) -> None:
    calls = tuple((WAYS[way](xs),) for xs in (*text_order_programs.LISTS, *text_order_programs.LISTS[::-1]))
    verdict = judged(Program("text order", function, calls))
    assert not verdict.differences
    assert verdict.refusal is None


def parameters(w: Any, b: Any) -> Any:
    total = 0.0
    for name, value in sorted({"w": w, "b": b}.items()):  # Arrays, which no comparison could order.
        total = total * 2 + value.sum() + len(name)
    return total, max([("w", w), ("b", b)])[0], sorted([("w", np.nan), ("b", b.sum())])


def test_arrays_beside_strings() -> None:
    w, b = np.arange(6.0).reshape(2, 3), np.ones(3)
    assert repr(ag.function(parameters)(w, b)) == repr(parameters(w, b))


def test_the_order_of_nan_beside_equal_strings_is_refused() -> None:
    staged = ag.function(lambda x: sorted([("a", x), ("a", 1.0)]))
    assert staged(0.5) == [("a", 0.5), ("a", 1.0)]
    with pytest.raises(ag.GraphRuntimeError, match="NaN"):
        staged(float("nan"))
