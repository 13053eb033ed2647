"""The base of the kinds whose graph value is the number of a table row, with a flag if it may be unbound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.flagged import FLAG, FlaggedKind
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads


class FlaggedRow(FlaggedKind):
    """A kind whose graph value is the number of a row."""

    is_parameter = True

    def row_and_flag(self, value: object) -> tuple[Tensor, Tensor | None]:
        """The row number of a value, and its flag if it may be unbound."""
        raise NotImplementedError

    def graph_types(self) -> list[GraphType]:
        """The row, and the flag if there is one."""
        return [("int64", []), FLAG] if self.may_be_unbound else [("int64", [])]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The row, and the flag if there is one."""
        row, flag = self.row_and_flag(value)
        if not self.may_be_unbound:
            return [row.read()]
        bound = constant(not isinstance(value, Undefined), "bool") if flag is None else flag
        return [row.read(), bound.read()]
