"""Variables that may be unbound: their last graph value is a flag that says whether they are bound.

if x > 0:           # staged
    y = x           # float64[], bool[]
print(y)            # fails where the flag is false
"""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.leaf_kind import GraphType, LeafKind
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.references import is_reference

FLAG: GraphType = ("bool", [])
"""The graph type of a flag."""


class FlaggedKind(LeafKind):
    """A kind with a flag for a variable that may be unbound; its subclasses are dataclasses.

    Attributes:
        may_be_unbound: Whether there is one.
    """

    may_be_unbound: bool

    def maybe_unbound(self) -> Self:
        """The kind with the flag."""
        return replace(self, may_be_unbound=True)  # type: ignore[type-var]

    def where_bound(self) -> tuple[LeafKind, bool]:
        """The kind without the flag."""
        return replace(self, may_be_unbound=False), self.may_be_unbound  # type: ignore[type-var]

    def without_flags(self) -> LeafKind:
        """The kind without it."""
        return replace(self, may_be_unbound=False)  # type: ignore[type-var]


def flag_of(value: object) -> Tensor | None:
    """What says whether a value is bound; ``None`` of one that is."""
    if is_reference(value) or has_own(value, "ag_bound"):
        return value.ag_bound  # type: ignore[no-any-return]
    return value.defined if has_own(value, "defined") else None
