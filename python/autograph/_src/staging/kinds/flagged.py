"""Variables that may be unbound: their last graph value is a flag that says whether they are bound.

    if x > 0:           # staged
        y = x           # float64[], bool[]
    print(y)            # raises where the flag is false

A variable whose kind has no flag is bound on every path.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.recorder import GraphType
from autograph._src.staging.trace.references import is_reference

FLAG: GraphType = ("bool", ())
"""The graph type of a flag."""


class FlaggedKind(ValueKind):
    """A kind with a flag for a variable that may be unbound; its subclasses are dataclasses.

    Attributes:
        may_be_unbound: Whether the kind has the flag.
    """

    may_be_unbound: bool

    def maybe_unbound(self) -> Self:
        """The kind with the flag."""
        return replace(self, may_be_unbound=True)  # type: ignore[type-var]

    def where_bound(self) -> tuple[ValueKind, bool]:
        """The kind without the flag, and whether it had one."""
        return replace(self, may_be_unbound=False), self.may_be_unbound  # type: ignore[type-var]

    def without_flags(self) -> ValueKind:
        """The kind without the flag."""
        return replace(self, may_be_unbound=False)  # type: ignore[type-var]


def flag_of(value: object) -> Tensor | None:
    """The staged bool that says whether a value is bound; ``None`` if it always is."""
    if is_reference(value) or has_own(value, "ag_bound"):
        return value.ag_bound  # type: ignore[no-any-return]
    return value.defined if has_own(value, "defined") else None
