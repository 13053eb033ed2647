"""What may be asked of a kind, and the two questions that are asked of all: the kind of a value, and of two.

kind_of(value)                            LeafType(float64, ())
join("best", one, two, where)             UnionOf(int, float64)
kind.pack(value) / kind.unpack(values)    the graph values of a variable's value, and back
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from autograph._src.staging.trace.active import require_trace, staging_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.lists.traced_list import TracedList
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes
    from autograph._src.staging.trace.object_sites import ObjectSites

GraphType = tuple[str, Any]
"""Dtype and shape of a tensor, or ``"list"`` and the type of the elements."""

Paths = tuple[str, str]
"""Two paths in words: "in one branch", "in the other"."""


class LeafKind:
    """What a staged variable is.

    A kind defines ``in_words``, ``graph_types``, ``pack`` and ``unpack``, and what else is not as it is here.
    """

    is_parameter: ClassVar[bool] = False
    """Whether a call of the graph takes its values as parameters; others are one object in all calls."""

    may_be_none: ClassVar[bool] = False
    """Whether a variable may be of this kind on one path and ``None`` on another."""

    # Asked of the class

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> LeafKind | None:
        """The kind of a value, plain or staged; ``None`` if it is another.

        Args:
            value: The value.
            serial: A list with a higher serial number is made in the block, and is another after it.
        """
        return None

    @classmethod
    def joined(cls, name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind | None:
        """The kind that holds both; ``None`` where another kind decides. See :func:`join`.

        Raises:
            StagingError: If there is none.
        """
        return None

    @classmethod
    def joined_as_rows(cls, name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind | None:
        """The kind of a variable that may be two objects of the program, where no kind joins theirs.

        Arguments are as for :meth:`joined`. ``None`` if it is no kind of objects.
        """
        return None

    @classmethod
    def of_object(cls, value: object) -> LeafKind | None:
        """The kind of an object of the program, which is to be a row of a table; ``None`` if it cannot be."""
        return None

    # Graphs

    def in_words(self) -> str:
        """What messages call a value of it."""
        return "a value of another kind"

    def graph_types(self) -> list[GraphType]:
        """Dtypes and shapes of the graph values that :meth:`pack` makes."""
        raise self.refusal()

    def pack(self, value: object, reads: Reads | None = None) -> list[int]:
        """The graph values of a variable's value on one path: each leaf, then its flag if it has one.

        Args:
            value: The value.
            reads: What its tensors were when the path ended, if that is not now.
        """
        raise self.refusal()

    def unpack(self, values: list[int], name: str) -> Any:
        """The value of the graph values that :meth:`pack` makes, which it takes off the list.

        Args:
            values: The graph values.
            name: The user's variable.
        """
        raise self.refusal()

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The elements of a list of this kind that a graph gave out.

        Args:
            columns: For each leaf of an element an array, the elements along its first axis; only what
                the kind needs is taken.
            nodes: The objects that rows of a table stand for.
        """
        raise self.refusal()

    def array(self, arrays: Arrays) -> Any:
        """The array that NumPy makes of a list of such elements.

        Args:
            arrays: The arrays of the leaves of the elements; only what the kind needs is taken.
        """
        raise arrays.refusal("an object")

    def refusal(self) -> Exception:
        """The refusal of what a kind does not say."""
        return staging_error(
            "AG120",
            f"{self.in_words()} is used where a graph has to hold it",
            "give a number, an array, or a list or a tuple of them",
        )

    # Equality

    def known(self) -> Any:
        """The value of a variable that is the same on every path; the kind of one that is not."""
        return self

    def is_same(self, other: LeafKind) -> bool:
        """Whether both are of one kind, so that what was recorded for one is right for the other."""
        return type(self) is type(other) and self == other

    def identity(self) -> object:
        """What two calls of one function of the graph have in common; it has a hash."""
        return self if self.is_parameter else id(self)

    def carried(self, first: LeafKind, found: LeafKind, entry: object) -> LeafKind:
        """What a loop carries of a variable for which this kind holds what is known, and an iteration's end.

        Args:
            first: What is known of it.
            found: What an iteration ended with.
            entry: The value before the loop.
        """
        return self

    # Parts

    def inside(self) -> tuple[LeafKind, ...]:
        """The kinds of its parts: of the elements of a tuple, of what may be ``None``."""
        return ()

    def with_inside(self, change: Callable[[LeafKind], LeafKind]) -> LeafKind:
        """The kind with each part changed."""
        return self

    def tables(self) -> list[int]:
        """The tables that its values refer to."""
        return [number for part in self.inside() for number in part.tables()]

    def holds_nodes(self) -> bool:
        """Whether its values are nodes, or have some in them."""
        return any(part.holds_nodes() for part in self.inside())

    def is_of_numbers(self) -> bool:
        """Whether its values are numbers and arrays alone: they refer to nothing that a recording made."""
        return False

    def is_renumbered(self) -> bool:
        """Whether a wider kind may hold the same graph values to mean something else: another alternative."""
        return any(part.is_renumbered() for part in self.inside())

    # Variables that may be unbound

    def maybe_unbound(self) -> LeafKind | None:
        """The kind of a variable that is unbound on some paths; ``None`` where another kind says that."""
        return None

    def where_bound(self) -> tuple[LeafKind, bool]:
        """What a variable of it is where it is bound, and whether it may be unbound."""
        return self, False

    def without_flags(self) -> LeafKind:
        """The kind of what is bound: a variable that may be unbound was tested when it was read."""
        return self.with_inside(lambda part: part.without_flags())

    # Lists and tables

    def is_list(self) -> bool:
        """Whether it is that of a variable that is bound to a list."""
        return False

    def is_row(self) -> bool:
        """Whether it is that of objects that are rows of a table."""
        return False

    def is_list_contents(self) -> bool:
        """Whether it is that of what a list holds that can be staged."""
        return False

    def copied_lists(self, value: object) -> list[TracedList]:
        """The lists of a value that a joined one of this kind holds the contents of."""
        return []

    def in_list(self) -> LeafKind:
        """The kind as lists can hold it: arrays of open sizes are lists there."""
        return self

    def as_element(self) -> LeafKind:
        """The kind of the elements of a list that holds it."""
        return self.in_list()

    def why_no_element(self) -> tuple[str, str]:
        """What a list would hold that no list of the graph can, and a remedy."""
        return (
            "elements of this kind",
            "a staged list holds numbers, arrays, None, lists and objects of them, and tuples",
        )

    def as_rows(self) -> LeafKind:
        """A kind in which the objects of the program are rows: where they are made is learned.

        The caller calls ``begin_again_with_objects`` when it has looked at all it has.
        """
        return self

    def with_tables_of(self, sites: ObjectSites) -> LeafKind:
        """A kind whose tables are the ones that its own have become parts of."""
        return self.with_inside(lambda part: part.with_tables_of(sites))


