"""Rebuilds plain Python values from the arrays of a run, for ``print``, ``assert`` and exceptions.

    print(best, [x, y], point)      # one reader for each argument, from arrays to the plain value

>>> template = Template()
>>> template.reader(("of plain values", [1, None]))([])
('of plain values', [1, None])
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.articles import with_article
from autograph._src.backends.protocol import backend_of
from autograph._src.dict_classes import dict_of, dict_word, is_dict_tree
from autograph._src.own_attributes import has_own
from autograph._src.policy import is_user_class
from autograph._src.staging.complex.complex_tensor import ComplexTensor, plain_complex
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.choosable import is_choosable
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.staged_iterable import refusal_of_text
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor, plain_narrow
from autograph._src.staging.objects.kept_errors import class_of_error, is_kept
from autograph._src.staging.objects.named_values import NamedValue
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.objects.object_results import Outputs, StoredTables, leaving
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.plain_values import plain_value
from autograph._src.staging.tensors.staged_strings import StagedString, Taken
from autograph._src.staging.tensors.string_operations import converted
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import current_trace, is_foreign, require_trace, staging_error
from autograph._src.staging.trace.exception_parts import chain, chained, parts_of, put, remade
from autograph._src.staging.trace.record_classes import field_names
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.sites import words_of
from autograph._src.staging.wide.wide_int import WideInt, plain_wide
from autograph.errors import StagingError

Values = list[NDArray[Any]]
"""The arrays that the graph hands over."""


class RunText(StagedString):
    """The text of an exception that only the run makes: `list.remove(x): x not in list`, say.

    Attributes:
        make: Makes the exception, from the operands' arrays.
        operands: The operands.
        _key: What identifies the place that raises it.
    """

    __slots__ = ("_key", "make", "operands")

    def __init__(
        self, make: Callable[[Values], BaseException], operands: list[Tensor], key: Hashable = None
    ) -> None:
        super().__init__(())
        self.make = make
        self.operands = operands
        self._key = key

    def as_string(self) -> StagedString:
        """A string like any other, of which each recording of one place gives the same kind."""
        values = tuple(one.read() for one in self.operands)
        types = tuple(map(str, map(require_trace().builder.type_of, values)))
        known, make = require_trace().remembered, self.make
        read = known.setdefault(("text", self._key, types), lambda arrays: make(arrays).args[0])
        return StagedString(((Taken(values, read), None, ""),))


class Template:
    """How to rebuild plain values from the arrays that a graph hands over.

    Attributes:
        operands: The graph values that the readers need; their arrays come in this order.
    """

    def __init__(self, *, gives_values: bool = False) -> None:
        """Make one.

        Args:
            gives_values: Whether the program gets the values themselves, as from an exception, and not only
                their text.
        """
        self.operands: list[Value] = []
        self._gives_values = gives_values

    def readers(self, values: tuple[Any, ...]) -> tuple[list[Callable[[Values], Any]], list[str]]:
        """A reader for each value, and each value as text."""
        readers, words = [], []
        for value in values:
            begin = len(self.operands)
            readers.append(self.reader(value))
            words.append(said(value, range(begin, len(self.operands))))
        return readers, words

    def reader(self, value: object) -> Callable[[Values], Any]:
        """A function from the operands' arrays to the plain value."""
        if isinstance(value, ComplexTensor):
            kind, readers = value.form, [self.reader(part) for part in value.parts]
            return lambda arrays: plain_complex(kind, *(read(arrays) for read in readers))
        if isinstance(value, NarrowTensor):
            kind, dtype, read_part = value.form, value.dtype, self.reader(value.part)
            return lambda arrays: plain_narrow(kind, read_part(arrays), dtype)
        if isinstance(value, WideInt):
            read_bits = self.reader(value.whole())
            return lambda arrays: plain_wide(read_bits(arrays))
        if isinstance(value, Tensor):
            position, kind = len(self.operands), value.form
            self.operands.append(value.read())
            return lambda arrays: plain_value(kind, np.asarray(arrays[position]))
        if is_foreign(value):
            position = len(self.operands)
            self.operands.append(value)
            return lambda arrays: arrays[position]
        if isinstance(value, StagedOptional):
            is_present, read = self.reader(value.present), self.reader(value.value)
            return lambda arrays: read(arrays) if is_present(arrays) else None
        if type(value) is StagedUnion:
            which = self.reader(value.ag_tag)
            ways = [self.reader(value.ag_at(place)) for place in range(len(value.ag_alternatives))]
            return lambda arrays: ways[which(arrays)](arrays)
        if isinstance(value, RunText):
            return self._text_reader(value)
        if type(value) is StagedChoice:
            code = self.reader(value.ag_code)
            of_codes = {
                one.code: self.reader(value.ag_at(place)) for place, one in enumerate(value.ag_entries)
            }
            return lambda arrays: of_codes[code(arrays)](arrays)
        if isinstance(value, Taken):
            begin, end = len(self.operands), len(self.operands) + len(value.operands)
            self.operands += value.operands
            return lambda arrays: value.read(arrays[begin:end])
        if isinstance(value, StagedElements):
            return self._list_reader(value)
        if isinstance(value, StagedString):
            pieces = [self._piece(part) for part in value.parts]
            return lambda arrays: "".join(piece(arrays) for piece in pieces)
        if has_own(value, "require_text"):  # A set, whose text shows its order.
            value.require_text()
        if _is_of_program(value):
            return self._sequence_reader(value)
        if isinstance(value, tuple):
            make = getattr(type(value), "_make", tuple)  # of a `NamedTuple`
            readers = [self.reader(element) for element in value]
            return lambda arrays: make(read(arrays) for read in readers)
        if is_reference(value):
            return self._object_reader(value)
        if has_own(value, "choice") and value.choice is not None:
            return self._choice_reader(value.choice)
        if isinstance(value, StagedList):
            return self._list_reader(value.current())
        if type(value) is GrownTuple:
            read_list = self._list_reader(value.ag_elements)
            return lambda arrays: tuple(read_list(arrays))
        if isinstance(value, list):
            readers = [self.reader(element) for element in value]
            return lambda arrays: [read(arrays) for read in readers]
        if is_dict_tree(value):
            word, keys = dict_word(value), tuple(value)
            readers = [self.reader(element) for element in value.values()]
            return lambda arrays: dict_of(word, zip(keys, (read(arrays) for read in readers), strict=True))
        if isinstance(value, np.ndarray):
            return self.reader(lift(value))
        if isinstance(value, NamedValue):
            interned, read_number = value.interned, self.reader(value.number)
            return lambda arrays: interned.value(read_number(arrays))
        if isinstance(value, StagedNode):
            raise staging_error("AG120", f"the text of a {value.ag_forest}", "print its fields")
        if backend_of(value) is not None:
            raise refusal_of_text(getattr(value, "kind", "iterator"))
        if isinstance(value, BaseException) and (holds_staged(value, ()) or is_kept(value)):
            return self._exception_reader(value)
        if holds_staged(value, ()) or _may_be_written(value):
            return self._made_reader(value)
        _require_plain_text(value)
        return lambda arrays: value

    def _text_reader(self, text: RunText) -> Callable[[Values], str]:
        begin = len(self.operands)
        self.operands += [one.read() for one in text.operands]
        end, make = len(self.operands), text.make
        return lambda arrays: make(arrays[begin:end]).args[0]

    def _exception_reader(self, error: BaseException) -> Callable[[Values], BaseException]:
        """Reads an exception; without its cause and its context, if the program only gets its text."""
        kind, (args, state) = class_of_error(error), parts_of(error)
        readers = [self.reader(one) for one in args]
        named = {name: self.reader(one) for name, one in state.items()}
        linked = {name: chained(error, name) for name in ("__cause__", "__context__") if self._gives_values}
        around = {name: self.reader(one) for name, one in linked.items() if one is not None}
        is_suppressed = error.__suppress_context__

        def read_error(arrays: Values) -> BaseException:
            made = remade(
                kind,
                tuple(read(arrays) for read in readers),
                {name: read(arrays) for name, read in named.items()},
            )
            for name, read in around.items():
                chain(made, name, read(arrays))
            put(made, "__suppress_context__", is_suppressed)
            return made

        return read_error

    def _made_reader(self, value: object) -> Callable[[Values], Any]:
        """Reads an object with staged attributes: each run makes a similar object, which prints alike."""
        kind, is_the_callers = type(value), _is_from_outside(value)
        if is_the_callers and self._gives_values:
            if require_trace().callers_objects.writes:
                return lambda arrays: value  # Python raises the exception: the call runs again.
            raise _not_at_hand(kind.__name__)
        if is_the_callers and _text_is_address(kind):
            raise staging_error(
                "AG120",
                f"the text of a {kind.__name__} is its address, which differs",
                "print its attributes",
            )
        readers = {name: self.reader(one) for name, one in attributes_of(value).items()}

        def read(arrays: Values) -> Any:
            made = object.__new__(kind)
            for name, read_attribute in readers.items():
                object.__setattr__(made, name, read_attribute(arrays))
            return made

        return read

    def _sequence_reader(self, value: Any) -> Callable[[Values], Any]:
        """Reads a list or a tuple of a class of the program: each run makes a similar one, for its text."""
        kind, base = type(value), list if isinstance(value, list) else tuple
        elements = [self.reader(one) for one in base.__iter__(value)]
        readers = {name: self.reader(one) for name, one in attributes_of(value).items()}

        def read(arrays: Values) -> Any:
            items = [of_element(arrays) for of_element in elements]
            made = list.__new__(kind) if base is list else tuple.__new__(kind, items)
            if base is list:
                list.extend(made, items)
            for name, read_attribute in readers.items():
                object.__setattr__(made, name, read_attribute(arrays))
            return made

        return read

    def _choice_reader(self, choice: Any) -> Callable[[Values], Any]:
        """Reads a value that is one of several lists."""
        which, ways = self.reader(choice.place), [self.reader(one) for one in choice.lists]
        if self._gives_values and any(map(_is_given, choice.lists)):
            raise _not_at_hand("list")
        return lambda arrays: ways[int(which(arrays))](arrays)

    def _list_reader(self, contents: StagedElements) -> Callable[[Values], Any]:
        if contents.element.holds_nodes():
            raise staging_error("AG120", f"the text of nodes in `{contents.name}`", "print their fields")
        begin, stored = len(self.operands), StoredTables(contents.element.tables())
        self.operands += [*stored.outputs, *(part for one in contents.read() for part in leaving(one))]

        def read(arrays: Values) -> list[Any]:
            outputs = Outputs(iter(arrays[begin:]))
            stored.load(outputs)
            return contents.element.plain(outputs)

        return read

    def _object_reader(self, value: Any) -> Callable[[Values], Any]:
        begin, number = len(self.operands), value.ag_table.number
        stored = StoredTables([number])
        self.operands += [*stored.outputs, value.ag_row.read()]

        def read(arrays: Values) -> Any:
            outputs = Outputs(iter(arrays[begin:]))
            stored.load(outputs)
            return outputs.objects[number][int(next(outputs))]

        return read

    def _piece(self, part: str | tuple[Any, str | None, str]) -> Callable[[Values], str]:
        if isinstance(part, str):
            return lambda arrays: part
        value, conversion, spec = part
        read = self.reader(value)
        return lambda arrays: converted(read(arrays), conversion, spec)


