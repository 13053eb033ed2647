"""The columns of a table: the values of one field in all nodes, as arrays that a graph takes.

    value: 5.0, 2.0, 7.0             float64[64]                a number, or an array of one shape
    word:  3, None, 4                int64[64], bool[64]        ... which may be None
    left:  1, -1, -1                 int64[64]                  the row of a node, -1 for None
    children: [b, c], [], []         int64[65], int64[64]       where the rows of each begin, and all rows

The number of rows is a power of two, so that trees of many sizes share few signatures. A value that is the
same object in all nodes is a constant, and strings are numbered. Reading any other field is an error.
"""

from __future__ import annotations

import copy
from functools import reduce
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.articles import with_article
from autograph._src.staging.kinds.numbers import is_numeric
from autograph._src.staging.kinds.static import same_static
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.value_kind import join, kind_of
from autograph._src.staging.objects.interned import Interned, has_number
from autograph._src.staging.objects.walk import ABSENT, Absent, Column, Holds, Walk
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace.trace import DTYPES
from autograph.errors import StagingError

SMALLEST = 64
"""The number of rows of the smallest tables of numbers: most trees, and a graph takes longer than zeros."""

SMALLEST_OF_ARRAYS = 16
"""That of the smallest tables with arrays in their rows, which are more to copy at every call."""

LARGEST_ITEM = 1 << 16
"""The most bytes of an array in a field; larger ones would be too slow to copy at every call."""

Arrays = list[NDArray[Any]]


def capacity(count: int, smallest: int = SMALLEST) -> int:
    """The number of rows of a table for this number of nodes.

    >>> [capacity(count) for count in (0, 3, 64, 65, 257)]
    [64, 64, 64, 128, 512]
    """
    return max(smallest, 1 << (count - 1).bit_length()) if count else smallest


class Packed:
    """A column of a schema; it packs the values that a walk has found into arrays.

    Attributes:
        name: The field.
        owners: The classes that have the field.
        expects: What the field holds: values, nodes or sequences of nodes.
    """

    expects = Holds.VALUES

    def __init__(self, column: Column) -> None:
        self.name = column.name
        self.owners = frozenset(column.owners)

    def absent(self, count: int) -> Column:
        """The values of ``count`` nodes whose classes do not have the field."""
        return Column(self.name, self.expects, [ABSENT] * count, [])

    def pack(self, column: Column, walk: Walk, rows: int) -> Arrays | None:
        """The arrays, or ``None`` if the values do not fit this column."""
        raise NotImplementedError

    def merged(self, other: Packed) -> Packed:
        """This column, widened to hold the values of another one if no program can tell the difference."""
        return self


class Links(Packed):
    """A field that holds a node or ``None``: the rows of the nodes."""

    expects = Holds.NODES

    def pack(self, column: Column, walk: Walk, rows: int) -> Arrays | None:
        """See :meth:`Packed.pack`."""
        if column.holds is not Holds.NODES:
            return None
        row_of = walk.row_of
        table = np.zeros(rows, np.int64)
        # `ABSENT` is not in `row_of` and becomes -1.
        rows_inside = map(row_of.get, map(id, column.values), repeat(-1))
        table[: len(column.values)] = list(rows_inside)
        return [table]


class Sequences(Packed):
    """A field that holds lists of nodes: the begin of each list, and the rows of all lists in sequence.

    Attributes:
        kind: ``list`` or ``tuple``.
        is_optional: Whether some nodes have ``None`` instead of a list.
    """

    expects = Holds.SEQUENCES

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        kinds = [kind for kind in map(type, column.values) if kind not in _NOTHING]
        self.kind = kinds[0] if kinds else list
        self.is_optional = len(kinds) < len(column.values)

    def pack(self, column: Column, walk: Walk, rows: int) -> Arrays | None:
        """See :meth:`Packed.pack`."""
        if column.holds is not Holds.SEQUENCES:
            return None
        kinds = column.kinds() - _NOTHING
        if kinds - {self.kind} or (type(None) in column.kinds() and not self.is_optional):
            return None
        lists = [() if one is ABSENT or one is None else one for one in column.values]
        begins = np.zeros(rows + 1, np.int64)
        np.cumsum([len(one) for one in lists], out=begins[1 : len(lists) + 1])
        inside = [walk.row_of[id(child)] for one in lists for child in one]
        items = np.zeros(max(rows, capacity(len(inside))), np.int64)
        items[: len(inside)] = inside
        if not self.is_optional:
            return [begins, items]
        flags = np.zeros(rows, np.bool_)
        flags[: len(lists)] = [one is not None for one in column.values]
        return [begins, items, flags]

    def merged(self, other: Packed) -> Packed:
        """See :meth:`Packed.merged`."""
        self.is_optional = self.is_optional or (isinstance(other, Sequences) and other.is_optional)
        return self


