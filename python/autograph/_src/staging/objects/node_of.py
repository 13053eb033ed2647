"""The kind of nodes in argument trees: the number of the row, which is negative for ``None``.

    node = node.left        # int64[]

The tables are known while tracing; the row depends on the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.staging.kinds.flagged import flag_of
from autograph._src.staging.kinds.optional_of import OptionalOf
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.unbound import Unbound
from autograph._src.staging.kinds.value_kind import Paths, ValueKind
from autograph._src.staging.objects.flagged_row import FlaggedRow
from autograph._src.staging.objects.nodes import Forest, StagedNode, row_of
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.recorder import Value

if TYPE_CHECKING:
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class NodeOf(FlaggedRow):
    """The kind of a variable bound to a node of a table or to ``None``.

    Attributes:
        forest: The tables.
        may_be_unbound: Whether the kind has a flag.
    """

    forest: Forest
    may_be_unbound: bool = False

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> NodeOf | None:
        """The kind of a staged node; ``None`` for other values."""
        if not isinstance(value, StagedNode):
            return None
        return cls(value.ag_forest, value.ag_bound is not None)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins a node with a node, ``None`` or an unbound variable."""
        forest = next((one.forest for one in (left, right) if isinstance(one, NodeOf)), None)
        if forest is None:
            return None
        unbound = False
        for one in (left, right):
            if isinstance(one, NodeOf) or (isinstance(one, OptionalOf) and one.inner is None):
                unbound = unbound or one.may_be_unbound
            elif isinstance(one, Unbound):
                unbound = True
            elif not isinstance(one, Static) or not (one.value is None or forest.may_hold(one.value)):
                return None
        return cls(forest, unbound)

    def in_words(self) -> str:
        """The classes of the nodes."""
        return f"a {self.forest}"

    def row_and_flag(self, value: object) -> tuple[Tensor, Tensor | None]:
        """The row of the node, negative for ``None``, and its flag."""
        return row_of(value, self.forest), flag_of(value)

    def unpack(self, values: list[Value], name: str) -> StagedNode:
        """The node."""
        node = StagedNode(self.forest, wrap(values.pop(0), Form.PYTHON), name)
        if self.may_be_unbound:
            object.__setattr__(node, "ag_bound", wrap(values.pop(0), Form.PYTHON))
        return node

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The caller's objects, by their rows."""
        assert nodes is not None
        return [nodes.at(row) for row in next(columns).tolist()]

    def holds_nodes(self) -> bool:
        """Always true."""
        return True
