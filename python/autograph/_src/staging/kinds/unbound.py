"""The kind of variables that are unbound on every path: no graph value.

    if x > 0:           # staged
        del y           # and `del y` in the other branch

A variable that is bound on another path gets a flag instead, see ``flagged.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.value_kind import Paths, ValueKind
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays


@dataclass(frozen=True)
class Unbound(ValueKind):
    """The kind of an unbound variable.

    Attributes:
        value: The placeholder for the unbound variable.
    """

    value: Undefined

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> Unbound | None:
        """The kind of the placeholder for an unbound variable; ``None`` for other values."""
        return cls(value) if isinstance(value, Undefined) else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind of the bound path with a flag, if it can have one."""
        if isinstance(left, Unbound):
            return left if isinstance(right, Unbound) else right.maybe_unbound()
        return left.maybe_unbound() if isinstance(right, Unbound) else None

    def in_words(self) -> str:
        """The word for it."""
        return "unbound"

    def graph_types(self) -> list[GraphType]:
        """None."""
        return []

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """Nothing."""
        return []

    def unpack(self, values: list[Value], name: str) -> Undefined:
        """The placeholder."""
        return self.value

    def array(self, arrays: Arrays) -> Any:
        """Refused: an unbound variable has no array."""
        raise arrays.refusal("a value that may be unbound")

    def known(self) -> Undefined:
        """The placeholder."""
        return self.value
