"""Lengths of staged lists: a plain number, or an unknown base plus a known offset.

While a loop body is recorded, the length at its start is an unknown. If it is that unknown plus one at the
end, then after 8 iterations it is 8 more than before the loop.

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
    """The length of a staged list: ``base + offset``.

    Attributes:
        base: An unknown length; ``None`` stands for 0, so that the offset is the length.
        offset: The known part.
    """

    base: Unknown | None
    offset: int

    def plus(self, count: int) -> Length:
        """The length with ``count`` more elements."""
        return Length(self.base, self.offset + count)

    def sum(self, other: Length) -> Length:
        """The length of two concatenated lists."""
        if self.base is None:
            return other.plus(self.offset)
        return self.plus(other.offset) if other.base is None else unknown()

    def minus(self, other: Length) -> int | None:
        """The difference to another length; ``None`` if it is not known."""
        return self.offset - other.offset if self.base is other.base else None


def unknown() -> Length:
    """A new unknown length, not known to equal any other."""
    return Length(Unknown(), 0)


def known_or_new(length: Length | None) -> Length:
    """The length, or a new unknown one for ``None``."""
    return unknown() if length is None else length
