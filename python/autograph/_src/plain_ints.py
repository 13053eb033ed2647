"""Which Python ints among the arguments are inputs of a graph, and which are constants of it.

    power(x, 3)     # the graph is for `n` = 3
    power(x, 4)     # a second value: `n` becomes an input, unless tracing needs its value

If tracing needs the value, the int stays a constant for good, and a warning says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable
from typing import Any

from autograph.errors import StagingError


class PlainInts:
    """The Python ints among the leaves of a function's arguments, by the structure of the arguments.

    Each is a constant of the graph first; with a second value it is tried as an input; if that is refused,
    it is a constant for good.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._first: dict[Hashable, dict[int, int]] = {}
        self._inputs: dict[Hashable, frozenset[int]] = {}
        self._tried: frozenset[int] = frozenset()
        self._needed: dict[Hashable, frozenset[int]] = {}
        self._refusal: StagingError | None = None

    def inputs(self, structure: Hashable) -> frozenset[int]:
        """Positions of the ints that are inputs."""
        return self._inputs.get(structure, frozenset())

    def learn(self, structure: Hashable, leaves: list[Any], but: Iterable[int]) -> None:
        """Chooses the ints to try as inputs: those for which this call passes a second value.

        Args:
            structure: The structure of the arguments.
            leaves: Their leaves.
            but: Positions that the user has decided with ``static=`` or ``dynamic=``.
        """
        first = self._first.setdefault(structure, {})
        settled = self.inputs(structure) | self._needed.get(structure, frozenset()) | frozenset(but)
        self._tried = frozenset(
            place
            for place, leaf in enumerate(leaves)
            if fits_into_64_bits(leaf) and place not in settled and first.setdefault(place, leaf) != leaf
        )

    @property
    def tried(self) -> frozenset[int]:
        """Positions of the ints that the next recording tries as inputs."""
        return self._tried

    def give_up(self, structure: Hashable, refusal: StagingError) -> bool:
        """Makes the tried ints constants for good, if they may have caused a refusal; tells whether."""
        if not self._tried:
            return False
        self._needed[structure] = self._needed.get(structure, frozenset()) | self._tried
        self._tried = frozenset()
        self._refusal = refusal
        return True

    def note_success(self, structure: Hashable) -> None:
        """Makes the tried ints inputs; warns if a trace for one value has followed a refused one for all."""
        if self._tried:
            self._inputs[structure] = self.inputs(structure) | self._tried
            self._tried = frozenset()
        if self._refusal is not None:
            refusal, self._refusal = self._refusal, None
            warnings.warn(
                f"{self._name} is retraced for each value of a Python int that it needs while tracing"
                f" ({refusal.message}; {refusal.location})",
                stacklevel=6,
            )


def fits_into_64_bits(leaf: object) -> bool:
    """Whether a leaf is a Python int that can be an input of a graph."""
    return type(leaf) is int and -(2**63) <= leaf < 2**63
