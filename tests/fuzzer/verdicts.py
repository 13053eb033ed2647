"""What is said of a program: for each way the same, refused, a known fault; or a failure."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Failure:
    """A program that a way runs otherwise than CPython.

    Attributes:
        way: Which one.
        part: What differs: the result, the error, what was printed, the effects; or `refusal`, a
            refusal without a code or a place.
        arguments: Those of the call.
        text: The program.
        got: What the way did.
        want: What CPython did.
    """

    way: str
    part: str
    arguments: tuple[Any, ...]
    text: str
    got: Any
    want: Any


Verdicts = tuple[Failure | None, list[str]]
