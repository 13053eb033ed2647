"""Array arguments whose sizes become sizes of the run by themselves, once they have been seen to vary.

    f(np.ones(3)), f(np.ones(4))    # a graph for each
    f(np.ones(5))                   # the third size of this dimension: a graph for all, `(x: f64[?])`
    f(np.ones(600))                 # runs it

Sizes 0 and 1 are not counted: a dimension of one broadcasts, and mostly stays one. What ``static=`` names,
and a dimension that the program needs while it is traced, is traced for each size; see docs/sizes.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np

from autograph import _core
from autograph._src.input_signature import ArraySpec

SIZES_BEFORE_OPENING = 3
"""With so many sizes of a dimension it becomes one of the run."""


class Dimension(NamedTuple):
    """A dimension of an array among the arguments.

    Attributes:
        structure: The structure of the arguments.
        place: The position of the array among their leaves.
        rank: How many dimensions the array has.
        axis: Which of them it is.
    """

    structure: Hashable
    place: int
    rank: int
    axis: int


class AutomaticSizes:
    """Which dimensions of the arguments are sizes of the run."""

    def __init__(self) -> None:
        self._seen: dict[Dimension, set[int]] = {}
        self._open: set[Dimension] = set()
        self._kept: set[Dimension] = set()
        self._structures: set[Hashable] = set()
        self.tried: frozenset[Dimension] = frozenset()

    def see(self, structure: Hashable, leaves: list[object], fixed: Iterable[int], *, may_open: bool) -> None:
        """Sees the sizes of a call that needs another graph, and chooses the dimensions to try as open ones.

        Args:
            structure: The structure of the arguments.
            leaves: Their leaves.
            fixed: The positions of arrays that keep their sizes.
            may_open: Whether this recording tries nothing else, so that a refusal has one cause.
        """
        fixed = frozenset(fixed)
        for place, leaf in enumerate(leaves):
            if type(leaf) is not np.ndarray or place in fixed:
                continue
            for axis, size in enumerate(leaf.shape):
                one = Dimension(structure, place, leaf.ndim, axis)
                if size < 2 or one in self._kept or one in self._open:
                    continue
                sizes = self._seen.setdefault(one, set())
                if len(sizes) < SIZES_BEFORE_OPENING:
                    sizes.add(size)
                if may_open and len(sizes) == SIZES_BEFORE_OPENING:
                    self._open.add(one)
                    self.tried |= {one}
                    self._structures.add(structure)

    def specs(self, structure: Hashable, leaves: list[object]) -> dict[int, ArraySpec]:
        """The specifications of the arrays with open dimensions, by their positions."""
        if structure not in self._structures:
            return {}
        found = {}
        for place, leaf in enumerate(leaves):
            if type(leaf) is np.ndarray:
                axes = [
                    Dimension(structure, place, leaf.ndim, axis) in self._open for axis in range(leaf.ndim)
                ]
                if any(axes):
                    sizes = zip(axes, leaf.shape, strict=True)
                    found[place] = ArraySpec(
                        [None if is_open else size for is_open, size in sizes], leaf.dtype
                    )
        return found

    def give_up(self, structure: Hashable, *, only_tried: bool) -> frozenset[Dimension]:
        """Keeps dimensions for good: those that were tried, or all of a structure. Returns them."""
        if only_tried:
            given_up = self.tried
        else:
            given_up = frozenset(one for one in self._open if one.structure == structure)
        self._kept |= given_up
        self._open -= given_up
        self.tried = frozenset()
        return given_up

    def note_success(self) -> None:
        """The dimensions that were tried are open from now on."""
        self.tried = frozenset()


def may_fail_alone(graph: _core.Graph) -> bool:
    """Whether a run of a graph may fail where Python would not, as where an int leaves 64 bits.

    With known sizes the same program computes with plain ints, which do not.
    """
    nodes = (node for function in graph.functions for node in function.nodes)
    return any(
        node.attributes.get("checked") or str(node.attributes.get("error", "")).startswith("Graph")
        for node in nodes
    )


def prints(graph: _core.Graph) -> bool:
    """Whether a run of a graph prints or warns."""
    return any(node.op == "print" for function in graph.functions for node in function.nodes)


def is_repeatable(graph: _core.Graph) -> bool:
    """Whether a run that has failed can be made again: all it did to the world around it was to print."""
    sites = graph.sites
    return not any(
        node.is_callback or (node.op == "print" and not _is_of_output(sites[node.site or 0]))
        for function in graph.functions
        for node in function.nodes
    )


def _is_of_output(words: str) -> bool:
    return words.startswith("warn(") or (words.startswith("print(") and "file=" not in words)
