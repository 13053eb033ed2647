"""The kind of plain values that are the same on every path: strings, functions, unchanged numbers.

    mode = "fast"       # the string itself, in both branches of a staged `if`

Such a value takes no graph value. A number that changes has the kind ``TensorOf`` instead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.choosable import is_scalar_of_numpy
from autograph._src.staging.kinds.optional_of import OptionalOf
from autograph._src.staging.kinds.value_kind import KINDS, Paths, ValueKind
from autograph._src.staging.tensors.lifting import is_python_scalar
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.record_trees import is_record_tree
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.statements import contents_differ

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays


@dataclass(frozen=True)
class Static(ValueKind):
    """The kind of a variable whose value is known while tracing and the same on every path.

    Attributes:
        value: The value.
    """

    value: Any

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> Static:
        """The kind of any value; it is the last in the list of kinds."""
        return cls(value)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind, if both paths have the same value."""
        is_one = (
            isinstance(left, Static) and isinstance(right, Static) and same_static(left.value, right.value)
        )
        return left if is_one else None

    def in_words(self) -> str:
        """The value, if its text is short, or else its class."""
        is_short = self.value is None or (isinstance(self.value, str) and len(self.value) < 20)
        if isinstance(self.value, np.dtype):
            return f"the dtype {self.value}"
        article = "an" if type(self.value) is int else "a"
        if isinstance(self.value, np.ndarray):
            return f"an array of dtype {self.value.dtype}"
        return repr(self.value) if is_short else f"{article} {type_name(self.value)}"

    def graph_types(self) -> list[GraphType]:
        """None."""
        return []

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """Nothing."""
        return []

    def unpack(self, values: list[Value], name: str) -> Any:
        """The value."""
        return self.value

    def array(self, arrays: Arrays) -> Any:
        """An array filled with the number; other values have no array."""
        if is_python_scalar(self.value):
            return arrays.converted(np.full(arrays.count, self.value), Form.PYTHON)
        raise arrays.refusal(with_article(type(self.value).__name__))

    def known(self) -> Any:
        """The value."""
        return self.value

    def container(self) -> Any:
        """The value."""
        return self.value

    def is_same(self, other: ValueKind) -> bool:
        """Whether the program cannot tell the values apart."""
        return isinstance(other, Static) and same_static(self.value, other.value)

    def identity(self) -> tuple[Any, ...]:
        """The class with the value of a number or string, or with the `id` of another object."""
        # 0.0 == -0.0, but the two are different values.
        value = repr(self.value) if isinstance(self.value, (float, complex)) else self.value
        return (type(self.value), value if isinstance(value, (str, int, float, bool)) else id(value))

    def is_list(self) -> bool:
        """Whether it is a list that the program made."""
        return isinstance(self.value, list) and has_own(self.value, "contents")

    def in_list(self) -> ValueKind:
        """The kind itself; of an exception that the program has made that of its values."""
        return self.as_rows() if issubclass(type(self.value), BaseException) else self

    def as_element(self) -> ValueKind:
        """A kind that later elements may widen: an optional for ``None``, a choice for other constants."""
        if self.value is None:
            return OptionalOf(None)
        if issubclass(type(self.value), BaseException):
            return self.in_list()
        found = (kind.of_constant(self.value) for kind in KINDS)
        return next((one for one in found if one is not None), self)

    def why_no_element(self) -> tuple[str, str]:
        """As the base class; for containers and objects the remedy is a copy made in the function."""
        contents_differ(self.value)  # Record again with a dict or set whose keys only the run knows.
        what, remedy = with_article(type_name(self.value)), super().why_no_element()[1]
        if isinstance(self.value, (list, dict)) or hasattr(self.value, "__dict__"):
            what += " that the staged function has not made"
            remedy = "put a copy into it that is made in the function: `list(xs)`, `dict(d)`, a new object"
        return what, remedy

    def as_rows(self) -> ValueKind:
        """The row kind, if the value is an object that the program made; else this kind."""
        rows = (kind.of_object(self.value) for kind in KINDS)
        return next((one for one in rows if one is not None), self)

    def by_value(self) -> ValueKind:
        """The kind of what a container holds; else this kind."""
        found = (kind.of_contents(self.value) for kind in KINDS)
        return next((one for one in found if one is not None), self)


def refuse_element(container: object) -> NoReturn:
    """Refuses a list or dict from outside as an element of a staged container (AG121)."""
    what, remedy = Static(container).why_no_element()
    raise staging_error("AG121", f"a staged container holds {what}", remedy)


def is_plain_record(kind: ValueKind) -> bool:
    """Whether it is the kind of one known dict or object of a dataclass that is a tree."""
    return isinstance(kind, Static) and is_record_tree(kind.value)


def same_static(left: Any, right: Any) -> bool:
    """Whether a program cannot tell two plain values apart; 0.0 and -0.0 differ."""
    if left is right:
        return True
    if is_scalar_of_numpy(left) and is_scalar_of_numpy(right):
        return bool(left.dtype == right.dtype and left.tobytes() == right.tobytes())
    if type(left) is not type(right) or not isinstance(left, (str, bytes, int, float)) or left != right:
        return False
    return not isinstance(left, float) or math.copysign(1.0, left) == math.copysign(1.0, right)
