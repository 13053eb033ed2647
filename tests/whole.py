"""How much a test runs of what it crosses or draws: a part, or all of it, which `make cross` asks for."""

from __future__ import annotations

import os

IS_WHOLE = os.environ.get("AUTOGRAPH_TESTS") == "whole"


def drawn(part: int, *, whole: int) -> int:
    """How many random programs or values are drawn."""
    return whole if IS_WHOLE else part


def in_turn(*places: int, among: int) -> bool:
    """Whether a case of these places is in the part of one in `among`, or all are asked for.

    Where each dimension has at least `among` places, every choice of places in all dimensions but one would
    occur; `make test` leaves out one in three of those.
    """
    turn = sum(places)
    return IS_WHOLE or (turn % among == 0 and turn // among % 3 != 2)