def taken(value: object) -> object:
    """A value of a string: what can change as it is now, with its graph values of this time.

    text = f"{xs}"
    xs.append(1)        # not in the text
    """
    if _is_settled(value):
        return value
    template = Template()
    read = template.reader(value)
    return Taken(tuple(template.operands), read)


def _is_settled(value: object) -> bool:
    """Whether nothing can change a value: a number, a constant or a string."""
    if isinstance(value, Tensor):
        return value.form is not Form.ARRAY
    if type(value) is StagedUnion:
        return all(one.leaf.part.form is not Form.ARRAY for one in value.ag_alternatives)
    if isinstance(value, StagedOptional):
        return value.value is None or _is_settled(value.value)
    if type(value) is tuple:
        return all(map(_is_settled, value))
    is_plain = type(value) in (bool, int, float, complex) or isinstance(value, np.generic)
    return is_plain or type(value) in (StagedString, StagedChoice) or is_choosable(value)


def said(value: object, operands: range | None = None) -> str:
    """A value as text, with placeholders for its operands; without operands staged parts are `…`."""
    if isinstance(value, StagedString):
        staged = [part for part in value.parts if not isinstance(part, str)]
        if operands is None or len(staged) == len(operands):
            numbers = iter(() if operands is None else operands)
            pieces = (part if isinstance(part, str) else f"{{{next(numbers, '…')}}}" for part in value.parts)
            return repr("".join(pieces))
    if operands is None and (backend_of(value) is not None or is_reference(value)):
        return "{…}"
    return words_of(value, operands or range(0))


