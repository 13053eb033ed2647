"""Literals that no staged int can be: constants until an int of the run replaces them."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

SENTINELS = ("10**20", "-(10**20)", "2**64", "1 << 100", "-(2**65)")

BODIES = {
    "a minimum": """
    best = SENTINEL
    for x in a:
        best = min(best, int(x))
    return best
""",
    "a maximum and a minimum": """
    low, high = SENTINEL, -SENTINEL
    for x in a:
        low, high = min(low, int(x)), max(high, int(x))
    return low, high, [low, high], {1: low}
""",
    "a comparison": """
    best, where = SENTINEL, None
    for k, x in enumerate(a):
        if int(x) < best:
            best, where = int(x), k
    return best, where
""",
    "sometimes replaced": """
    best = SENTINEL
    for x in a:
        if x > 3:
            best = int(x)
    return best, best == SENTINEL, best != SENTINEL, best < 0, best >= 5, f"{best}", str(best)
""",
    "replaced by a float": """
    best = SENTINEL
    for x in a:
        if x > 3:
            best = float(x)
    return best
""",
    "added to": """
    best = SENTINEL
    for x in a:
        if x > 3:
            best = int(x)
    return best + 1, best * 2, -best, abs(best), best // 3, best % 7
""",
    "printed, and as a truth": """
    best = SENTINEL if a[0] > 3 else int(a[-1])
    print(best)
    if best:
        return 1
    return 2
""",
    "in a callee": """
    def least(xs, start):
        for x in xs:
            if x > 2:
                start = min(start, int(x))
        return start
    return least(a, SENTINEL), least(a, 5)
""",
    "an attribute": """
    class Best:
        def __init__(self):
            self.value = SENTINEL

        def take(self, x):
            if x < self.value:
                self.value = x

    best = Best()
    for x in a:
        best.take(int(x))
    return best.value
""",
    "raised": """
    best = SENTINEL
    for x in a:
        if x > 3:
            best = int(x)
    if best != SENTINEL:
        return best
    raise ValueError(f"none of {len(a)}", best)
""",
    "a while, left early": """
    best, k = SENTINEL, 0
    while k < len(a):
        v = int(a[k])
        if v > best:
            break
        best, k = v, k + 1
    return best, k
""",
}

INPUTS = ([5, 2, 250, 7, 1], [3, 1, 2, -4, 0], [0, 1, 5], [-7, -1, -2], [9])


def told(value: Any) -> Any:
    """A value with the types of all its parts."""
    if isinstance(value, (list, tuple)):
        return type(value), [told(one) for one in value]
    return type(value), repr(value)


def outcome(function: Any, given: list[int]) -> Any:
    """What a call gives, raises and prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = told(function(np.array(given)))
        except Exception as error:
            result = type(error), told(error.args)
    return result, printed.getvalue()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("sentinel", SENTINELS)
@pytest.mark.parametrize("body", BODIES)
def test_programs(body, sentinel, tmp_path):
    text = "import numpy as np\n\n\ndef f(a):" + BODIES[body].replace("SENTINEL", f"({sentinel})")
    function = module_of(text, tmp_path, "sentinel_program").f
    staged = ag.function(function)
    for given in (*INPUTS, INPUTS[0]):
        assert outcome(staged, given) == outcome(function, given), given


def test_identity_is_refused():
    large = 10**20

    def f(a):
        best = large
        if a[0] > 3:
            best = int(a[0])
        return best is large

    with pytest.raises(ag.StagingError) as caught:
        ag.function(f)(np.array([5]))
    assert caught.value.code == "AG120"
    assert caught.value.message == "whether two strings, numbers or methods are one object is not known"
