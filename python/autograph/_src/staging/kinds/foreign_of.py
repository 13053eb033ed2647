"""The kind of another library's staged values, which a back-end's recorder takes as they are: one value.

    y = jnp.sin(x)      # in a recording of a back-end for JAX: the tracer itself, with its shape and dtype

A Python number that a branch or a loop changes becomes such a value, too.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.value_kind import Paths, ValueKind
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.trace.active import current_trace, is_foreign, require_trace
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads


@dataclass(frozen=True)
class ForeignOf(ValueKind):
    """The kind of a variable bound to another library's staged value.

    Attributes:
        type: The recorder's type of it.
    """

    type: Hashable
    is_parameter = True
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ForeignOf | None:
        """The kind of a value of the library, or of a number in its recording; ``None`` for other values."""
        trace = current_trace()
        if trace is None or not trace.builder.value_types:
            return None
        if is_foreign(value):
            return cls(trace.builder.type_of(value))
        return cls(trace.builder.type_of(lift(value).read())) if is_python_scalar(value) else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind of both, or that of a type that holds both; the recorder knows which."""
        if not (isinstance(left, ForeignOf) and isinstance(right, ForeignOf)):
            return None
        if left.type == right.type:
            return left
        found = require_trace().builder.joined_type(left.type, right.type)
        return None if found is None else cls(found)

    def in_words(self) -> str:
        """Its type, as the library writes it."""
        return f"a staged value of type {self.type}"

    def graph_types(self) -> list[GraphType]:
        """The recorder's type."""
        return [self.type]  # type: ignore[list-item]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The value itself, as one of this type; a placeholder where the variable is unbound or ``None``."""
        recorder = require_trace().builder
        if isinstance(value, Undefined):
            return [recorder.placeholder(self.type)]
        found = value if is_foreign(value) else lift(value).read()
        return [found if recorder.type_of(found) == self.type else recorder.converted(found, self.type)]

    def unpack(self, values: list[Value], name: str) -> Any:
        """The value."""
        return values.pop(0)

    def in_list(self) -> ValueKind:
        """Refused: no recorder of another library has lists."""
        raise require_trace().builder.refusal("lists whose length depends on data")
