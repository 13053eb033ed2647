"""Effects of a running graph: ``print``, ``assert``, ``raise``, and the strings they show.

The graph hands the values to Python, which formats them as it would have formatted the originals:
every digit that a staged ``print`` shows is CPython's own.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph.backends.protocol import backend_of
from autograph.errors import GraphRuntimeError, StagingError
from autograph.staging.complex_tensor import ComplexTensor, plain_complex
from autograph.staging.frames import here, is_internal_file
from autograph.staging.list_contents import StagedElements
from autograph.staging.plain_values import plain_value
from autograph.staging.python_scalars import truth
from autograph.staging.references import is_reference
from autograph.staging.tensor import Tensor, emit, lift, require_trace
from autograph.staging.trace import staging_error
from autograph.staging.traced_list import StagedList

Values = list[NDArray[Any]]

_CONVERSIONS: dict[str | None, Callable[[Any], Any]] = {
    None: lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}


class StagedString:
    """A string with staged values in it: it can be printed and be an error's message.

    Attributes:
        type_name: What messages call it.
        parts: Plain strings, and fields of a tensor or a container of some, a conversion and a format
            specification.
    """

    __slots__ = ("parts",)

    type_name = "string with staged values in it"

    def __init__(self, parts: tuple[str | tuple[Any, str | None, str], ...]) -> None:
        self.parts = parts

    def _refuse(self, *_: Any) -> Any:
        raise text_needed()

    __str__ = __repr__ = __len__ = __iter__ = __hash__ = _refuse
    __contains__ = __getitem__ = __mul__ = __rmul__ = __mod__ = __rmod__ = _refuse
    __bool__ = __int__ = __float__ = __index__ = __bytes__ = __fspath__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __eq__(self, other: object) -> bool:
        return bool(self._refuse())

    def __ne__(self, other: object) -> bool:
        return bool(self._refuse())

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """For code of the user it is a string: `match s: case str():` asks in C."""
        return type(self) if is_internal_file(sys._getframe(1).f_code.co_filename) else str

    def __getattr__(self, name: str) -> Any:
        if not hasattr(str, name):
            raise AttributeError(f"'str' object has no attribute '{name}'")
        if name.startswith("__"):
            raise AttributeError(name)  # Code that is not the program's asks for it.
        raise text_needed(f"`.{name}` of")

    def __add__(self, other: Any) -> StagedString:
        return join_strings((self, other))

    def __radd__(self, other: Any) -> StagedString:
        return join_strings((other, self))

    def __format__(self, spec: str) -> str:
        return str(self._refuse())


def text_needed(use: str = "the text of") -> StagingError:
    """The refusal of a use of a string that needs its characters."""
    return staging_error(
        "AG101",
        f"{use} a string with staged values in it is needed while tracing",
        "such a string can be given to `print`, `assert` and exceptions only: return the values and make the"
        " string outside the staged function",
    )


def join_strings(parts: tuple[Any, ...]) -> StagedString:
    """Strings, plain and staged, one after the other."""
    joined: list[Any] = []
    for part in parts:
        joined += part.parts if isinstance(part, StagedString) else [part]
    return StagedString(tuple(joined))


class Template:
    """How to make a plain value again when the graph hands over what it computed.

    Attributes:
        operands: The graph values it needs.
    """

    def __init__(self) -> None:
        self.operands: list[int] = []

    def reader(self, value: Any) -> Callable[[Values], Any]:
        """A function from the operands' arrays to the plain value."""
        from autograph.staging.named_values import NamedValue
        from autograph.staging.nodes import StagedNode
        from autograph.staging.optionals import StagedOptional
        from autograph.staging.unions import StagedUnion

        if isinstance(value, ComplexTensor):
            kind, readers = value.kind, [self.reader(part) for part in value.parts]
            return lambda arrays: plain_complex(kind, *(read(arrays) for read in readers))
        if isinstance(value, Tensor):
            position, kind = len(self.operands), value.kind
            self.operands.append(value.read())
            return lambda arrays: plain_value(kind, arrays[position])
        if isinstance(value, StagedOptional):
            is_present, read = self.reader(value.present), self.reader(value.value)
            return lambda arrays: read(arrays) if is_present(arrays) else None
        if type(value) is StagedUnion:
            which = self.reader(value.ag_which)
            ways = [self.reader(value.ag_at(place)) for place in range(len(value.ag_alternatives))]
            return lambda arrays: ways[which(arrays)](arrays)
        if isinstance(value, StagedString):
            pieces = [self._piece(part) for part in value.parts]
            return lambda arrays: "".join(piece(arrays) for piece in pieces)
        if isinstance(value, tuple):
            make = getattr(type(value), "_make", tuple)  # of a `NamedTuple`
            readers = [self.reader(element) for element in value]
            return lambda arrays: make(read(arrays) for read in readers)
        if is_reference(value):
            return self._object_reader(value)
        if isinstance(value, StagedList):
            return self._list_reader(value.current())
        if isinstance(value, list):
            readers = [self.reader(element) for element in value]
            return lambda arrays: [read(arrays) for read in readers]
        if type(value) is dict:
            readers = [self.reader(element) for element in value.values()]
            return lambda arrays: dict(zip(value, (read(arrays) for read in readers), strict=True))
        if isinstance(value, np.ndarray):
            return self.reader(lift(value))
        if isinstance(value, NamedValue):
            interned, read_number = value.interned, self.reader(value.number)
            return lambda arrays: interned.value(read_number(arrays))
        if isinstance(value, StagedNode):
            raise staging_error("AG120", f"the text of a {value.ag_forest}", "print its fields")
        if backend_of(value) is not None:
            raise staging_error("AG120", f"the text of a staged {getattr(value, 'kind', 'iterator')}")
        return lambda arrays: value

    def _list_reader(self, contents: StagedElements) -> Callable[[Values], Any]:
        if contents.element.holds_nodes():
            raise staging_error("AG120", f"the text of nodes in `{contents.name}`", "print their fields")
        from autograph.staging.object_results import Outputs, StoredTables, leaving

        begin, stored = len(self.operands), StoredTables(contents.element.tables())
        self.operands += [*stored.outputs, *(part for one in contents.read() for part in leaving(one))]

        def read(arrays: Values) -> list[Any]:
            outputs = Outputs(iter(arrays[begin:]))
            stored.load(outputs)
            return contents.element.plain(outputs)

        return read

    def _object_reader(self, value: Any) -> Callable[[Values], Any]:
        from autograph.staging.object_results import Outputs, StoredTables

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
        return lambda arrays: format(_CONVERSIONS[conversion](read(arrays)), spec)


