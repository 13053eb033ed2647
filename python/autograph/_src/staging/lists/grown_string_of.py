"""The kind of strings that a loop makes longer: a list of the graph, of the pieces that make it up.

    text = ""
    for k in range(n):          # staged
        text += f"{k}, "        # two pieces more: a field and ", "

A string has this kind where it is made in too many ways for a choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.choice_of import ChoiceOf
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.string_of import FieldOf, StringOf
from autograph._src.staging.kinds.unions import each
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, first_joined, quoted
from autograph._src.staging.lists.list_contents import StagedElements, empty, list_types, restored
from autograph._src.staging.lists.list_of import ListOf
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.string_operations import Joined
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads

_WHOLE = Joined("")

MOST_TEXTS = 8
"""The most constants that are pieces as they are."""


@dataclass(frozen=True)
class GrownStringOf(ValueKind):
    """The kind of a string as a list of its pieces.

    Attributes:
        element: The kind of the pieces.
    """

    element: ValueKind

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> GrownStringOf | None:
        """The kind of a string that is such a list; ``None`` for other values."""
        contents = _contents_of(value)
        return None if contents is None else cls(contents.element)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind of two strings of any kinds."""
        if isinstance(left, Static) and left.is_same(right):
            return None
        pieces = [_pieces_of(left), _pieces_of(right)]
        if pieces[0] is None or pieces[1] is None:
            return None
        kinds = [one.as_element() for one in _shared((*pieces[0], *pieces[1]))]
        return cls(reduce(lambda one, other: _of_both(name, one, other, where), kinds))

    def in_words(self) -> str:
        """A string."""
        return f"a {StagedString.type_name}"

    def graph_types(self) -> list[GraphType]:
        """The types of the graph lists."""
        return list_types(self.element)

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The graph lists, empty for an unbound variable."""
        contents = empty(self.element, "the string")
        if not isinstance(value, Undefined):
            contents = _with_pieces(contents, value)
        return list(contents.cast(self.element).values)

    def unpack(self, values: list[Value], name: str) -> StagedString:
        """The string."""
        return grown(restored(values, self.element, None, name))

    def is_renumbered(self) -> bool:
        """Whether the pieces are."""
        return self.element.is_renumbered()


def grown(contents: StagedElements) -> StagedString:
    """The string of pieces in a list."""
    return StagedString(((contents, _WHOLE, ""),))


def _contents_of(value: object) -> StagedElements | None:
    """The pieces of a string that is nothing but a list of them."""
    if type(value) is not StagedString or len(value.parts) != 1 or isinstance(value.parts[0], str):
        return None
    contents, conversion, _ = value.parts[0]
    return contents if isinstance(contents, StagedElements) and conversion == _WHOLE else None


def _shared(pieces: tuple[ValueKind, ...]) -> list[ValueKind]:
    """The pieces; many constants by their characters, as they may be one that is made longer."""
    texts = {one.value for one in pieces if isinstance(one, Static)}
    if len(texts) <= MOST_TEXTS:
        return [one for one in pieces if not isinstance(one, Static) or one.value] or [Static(" ")]
    rest: list[ValueKind] = [one for one in pieces if not isinstance(one, Static)]
    return [*rest, *map(Static, sorted(set("".join(texts))))]


def _of_both(name: str, one: ValueKind, other: ValueKind, where: Paths) -> ValueKind:
    """The kind of pieces of two kinds."""
    found = first_joined((StringOf, ChoiceOf), name, one, other, where)
    if found is None and not one.is_same(other):
        raise staging_error(
            "AG131",
            f"{quoted(name)} is made longer in too many ways",
            "append the pieces to a list, and join them after the statement: `''.join(pieces)`",
        )
    return one if found is None else found


def _with_pieces(contents: StagedElements, value: object) -> StagedElements:
    """A list of pieces with those of a value behind them."""
    if type(value) is StagedChoice:  # One of several strings, which have different pieces.
        found = _contents_of(each(value, lambda one: grown(_with_pieces(contents, one))))
        assert found is not None
        return found
    for part in value.parts if isinstance(value, StagedString) else (str(value),):
        if isinstance(part, str):
            for text in [part] if _is_among(part, contents.element) else part:
                contents = contents.appended(text)
        elif isinstance(part[0], StagedElements):
            contents = part[0] if contents.is_empty() else contents.followed_by(part[0])
        else:
            contents = contents.appended(StagedString((part,)))
    return contents


def _is_among(text: str, element: ValueKind) -> bool:
    """Whether a constant is one of the pieces of a kind."""
    return isinstance(element, ChoiceOf) and any(one.value == text for one in element.entries)


def _pieces_of(kind: ValueKind) -> list[ValueKind] | None:
    """The kinds of the pieces of a string; ``None`` for what may be no string."""
    if isinstance(kind, GrownStringOf):
        return [kind.element]
    if isinstance(kind, Static):
        return [kind] if type(kind.value) is str else None
    if isinstance(kind, StringOf):
        is_deeper = any(_holds_lists(one) for one in kind.inside() if not isinstance(one, ListOf))
        return None if is_deeper else [_piece_of(part) for part in kind.parts]
    if isinstance(kind, ChoiceOf) and not kind.may_be_unbound:
        found = [_pieces_of(Static(one.value) if one.kind is None else one.kind) for one in kind.entries]
        return None if None in found else [one for part in found for one in part or ()]
    return None


def _holds_lists(kind: ValueKind) -> bool:
    """Whether a list of pieces is a part of a part: ``(text + "a").upper()`` would be one in one in one."""
    return isinstance(kind, (ListOf, GrownStringOf)) or any(map(_holds_lists, kind.inside()))


def _piece_of(part: str | FieldOf) -> ValueKind:
    if isinstance(part, str):
        return Static(part)
    return part.kind.element if isinstance(part.kind, ListOf) else StringOf((part,))
