"""Array arguments whose sizes only the run knows, declared by ``None`` in an input signature.

    @ag.function(input_signature=[ag.ArraySpec((None, 3), np.float32)])
    def centred(x):
        return x - x.mean(axis=0)

    centred(first), centred(second)     # of 8 and of 13 rows: one graph, `(x: f32[?, 3])`

A program that needs such a size while it is traced is traced once for each size, and a warning says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Any

from autograph._src.input_signature import ArraySpec, InputSignature
from autograph.errors import StagingError

NONE: Mapping[int, ArraySpec] = MappingProxyType({})


class OpenSizes:
    """Which leaves of a function's arguments have open sizes, by the structure of the arguments.

    Attributes:
        refusal: Why the function is traced once for each size, or ``None`` if it is not.
    """

    def __init__(self, name: str, signature: InputSignature | None) -> None:
        self._name = name
        self._signature = signature
        self._places: dict[Hashable, Mapping[int, ArraySpec]] = {}
        self._has_warned = False
        self.refusal: StagingError | None = None

    def learn(self, structure: Hashable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Learns which leaves of such arguments have open sizes."""
        if self._signature is not None and structure not in self._places:
            is_open = self.refusal is None
            self._places[structure] = self._signature.open_places(args, kwargs) if is_open else NONE

    def known(self, structure: Hashable) -> Mapping[int, ArraySpec]:
        """The specifications of the leaves with open sizes, by their positions."""
        return self._places.get(structure, NONE)

    def give_up(self, structure: Hashable, refusal: StagingError) -> bool:
        """Switches to one trace for each size, if open sizes may have caused a refusal; tells whether."""
        if not self.known(structure):
            return False
        self.refusal = refusal
        self._places.clear()
        return True

    def note_success(self) -> None:
        """Warns once, after a trace for one size has succeeded where the trace for all sizes was refused."""
        if self.refusal is not None and not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"{self._name} is retraced for each size that its input signature leaves open"
                f" ({self.refusal.message}; {self.refusal.location})",
                stacklevel=5,
            )