KINDS: list[type[LeafKind]] = []
"""All kinds, in the order in which they are asked; ``control/kind_order.py`` fills it."""


def kind_of(value: object, serial: int | None = None) -> LeafKind:
    """The kind of one value, plain or staged: the first of the list that knows it.

    Args:
        value: The value.
        serial: A list with a higher serial number is made in the block, and is another after it.
    """
    for kind in KINDS:
        found = kind.of(value, serial)
        if found is not None:
            return found
    raise AssertionError("the last kind of the list knows every value")


def join(name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind:
    """The kind that holds both.

    All kinds are asked, in the order of the list; the first that answers decides. What nobody joins may
    be two objects of the program, which become rows of a table.

    Args:
        name: The user's variable, for messages.
        left: Its kind on one path.
        right: Its kind on the other.
        where: The two paths in words.

    Raises:
        StagingError: If there is none.
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
    kinds: Iterable[type[LeafKind]], name: str, left: LeafKind, right: LeafKind, where: Paths
) -> LeafKind | None:
    """What the first of some kinds says that joins two; ``None`` if none of them does."""
    for kind in kinds:
        found = kind.joined(name, left, right, where)
        if found is not None:
            return found
    return None


def refuse_join(name: str, left: LeafKind, right: LeafKind, where: Paths) -> NoReturn:
    """There is no kind that holds both."""
    search = require_trace().search
    if search is not None:
        search.joined(left.known(), right.known())
    raise staging_error(
        "AG131",
        f"{quoted(name)} is {left.in_words()} {where[0]} and {right.in_words()} {where[1]}",
        "give it a number or an array on both paths",
    )


def quoted(name: str) -> str:
    """A variable in a message; the one that conversion holds the result in is not the user's."""
    return "the result" if name.startswith(("return_value", "the ")) else f"`{name}`"
