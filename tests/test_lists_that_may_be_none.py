"""Operators of a list, tuple or dict that may be ``None``: those of its class, never those of an array."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph.errors import AutographError
from generated_programs import module_of

VALUES: dict[str, Any] = {
    "list of arrays": [np.ones(2), np.zeros(2)],
    "list of numbers": [1, 2.0],
    "empty list": [],
    "list of lists": [[1]],
    "tuple": (1, 2.0),
    "dict": {"a": 1},
}
EXPRESSIONS = [
    "k * w",
    "w * k",
    "2 * w",
    "w * 2",
    "w + [1.5]",
    "[1.5] + w",
    "w % (k, c)",
    "w - 1",
    "1 - w",
    "w == x",
    "w != [1]",
    "w | w",
    "np.ones(2) + w",
    "w + np.ones(2)",
    "np.float64(2) * w",
]
STATEMENTS = ["w *= 2", "w *= k", "w %= range(3)", "w += [3]", "w -= 1", "w |= w"]


def seen(function: Any, value: Any, c: bool) -> tuple[str, Any]:
    """The type and text of a result, or the type of an exception."""
    try:
        result = function(copy.deepcopy(value), np.bool_(c), np.int64(2))
    except AutographError as error:
        return "refused", error.code
    except Exception as error:
        return "raised", type(error).__name__
    return type(result).__name__, repr(result)


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("text", EXPRESSIONS + STATEMENTS)
def test_operators_are_those_of_the_class(text: str, kind: str, tmp_path: Path) -> None:
    last = f"    return {text}\n" if text in EXPRESSIONS else f"    {text}\n    return w\n"
    lines = "import numpy as np\n\n\ndef f(x, c, k):\n    w = None\n    if c:\n        w = x\n" + last
    function = module_of(lines, tmp_path, "may_be_none").f
    staged = ag.function(function)
    for c in (True, False):
        want, got = seen(function, VALUES[kind], c), seen(staged, VALUES[kind], c)
        # A refusal of an operator that Python has not may be an exception of its class as well.
        assert got == want or got[0] == "refused"
