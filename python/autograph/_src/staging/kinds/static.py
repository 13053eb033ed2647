"""A plain value that is the same on every path: what is no number, or a number as long as it does not change.

mode = "fast"       # the string itself, in both branches of a staged `if`
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.backends.protocol import type_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.leaf_kind import KINDS, GraphType, LeafKind, Paths
from autograph._src.staging.kinds.optional_of import OptionalOf
from autograph._src.staging.tensors.tensor import is_python_scalar

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays


@dataclass(frozen=True)
class Static(LeafKind):
    """A variable whose value is known while tracing and the same on every path.

    Attributes:
        value: The value.
    """

    value: Any

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> Static:
        """Of any value: it is asked last."""
        return cls(value)

    @classmethod
    def joined(cls, name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind | None:
        """The value that is the same on both paths."""
        is_one = (
            isinstance(left, Static) and isinstance(right, Static) and same_static(left.value, right.value)
        )
        return left if is_one else None

    def in_words(self) -> str:
        """A short value itself, or its class."""
        is_short = self.value is None or (isinstance(self.value, str) and len(self.value) < 20)
        return repr(self.value) if is_short else f"a {type_name(self.value)}"

    def graph_types(self) -> list[GraphType]:
        """None."""
        return []

    def pack(self, value: object, reads: Reads | None = None) -> list[int]:
        """Nothing."""
        return []

    def unpack(self, values: list[int], name: str) -> Any:
        """The value."""
        return self.value

    def array(self, arrays: Arrays) -> Any:
        """Of a number: that number for each element."""
        if is_python_scalar(self.value):
            return np.full(arrays.count, self.value)
        raise arrays.refusal(f"a {type(self.value).__name__}")

    def known(self) -> Any:
        """The value."""
        return self.value

    def is_same(self, other: LeafKind) -> bool:
        """Whether the values are the same for the program."""
        return isinstance(other, Static) and same_static(self.value, other.value)

    def identity(self) -> tuple[Any, ...]:
        """Its class, and a number or string itself; an object by which it is."""
        # 0.0 and -0.0 are equal, and not the same number.
        value = repr(self.value) if isinstance(self.value, (float, complex)) else self.value
        return (type(self.value), value if isinstance(value, (str, int, float, bool)) else id(value))

    def is_list(self) -> bool:
        """Whether it is a list that the program made."""
        return isinstance(self.value, list) and has_own(self.value, "contents")

    def as_element(self) -> LeafKind:
        """``None`` is an element that may be something else later."""
        return OptionalOf(None) if self.value is None else self

    def why_no_element(self) -> tuple[str, str]:
        """A copy of a container would be one that the program made."""
        what, remedy = f"a {type_name(self.value)}", super().why_no_element()[1]
        if isinstance(self.value, (list, dict)) or hasattr(self.value, "__dict__"):
            what += " that the staged function has not made"
            remedy = "put a copy into it that is made in the function: `list(xs)`, `dict(d)`, a new object"
        return what, remedy

    def as_rows(self) -> LeafKind:
        """An object that the program made is a row of a table."""
        rows = (kind.of_object(self.value) for kind in KINDS)
        return next((one for one in rows if one is not None), self)


def same_static(left: Any, right: Any) -> bool:
    """Whether two plain values are the same for the program."""
    if left is right:
        return True
    if type(left) is not type(right) or not isinstance(left, (str, bytes, int, float)) or left != right:
        return False
    return not isinstance(left, float) or math.copysign(1.0, left) == math.copysign(1.0, right)
