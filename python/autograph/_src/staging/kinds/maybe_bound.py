"""A list or tuple that a variable may be bound to, depending on a staged test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Tensor


class MaybeBound:
    """The value of a variable that is bound to a list or tuple on some paths and unbound on others.

    Attributes:
        value: The list or tuple.
        defined: A staged bool: whether the variable is bound.
        name: The variable.
    """

    ag_type_name = "variable that may be unbound"

    __slots__ = ("defined", "name", "value")

    def __init__(self, value: Any, defined: Tensor, name: str) -> None:
        self.value = value
        self.defined = defined
        self.name = name