class Values(Packed):
    """A field that holds numbers, or arrays of one shape.

    Attributes:
        type: The type of the values.
        is_optional: Whether some may be ``None``.
    """

    def __init__(self, column: Column, type: TensorOf, is_optional: bool) -> None:
        super().__init__(column)
        self.type = type
        self.is_optional = is_optional

    def pack(self, column: Column, walk: Walk, rows: int) -> Arrays | None:
        """See :meth:`Packed.pack`."""
        if column.holds is not Holds.VALUES:
            return None
        values = column.values
        kinds = column.kinds()
        is_whole = kinds.isdisjoint(_NOTHING)
        if type(None) in kinds and not self.is_optional:
            return None
        present = values if is_whole else [one for one in values if one is not None and one is not ABSENT]
        if present and _type_of(present, kinds) != self.type:
            return None
        table = np.zeros((rows, *self.type.known_shape), self.type.dtype)
        if present:
            filled = values if is_whole else [_or_zero(one, self.type.known_shape) for one in values]
            try:
                table[: len(values)] = filled
            except OverflowError:  # An int of more than 64 bits.
                return None
        if not self.is_optional:
            return [table]
        flags = np.zeros(rows, np.bool_)
        flags[: len(values)] = True if is_whole else [one is not None and one is not ABSENT for one in values]
        return [table, flags]

    def merged(self, other: Packed) -> Packed:
        """See :meth:`Packed.merged`."""
        if isinstance(other, Values) and other.type == self.type:
            self.is_optional = self.is_optional or other.is_optional
        return self


_NOTHING = frozenset((type(None), Absent))


def _or_zero(value: object, shape: tuple[int, ...]) -> object:
    if value is None or value is ABSENT:
        return np.zeros(shape) if shape else 0
    return value


class Same(Packed):
    """A field with the same value in all nodes that is not a number: a function, a string, ``None``.

    Attributes:
        value: The value.
    """

    def __init__(self, column: Column, value: Any) -> None:
        super().__init__(column)
        self.value = value

    def pack(self, column: Column, walk: Walk, rows: int) -> Arrays | None:
        """See :meth:`Packed.pack`."""
        is_same = all(one is ABSENT or same_static(one, self.value) for one in column.values)
        return [] if column.holds is Holds.VALUES and is_same else None

    def merged(self, other: Packed) -> Packed:
        """See :meth:`Packed.merged`."""
        if isinstance(other, Values) and self.value is None:
            optional = copy.copy(other)
            optional.is_optional = True
            return optional
        return self


class Names(Packed):
    """A field that holds strings or members of enumerations, stored as numbers.

    Attributes:
        interned: The values with their numbers.
    """

    def __init__(self, column: Column, interned: Interned) -> None:
        super().__init__(column)
        self.interned = interned

    def pack(self, column: Column, walk: Walk, rows: int) -> Arrays | None:
        """See :meth:`Packed.pack`."""
        if column.holds is not Holds.VALUES or not _are_names(column):
            return None
        number = self.interned.number
        table = np.zeros(rows, np.int64)
        table[: len(column.values)] = [0 if one is ABSENT else number(one) for one in column.values]
        return [table]


def _are_names(column: Column) -> bool:
    return all(one is ABSENT or has_number(one) for one in column.values)


class Unreadable(Packed):
    """A field that no array can hold; reading it in the program is an error.

    Attributes:
        reason: Why, in words.
    """

    def __init__(self, column: Column, reason: str) -> None:
        super().__init__(column)
        self.reason = reason

    def pack(self, column: Column, walk: Walk, rows: int) -> Arrays | None:
        """See :meth:`Packed.pack`."""
        if all(one is ABSENT for one in column.values):
            return []
        found = packed(column, Interned())
        return [] if isinstance(found, Unreadable) and found.reason == self.reason else None


