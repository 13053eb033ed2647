"""Dicts, sets and deques keyed by data in lists, dicts and objects: each is one object, as in CPython."""

from __future__ import annotations

from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of
from test_keyed import assert_same
from whole import IS_WHOLE, in_turn

INNER = {
    "set": ("set()", "INNER.add(v)"),
    "dict": ("{}", "INNER[v] = INNER.get(v, 0) + 1"),
    "dict of lists": ("{}", "INNER.setdefault(v % 2, []).append(v)"),
    "dict of words": ("{}", "INNER['few' if v < 3 else 'many'] = v"),
    "counter": ("Counter()", "INNER[v] += 1"),
    "defaultdict": ("defaultdict(list)", "INNER[v].append(k)"),
    "deque": ("deque()", "INNER.append(v)"),
    "dict of sets": ("{}", "INNER.setdefault(v, set()).add(k)"),
    "filled set": ("{7}", "INNER.discard(v)"),
    "filled dict": ("{7: 1}", "INNER[v] = 2"),
    "removed": ("{1: 1}", "INNER.pop(v, 0)"),
}
OUTER = {
    "list": ("[]", "outer.append(NEW)", "outer[-1]", "outer[0]"),
    "known list": ("[NEW for _ in range(3)]", "pass", "outer[v % 3]", "outer[2]"),
    "list of the run": ("[NEW for _ in range(len(x) + 1)]", "pass", "outer[v % len(outer)]", "outer[-1]"),
    "dict": ("{}", "outer[v] = NEW", "outer[v]", "outer[min(outer)]"),
    "setdefault": ("{}", "outer.setdefault(v % 3, NEW)", "outer[v % 3]", "outer[min(outer)]"),
    "defaultdict": ("defaultdict(lambda: NEW)", "pass", "outer[v % 3]", "outer[0]"),
    "object": ("[]", "outer.append(Holder(NEW))", "outer[-1].held", "outer[0].held"),
    "tuple": ("[]", "outer.append((v, NEW))", "outer[-1][1]", "outer[0][1]"),
}
USES = (
    "len(INNER), bool(INNER)",
    "INNER, one is INNER",
    "list(INNER), 3 in INNER",
    "sorted(INNER), SHOWN",
)
SHOWN = {"defaultdict": "dict(outer)", "object": "[one.held for one in outer]"}


NOT_IN = {"deque": USES[:3], "dict of words": USES[3:]}
"""Uses that are refused: two deques that may be one, and the order of strings of the run."""


def program(inner: str, outer: str, use: str) -> str:
    """A function that fills inner containers of outer ones, changes one by two names, and looks at it."""
    new, change = INNER[inner]
    made, added, here, first = (part.replace("NEW", new) for part in OUTER[outer])
    shown = use.replace("INNER", first).replace("SHOWN", SHOWN.get(outer, "outer"))
    return (
        "from collections import Counter, defaultdict, deque\nfrom dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Holder:\n    held: object\n\n\n"
        f"def f(x):\n    outer = {made}\n    for k, one in enumerate(x):\n        v = int(one)\n"
        f"        {added}\n        {change.replace('INNER', here)}\n"
        f"    if len(x) == 0:\n        {added.replace('v', '5')}\n"
        f"    v, k = 4, 9\n    one = {first}\n    {change.replace('INNER', 'one')}\n    return {shown}\n"
    )


LONG = {("dict of sets", "defaultdict"), ("dict", "defaultdict")}
"""Each takes half a minute and more to record."""

CASES = [
    (inner, outer, USES[(number + number // len(USES)) % len(USES)])
    for number, (inner, outer) in enumerate(product(INNER, OUTER))
    if in_turn(number // len(OUTER), number % len(OUTER), among=6)
    and (IS_WHOLE or (inner, outer) not in LONG)
]


REFUSED = [(kind, "object", "sorted(INNER), SHOWN") for kind in ("set", "filled set", "counter", "deque")]
"""What is in order is a list, and the object may hold what it holds by then or the table."""


@pytest.mark.parametrize("case", CASES, ids=" - ".join)
def test_inner_tables(case: tuple[str, str, str], tmp_path: Any) -> None:
    if case[0] in NOT_IN:
        case = (*case[:2], USES[0] if case[2] in NOT_IN[case[0]] else case[2])
    function = module_of(program(*case), tmp_path, "inner_tables").f
    staged = ag.function(function)
    for x in (np.array([3, 1, 4, 1, 5]), np.array([2, 2]), np.array([3, 1, 4, 1, 5]), np.array([], np.int64)):
        try:
            want: Any = function(x)
        except (KeyError, IndexError, ValueError) as error:
            want = type(error)
        try:
            got: Any = staged(x)
        except ag.StagingError as error:
            assert case in REFUSED and error.code == "AG131" and error.location is not None, error
            continue
        except (KeyError, IndexError, ValueError) as error:
            assert not isinstance(error, ag.AutographError)
            got = type(error)
        assert_same(got, want)
