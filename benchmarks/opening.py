"""The program that README.md opens with: k-means of 1,000 points, staged and as plain NumPy."""

from __future__ import annotations

import contextlib
import io
import linecache
import re
from pathlib import Path
from typing import Any

import numpy as np
from measure import Comparison, compare

README = Path(__file__).parent.parent / "README.md"


def program() -> dict[str, Any]:
    """The names that the first block of the README defines."""
    found = re.search(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S)
    assert found is not None
    name, text = "<README.md>", found[1]
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"__name__": "readme"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(text, name, "exec", dont_inherit=True), scope)
    return scope


def run() -> list[Comparison]:
    names = program()
    staged, points = names["k_means"], names["points"]
    ours, theirs = staged(points, 8, 1e-3), staged.__wrapped__(points, 8, 1e-3)
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
    assert ours[1] == theirs[1]
    return [
        compare(
            "the README's program",
            lambda: staged(points, 8, 1e-3),
            lambda: staged.__wrapped__(points, 8, 1e-3),
            "NumPy",
            0.5,
            rounds=51,
        )
    ]
