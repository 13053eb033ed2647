"""The kind of variables that are ``None`` on some paths: a flag, then the value's graph values.

    best = None if x > 0 else x     # bool[], float64[]

Where the flag is false, the value is a placeholder that nothing reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.flagged import FLAG, FlaggedKind, flag_of
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unbound import Unbound
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Form, wrap
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.restarts import begin_again_with_objects

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.lists.traced_list import TracedList
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class OptionalOf(FlaggedKind):
    """The kind of a variable that is ``None`` on some paths.

    Attributes:
        inner: The kind of its value on the other paths; ``None`` if it is ``None`` on all of them.
        may_be_unbound: Whether there is a flag for an unbound variable as well.
    """

    inner: ValueKind | None
    may_be_unbound: bool = False
    is_parameter = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> OptionalOf | None:
        """The kind of a staged optional; a list in it counts as made in the block, so a join copies it."""
        if not isinstance(value, StagedOptional):
            return None
        inner = None if value.value is None else kind_of(value.value, -1)
        assert inner is None or inner.may_be_none
        return cls(inner, value.defined is not None)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins ``None`` or an optional on one path with ``None``, an optional or a value on the other."""
        if not any(isinstance(one, OptionalOf) or one.known() is None for one in (left, right)):
            return None
        parts: list[ValueKind] = []
        unbound = False
        for either in (left, right):
            one, may_be_unbound = either.where_bound()
            unbound = unbound or may_be_unbound
            if isinstance(one, OptionalOf):
                parts += [] if one.inner is None else [one.inner]
            elif isinstance(one, Unbound):
                unbound = True
            elif one.known() is not None:
                parts.append(one)
        if not all(part.may_be_none for part in parts):
            rows = [part.as_rows() for part in parts]
            begin_again_with_objects()
            if all(part.is_row() for part in rows):
                parts = rows
            elif any(part.may_be_none for part in parts) or not _are_nodes(parts):
                parts = [part.by_value() for part in parts]
            if not all(part.may_be_none for part in parts):
                return None
        if not parts:
            return cls(None, unbound) if unbound else left
        inner = parts[0] if len(parts) == 1 else join(name, parts[0], parts[1], where)
        return cls(inner, unbound) if inner.may_be_none else None

    def in_words(self) -> str:
        """The description of the value, or None."""
        return "None" if self.inner is None else f"{self.inner.in_words()} or None"

    def graph_types(self) -> list[GraphType]:
        """The flag for ``None``, the value, and the flag for an unbound variable if there is one."""
        inner = [] if self.inner is None else self.inner.graph_types()
        return [FLAG, *inner, *([FLAG] if self.may_be_unbound else [])]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """Whether it is not ``None``, the value, and whether it is bound if it may be unbound."""
        present = constant(True, "bool")
        flag = flag_of(value)
        value = value.value if isinstance(value, MaybeBound) else value
        bound = constant(True, "bool") if flag is None else flag
        if value is None or isinstance(value, Undefined):
            bound = constant(value is None, "bool")
            present, value = constant(False, "bool"), Undefined("")
        elif isinstance(value, StagedOptional):
            present, value = value.present, Undefined("") if value.value is None else value.value
        values = [present.read()]
        values += [] if self.inner is None else self.inner.pack(value, reads)
        return [*values, bound.read()] if self.may_be_unbound else values

    def unpack(self, values: list[Value], name: str) -> StagedOptional:
        """The staged optional."""
        present = wrap(values.pop(0), Form.PYTHON)
        value = None if self.inner is None else self.inner.unpack(values, name)
        optional = StagedOptional(present, value, name)
        if self.may_be_unbound:
            optional.defined = wrap(values.pop(0), Form.PYTHON)
        return optional

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain elements, with ``None`` where the flag is false."""
        present = next(columns).tolist()
        values = [None] * len(present) if self.inner is None else self.inner.plain(columns, nodes)
        if self.may_be_unbound:
            next(columns)  # An element of a list is bound.
        return [value if is_present else None for is_present, value in zip(present, values, strict=True)]

    def array(self, arrays: Arrays) -> Any:
        """The array of the values; the run raises if one is ``None``."""
        if self.inner is None:
            raise arrays.refusal("None")
        arrays.require_present(arrays.next_column())
        return self.inner.array(arrays)

    def inside(self) -> tuple[ValueKind, ...]:
        """The kind of the value."""
        return () if self.inner is None else (self.inner,)

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The optional kind with the kind of its value changed."""
        return self if self.inner is None else replace(self, inner=change(self.inner))

    def is_of_numbers(self) -> bool:
        """Whether the value's kind is known and is one of numbers."""
        return self.inner is not None and self.inner.is_of_numbers()

    def without_flags(self) -> ValueKind:
        """The kind without its own flag and without those of the value."""
        inner = None if self.inner is None else self.inner.without_flags()
        return replace(self, inner=inner, may_be_unbound=False)

    def copied_lists(self, value: object) -> list[TracedList]:
        """The copied lists of the value."""
        inside = value.value if isinstance(value, StagedOptional) else value
        return [] if self.inner is None else self.inner.copied_lists(inside)

    def in_list(self) -> ValueKind:
        """The optional kind, with the kind of its value as an element."""
        return self.with_inside(lambda part: part.in_list())

    def as_rows(self) -> ValueKind:
        """The optional kind, with its value as a row."""
        return self.with_inside(lambda part: part.as_rows())


def _are_nodes(parts: list[ValueKind]) -> bool:
    """Whether one is an object of the arguments that a table may hold, which knows the object itself."""
    search = require_trace().search
    return search is not None and bool(search.among(part.known() for part in parts))
