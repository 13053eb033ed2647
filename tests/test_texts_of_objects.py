"""What `print` and f-strings show of lists and tuples of the program's classes: what CPython shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest


class Row(list):
    def __repr__(self):
        return f"Row of {list.__repr__(self)}"


class Named(list):
    def __str__(self):
        return f"{self.name}: {list(self)}"


class Pair(tuple):
    __slots__ = ()

    def __repr__(self):
        return f"Pair of {self[0]!r}"


class Silent(list):
    pass


def named(n):
    found = Named([n, n + 1])
    found.name = n
    return found


PROGRAMS: dict[str, Callable[..., Any]] = {
    "list": lambda n: print(Row([n, 2])),
    "f-string": lambda n: f"{Row([n])} and {Row([])!r}",
    "attribute": lambda n: print(named(n)),
    "tuple": lambda n: print(Pair((n, 2.0))),
    "without a text of its own": lambda n: print(Silent([n, [n]])),
    "inside": lambda n: print([Row([n]), (Pair((n,)), n)], {"a": Row([n])}),
    "in a loop": lambda n: [print(Row([i, n])) for i in range(n)],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_is_that_of_the_class(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    program = PROGRAMS[name]
    want = program(np.int64(3)), capfd.readouterr().out
    staged = ag.function(program)
    for _ in range(2):
        assert (staged(np.int64(3)), capfd.readouterr().out) == want
