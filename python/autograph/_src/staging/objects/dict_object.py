"""The kind of variables that are bound to one of several dicts with the same keys: the values' graph values.

    for step in range(n):                                  # staged
        p = {k: w - 0.1 * g[k] for k, w in p.items()}      # after the loop `p` is a new dict

The join gives the dict a new identity; :mod:`autograph._src.staging.objects.joined_dicts` sees to it that
nobody can tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograph._src.dict_classes import DictWord, dict_of, dict_word, is_dict_tree
from autograph._src.operators.places import Contents, Elements
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.static import Static, refuse_element
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of
from autograph._src.staging.lists.list_joins import serial_of
from autograph._src.staging.objects.joined_dicts import JoinedDict
from autograph._src.staging.objects.object_fields import checked_field, field_path
from autograph._src.staging.objects.object_tables import joined_kinds
from autograph._src.staging.objects.row_of import RowOf
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.object_sites import RecordKind, Site
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads

Sites = tuple[Site, ...]


@dataclass(frozen=True)
class DictObject(ValueKind):
    """The kind of a variable that is bound to one of several dicts.

    Attributes:
        contents: The kind of the dicts' contents, with their keys.
        word: The dicts' class, and the factory of a `defaultdict`.
        sites: The sites where the program makes the dicts; ``None`` if one of them is not the program's.
    """

    contents: TupleOf
    word: DictWord
    sites: Sites | None = field(default=None, compare=False)
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> DictObject | None:
        """The kind of a dict that was made in the block; ``None`` for other values."""
        if serial is None or not is_dict_tree(value):
            return None
        return cls.of_dict(value, serial) if serial_of(value) > serial else None

    @classmethod
    def of_dict(cls, value: dict[Any, Any], serial: int | None = None) -> DictObject:
        """The kind of a dict, no matter when it was made."""
        elements = Contents(value).read()
        parts = tuple(kind_of(element, serial) for element in elements)
        sites = require_trace().objects.joined.sites_of(value)
        return cls(TupleOf(Elements, parts, elements), dict_word(value), sites)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins two dicts; one that is older than the block too, unless both are the same."""
        if isinstance(left, Static) and isinstance(right, Static) and left.value is right.value:
            return None
        one, other = _as_dict(left), _as_dict(right)
        if one is None or other is None or one.word != other.word:
            return None
        if one.sites and other.sites and one._keys() != other._keys():
            return None  # Rows of tables that do not fit.
        contents = join(name, one._called(name), other._called(name), where)
        assert isinstance(contents, TupleOf)
        if one.sites is None or other.sites is None:
            return cls(contents, one.word)
        return cls(contents, one.word, tuple(dict.fromkeys((*one.sites, *other.sites))))

    @classmethod
    def of_object(cls, value: object) -> ValueKind | None:
        """The row kind of a dict that is one of several dicts of the program."""
        if not is_dict_tree(value) or not require_trace().objects.joined.is_joined(value):
            return None
        found = cls.of_dict(value).as_rows()
        return found if found.is_row() else None

    @classmethod
    def of_contents(cls, value: object) -> DictObject | None:
        """The kind of any dict that is a tree."""
        return cls.of_dict(value, -1) if is_dict_tree(value) else None

    def _keys(self) -> tuple[Any, ...] | None:
        return None if self.contents.like is None else self.contents.like.keys

    def _called(self, name: str) -> TupleOf:
        """The kind of the contents with the variable's name, for messages."""
        like = self.contents.like
        assert like is not None
        return replace(self.contents, like=Elements.of(like, name, like.keys))

    def in_words(self) -> str:
        """A dict."""
        return "a dict"

    def graph_types(self) -> list[GraphType]:
        """The graph types of the values."""
        return self.contents.graph_types()

    def pack(self, value: Any, reads: Reads | None = None) -> list[Value]:
        """The graph values of the dict's values."""
        contents = value if isinstance(value, Undefined) else Contents(value).read()
        return self.contents.pack(contents, reads)

    def unpack(self, values: list[Value], name: str) -> dict[Any, Any]:
        """A new dict with the contents."""
        contents = self.contents.unpack(values, name)
        trace = require_trace()
        made: dict[Any, Any] = trace.journal.created(
            dict_of(self.word, zip(contents.keys or (), contents, strict=True))
        )
        trace.objects.joined.add(JoinedDict(made, name, tuple(trace.journal.blocks), self))
        return made

    def inside(self) -> tuple[ValueKind, ...]:
        """The kinds of the values."""
        return self.contents.parts

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with that of each value changed."""
        return replace(self, contents=replace(self.contents, parts=tuple(map(change, self.contents.parts))))

    def copied_lists(self, value: object) -> list[Any]:
        """The dict itself, and what is copied with it."""
        if not is_dict_tree(value):
            return []
        pairs = zip(value.values(), self.contents.parts, strict=False)
        return [value, *(one for part, kind in pairs for one in kind.copied_lists(part))]

    def in_list(self) -> ValueKind:
        """Refused: a list of the graph holds dicts that are rows of a table."""
        refuse_element({})

    def as_rows(self) -> ValueKind:
        """The kind of a row in the table of the dicts made at these sites."""
        if not self.sites or self.word is not dict:
            return self
        names = self._keys() or ()
        pairs = zip(names, self.contents.parts, strict=True)
        types = tuple(
            checked_field(part.without_flags().as_rows(), field_path(dict, name)) for name, part in pairs
        )
        sites = require_trace().objects.sites
        return RowOf(sites.learn(self.sites, RecordKind.of(dict, names, types), joined_kinds))


def _as_dict(kind: ValueKind) -> DictObject | None:
    """The kind of a dict by its values; ``None`` for what is no dict."""
    if isinstance(kind, DictObject):
        return kind
    is_dict = isinstance(kind, Static) and is_dict_tree(kind.value)
    return DictObject.of_dict(kind.known(), -1) if is_dict else None
