"""Lists of nodes in a field: which nodes they are, only the run knows.

for child in tree.children:       # a staged `for` over the rows between two places of a table
    total += child.value
"""

from __future__ import annotations

from typing import Any

from autograph.operators.logic import and_, if_exp
from autograph.staging.iteration import StagedIterable
from autograph.staging.nodes import StagedNode, name_of
from autograph.staging.own_class import own_class
from autograph.staging.python_scalars import cast, compare, require
from autograph.staging.tensor import Kind, Tensor, emit, lift, register_sequence, wrap
from autograph.staging.trace import staging_error


class NodeSequence(StagedIterable):
    """A list or tuple of nodes: read only.

    Attributes:
        called: What messages call it.
        plain_class: What it is in plain Python.
    """

    def __init__(self, node: StagedNode, name: str, tables: list[Any], plain_class: type) -> None:
        begins, items = tables
        row = node.ag_row
        first = wrap(emit("gather", begins.read(), [row.read()], 0), Kind.PYTHON)
        last = wrap(emit("gather", begins.read(), [(row + 1).read()], 0), Kind.PYTHON)
        called = f"{name_of(node) or 'this'}.{name}"

        def item(position: Any) -> Any:
            place = first + position
            child = emit("gather", items.read(), [lift(place).read()], 0)
            return StagedNode(node.ag_forest, wrap(child, Kind.PYTHON), f"{called}[…]")

        super().__init__(last - first, item, "list")
        self.called = called
        self.plain_class = plain_class

    def at(self, index: Any) -> Any:
        """``children[index]``."""
        if isinstance(index, slice):
            raise staging_error("AG120", f"a slice of `{self.called}`", "loop over it with `range`")
        if isinstance(index, Tensor):
            index = cast(wrap(index.read(), Kind.PYTHON), "int64")
        position = lift(if_exp(index < 0, lambda: index + self.length, lambda: index))
        inside = and_(position >= 0, lambda: position < self.length)
        require(inside, IndexError, "list index out of range")
        return self.item(position)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """See :mod:`autograph.staging.own_class`."""
        return own_class(self, f"`{self.called}`")

    def __len__(self) -> int:
        raise staging_error(
            "AG101",
            f"the length of `{self.called}` is needed while tracing",
            "in converted code `len` is staged",
        )

    def __getitem__(self, index: Any) -> Any:
        return self.at(index)

    def holds_truth(self) -> Tensor:
        """``bool(children)``."""
        return compare("greater", self.length, 0)


register_sequence(NodeSequence)
