"""A variable that is unbound on every path: no value of the graph.

if x > 0:           # staged
    del y           # and `del y` in the other branch
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.leaf_kind import GraphType, LeafKind, Paths

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays


@dataclass(frozen=True)
class Unbound(LeafKind):
    """A variable that is not bound.

    Attributes:
        value: What stands for that.
    """

    value: Undefined

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> Unbound | None:
        """Of what stands for an unbound variable."""
        return cls(value) if isinstance(value, Undefined) else None

    @classmethod
    def joined(cls, name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind | None:
        """What is bound on one path carries a flag, if its kind has one."""
        if isinstance(left, Unbound):
            return left if isinstance(right, Unbound) else right.maybe_unbound()
        return left.maybe_unbound() if isinstance(right, Unbound) else None

    def in_words(self) -> str:
        """That it is unbound."""
        return "unbound"

    def graph_types(self) -> list[GraphType]:
        """None."""
        return []

    def pack(self, value: object, reads: Reads | None = None) -> list[int]:
        """Nothing."""
        return []

    def unpack(self, values: list[int], name: str) -> Undefined:
        """What stands for the variable."""
        return self.value

    def array(self, arrays: Arrays) -> Any:
        """None: refused."""
        raise arrays.refusal("a value that may be unbound")

    def known(self) -> Undefined:
        """What stands for the variable."""
        return self.value