def _may_be_written(value: object) -> bool:
    """Whether an object of the caller may be another one when the text is made than while it is traced."""
    kind, trace = type(value), current_trace()
    if trace is None or not trace.callers_objects.writes or isinstance(value, (type, BaseException)):
        return False
    return is_user_class(kind) and not _text_is_address(kind) and bool(attributes_of(value))


def _is_of_program(value: object) -> bool:
    """Whether a value is a list or a tuple of a class of the program, whose text may be its own."""
    kind = type(value)
    return issubclass(kind, (list, tuple)) and is_user_class(kind) and not hasattr(kind, "_make")


def _text_is_address(kind: Any) -> bool:
    return kind.__repr__ is object.__repr__ and kind.__str__ is object.__str__


def _require_plain_text(value: object) -> None:
    """Refuses an object of a library with a staged value in its text, of which no run can make another.

    ``print(SimpleNamespace(x=staged))`` would show what stands for the value.

    Raises:
        StagingError: If it is one (AG120).
    """
    if is_user_class(type(value)) or isinstance(value, (str, bytes, int, float, type, FunctionType)):
        return
    try:
        f"{value}{value!r}"
    except StagingError:
        kind = type(value).__name__
        what = f"the text of {with_article(kind)} with a staged value in it"
        raise staging_error("AG120", what, "show the values that it holds, one by one") from None
    except Exception:  # The run raises it.
        return