def record_print(args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Records ``print(*args, **options)``: it prints whenever the graph runs, also plain values."""
    record_call(print, *args, **options)


def record_call(function: Callable[..., Any], *args: Any, **options: Any) -> None:
    """Records a call that is made whenever the graph runs: of ``print``, of ``logging.info``."""
    template = Template()
    readers = [template.reader(argument) for argument in args]

    def call(arrays: Values) -> None:
        function(*[read(arrays) for read in readers], **options)

    require_trace().locate().print(_new_site(call), template.operands)


def record_warning(message: Any, category: type[Warning] | None) -> None:
    """Records ``warnings.warn(message, category)``, which names the user's line."""
    where = here()
    file, line = (where.file, where.line) if where is not None else ("<graph>", 1)
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    record_call(lambda text: warnings.warn_explicit(text, kind, file, line), message)


def _new_site(action: Callable[[Values], Any]) -> int:
    trace = require_trace()
    trace.sites.append(action)
    return len(trace.sites) - 1


def record_assert(test: Any, message: Callable[[], Any] | None) -> None:
    """Records ``assert test, message()``."""
    trace = require_trace()
    trace.may_raise("AssertionError")
    holds = truth(test)
    template = Template()
    readers = [] if message is None else [template.reader(message())]

    def error(arrays: Values) -> Exception:
        return AssertionError(*[read(arrays) for read in readers])

    trace.locate().check(holds.read(), "AssertionError", "", _new_site(error), template.operands)


def record_check(ok: Tensor, error: type[Exception], message: str) -> None:
    """Records that the run fails with this exception unless ``ok``."""
    emit("check", ok.read(), error.__name__, message)


def record_error_unless(ok: Tensor, error: type[Exception], *args: Any, **said: str) -> None:
    """Records that the run fails, unless ``ok``, with an exception of any class with these arguments.

    One of ours is to say its code too.
    """
    trace = require_trace()
    trace.may_raise(error.__name__)
    site = _new_site(lambda arrays: error(*args, **said))
    trace.locate().check(ok.read(), error.__name__, "", site, [])


def record_failure_of(ok: Tensor, error: type[Exception], call: Callable[..., Any], value: Any) -> None:
    """Records that the run fails, unless ``ok``, with what CPython raises in a call with this value."""
    trace = require_trace()
    trace.may_raise(error.__name__)
    template = Template()
    read = template.reader(value)

    def raised(arrays: Values) -> Exception:
        try:
            call(read(arrays))
        except error as found:
            return found.with_traceback(None)
        return error()

    trace.locate().check(ok.read(), error.__name__, "", _new_site(raised), template.operands)


def record_limit(ok: Tensor, maximum: Any) -> None:
    """Records that the run fails where a loop goes on beyond its ``maximum_iterations``."""
    template = Template()
    limit = template.reader(maximum)

    def error(arrays: Values) -> Exception:
        return GraphRuntimeError(
            f"this loop went on after {limit(arrays)} iterations, its `maximum_iterations`", code="AG206"
        )

    require_trace().locate().check(ok.read(), "RuntimeError", "", _new_site(error), template.operands)
