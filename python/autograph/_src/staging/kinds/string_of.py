"""The kind of strings of the run: the graph values of all that they are made of.

    text = f"{x:.2f} of {n}"        # float64[], int64[]

The pieces between the values, and what is done with the values, are part of the kind: two strings that are
made in different ways are a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.operators.undefined import Undefined
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.staged_strings import StagedString, Taken
from autograph._src.staging.tensors.string_operations import Joined, converted
from autograph._src.staging.tensors.tensor import emit
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class FieldOf:
    """A field of a string: the kind of its value, and what is done with it."""

    kind: ValueKind
    conversion: object
    spec: str

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None) -> str | list[str]:
        """The plain texts; one text, if it is the same in all strings."""
        if not self.kind.graph_types():
            return converted(self.kind.unpack([], ""), self.conversion, self.spec)
        found = self.kind.plain(columns, nodes)
        if isinstance(self.kind, NumberKind) and self.conversion in (None, "s") and not self.spec:
            return list(map(str, found))
        return [converted(value, self.conversion, self.spec) for value in found]


@dataclass(frozen=True)
class StringOf(ValueKind):
    """The kind of a string with staged values in it.

    Attributes:
        parts: Plain strings and fields.
    """

    parts: tuple[str | FieldOf, ...]
    is_parameter = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> StringOf | None:
        """The kind of a staged string; ``None`` for other values."""
        if type(value) is not StagedString or _is_grown(value):
            return None
        return cls(
            tuple(
                one if isinstance(one, str) else FieldOf(kind_of(one[0]), one[1], one[2])
                for one in value.parts
            )
        )

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind of strings that are made in one way; ``None`` for others."""
        if not (isinstance(left, StringOf) and isinstance(right, StringOf)):
            return None
        if left.manner() != right.manner():
            return None
        parts: list[str | FieldOf] = []
        for one, two in zip(left.parts, right.parts, strict=True):
            if isinstance(one, str) or isinstance(two, str):
                parts.append(one)
            else:
                parts.append(replace(one, kind=join(name, one.kind, two.kind, where)))
        return cls(tuple(parts))

    def in_words(self) -> str:
        """A string of the run."""
        return f"a {StagedString.type_name}"

    def graph_types(self) -> list[GraphType]:
        """The graph types of all values."""
        return [one for kind in self.inside() for one in kind.graph_types()]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The graph values of all that it is made of."""
        if isinstance(value, StagedString):
            contents = [one[0] for one in value.parts if not isinstance(one, str)]
        else:
            contents = [Undefined("")] * len(self.inside())
        pairs = zip(self.inside(), contents, strict=True)
        return [one for kind, content in pairs for one in kind.pack(content, reads)]

    def unpack(self, values: list[Value], name: str) -> StagedString:
        """The string."""
        return StagedString(
            tuple(
                one if isinstance(one, str) else (one.kind.unpack(values, name), one.conversion, one.spec)
                for one in self.parts
            )
        )

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain strings."""
        parts = [one if isinstance(one, str) else one.plain(columns, nodes) for one in self.parts]
        if len(parts) == 1 and isinstance(parts[0], list):
            return parts[0]
        count = max((len(one) for one in parts if isinstance(one, list)), default=0)
        rows = [[one] * count if isinstance(one, str) else one for one in parts]
        return list(map("".join, zip(*rows, strict=True)))

    def array(self, arrays: Arrays) -> Any:
        """Refused: NumPy would make an array of strings."""
        raise arrays.refusal("strings")

    def inside(self) -> tuple[ValueKind, ...]:
        """The kinds of its values."""
        return tuple(one.kind for one in self.parts if not isinstance(one, str))

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with those of its values changed."""
        parts = [one if isinstance(one, str) else replace(one, kind=change(one.kind)) for one in self.parts]
        return replace(self, parts=tuple(parts))

    def is_grown(self) -> bool:
        """Whether a list of pieces is a part of it."""
        return any(not isinstance(one, str) and has_own(one.kind, "element") for one in self.parts)

    def manner(self) -> tuple[Any, ...]:
        """What two strings share that are made in one way."""
        return tuple(
            one if isinstance(one, str) else (_manner_of(one.kind), one.conversion, one.spec)
            for one in self.parts
        )


@dataclass(frozen=True)
class TakenOf(ValueKind):
    """The kind of a container or an object in a string, as it was when the string was made.

    Attributes:
        types: The types of its graph values.
        read: A function from their arrays to the plain value, which identifies it.
    """

    types: tuple[GraphType, ...] = field(compare=False)
    read: Callable[[list[NDArray[Any]]], object]

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> TakenOf | None:
        """The kind of what a string has taken; ``None`` for other values."""
        if type(value) is not Taken:
            return None
        return cls(tuple(map(require_trace().builder.type_of, value.operands)), value.read)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind, if both are of one place and time of the program."""
        return left if isinstance(left, TakenOf) and left == right else None

    def in_words(self) -> str:
        """A container or an object."""
        return "a container or an object in a string"

    def graph_types(self) -> list[GraphType]:
        """The types of its graph values."""
        return list(self.types)

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """Its graph values."""
        return list(value.operands) if isinstance(value, Taken) else [_placeholder(one) for one in self.types]

    def unpack(self, values: list[Value], name: str) -> Taken:
        """The container or object."""
        taken = tuple(values.pop(0) for _ in self.types)
        return Taken(taken, self.read)


def _is_grown(value: StagedString) -> bool:
    """Whether a string is nothing but a list of its pieces, see ``lists/grown_string_of.py``."""
    if len(value.parts) != 1 or isinstance(value.parts[0], str):
        return False
    content, conversion, _ = value.parts[0]
    return isinstance(conversion, Joined) and has_own(content, "appended")


def _manner_of(kind: ValueKind) -> tuple[Any, ...]:
    """What tells two fields apart beside what is done with them: strings, tuples and containers in them.

    Kinds that a join widens are not told apart: a string has one manner in all of a recording.
    """
    if isinstance(kind, StringOf):
        return ("string", *kind.manner())
    if isinstance(kind, TakenOf):
        return ("taken", id(kind.read))
    if isinstance(kind, TupleOf):
        return ("tuple", *map(_manner_of, kind.parts))
    return ()


def _placeholder(kind: GraphType) -> Value:
    dtype, sizes = kind
    if dtype == "list":
        return emit("list_make", sizes, [])
    zero = constant(0, dtype)
    return emit("broadcast", zero.read(), [size or 0 for size in sizes]) if sizes else zero.read()
