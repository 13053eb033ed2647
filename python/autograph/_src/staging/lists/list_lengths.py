"""Lengths of staged lists: a plain number, or an unknown one and how much was added to it.

While a loop body is recorded, the length at its beginning is unknown. At its end it is "that, and one
more": so after 8 iterations it is 8 more than before the loop.

>>> before = unknown()
>>> before.plus(1).minus(before)
1
>>> Length(None, 3).plus(2)
Length(base=None, offset=5)
"""

from __future__ import annotations

from dataclasses import dataclass


class Unknown:
    """A length that only a run knows."""

    def __repr__(self) -> str:
        return "unknown"


@dataclass(frozen=True)
class Length:
    """How many elements a staged list has.

    Attributes:
        base: A length that is not known, or ``None`` if there is no such part in it.
        offset: How much more it is than that.
    """

    base: Unknown | None
    offset: int

    def plus(self, count: int) -> Length:
        """The length with so many more elements."""
        return Length(self.base, self.offset + count)

    def sum(self, other: Length) -> Length:
        """The length of two lists, one behind the other."""
        if self.base is None:
            return other.plus(self.offset)
        return self.plus(other.offset) if other.base is None else unknown()

    def minus(self, other: Length) -> int | None:
        """How much more it is than another, if that is known."""
        return self.offset - other.offset if self.base is other.base else None


def unknown() -> Length:
    """A length of which nothing is known, not even that it is another's."""
    return Length(Unknown(), 0)


def known_or_new(length: Length | None) -> Length:
    """The length, or an unknown one where there is none."""
    return unknown() if length is None else length
