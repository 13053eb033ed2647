"""The order of sets that operators and methods make of sets, dicts, views and lists: CPython's."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of
from test_views_and_counters import compare
from whole import in_turn

OTHERS = (
    *("t", "s", "d", "e", "e.keys()", "xs", "{1, 2, 3, 16}", "[1, 2, 3, 16, 40, 48]"),
    *("frozenset([8, 1, 9])", "{8, 16, 0, 24}", "set()"),
)

OPERATORS = tuple(
    f"{left} {sign} {right}"
    for one in ("s", "d.keys()")
    for left, right in ((one, "OTHER"), ("OTHER", one))
    for sign in "&|^-"
)

METHODS = ("union", "intersection", "difference", "symmetric_difference")

CHANGES = ("update", "intersection_update", "difference_update", "symmetric_difference_update")

EXPRESSIONS = (
    *OPERATORS,
    *(f"s.{name}(OTHER)" for name in METHODS),
    *(f"(s.{name}(OTHER), s)[1]" for name in CHANGES),
    *("d | OTHER", "OTHER | d"),
)

DRAWN = np.random.default_rng(27)
ARGUMENTS: list[Any] = [
    (np.array([16, 1, 2, 3, 4, 33, 8]), np.array([3, 1, 3, 3, 40, 16])),
    (np.array([], np.int64), np.array([4, 4, 2])),
    *((DRAWN.integers(-size, size, size), DRAWN.integers(-size, size, 9)) for size in (6, 17, 30)),
]


def cases() -> list[tuple[str, str]]:
    """The pairs of an expression and what stands beside the set; a part of them, or all."""
    pairs = product(enumerate(EXPRESSIONS), enumerate(OTHERS))
    return [(one, other) for (row, one), (place, other) in pairs if in_turn(row, place, among=9)]


@pytest.mark.parametrize(("expression", "other"), cases())
def test_order(expression: str, other: str, tmp_path: Any) -> None:
    made = expression.replace("OTHER", other)
    try:
        compare(f"    made = {made}\n    return list(made)\n", tmp_path, ARGUMENTS)
    except ag.StagingError as error:
        # Where CPython has no such operator (AG105), or the order is not known (AG120).
        assert error.code in ("AG105", "AG120"), error


KEYS = ("v", "(v, 1)", "(int(v * 4), v)", "np.float32(v)", "int(v * 9) / 2")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("size", (0, 3, 7, 40))
def test_order_of_a_result_whose_hashes_are_not_modelled(key: str, size: int, tmp_path: Any) -> None:
    """Such a set is not walked, but keeps its keys in their order, by which the returned set is laid out."""
    v = np.sin(np.arange(float(size))) * 3
    text = (
        f"    made = {{{key} for v in xs if v > -1}}\n    more = set()\n    for v in xs:\n        if v < 2:\n"
    )
    text += f"            more.add({key})\n    return made, more, set({key} for v in xs)\n"
    module = module_of(f"import numpy as np\n\n\ndef f(xs):\n{text}", tmp_path, "ordered")
    want, got = module.f(v), ag.function(module.f)(v)
    assert [list(made) for made in want] == [list(made) for made in got]
    assert repr(want) == repr(got)
