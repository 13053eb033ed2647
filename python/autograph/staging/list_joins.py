"""Joining lists: the contents of one list after two paths, and variables bound to one list or another.

if x > 0:                 # staged
    path.append(x)        # one element more in one branch: a list of the graph after the `if`
if x > 1:
    rows = [x]            # two lists that nothing else is bound to: one new list after the `if`
else:
    rows = [x, x]
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError
from autograph.operators.places import Elements
from autograph.operators.undefined import Undefined
from autograph.staging.leaf_types import (
    NOTHING_YET,
    LeafKind,
    ListObject,
    ListOf,
    MaybeUnbound,
    OptionalOf,
    RowOf,
    Static,
    TupleOf,
    known_element,
)
from autograph.staging.list_contents import (
    StagedElements,
    checked_element,
    empty,
    rows_in,
    staged_contents,
    without_flags,
)
from autograph.staging.list_lengths import Length
from autograph.staging.memory import Role
from autograph.staging.optionals import StagedOptional
from autograph.staging.references import is_reference
from autograph.staging.tensor import Tensor, constant, require_trace
from autograph.staging.traced_list import TracedList

if TYPE_CHECKING:
    from autograph.staging.journal import Reads


class MaybeBound:
    """A list that a variable may be bound to, or nothing.

    Attributes:
        value: The list.
        defined: A staged bool: whether the variable is bound.
        name: The variable.
    """

    def __init__(self, value: Any, defined: Tensor, name: str) -> None:
        self.value = value
        self.defined = defined
        self.name = name


def is_list(leaf: LeafKind) -> bool:
    """Whether it is the type of a variable that is bound to a list."""
    return isinstance(leaf, (ListObject, RowOf)) or (
        isinstance(leaf, Static) and isinstance(leaf.value, TracedList)
    )


def is_list_contents(leaf: LeafKind) -> bool:
    """Whether it is the type of what a list holds that can be staged."""
    return isinstance(leaf, ListOf) or (
        isinstance(leaf, TupleOf) and leaf.like is not None and leaf.like.can_grow
    )


def join_lists(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> LeafKind | None:
    """The type of lists or of contents that holds both; ``None`` where it is not for lists to say."""
    maybe = None
    if not isinstance(left, RowOf) and not isinstance(right, RowOf):
        maybe = _join_unbound(name, left, right, where)
    if maybe is not None:
        return maybe
    if isinstance(left, ListObject) and isinstance(right, ListObject):
        return join_objects(name, left, right, where)
    if not (is_list_contents(left) and is_list_contents(right)):
        return None
    if isinstance(left, TupleOf) and isinstance(right, TupleOf) and len(left.parts) == len(right.parts):
        return None
    return join_contents(name, left, right, where)


def _join_unbound(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> LeafKind | None:
    """A list that is bound on some paths only."""
    from autograph.staging.joins import join

    if not any(isinstance(one, (MaybeUnbound, Undefined)) for one in (left, right)):
        return None
    inner = [one.inner if isinstance(one, MaybeUnbound) else one for one in (left, right)]
    bound = [one for one in inner if not isinstance(one, Undefined)]
    if not all(map(is_list, bound)):
        return None
    joined = bound[0] if len(bound) == 1 else join(name, bound[0], bound[1], where)
    return MaybeUnbound(joined) if isinstance(joined, (ListObject, Static, RowOf)) else None


def join_contents(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> ListOf:
    """The type of a staged list that holds what either list does."""
    from autograph.staging.joins import join

    called = next((one.name for one in (left, right) if isinstance(one, ListOf)), name)
    label = f"{called}[…]"
    known = [_element(label, one) for one in (left, right)]
    elements: list[LeafKind] = [one for one in known if one is not None and known_element(one) is not None]
    elements = elements or [NOTHING_YET]
    element = join(label, elements[0], elements[1], where) if len(elements) == 2 else elements[0]
    lengths = [one.length if isinstance(one, ListOf) else _count(one) for one in (left, right)]
    length = lengths[0] if lengths[0] == lengths[1] else None
    return ListOf(checked_element(element, called), length, called)


def _count(contents: LeafKind) -> Length:
    assert isinstance(contents, TupleOf)
    return Length(None, len(contents.parts))


def _element(label: str, contents: LeafKind) -> LeafKind | None:
    """The type of all elements, or ``None`` where there are none."""
    from autograph.staging.joins import join

    if isinstance(contents, ListOf):
        return contents.element
    assert isinstance(contents, TupleOf)
    parts = [rows_in(without_flags(part)) for part in contents.parts]
    words = ("in one element", "in another")
    return reduce(lambda one, other: join(label, one, other, words), parts) if parts else None


def convert_list(value: Any, target: ListOf, reads: Reads | None) -> list[int]:
    """The lists of the graph for contents of a list on one path."""
    if isinstance(value, Undefined):
        return list(empty(target.element, target.name).values)
    if not isinstance(value, StagedElements):
        return list(staged_contents(list(value), target.name, target.element, reads).values)
    known = (reads or {}).get(id(value))
    if isinstance(known, StagingError):
        raise known
    if known is None:
        value.read()
    return list(value.cast(target.element).values)


def convert_maybe_unbound(value: Any, target: MaybeUnbound, reads: Reads | None) -> list[int]:
    """The lists of the graph, then whether the variable is bound."""
    from autograph.staging.joins import convert

    flag = (
        value.defined if isinstance(value, MaybeBound) else constant(not isinstance(value, Undefined), "bool")
    )
    inner = value.value if isinstance(value, MaybeBound) else value
    return [*convert(inner, target.inner, reads), flag.read()]


def contents_of(value: Any) -> Any:
    """What a list holds that a variable is bound to."""
    return value.read_contents(value.called()) if isinstance(value, TracedList) else value


def bound_list(contents: Elements | StagedElements, name: str, sites: tuple[Any, ...] = ()) -> TracedList:
    """A list with these contents, for a variable that is bound to one list or another."""
    if isinstance(contents, StagedElements):
        made = TracedList()
        made.write_contents(contents)
    else:
        made = TracedList(contents)
    require_trace().journal.created(made)
    made.name = name
    made.sites = sites
    return made


def lists_type(name: str, first: LeafKind, second: LeafKind, where: tuple[str, str]) -> LeafKind:
    """The type of a variable that is bound to two lists, of which one may be from before."""
    if isinstance(first, RowOf) or isinstance(second, RowOf):
        return join_rows(name, first, second, where)
    known = [_as_object(one) for one in (first, second)]
    return join_objects(name, known[0], known[1], where)


def join_rows(name: str, left: LeafKind, right: LeafKind, where: tuple[str, str]) -> LeafKind:
    """The type of a variable that is a row of a table on one path."""
    from autograph.staging.joins import refuse_join
    from autograph.staging.object_tables import as_rows, unite

    if isinstance(left, Undefined) or isinstance(right, Undefined):
        bound = right if isinstance(left, Undefined) else left
        return replace(bound, may_be_unbound=True)  # type: ignore[type-var]
    rows = [as_rows(one) for one in (left, right)]
    if isinstance(rows[0], RowOf) and isinstance(rows[1], RowOf):
        return unite(rows[0], rows[1])
    return refuse_join(name, left, right, where)


def _as_object(leaf: LeafKind) -> ListObject:
    from autograph.staging.joins import leaf_type

    if isinstance(leaf, ListObject):
        return leaf
    assert isinstance(leaf, Static)
    contents = leaf_type(contents_of(leaf.value))
    assert isinstance(contents, (ListOf, TupleOf))
    return ListObject(contents, leaf.value.sites)


def join_objects(name: str, left: ListObject, right: ListObject, where: tuple[str, str]) -> ListObject:
    """The type of two lists that are made on two paths."""
    from autograph.staging.joins import join

    joined = join(name, left.contents, right.contents, where)
    assert isinstance(joined, (ListOf, TupleOf))
    return ListObject(joined, tuple(dict.fromkeys((*left.sites, *right.sites))))


def note_length(value: Any, entry: Any, stand_in: Any, end: Any, trips: int | None) -> None:
    """How long a list is after a loop: what an iteration adds, as often as there are iterations."""
    found, begin, after = (_staged(one) for one in (value, stand_in, end))
    if found is None or begin is None or after is None or found.length.base is None:
        return
    added = after.length.minus(begin.length)
    before = entry.contents if isinstance(entry, TracedList) and entry.contents is not None else entry
    length = before.length if isinstance(before, StagedElements) else Length(None, list_length(before))
    if added == 0:
        found.length = length
    elif added is not None and trips is not None:
        found.length = length.plus(added * trips)


def _staged(value: Any) -> StagedElements | None:
    if is_reference(value):
        return None
    found = value.contents if isinstance(value, TracedList) else value
    return found if isinstance(found, StagedElements) else None


def list_length(values: Any) -> int:
    """How many elements are stored in a list, or were at one time."""
    return list.__len__(values) if isinstance(values, list) else len(values)


def note_origins(value: Any, entry: Any, serial: int, role: Role) -> None:
    """Notes which lists from before a statement the lists of a joined value may be.

    Args:
        value: The joined value.
        entry: What the variable was before.
        serial: Lists with a higher serial number are made by joining.
        role: Why they may be others.
    """
    older = [one for one in lists_in(entry) if isinstance(one, TracedList)]
    for one in lists_in(value):
        if require_trace().journal.serial_of(one) > serial:
            one.may_be(older, role)


def list_argument(value: TracedList) -> ListObject:
    """The type of a list that a call of the graph takes or gives: how long it is, each call knows."""
    contents = _as_object(Static(value)).contents
    if isinstance(contents, TupleOf):
        element = _element(f"{value.called()}[…]", contents)
        if element is None:
            return ListObject(contents)
        contents = ListOf(checked_element(element, value.called()), None, value.called())
    return ListObject(replace(contents, length=None), value.sites)


def copied_lists(value: Any, target: LeafKind) -> list[TracedList]:
    """The lists of a value that a joined one of this type holds the contents of."""
    if isinstance(target, ListObject):
        return [value] if isinstance(value, TracedList) else []
    if isinstance(target, MaybeUnbound):
        return copied_lists(value.value if isinstance(value, MaybeBound) else value, target.inner)
    if isinstance(target, OptionalOf) and target.inner is not None:
        return copied_lists(value.value if isinstance(value, StagedOptional) else value, target.inner)
    if isinstance(target, TupleOf) and isinstance(value, tuple):
        pairs = zip(value, target.parts, strict=False)  # A branch that raises leaves what it may.
        return [one for part, kind in pairs for one in copied_lists(part, kind)]
    return []


def serial_of(value: Any) -> int:
    """When an object was made, by the serial numbers of the journal."""
    return require_trace().journal.serial_of(value)


def lists_in(value: Any) -> list[TracedList]:
    """The lists that a variable, or a tuple it is bound to, refers to."""
    from autograph.staging.journal import leaves_of

    return [leaf for leaf in leaves_of(value) if isinstance(leaf, TracedList) and not is_reference(leaf)]