def _not_at_hand(kind: str) -> StagingError:
    return staging_error(
        "AG120",
        f"an exception that a graph raises cannot hold the caller's own {kind}",
        "give it what is in there: `raise ValueError(point.x)`",
    )


def _is_given(value: object) -> bool:
    return id(value) in require_trace().given


def _is_from_outside(value: object) -> bool:
    """Whether an object is an argument, or existed before the call."""
    return _is_given(value) or require_trace().surroundings.is_outside(value)


def attributes_of(value: object) -> dict[str, Any]:
    """The attributes of an object itself, without those of its class."""
    names = dict.fromkeys((*field_names(value), *getattr(value, "__dict__", ())))
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def holds_staged(value: object, around: tuple[Any, ...]) -> bool:
    """Whether a value is staged, or is a container or an object of the program that holds a staged one."""
    if backend_of(value) is not None or is_reference(value):
        return True
    if any(value is one for one in around):
        return False
    inside = (*around, value)
    if isinstance(value, (list, tuple)):
        return isinstance(value, StagedList) or any(holds_staged(one, inside) for one in tuple(value))
    if is_dict_tree(value):
        return any(holds_staged(one, inside) for one in value.values())
    if isinstance(value, np.ndarray):
        return value.dtype == object and any(holds_staged(one, inside) for one in value.flat)
    if isinstance(value, StagedString):
        return True
    if isinstance(value, BaseException):
        args, state = parts_of(value)
        return any(holds_staged(one, inside) for one in (*args, *state.values()))
    if not is_user_class(type(value)) or isinstance(value, type):
        return False
    return any(holds_staged(one, inside) for one in attributes_of(value).values())
