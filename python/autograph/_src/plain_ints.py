"""Which Python ints among the arguments are inputs of a graph, and which are part of its identity.

    power(x, 3)     # the graph is for `n` = 3
    power(x, 4)     # a second value: `n` is an input, if the program can do without it while it is traced

Where it cannot, the int is part of the graph's identity for good, and a warning says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable
from typing import Any

from autograph.errors import StagingError


class PlainInts:
    """The Python ints among the leaves of a function's arguments, by the structure of the arguments.

    Each is part of a graph's identity first, then an input, then part of the identity for good.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._first: dict[Hashable, dict[int, int]] = {}
        self._inputs: dict[Hashable, frozenset[int]] = {}
        self._tried: frozenset[int] = frozenset()
        self._needed: dict[Hashable, frozenset[int]] = {}
        self._refusal: StagingError | None = None

    def inputs(self, structure: Hashable) -> frozenset[int]:
        """Places of those that are inputs."""
        return self._inputs.get(structure, frozenset())

    def learn(self, structure: Hashable, leaves: list[Any], but: Iterable[int]) -> None:
        """Tries those as inputs that come with a second value.

        Args:
            structure: That of the arguments.
            leaves: The leaves.
            but: Places that the caller has decided about.
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
        """Places of those that the next recording tries as inputs."""
        return self._tried

    def give_up(self, structure: Hashable, refusal: StagingError) -> bool:
        """Has those that were tried be part of the identity for good, if a refusal may be due to them."""
        if not self._tried:
            return False
        self._needed[structure] = self._needed.get(structure, frozenset()) | self._tried
        self._tried = frozenset()
        self._refusal = refusal
        return True

    def note_success(self, structure: Hashable) -> None:
        """Keeps what was tried; warns where a trace for one value succeeded and that for all did not."""
        if self._tried:
            self._inputs[structure] = self.inputs(structure) | self._tried
            self._tried = frozenset()
        if self._refusal is not None:
            refusal, self._refusal = self._refusal, None
            warnings.warn(
                f"{self._name} is traced anew for each value of a Python int that it needs while tracing"
                f" ({refusal.message}; {refusal.location})",
                stacklevel=6,
            )


def fits_into_64_bits(leaf: object) -> bool:
    """Whether it is a Python int that can be an input of a graph."""
    return type(leaf) is int and -(2**63) <= leaf < 2**63
