"""Pairs of programs for `tests/test_remedies.py`: a refused one, and the same after what the help says.

The files `remedy_programs*.py` register them, each pair by a class with the functions `refused` and `fixed`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class Pair(NamedTuple):
    """A refused program, and what the help says to write."""

    help: str
    arguments: tuple[Any, ...]
    refused: Callable[..., Any]
    fixed: Callable[..., Any]


PAIRS: list[Pair] = []

XS = np.array([3.0, 1.0, 2.0])
M = np.arange(6.0).reshape(2, 3)
N = np.int64(2)


def helped(text: str, *arguments: Any) -> Callable[[type], type]:
    """Registers a class with the functions `refused` and `fixed`."""

    def register(pair: type) -> type:
        PAIRS.append(Pair(text, arguments, vars(pair)["refused"], vars(pair)["fixed"]))
        return pair

    return register


@functools.cache
def pairs() -> list[Pair]:
    """All pairs."""
    for path in sorted(Path(__file__).parent.glob("remedy_programs*.py")):
        import_module(path.stem)
    return PAIRS
