"""Specialisations that the Rust dispatcher may call without running Python.

``f(a, b, c)`` of plain arguments, with a result that is one value or a flat tuple, needs no Python:
the dispatcher compares the arguments, checks what was read while tracing, and runs native code.

    f = ag.function(lambda a, b: a + b)
    f(x, y)     # traced by ``Function._call``, which then hands the specialisation over
    f(x, y)     # never reaches Python

Invariant: only what gives the same result on both ways is handed over. Arguments that are written in
place, nested results and results that are made anew in Python stay with ``Function._call``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from autograph import _core
from autograph.backends.protocol import RECORDING
from autograph.concrete import ConcreteFunction

_ACTIVE = RECORDING.args[0]
"""The back-ends of each thread; its `stack` is empty where nothing records."""


def is_flat(structure: Hashable) -> bool:
    """Whether arguments of this structure are positional leaves only."""
    if not isinstance(structure, tuple):
        return False
    _, positional, named = structure
    return named == (dict,) and all(part == "leaf" for part in positional[1:])


def hand_over(dispatcher: _core.Dispatcher, args: tuple[Any, ...], concrete: ConcreteFunction) -> None:
    """Adds a specialisation to those that are called without Python, if it may be.

    Args:
        dispatcher: The staged function.
        args: Arguments of the specialisation, all positional and leaves.
        concrete: The specialisation.
    """
    parts = concrete.fast_parts()
    if parts is None:
        return
    dispatcher._add_fast(
        args,
        concrete,
        parts.executable,
        parts.show,
        _ACTIVE,
        parts.inputs,
        parts.captured,
        parts.leaves,
        parts.is_tuple,
        parts.guards,
    )
