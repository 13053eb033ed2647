"""The kind of variables that are one of a few constants: a code, then what only the run knows.

    label = "none"          # int64[] (the code)
    label = x               # int64[] (the code), float64[]: the number beside the string

A constant has one code in all of a recording, so a wider choice takes the codes of a narrower one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.choices import MOST, Entry, StagedChoice
from autograph._src.staging.kinds.choosable import is_choosable
from autograph._src.staging.kinds.flagged import FLAG, FlaggedKind, flag_of
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.optional_of import OptionalOf
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.static import Static, same_static
from autograph._src.staging.kinds.string_of import StringOf
from autograph._src.staging.kinds.unbound import Unbound
from autograph._src.staging.kinds.union_of import UnionOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of, quoted
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import current_trace, require_trace, staging_error
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes

CODE: GraphType = ("int64", [])
"""The graph type of the code that says which a value is."""

MOST_STRINGS = 4
"""The most ways in which a string of the run is made, for the same reason as ``MOST``."""

MOST_TEXT = 10_000
"""The most characters of all constants together: `s = s + s` in a loop doubles them in each recording."""

_NUMBERS = ("numbers",)
"""What stands for all numbers in the table of codes: a choice has one slot for them."""


@dataclass(frozen=True)
class ChoiceOf(FlaggedKind):
    """The kind of a variable that is one of a few constants; see ``kinds/choices.py``.

    Attributes:
        entries: What it may be, by code.
        may_be_unbound: Whether the kind has a flag.
    """

    entries: tuple[Entry, ...]
    may_be_unbound: bool = False
    is_parameter = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ChoiceOf | None:
        """The kind of a staged choice; ``None`` for other values."""
        if type(value) is not StagedChoice:
            return None
        return cls(value.ag_entries, value.ag_bound is not None)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins constants with constants, numbers and unbound variables."""
        trace = current_trace()
        if trace is None or trace.builder.value_types:
            return None  # Another library's values are not numbered.
        if isinstance(left, Static) and isinstance(right, Static) and same_static(left.value, right.value):
            return None
        parts = [_entries_of(left), _entries_of(right)]
        if parts[0] is None or parts[1] is None or not any(map(_needs_code, (*parts[0], *parts[1]))):
            return None
        found: dict[int, Entry] = {}
        for entry in (*parts[0], *parts[1]):
            known = found.get(entry.code)
            found[entry.code] = entry if known is None else _joined(name, known, entry, where)
        are_strings = all(type(one.value) is str or isinstance(one.kind, StringOf) for one in found.values())
        of_the_run = sum(isinstance(one.kind, StringOf) for one in found.values())
        is_long = sum(len(one.value) for one in found.values() if isinstance(one.value, str)) > MOST_TEXT
        if are_strings and (len(found) > MOST or of_the_run > MOST_STRINGS or is_long):
            return None  # A string that is made longer and longer is a list of pieces.
        if of_the_run > MOST_STRINGS:
            raise staging_error(
                "AG131",
                f"{quoted(name)} is a string that is made in more than {MOST_STRINGS} ways",
                "append the pieces to a list, and join them after the statement: `''.join(pieces)`",
            )
        if len(found) > MOST or is_long:
            raise staging_error(
                "AG131",
                f"{quoted(name)} is one of more than {MOST} constants, depending on data",
                "keep a number, and look the constant up after the staged function",
            )
        unbound = any(isinstance(one, Unbound) or _is_flagged(one) for one in (left, right))
        return cls(tuple(found[code] for code in sorted(found)), unbound)

    @classmethod
    def of_constant(cls, value: object) -> ChoiceOf | None:
        """The kind of a constant as a choice of one; ``None`` if no choice can hold it."""
        trace = current_trace()
        is_one = trace is not None and not trace.builder.value_types and value is not None
        return cls((_constant(value),)) if is_one and is_choosable(value) else None

    def in_words(self) -> str:
        """A few of the constants."""
        words = [Static(one.value).in_words() for one in self.entries if one.kind is None]
        words += [one.kind.in_words() for one in self.entries if one.kind is not None]
        words = list(dict.fromkeys(words))
        return " or ".join(words[:3]) + (" or another" if len(words) > 3 else "")

    def graph_types(self) -> list[GraphType]:
        """The code, what only the run knows, and the flag if there is one."""
        held = [one for entry in self.entries if entry.kind is not None for one in entry.kind.graph_types()]
        return [CODE, *held, FLAG] if self.may_be_unbound else [CODE, *held]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The code, what only the run knows, and the flag if there is one."""
        code, held = self._split(value)
        values = [code.read()]
        for entry in self.entries:
            if entry.kind is not None:
                values += entry.kind.pack(held.get(entry.code, Undefined("")), reads)
        if not self.may_be_unbound:
            return values
        flag = flag_of(value)
        is_bound = constant(not isinstance(value, Undefined), "bool") if flag is None else flag
        return [*values, is_bound.read()]

    def _split(self, value: object) -> tuple[Tensor, dict[int, Any]]:
        """The code of a value, and by code what only the run knows of it."""
        if isinstance(value, Undefined):
            return _code(0), {}
        if type(value) is StagedChoice:
            return value.ag_code, value.ag_held
        if isinstance(value, StagedOptional):
            numbers = next((one.code for one in self.entries if one.kind is not None), 0)
            codes = _code(numbers), _code(_code_of(None))
            chosen = emit("select", value.present.read(), *(one.read() for one in codes))
            return wrap(chosen, Form.PYTHON), {} if value.value is None else {numbers: value.value}
        if is_choosable(value):
            return _code(_code_of(value)), {}
        (entry,) = _entries_of(kind_of(value)) or (Entry(-1),)
        return _code(entry.code), {entry.code: value}

    def unpack(self, values: list[Value], name: str) -> StagedChoice:
        """The staged choice."""
        code = wrap(values.pop(0), Form.PYTHON)
        held = {
            entry.code: entry.kind.unpack(values, name) for entry in self.entries if entry.kind is not None
        }
        choice = StagedChoice(self.entries, code, held, name)
        if self.may_be_unbound:
            choice.ag_bound = wrap(values.pop(0), Form.PYTHON)
        return choice

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain elements: each the constant, or the value, of its code."""
        codes = next(columns)
        held = {
            entry.code: _plain_where(codes == entry.code, entry.kind, columns, nodes)
            for entry in self.entries
            if entry.kind is not None
        }
        if self.may_be_unbound:
            next(columns)  # An element of a list is bound.
        constants = {entry.code: entry.value for entry in self.entries if entry.kind is None}
        # Where an element is `None`, its code is none of these, and nothing reads what it gives.
        other = next(iter(constants.values()), "")
        return [next(held[code]) if code in held else constants.get(code, other) for code in codes.tolist()]

    def array(self, arrays: Arrays) -> Any:
        """Refused: NumPy would make an array of strings or of objects."""
        raise arrays.refusal("strings, or other constants that depend on data")

    def inside(self) -> tuple[ValueKind, ...]:
        """The kinds of what only the run knows, and the constants."""
        return tuple(Static(entry.value) if entry.kind is None else entry.kind for entry in self.entries)

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with those of what only the run knows changed."""
        entries = [one if one.kind is None else replace(one, kind=change(one.kind)) for one in self.entries]
        return replace(self, entries=tuple(entries))

    def is_renumbered(self) -> bool:
        """Whether a wider kind may hold its values in other slots."""
        return any(entry.kind is not None for entry in self.entries)

    def without_flags(self) -> ValueKind:
        """The kind without its own flag."""
        return replace(self, may_be_unbound=False)

    def copied_lists(self, value: object) -> list[Any]:
        """What a choice copies of the value that it may be."""
        if type(value) is StagedChoice:
            return []
        return [one for entry in self.entries if entry.kind for one in entry.kind.copied_lists(value)]

    def in_list(self) -> ValueKind:
        """The kind, with those of what only the run knows as elements."""
        return self.with_inside(lambda part: part.in_list())

    def as_rows(self) -> ValueKind:
        """The kind, with those of what only the run knows as elements."""
        return self.with_inside(lambda part: part.as_rows())


def _plain_where(
    is_held: NDArray[Any], kind: ValueKind, columns: Iterator[NDArray[Any]], nodes: Nodes | None
) -> Iterator[Any]:
    """The plain elements of a kind, of the rows that hold such."""
    taken = [next(columns) for _ in kind.graph_types()]
    held = [one[is_held] for one in taken]
    # What a run gives knows its objects, of which each is made once.
    part = getattr(columns, "part", iter)
    return iter(kind.plain(part(held), nodes))


def _code(number: int) -> Tensor:
    return constant(number, "int64", Form.PYTHON)


def _code_of(value: object) -> int:
    return require_trace().facts.chosen.number(value)


def _constant(value: object) -> Entry:
    return Entry(_code_of(value), None, value)


def _needs_code(entry: Entry) -> bool:
    """Whether no other kind joins it with numbers: a constant but ``None``, or a string of the run."""
    is_of_choices = entry.kind is not None and entry.kind.way() is not None
    return entry.value is not None or isinstance(entry.kind, StringOf) or is_of_choices


def _is_flagged(kind: ValueKind) -> bool:
    return kind.where_bound()[1]


def _entries_of(kind: ValueKind) -> tuple[Entry, ...] | None:
    """What a variable of this kind may be; ``None`` if a choice cannot hold it."""
    if isinstance(kind, Unbound):
        return ()
    if isinstance(kind, ChoiceOf):
        return kind.entries
    if isinstance(kind, StringOf):
        return None if kind.is_grown() else (Entry(_code_of(("string", *kind.manner())), kind),)
    if isinstance(kind, Static) and issubclass(type(kind.value), BaseException):
        kind = kind.as_rows()
    if kind.way() is not None:
        return (Entry(_code_of(kind.way()), kind),)
    if isinstance(kind, Static):
        return (_constant(kind.value),) if is_choosable(kind.value) else None
    if isinstance(kind, OptionalOf):
        inner = () if kind.inner is None else _entries_of(kind.inner)
        return None if inner is None else (_constant(None), *inner)
    bound = kind.where_bound()[0]
    if isinstance(bound, (NumberKind, UnionOf)):
        number = bound.with_constants(None) if isinstance(bound, NumberKind) else bound
        return (Entry(_code_of(_NUMBERS), number),)
    return None


def _joined(name: str, one: Entry, other: Entry, where: Paths) -> Entry:
    """One entry for two with one code."""
    if one.kind is None or other.kind is None:
        return one
    return replace(one, kind=join(name, one.kind, other.kind, where))
