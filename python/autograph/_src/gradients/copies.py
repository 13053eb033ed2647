"""Copies of the arguments of a call, which share memory where the arguments do.

    ag.grad(f)(x, x)            # what plain Python's `f` writes to the one it sees in the other
    ag.grad(f)(x[1:], x[:2])    # and so it does here, in part

An array that is passed twice becomes one copy. If a derivative is with respect to it, each is a value of its
own, as for JAX: no graph value says both what an array holds, and which of its elements came in by which
argument. So the function may read both, or write to one, but not read the one after it has written the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import Memory, Role, memories_of
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import flatten


class Copies:
    """The copies of the arrays of one call.

    Args:
        trace: The trace.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        # An array of the caller and a copy of it. They are kept, so that no other array gets their identity.
        self._made: list[tuple[Any, Tensor]] = []
        self._constant: dict[int, Tensor] = {}

    def of(self, leaf: object) -> object:
        """The copy of an array with respect to which no derivative is; other leaves as they are."""
        if is_complex(leaf) or is_narrow(leaf) or not (type(leaf) is np.ndarray or isinstance(leaf, Tensor)):
            return leaf
        if isinstance(leaf, Tensor) and leaf.form is not Form.ARRAY:
            return leaf
        if id(leaf) not in self._constant:
            self._constant[id(leaf)] = self.own(leaf, lift(leaf))
        return self._constant[id(leaf)]

    def of_tree(self, value: object) -> object:
        """A copy of an argument, so that the caller does not see what the function writes to it."""
        leaves: list[Any] = []
        _, rebuild = flatten(value, leaves)
        copy = rebuild(list(map(self.of, leaves)))
        if self._trace.search is not None:
            self._trace.search.note_copy(value, copy)
        return copy

    def own(self, leaf: object, value: Tensor) -> Tensor:
        """A copy that is a graph value of its own.

        Args:
            leaf: The caller's array or number.
            value: Its value.
        """
        made = Tensor(self._trace, own_value(self._trace, value.read()), value.form)
        self.note(leaf, made)
        return made

    def note(self, leaf: object, made: Tensor) -> None:
        """Notes a tensor that stands for an array of the caller."""
        if made.form is Form.ARRAY:
            self._made.append((leaf, made))

    def link(self) -> None:
        """Has copies share memory where the arrays of the caller do, once all are made."""
        sharing: dict[int, list[Memory]] = {}
        parameters = _parameters(self._trace)
        for (leaf, made), (other, copy) in combinations(self._made, 2):
            if _may_be_shared(leaf, other, parameters):
                sharing.setdefault(id(made), []).append(copy.memory)
                sharing.setdefault(id(copy), []).append(made.memory)
        for leaf, made in self._made:
            made.may_share(sharing.get(id(made), []), Role.ARGUMENT)
            if isinstance(leaf, Tensor):
                # Whether inputs of the graph share memory only a call knows.
                self._trace.copies.append((tuple(memories_of(leaf)), made))


def own_value(trace: Trace, value: int) -> int:
    """A graph value that equals another, for a result that is not the caller's array."""
    return _core.identity(trace.locate_in_graph(), value, False)


def _may_be_shared(leaf: object, other: object, parameters: frozenset[int]) -> bool:
    if leaf is other:
        return True
    if isinstance(leaf, np.ndarray) and isinstance(other, np.ndarray):
        return np.shares_memory(leaf, other)
    if not (isinstance(leaf, Tensor) and isinstance(other, Tensor)):
        return False
    if id(leaf) in parameters and id(other) in parameters:
        return True  # Which arrays a function of the graph gets its callers say.
    return not set(map(id, memories_of(leaf))).isdisjoint(map(id, memories_of(other)))


def _parameters(trace: Trace) -> frozenset[int]:
    """The identities of the parameters of the functions of the graph that are being recorded."""
    blocks: Sequence[Any] = trace.journal.blocks
    return frozenset().union(*(block.parameters or frozenset() for block in blocks))
