"""What is ``None`` on some paths: a flag, then the graph values of what it is on the others.

best = None if x > 0 else x     # bool[], float64[]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.flagged import FLAG, FlaggedKind, flag_of
from autograph._src.staging.kinds.leaf_kind import GraphType, LeafKind, Paths, join, kind_of
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unbound import Unbound
from autograph._src.staging.tensors.tensor import Kind, constant, wrap
from autograph._src.staging.trace.restarts import begin_again_with_objects

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.lists.traced_list import TracedList
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class OptionalOf(FlaggedKind):
    """A variable that is ``None`` on some paths.

    Attributes:
        inner: What it is on the others, if there are such.
        may_be_unbound: Whether it carries a flag that says so.
    """

    inner: LeafKind | None
    may_be_unbound: bool = False
    is_parameter = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> OptionalOf | None:
        """Of what may be ``None``. A list in it is copied where it is joined, whenever it was made."""
        if not isinstance(value, StagedOptional):
            return None
        inner = None if value.value is None else kind_of(value.value, -1)
        assert inner is None or inner.may_be_none
        return cls(inner, value.defined is not None)

    @classmethod
    def joined(cls, name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind | None:
        """``None`` on one path and a value on the other, or already one of the two on one of them."""
        if not any(isinstance(one, OptionalOf) or one.known() is None for one in (left, right)):
            return None
        parts: list[LeafKind] = []
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
            if not all(part.is_row() for part in rows):
                return None
            parts = rows
        if not parts:
            return cls(None, unbound) if unbound else left
        inner = parts[0] if len(parts) == 1 else join(name, parts[0], parts[1], where)
        return cls(inner, unbound) if inner.may_be_none else None

    def in_words(self) -> str:
        """What it is, or None."""
        return "None" if self.inner is None else f"{self.inner.in_words()} or None"

    def graph_types(self) -> list[GraphType]:
        """Whether it is a value, the value, and the flag."""
        inner = [] if self.inner is None else self.inner.graph_types()
        return [FLAG, *inner, *([FLAG] if self.may_be_unbound else [])]

    def pack(self, value: object, reads: Reads | None = None) -> list[int]:
        """Whether it is a value, the value, and whether it is bound if it may not be."""
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

    def unpack(self, values: list[int], name: str) -> StagedOptional:
        """A value that may be ``None``."""
        present = wrap(values.pop(0), Kind.PYTHON)
        value = None if self.inner is None else self.inner.unpack(values, name)
        optional = StagedOptional(present, value, name)
        if self.may_be_unbound:
            optional.defined = wrap(values.pop(0), Kind.PYTHON)
        return optional

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """``None`` for each element that is none."""
        present = next(columns).tolist()
        values = [None] * len(present) if self.inner is None else self.inner.plain(columns, nodes)
        return [value if is_present else None for is_present, value in zip(present, values, strict=True)]

    def array(self, arrays: Arrays) -> Any:
        """Of values: the run fails where one is ``None``."""
        if self.inner is None:
            raise arrays.refusal("None")
        arrays.require_present(arrays.next_column())
        return self.inner.array(arrays)

    def inside(self) -> tuple[LeafKind, ...]:
        """The kind of the value."""
        return () if self.inner is None else (self.inner,)

    def with_inside(self, change: Callable[[LeafKind], LeafKind]) -> LeafKind:
        """The kind with that of the value changed."""
        return self if self.inner is None else replace(self, inner=change(self.inner))

    def is_of_numbers(self) -> bool:
        """Whether there is a value, and it is."""
        return self.inner is not None and self.inner.is_of_numbers()

    def without_flags(self) -> LeafKind:
        """Neither it nor the value may be unbound."""
        inner = None if self.inner is None else self.inner.without_flags()
        return replace(self, inner=inner, may_be_unbound=False)

    def copied_lists(self, value: object) -> list[TracedList]:
        """Those of the value."""
        inside = value.value if isinstance(value, StagedOptional) else value
        return [] if self.inner is None else self.inner.copied_lists(inside)

    def in_list(self) -> LeafKind:
        """What may be ``None``, in a list."""
        return self.with_inside(lambda part: part.in_list())

    def as_rows(self) -> LeafKind:
        """A row, or ``None``."""
        return self.with_inside(lambda part: part.as_rows())
