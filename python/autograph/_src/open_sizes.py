"""Array arguments whose sizes only the run knows.

    @ag.function(input_signature=[ag.ArraySpec((None, 3), np.float32)])
    def centred(x):
        return x - x.mean(axis=0)

    centred(first), centred(second)     # of 8 and of 13 rows: one graph, `(x: f32[?, 3])`

Where there is no input signature, a dimension whose third size is seen becomes one of the run by itself
(:mod:`autograph._src.automatic_sizes`). A program that needs such a size while it is traced is traced once
for each size, and a warning says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from autograph._src.automatic_sizes import SIZES_BEFORE_OPENING, AutomaticSizes, Dimension
from autograph._src.input_signature import ArraySpec, InputSignature
from autograph._src.staging.trace.frames import frames_of_ours
from autograph.errors import AutographError, StagingError

NONE: Mapping[int, ArraySpec] = MappingProxyType({})


class OpenSizes:
    """Which leaves of a function's arguments have open sizes, by the structure of the arguments.

    Attributes:
        refusal: Why the function is traced once for each size that its input signature leaves open, or
            ``None`` if it is not.
    """

    def __init__(self, name: str, signature: InputSignature | None) -> None:
        self._name = name
        self._signature = signature
        self._automatic = AutomaticSizes()
        self._places: dict[Hashable, Mapping[int, ArraySpec]] = {}
        self._has_warned = False
        self._kept: tuple[AutographError, frozenset[Dimension]] | None = None
        self.refusal: StagingError | None = None

    def learn(self, structure: Hashable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Learns from the input signature which leaves of such arguments have open sizes."""
        if self._signature is not None and structure not in self._places:
            is_open = self.refusal is None
            self._places[structure] = self._signature.open_places(args, kwargs) if is_open else NONE

    def see(self, structure: Hashable, leaves: list[Any], fixed: Iterable[int], *, may_open: bool) -> None:
        """Sees the sizes of a call that needs another graph, as :meth:`AutomaticSizes.see` says."""
        if self._signature is None:
            self._automatic.see(structure, leaves, fixed, may_open=may_open)

    def known(self, structure: Hashable, leaves: list[Any]) -> Mapping[int, ArraySpec]:
        """The specifications of the leaves with open sizes, by their positions."""
        if self._signature is not None:
            return self._places.get(structure, NONE)
        return self._automatic.specs(structure, leaves)

    def are_automatic(self, structure: Hashable, leaves: list[Any]) -> bool:
        """Whether leaves have open sizes that no input signature asks for."""
        return self._signature is None and bool(self._automatic.specs(structure, leaves))

    def note(self, places: Iterable[int], names: list[str]) -> str:
        """What a graph for any size says of itself."""
        which = ", ".join(f"`{names[place]}`" for place in sorted(places))
        return (
            f"this graph takes any size of {which}, which has come with {SIZES_BEFORE_OPENING}:"
            " name it in `static=` to have a graph for each"
        )

    def give_up_tried(self, refusal: StagingError) -> bool:
        """Keeps the dimensions that the last recording tried as open ones; tells whether there were any."""
        return self._note_kept(refusal, self._automatic.give_up(None, only_tried=True))

    def give_up(self, structure: Hashable, refusal: StagingError) -> bool:
        """Switches to one trace for each size, if open sizes may have caused a refusal; tells whether."""
        if self._signature is None:
            return self._note_kept(refusal, self._automatic.give_up(structure, only_tried=False))
        if not self._places.get(structure):
            return False
        self.refusal = refusal
        self._places.clear()
        return True

    def note_failure(self, structure: Hashable, failure: BaseException) -> None:
        """Switches to one trace for each size after a run for any size has failed as Python would not."""
        if isinstance(failure, AutographError):
            self._note_kept(failure, self._automatic.give_up(structure, only_tried=False))

    def _note_kept(self, refusal: AutographError, kept: frozenset[Dimension]) -> bool:
        if kept:
            self._kept = refusal, kept
        return bool(kept)

    def note_success(self, names: list[str]) -> None:
        """Warns once, after a trace for one size has succeeded where the trace for all sizes was refused.

        Args:
            names: The names of the leaves of the arguments.
        """
        self._automatic.note_success()
        if self._kept is not None:
            refusal, kept = self._kept
            self._kept = None
            which = ", ".join(f"`{names[place]}`" for place in sorted({one.place for one in kept}))
            self._warn(f"is traced for each size of {which}", refusal)
        if self.refusal is not None and not self._has_warned:
            self._has_warned = True
            self._warn("is retraced for each size that its input signature leaves open", self.refusal)

    def _warn(self, what: str, refusal: AutographError) -> None:
        where = f"; {refusal.location}" if refusal.location is not None else ""
        text = f"{self._name} {what} ({refusal.message}{where})"
        warnings.warn(text, stacklevel=1 + frames_of_ours())
