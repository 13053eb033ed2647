"""The kind of variables that are bound to an exception of the run: its number, then the values that it holds.

    except ValueError as e:
        last = e            # int64[] (which object it is), and the graph values of `e.args`

Exceptions of one class that are made in one way have one kind; others are a choice (``kinds/choice_of.py``).
What the program can do with such a value is in :mod:`autograph._src.staging.objects.kept_errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from autograph._src.articles import with_article
from autograph._src.operators.undefined import Undefined
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.choice_of import ChoiceOf
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.choosable import is_choosable
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.string_of import StringOf
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.union_of import UnionOf
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of, quoted
from autograph._src.staging.objects.kept_errors import SITE, class_of_error, is_kept, kept_error
from autograph._src.staging.objects.object_tables import joined_kinds
from autograph._src.staging.tensors.lifting import is_python_scalar
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import current_trace, require_trace, staging_error
from autograph._src.staging.trace.exception_parts import chain, chained, put, remade
from autograph._src.staging.trace.object_sites import RecordKind
from autograph._src.staging.trace.record_trees import class_of, label_of
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.restarts import begin_again_with_objects
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.nodes_of_call import Nodes

_DEEPEST = 2
"""How many causes and contexts an exception may have: a loop may chain each to the one before."""


@dataclass(frozen=True)
class ExceptionOf(ValueKind):
    """The kind of a variable that is bound to an exception of the run.

    Attributes:
        label: Identifies the class.
        names: The names of the attributes.
        contents: The kind of the number, the arguments, the attributes, the cause and the context.
        is_suppressed: Whether the context is not shown.
        of_class: The class.
    """

    label: object
    names: tuple[str, ...]
    contents: TupleOf
    is_suppressed: bool
    of_class: type[BaseException] = field(compare=False)

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ExceptionOf | None:
        """The kind of what stands for an exception of the run, or of one that was made in the block."""
        if not issubclass(type(value), BaseException):
            return None
        assert isinstance(value, BaseException)
        if is_kept(value):
            return cls.of_error(value)
        is_made = serial is not None and require_trace().journal.serial_of(value) > serial
        return cls.of_error(value) if is_made else None

    @classmethod
    def of_error(cls, error: BaseException) -> ExceptionOf | None:
        """The kind of any exception that the program has made; ``None`` if a graph cannot hold it.

        Raises:
            Learned: If there is no table of exceptions yet.
        """
        trace = current_trace()
        if trace is None or trace.builder.value_types or not holds(error, 0):
            return None
        objects = trace.objects
        objects.sites.learn((SITE,), RecordKind.of(BaseException, (), ()), joined_kinds)
        begin_again_with_objects()
        if objects.errors.number_of(error) is None:
            return None
        names, contents = tuple(objects.errors.parts_of(error)[1]), kind_of(contents_of(error)).as_rows()
        if not isinstance(contents, TupleOf):
            return None
        kind = class_of_error(error)
        return cls(label_of(kind), names, contents, error.__suppress_context__, kind)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind of exceptions that are made in one way; ``None`` for others."""
        if isinstance(left, Static) and isinstance(right, Static) and left.value is right.value:
            return None
        one, other = as_error(left), as_error(right)
        for kind, found, path in ((left, one, where[0]), (right, other, where[1])):
            if found is None and _is_error(kind):
                _refuse(name, kind.known(), path)
        if one is None or other is None or one.way() != other.way():
            return None
        contents = join(name, one.contents, other.contents, where)
        assert isinstance(contents, TupleOf)
        return replace(other, contents=contents)

    @classmethod
    def of_object(cls, value: object) -> ValueKind | None:
        """The kind of an exception that the program has made."""
        is_error = issubclass(type(value), BaseException)
        return cls.of_error(value) if is_error else None  # type: ignore[arg-type]

    def in_words(self) -> str:
        """The class."""
        return f"a {class_of(self.of_class).__name__}"

    def graph_types(self) -> list[GraphType]:
        """The types of the number and of all values."""
        return self.contents.graph_types()

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The number and all values."""
        if isinstance(value, Undefined):
            return self.contents.pack(value, reads)
        assert isinstance(value, BaseException)
        require_trace().objects.errors.keep(value)
        return self.contents.pack(contents_of(value), reads)

    def unpack(self, values: list[Value], name: str) -> BaseException:
        """What stands for the exception."""
        number, *contents = self.contents.unpack(values, name)
        made = kept_error(self.of_class, number, tuple(contents), self.names)
        put(made, "__suppress_context__", self.is_suppressed)
        return made

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain exceptions: one object for each number."""
        known = getattr(columns, "errors", {})
        return [self._plain(row, known) for row in self.contents.plain(columns, nodes)]

    def way(self) -> Hashable:
        """What all exceptions share that are made in one way."""
        return "exception", self.label, self.names, self.is_suppressed, _manner(self.contents)

    def _plain(self, row: tuple[Any, ...], known: dict[int, BaseException]) -> BaseException:
        number, args, state, cause, context = row
        if number not in known:
            made = known[number] = remade(self.of_class, args, dict(zip(self.names, state, strict=True)))
            chain(made, "__cause__", cause)
            chain(made, "__context__", context)
            put(made, "__suppress_context__", self.is_suppressed)
        return known[number]

    def inside(self) -> tuple[ValueKind, ...]:
        """The kind of the values."""
        return (self.contents,)

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with that of each value changed."""
        return replace(self, contents=replace(self.contents, parts=tuple(map(change, self.contents.parts))))

    def copied_lists(self, value: object) -> list[Any]:
        """The exception itself: a write to it is not seen where its values are kept."""
        is_own = issubclass(type(value), BaseException) and not is_kept(value)
        return [value] if is_own else []

    def in_list(self) -> ValueKind:
        """The kind itself: what an exception holds has no parts that change."""
        return self

    def as_rows(self) -> ValueKind:
        """The kind itself."""
        return self


def _is_error(kind: ValueKind) -> bool:
    return isinstance(kind, Static) and issubclass(type(kind.value), BaseException)


def _refuse(name: str, error: BaseException, path: str) -> NoReturn:
    """Refuses an exception that a variable is bound to, which no graph can hold (AG131)."""
    trace = current_trace()
    called = f"{quoted(name)} is {with_article(class_of_error(error).__name__)} {path},"
    if trace is not None and not trace.journal.was_created(error):
        raise staging_error(
            "AG131",
            f"{called} which the function has not made, and something else on another path",
            "bind it to one that the function makes: `ValueError(...)`",
        )
    raise staging_error(
        "AG131",
        f"{called} which holds more than numbers, texts and exceptions, and something else on another path",
        "keep what the exception holds in variables of their own, or give it numbers and texts",
    )


def as_error(kind: ValueKind) -> ExceptionOf | None:
    """The kind of an exception by its values; ``None`` for what is none, or cannot be held so."""
    if _is_error(kind):
        return ExceptionOf.of_error(kind.known())
    return kind if isinstance(kind, ExceptionOf) else None


def contents_of(error: BaseException) -> tuple[Any, ...]:
    """The number of an exception, its arguments, its attributes, its cause and its context."""
    errors = require_trace().objects.errors
    number, (args, state) = errors.number_of(error), errors.parts_of(error)
    kept = tuple(map(_as_kept, args)), tuple(map(_as_kept, state.values()))
    return number, *kept, chained(error, "__cause__"), context_of(error)


def _as_kept(value: object) -> object:
    """A text that the graph makes for an exception as a string like any other."""
    return value.as_string() if has_own(value, "as_string") else value


def context_of(error: BaseException) -> Any:
    """The context of an exception, without what this package or the caller of the function is handling."""
    found = chained(error, "__context__")
    while isinstance(found, NOT_OF_THE_PROGRAM):
        found = chained(found, "__context__")
    return None if found is require_trace().handled else found


def holds(value: Any, depth: int) -> bool:
    """Whether a graph can hold a value as a part of an exception: no part of it may change."""
    kind = type(value)
    if issubclass(kind, BaseException):
        if depth > _DEEPEST or not require_trace().journal.was_created(value):
            return False
        args, state = require_trace().objects.errors.parts_of(value)
        parts = (*args, *state.values(), chained(value, "__cause__"), context_of(value))
        return all(holds(one, depth + 1) for one in parts)
    if issubclass(kind, tuple):
        return (kind is tuple or hasattr(kind, "_fields")) and all(holds(one, depth) for one in tuple(value))
    if issubclass(kind, Tensor):
        return value.form is not Form.ARRAY
    if issubclass(kind, StagedOptional):
        return holds(value.value, depth)
    if issubclass(kind, StagedChoice):
        return all(holds(value.ag_at(place), depth) for place in range(value.ag_count()))
    if issubclass(kind, StagedUnion):
        return all(one.leaf.is_scalar() for one in value.ag_alternatives)
    is_number = is_python_scalar(value) or isinstance(value, np.generic)
    return is_number or issubclass(kind, StagedString) or is_choosable(value)


def _manner(kind: ValueKind) -> Hashable:
    """What tells two values apart that are held in different places, as a number and a text are."""
    if isinstance(kind, Static):
        value = kind.value
        if is_python_scalar(value) or isinstance(value, np.number):
            return "number"
        return "text" if type(value) is str else ("constant", type(value).__name__)
    if isinstance(kind, (NumberKind, UnionOf)):
        return "number"
    if isinstance(kind, StringOf):
        return "text of the run", kind.manner()
    if isinstance(kind, ChoiceOf):
        texts = all(isinstance(one.value, str) for one in kind.entries if one.kind is None)
        return "text" if texts and all(one.kind is None for one in kind.entries) else "choice"
    if isinstance(kind, ExceptionOf):
        return kind.way()
    if isinstance(kind, TupleOf):
        return kind.kind.__name__, *map(_manner, kind.parts)
    return type(kind).__name__