def packed(column: Column, interned: Interned) -> Packed:
    """The column that fits the values of a field.

    Args:
        column: The field with its values.
        interned: The numbers of strings.
    """
    if column.holds is Holds.NODES:
        return Links(column)
    values = [one for one in column.values if one is not ABSENT]
    if column.holds is Holds.SEQUENCES:
        kinds = {type(one) for one in values if one is not None}
        if len(kinds) <= 1:
            return Sequences(column)
        words = _words(sorted(kind.__name__ for kind in kinds))
        return Unreadable(column, f"is {words}, depending on the node")
    if column.holds is Holds.MIXED:
        return Unreadable(column, "holds a node in one node and something else in another")
    present = [one for one in values if one is not None]
    if not present:
        return Same(column, None)
    if all(is_numeric(one) for one in present):
        try:
            found = _type_of(present, set(map(type, present)))
            if found is None:
                return Unreadable(column, _reason(present))
            if found.shape and np.prod(found.known_shape) * found.dtype.itemsize > LARGEST_ITEM:
                return Unreadable(column, "is an array of more than 64 KiB, which each call would copy")
            np.array(present, found.dtype)
        except OverflowError:
            return Unreadable(column, "is an int of more than 64 bits in one node")
        return Values(column, found, len(present) < len(values))
    if _are_names(column):
        return Names(column, interned)
    if all(same_static(one, values[0]) for one in values):
        return Same(column, values[0])
    words = _words(sorted({_word(one) for one in values}))
    return Unreadable(column, f"is {words}, depending on the node")


def _word(value: object) -> str:
    return (
        repr(value)
        if value is None or (isinstance(value, str) and len(value) < 20)
        else with_article(type(value).__name__)
    )


def _words(words: list[str]) -> str:
    words = words if len(words) < 4 else [*words[:3], "others"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _reason(values: list[Any]) -> str:
    types = dict.fromkeys(str(kind_of(one)) for one in values)
    return (
        f"is a {_words(list(types)).replace(', ', ', a ').replace(' or ', ' or a ')}, depending on the node"
    )


def _type_of(values: list[Any], kinds: set[type]) -> TensorOf | None:
    """The type that holds all these values exactly; ``None`` if there is none."""
    present = kinds - _NOTHING
    if len(present) == 1 and (known := _SCALARS.get(next(iter(present)))) is not None:
        return known
    if np.ndarray in kinds:
        types = dict.fromkeys((one.dtype, one.shape) if type(one) is np.ndarray else None for one in values)
        first = next(iter(types))
        if len(types) > 1 or first is None or first[0] not in DTYPES or not first[0].isnative:
            return None
        return TensorOf(first[0], first[1], Form.ARRAY)
    firsts = {type(one): one for one in reversed(values)}
    found = [kind_of(one) for kind, one in firsts.items() if kind not in _NOTHING]
    try:
        both = reduce(lambda left, right: join("the field", left, right, ("here", "there")), found)
    except StagingError:
        return None
    if not isinstance(both, TensorOf) or both.shape or both.dtype not in DTYPES:
        return None
    return both if all(_is_exact(one, both.dtype) for one in values) else None


def _is_exact(value: object, dtype: np.dtype[Any]) -> bool:
    """Whether a dtype holds a number exactly: 1.1 is no float32, 2**60 + 1 no float64."""
    if value is None or value is ABSENT:
        return True
    try:
        plain, converted = (
            one.item() if isinstance(one, np.generic) else one for one in (value, dtype.type(value))
        )
    except OverflowError:
        return False
    return bool(plain == converted or plain != plain)


_SCALARS = {
    **{dtype.type: TensorOf(dtype, (), Form.SCALAR) for dtype in DTYPES},
    float: TensorOf(np.dtype("float64"), (), Form.PYTHON),
    int: TensorOf(np.dtype("int64"), (), Form.PYTHON),
    bool: TensorOf(np.dtype("bool"), (), Form.PYTHON),
}
