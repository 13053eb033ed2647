"""Lists of nodes in a field of a staged node; only the run knows their length and nodes.

    for child in tree.children:       # a staged `for` over a range of rows
        total += child.value

``columns.Sequences`` says how the lists are stored.
"""

from __future__ import annotations

from typing import Any

from autograph._src.operators.logic import and_, if_exp
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.objects.nodes import StagedNode, name_of
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.patterns import register_sequence
from autograph._src.staging.tensors.python_scalars import cast, compare, negate, require
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.own_class import own_class


class NodeSequence(StagedIterable):
    """A list or tuple of nodes: read only.

    Attributes:
        called: Its name in messages.
        plain_class: Its class in plain Python.
        present: If the field may be ``None``, the staged bool that says whether it is not.
    """

    def __init__(self, node: StagedNode, name: str, tables: list[Any], plain_class: type) -> None:
        begins, items = tables[:2]
        row = node.ag_row
        first = wrap(emit("gather", begins.read(), [row.read()], 0), Form.PYTHON)
        last = wrap(emit("gather", begins.read(), [(row + 1).read()], 0), Form.PYTHON)
        self.present: Tensor | None = None
        if len(tables) > 2:
            self.present = wrap(emit("gather", tables[2].read(), [row.read()], 0), Form.PYTHON)
        called = f"{name_of(node) or 'this'}.{name}"

        def item(position: object) -> Any:
            place = first + position
            child = emit("gather", items.read(), [lift(place).read()], 0)
            return StagedNode(node.ag_forest, wrap(child, Form.PYTHON), f"{called}[…]")

        super().__init__(last - first, item, "list")
        self.called = called
        self.plain_class = plain_class

    @property
    def length(self) -> Any:
        """The number of nodes; the run raises if the field is ``None``."""
        return self._length_or("'NoneType' object is not iterable")

    @length.setter
    def length(self, length: Any) -> None:
        self._length = length

    def _length_or(self, message: str) -> Any:
        if self.present is not None:
            require(self.present, TypeError, message)
        return self._length

    def count(self) -> Any:
        """``len(children)``."""
        return self._length_or("object of type 'NoneType' has no len()")

    def is_none(self) -> bool | Tensor:
        """``children is None``."""
        return False if self.present is None else negate(self.present)

    def at(self, index: Any) -> Any:
        """``children[index]``."""
        if isinstance(index, slice):
            raise staging_error("AG120", f"a slice of `{self.called}`", "loop over it with `range`")
        if isinstance(index, Tensor):
            index = cast(wrap(index.read(), Form.PYTHON), "int64")
        length = self._length_or("'NoneType' object is not subscriptable")
        position = lift(if_exp(index < 0, lambda: index + length, lambda: index))
        inside = and_(position >= 0, lambda: position < length)
        require(inside, IndexError, "list index out of range")
        return self.item(position)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """See :mod:`autograph._src.staging.trace.own_class`."""
        return own_class(self, f"`{self.called}`")

    def __len__(self) -> int:
        raise staging_error(
            "AG101",
            f"the length of `{self.called}` is needed while tracing",
            "in converted code `len` is staged",
        )

    def _refuse_sum(self, other: object) -> object:
        raise staging_error(
            "AG120", f"`{self.called}` is added to or repeated", "make a list of it first: `list(…)`"
        )

    __add__ = __radd__ = __mul__ = __rmul__ = _refuse_sum

    def __getitem__(self, index: object) -> Any:
        return self.at(index)

    def ag_truth(self) -> Tensor:
        """``bool(children)``."""
        return compare("greater", self._length, 0)


register_sequence(NodeSequence)
