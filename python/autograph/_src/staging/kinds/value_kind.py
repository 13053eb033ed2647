"""The interface of a kind, and the two functions that try all kinds: :func:`kind_of` and :func:`join`.

    kind_of(value)                            TensorOf(float64, ())
    join("best", one, two, where)             UnionOf(int, float64)
    kind.pack(value) / kind.unpack(values)    a value to its graph values, and back

``join`` takes the variable's name and words for the two paths for its error message only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.record_trees import begin_with_copy, is_record_tree
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.statements import contents_differ

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.lists.traced_list import TracedList
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes
    from autograph._src.staging.trace.object_sites import ObjectSites

Paths = tuple[str, str]
"""Two paths in words: "in one branch", "in the other"."""


class ValueKind:
    """The type of a staged variable.

    A subclass defines ``in_words``, ``graph_types``, ``pack`` and ``unpack``, and overrides what differs.
    """

    is_parameter: ClassVar[bool] = False
    """Whether a function of the graph takes values of this kind as parameters; if not, they are constants."""

    may_be_none: ClassVar[bool] = False
    """Whether a variable may be of this kind on one path and ``None`` on another."""

    # Class methods: recognising and joining

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ValueKind | None:
        """The kind of a value, plain or staged; ``None`` if the value is not of this class of kinds.

        Args:
            value: The value.
            serial: The serial number before the block, at the end of one. A list with a higher number was
                made in the block and becomes a new list after it.
        """
        return None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind that holds values of both; ``None`` to leave it to other kinds. See :func:`join`.

        Raises:
            StagingError: If no kind can hold both.
        """
        return None

    @classmethod
    def joined_as_rows(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind of a variable that may be either of two objects, as table rows, if :meth:`joined` fails.

        Takes the arguments of :meth:`joined`. ``None`` if this is not a kind of objects.
        """
        return None

    @classmethod
    def of_object(cls, value: object) -> ValueKind | None:
        """The kind of an object of the program as a table row; ``None`` if it cannot be one."""
        return None

    @classmethod
    def of_constant(cls, value: object) -> ValueKind | None:
        """The kind of a constant that may be another one elsewhere; ``None`` if it cannot be one."""
        return None

    @classmethod
    def of_contents(cls, value: object) -> ValueKind | None:
        """The kind of a container by what it holds, no matter when it was made; ``None`` for others."""
        return None

    # Graphs

    def in_words(self) -> str:
        """How messages describe a value of this kind."""
        return "a value of another kind"

    def graph_types(self) -> list[GraphType]:
        """The types of the graph values that :meth:`pack` gives."""
        raise self.refusal()

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The graph values of a variable's value on one path: each leaf, then its flag if it has one.

        Args:
            value: The value.
            reads: The graph values of its tensors at the end of the path, if they have changed since.
        """
        raise self.refusal()

    def unpack(self, values: list[Value], name: str) -> Any:
        """Rebuilds a value from the graph values that :meth:`pack` gives.

        Args:
            values: The graph values; those used are removed from the front of the list.
            name: The user's variable.
        """
        raise self.refusal()

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain elements of a list of this kind that a graph returned.

        Args:
            columns: For each leaf of an element an array with the elements along its first axis; the kind
                takes as many as it needs.
            nodes: The objects that rows of a table stand for.
        """
        raise self.refusal()

    def array(self, arrays: Arrays) -> Any:
        """The array that ``np.array`` makes of a list of such elements.

        Args:
            arrays: The arrays of the elements' leaves; the kind takes as many as it needs.
        """
        raise arrays.refusal("an object")

    def refusal(self) -> Exception:
        """The error for an operation that the kind does not define."""
        return staging_error(
            "AG120",
            f"{self.in_words()} is used where a graph has to hold it",
            "give a number, an array, or a list or a tuple of them",
        )

    # Equality

    def known(self) -> Any:
        """The value, for a kind whose variable has the same plain value on every path; else the kind."""
        return self

    def container(self) -> Any:
        """The dict, set or deque that a variable of this kind is bound to, if it is a plain one."""
        return None

    def is_same(self, other: ValueKind) -> bool:
        """Whether both kinds are equal, so that a recording for one is valid for the other."""
        return type(self) is type(other) and self == other

    def identity(self) -> object:
        """The key that two calls must share to use one function of the graph; it is hashable."""
        return self if self.is_parameter else id(self)

    def carried(self, first: ValueKind, found: ValueKind, entry: object) -> ValueKind:
        """The kind that a loop carries next, when this kind is the join of ``first`` and ``found``.

        Args:
            first: The kind carried so far.
            found: The kind that an iteration ended with.
            entry: The value before the loop.
        """
        return self

    def way(self) -> Hashable:
        """What all values of one way of a choice share; ``None`` if a choice cannot hold such values."""
        return None

    # Parts

    def inside(self) -> tuple[ValueKind, ...]:
        """The kinds of its parts, such as the elements of a tuple or the value of an optional."""
        return ()

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with each part changed."""
        return self

    def tables(self) -> list[int]:
        """The tables that its values refer to."""
        return [number for part in self.inside() for number in part.tables()]

    def holds_nodes(self) -> bool:
        """Whether its values are nodes or contain nodes."""
        return any(part.holds_nodes() for part in self.inside())

    def is_of_numbers(self) -> bool:
        """Whether its values consist of numbers and arrays only, so that the kind outlives a recording."""
        return False

    def is_renumbered(self) -> bool:
        """Whether the same graph values can mean something else in a wider kind, as a union's tag can."""
        return any(part.is_renumbered() for part in self.inside())

    # Variables that may be unbound

    def maybe_unbound(self) -> ValueKind | None:
        """The kind of a variable that is unbound on some paths; ``None`` to leave it to other kinds."""
        return None

    def where_bound(self) -> tuple[ValueKind, bool]:
        """The kind of the variable where it is bound, and whether it may be unbound."""
        return self, False

    def without_flags(self) -> ValueKind:
        """The kind without flags: a read of a variable that may be unbound has tested its flag already."""
        return self.with_inside(lambda part: part.without_flags())

    # Lists and tables

    def is_list(self) -> bool:
        """Whether variables of this kind are bound to lists."""
        return False

    def is_row(self) -> bool:
        """Whether its values are rows of a table."""
        return False

    def is_list_contents(self) -> bool:
        """Whether its values are the contents of a list that can be staged."""
        return False

    def copied_lists(self, value: object) -> list[TracedList]:
        """The lists in a value whose contents, not identity, survive a join to this kind."""
        return []

    def in_list(self) -> ValueKind:
        """The kind as an element of a staged list, which stores an array of unknown sizes as a list."""
        return self

    def as_element(self) -> ValueKind:
        """The element kind of a list that holds values of this kind."""
        return self.in_list()

    def why_no_element(self) -> tuple[str, str]:
        """Why a list of the graph cannot hold this kind: what it would hold, and a remedy."""
        return (
            "elements of this kind",
            "a staged list holds numbers, arrays, None, lists and objects of them, and tuples",
        )

    def as_rows(self) -> ValueKind:
        """The kind with the program's objects as table rows; notes the sites that make them.

        The caller calls ``begin_again_with_objects`` after it has done this for all its kinds.
        """
        return self

    def by_value(self) -> ValueKind:
        """The kind with a container by what it holds, for a join with one that is carried so."""
        return self

    def with_tables_of(self, sites: ObjectSites) -> ValueKind:
        """The kind with each table replaced by the one that it was merged into."""
        return self.with_inside(lambda part: part.with_tables_of(sites))


KINDS: list[type[ValueKind]] = []
"""All kinds, in the order in which they are tried; ``control/kind_order.py`` fills the list."""


def kind_of(value: object, serial: int | None = None) -> ValueKind:
    """The kind of one value, plain or staged: the first in the list that accepts it.

    Args:
        value: The value.
        serial: See :meth:`ValueKind.of`.
    """
    for kind in KINDS:
        found = kind.of(value, serial)
        if found is not None:
            return found
    raise AssertionError("the last kind of the list knows every value")


def join(name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind:
    """The kind that holds the values of both kinds.

    All kinds are tried in the order of the list, and the first that answers decides. If none does, the values
    may be two objects of the program, which then become rows of a table.

    Args:
        name: The user's variable, for messages.
        left: Its kind on one path.
        right: Its kind on the other.
        where: The two paths in words.

    Raises:
        StagingError: If no kind holds both (AG131).
    """
    found = first_joined(KINDS, name, left, right, where)
    if found is None:
        found = next(
            (one for kind in KINDS if (one := kind.joined_as_rows(name, left, right, where)) is not None),
            None,
        )
    if found is None:
        refuse_join(name, left, right, where)
    return found


def first_joined(
    kinds: Iterable[type[ValueKind]], name: str, left: ValueKind, right: ValueKind, where: Paths
) -> ValueKind | None:
    """The join by the first of these kinds that answers; ``None`` if none does."""
    for kind in kinds:
        found = kind.joined(name, left, right, where)
        if found is not None:
            return found
    return None


def refuse_join(name: str, left: ValueKind, right: ValueKind, where: Paths) -> NoReturn:
    """Raises the error that no kind holds both."""
    trace = require_trace()
    if trace.search is not None:
        trace.search.joined(left.known(), right.known())
    contents_differ(left.container(), right.container())
    outside = [
        known
        for known in (left.known(), right.known())
        if (type(known) is list or is_record_tree(known)) and not trace.journal.was_created(known)
    ]
    is_remedy = len(outside) == 1 and left.in_words() == right.in_words()
    raise staging_error(
        "AG131",
        f"{quoted(name)} is {left.in_words()} {where[0]} and {right.in_words()} {where[1]}",
        begin_with_copy(name, outside[0]) if is_remedy else "give it a number or an array on both paths",
    )


def quoted(name: str) -> str:
    """A variable's name for a message; conversion's own variable for the result is called so."""
    return "the result" if is_result(name) or name.startswith("the ") else f"`{name}`"


def is_result(name: str) -> bool:
    """Whether a name is that of conversion's own variable for what a function returns."""
    return name.startswith("return_value")
