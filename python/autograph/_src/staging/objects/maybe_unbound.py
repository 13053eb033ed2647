"""The kind of variables that are unbound on some paths, and a container or a foreign value on the others.

    if x > 0:           # staged
        rows = [x]
    rows.append(1)      # raises where the flag is false

Its graph values are those of the list or tuple, then the flag.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.choice_of import ChoiceOf
from autograph._src.staging.kinds.flagged import FLAG, flag_of
from autograph._src.staging.kinds.foreign_of import ForeignOf
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.static import Static, is_plain_record
from autograph._src.staging.kinds.string_of import StringOf
from autograph._src.staging.kinds.tuple_of import is_tuple
from autograph._src.staging.kinds.unbound import Unbound
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of
from autograph._src.staging.lists.grown_string_of import GrownStringOf
from autograph._src.staging.lists.grown_tuple_of import GrownTupleOf
from autograph._src.staging.objects.list_object import ListObject
from autograph._src.staging.objects.record_object import RecordObject
from autograph._src.staging.objects.row_of import RowOf
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Form, wrap
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.lists.traced_list import TracedList


@dataclass(frozen=True)
class MaybeUnbound(ValueKind):
    """The kind of a variable that is unbound on some paths and a list, tuple or dict on the others.

    Attributes:
        inner: The kind on the other paths: a tuple, a dict, one known list, or a list that is made there.
    """

    inner: ValueKind

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> MaybeUnbound | None:
        """The kind of a list or tuple with a flag; ``None`` for other values."""
        return cls(kind_of(value.value, serial)) if isinstance(value, MaybeBound) else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins a list or tuple with an unbound variable; a row has a flag of its own."""
        pair = (left, right)
        if any(map(_is_grown, pair)) and any(map(_is_flagged_choice, pair)):
            left, right = (cls(one.where_bound()[0]) if _is_flagged_choice(one) else one for one in pair)
            pair = (left, right)
        is_some = any(isinstance(one, (MaybeUnbound, Unbound)) for one in pair)
        if not is_some or any(isinstance(one, RowOf) for one in pair):
            return None
        inner = [one.inner if isinstance(one, MaybeUnbound) else one for one in pair]
        bound = [one for one in inner if not isinstance(one, Unbound)]
        are_whole = all(map(_is_whole, bound)) or any(isinstance(one, ForeignOf) for one in bound)
        are_whole = are_whole or any(map(_is_grown, bound))
        if not bound or not (are_whole or all(one.is_list() for one in bound)):
            return None
        joined = bound[0] if len(bound) == 1 else join(name, bound[0], bound[1], where)
        return cls(joined) if are_whole or isinstance(joined, (ListObject, Static, RowOf)) else None

    def in_words(self) -> str:
        """The description of the value, or unbound."""
        if isinstance(self.inner, ForeignOf):
            return f"{self.inner.in_words()} or unbound"
        return f"{'a tuple' if is_tuple(self.inner) else self.inner.in_words()} or unbound"

    def graph_types(self) -> list[GraphType]:
        """The graph types of the list or tuple, then the flag."""
        return [*self.inner.graph_types(), FLAG]

    def pack(self, value: Any, reads: Reads | None = None) -> list[Value]:
        """The graph values of the list or tuple, then the flag."""
        is_maybe = isinstance(value, MaybeBound)
        flag = flag_of(value)
        flag = constant(not isinstance(value, Undefined), "bool") if flag is None else flag
        return [*self.inner.pack(value.value if is_maybe else value, reads), flag.read()]

    def unpack(self, values: list[Value], name: str) -> MaybeBound:
        """The list or tuple, with the flag."""
        bound = self.inner.unpack(values, name)
        return MaybeBound(bound, wrap(values.pop(0), Form.PYTHON), name)

    def inside(self) -> tuple[ValueKind, ...]:
        """The kind of the list or tuple."""
        return (self.inner,)

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with that of the list or tuple changed."""
        return replace(self, inner=change(self.inner))

    def where_bound(self) -> tuple[ValueKind, bool]:
        """The kind of the list or tuple, and True."""
        return self.inner, True

    def without_flags(self) -> ValueKind:
        """The kind of the list or tuple."""
        return self.inner.without_flags()

    def copied_lists(self, value: object) -> list[TracedList]:
        """The list, or those in the tuple."""
        return self.inner.copied_lists(value.value if isinstance(value, MaybeBound) else value)

    def as_rows(self) -> ValueKind:
        """The kind with objects in the tuple as rows; a list becomes a row only in a join with one."""
        return self.with_inside(lambda part: part.as_rows()) if is_tuple(self.inner) else self


def _is_whole(kind: ValueKind) -> bool:
    """Whether a variable of this kind is carried by its values: a tuple or a record."""
    is_values = is_tuple(kind) or isinstance(kind, (GrownTupleOf, RecordObject))
    return is_values or is_plain_record(kind) or _is_grown(kind)


def _is_flagged_choice(kind: ValueKind) -> bool:
    return isinstance(kind, ChoiceOf) and kind.may_be_unbound


def _is_grown(kind: ValueKind) -> bool:
    """Whether its values are strings with lists of pieces."""
    return isinstance(kind, GrownStringOf) or (isinstance(kind, StringOf) and kind.is_grown())
