"""Strings with staged values in them, which Python builds when the graph runs.

    raise ValueError(f"{x} is over {limit}")      # the run makes the text
    return f"{x:.2f}", str(n).zfill(4)            # and so it does here

A string is the values that it is made of, as they are at this time, and what is done with them. It can be
printed, raised, returned and kept, in containers too, and made longer. What needs its characters before the
run is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from autograph._src.backends.protocol import backend_of
from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.string_operations import (
    METHODS,
    SIZES_OF,
    TEXTS_OF,
    Method,
    MethodOfValues,
    Part,
    Repeated,
)
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.frames import is_asked_by_us
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.restarts import learn_template
from autograph._src.staging.trace.statements import use_characters
from autograph.errors import StagingError


@dataclass(frozen=True, eq=False)
class Taken:
    """A container or an object in a string, as it was when the string was made.

    Attributes:
        operands: Its graph values at that time.
        read: A function from the operands' arrays to the plain value.
    """

    operands: tuple[Value, ...]
    read: Callable[[list[NDArray[Any]]], object]


@looked_at(lambda text: "str", lambda text: None, lambda text: None)
class StagedString:
    """A string with staged values in it.

    Attributes:
        type_name: Its name in messages.
        parts: Plain strings, and fields: a value that nothing can change, a conversion (``"s"``, ``"r"``,
            ``"a"``, ``None`` or an operation of ``string_operations.py``) and a format specification.
    """

    __slots__ = ("parts",)

    type_name = "string with staged values in it"

    def __init__(self, parts: tuple[str | tuple[Any, Any, str], ...]) -> None:
        self.parts = parts

    def _refuse(self, *_: object) -> Any:
        learn_template()
        raise text_needed()

    def ag_lifted(self) -> object:
        """Refused: it is no number."""
        raise text_needed()

    def ag_truth(self) -> Any:
        """``bool(self)``."""
        return use_characters("truth", self)

    __str__ = __repr__ = __len__ = __iter__ = __hash__ = _refuse
    __contains__ = __mod__ = __rmod__ = _refuse
    __bool__ = __int__ = __float__ = __index__ = __bytes__ = __fspath__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __eq__(self, other: object) -> Any:
        return use_characters("equal", self, other)

    def __ne__(self, other: object) -> Any:
        return use_characters("unequal", self, other)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """``str`` for the user's code, so that `match s: case str():` matches."""
        return type(self) if is_asked_by_us() else str

    def __getattr__(self, name: str) -> Any:
        if not hasattr(str, name):
            raise AttributeError(f"'str' object has no attribute '{name}'")
        if name.startswith("__"):
            raise AttributeError(name)  # Python and libraries probe for protocols.
        if name in METHODS or name in OF_CHARACTERS:
            return MethodOfString(self, name)
        raise text_needed(f"`.{name}` of")

    def __getitem__(self, index: object) -> Any:
        if isinstance(index, slice):
            bounds = (index.start, index.stop, index.step)
            if all(one is None or type(one) is int for one in bounds):
                ""[index]  # Raises where Python does: a step of zero.
                return StagedString(((self, Part(*bounds), ""),))
            raise text_needed("an item of")
        return use_characters("item", self, index)

    def __mul__(self, count: object) -> StagedString:
        if type(count) not in (int, bool):
            return method_of_values(self, "__mul__", (count,))
        return StagedString(((self, Repeated(int(count)), ""),))  # type: ignore[call-overload]

    __rmul__ = __mul__

    def __add__(self, other: object) -> StagedString:
        if type(other) not in (str, StagedString):
            if backend_of(other) is not None:
                return NotImplemented
            raise TypeError(f'can only concatenate str (not "{type(other).__name__}") to str')
        return join_strings((self, other))

    def __radd__(self, other: object) -> StagedString:
        if type(other) is not str:
            return NotImplemented
        return join_strings((other, self))

    def __format__(self, spec: str) -> str:
        return str(self._refuse())


class MethodOfString:
    """A method of a staged string, such as `text.upper`, before it is called."""

    kind = "method"

    def __init__(self, owner: StagedString, name: str) -> None:
        self._owner = owner
        self._name = name

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """What the method gives."""
        if self._name in OF_CHARACTERS and not kwargs:
            getattr("", self._name)(*args)  # Raises what CPython raises for these arguments.
            return use_characters(self._name, self._owner, *args)
        if any(backend_of(one) is not None for one in args) and not kwargs:
            return method_of_values(self._owner, self._name, args)
        if kwargs or any(type(one) not in (str, int, type(None)) for one in args):
            raise text_needed(f"`.{self._name}` of")
        getattr("", self._name)(*args)  # Raises what CPython raises for these arguments.
        return StagedString(((self._owner, Method(self._name, args), ""),))


OF_CHARACTERS = frozenset(("count", "startswith", "endswith", "isdigit"))
"""The methods of strings that need the characters, of those whose characters the graph can compute."""


def method_of_values(text: object, name: str, args: tuple[object, ...]) -> StagedString:
    """``text.name(*args)``, the text or arguments of which only the run knows."""
    are_texts = all(type(one) in (str, StagedString) for one in args)
    if not (are_texts and len(args) in TEXTS_OF.get(name, ())):
        is_size = len(args) in SIZES_OF.get(name, ()) and has_own(args[0], "form")
        is_size = is_size and all(type(one) is str and len(one) == 1 for one in args[1:])
        if not is_size or args[0].dtype.kind not in "iu" or args[0].sizes:  # type: ignore[attr-defined]
            raise text_needed(f"`.{name}` of")
    return StagedString((((text, *args), MethodOfValues(name), ""),))


def text_needed(use: str = "the text of") -> StagingError:
    """The error for a use of a staged string that needs its characters."""
    return staging_error(
        "AG101",
        f"{use} a string with staged values in it is needed while tracing",
        "such a string can be printed, raised, returned, kept and made longer: compare the values in it"
        " instead, or do this with what the staged function returns",
    )


def join_strings(parts: tuple[Any, ...]) -> StagedString:
    """The concatenation of plain and staged strings."""
    joined: list[Any] = []
    for part in parts:
        more = part.parts if isinstance(part, StagedString) else [part]
        for one in more:
            if isinstance(one, str) and joined and isinstance(joined[-1], str):
                joined[-1] += one
            elif one != "" or not isinstance(one, str):
                joined.append(one)
    return StagedString(tuple(joined))
