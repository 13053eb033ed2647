"""What a string of the run is made of: operations that Python carries out when the run's values are there.

    f"{x:.2f}"             a format specification
    str(n).zfill(4)        a method of the string
    "%05d" % n             a field of a template
    ", ".join(words)       a separator and the strings

They are pure: the same values give the same string, so it does not matter when the string is made. What can
raise for some values is not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Method:
    """A method of strings that gives a string, with plain arguments: ``.zfill(4)``."""

    name: str
    arguments: tuple[Any, ...]

    def __call__(self, text: str) -> str:
        """The string."""
        made: str = getattr(text, self.name)(*self.arguments)
        return made


@dataclass(frozen=True)
class MethodOfValues:
    """A method of strings whose arguments only the run knows, too: ``text.ljust(n)``, ``"-" * n``."""

    name: str

    def __call__(self, values: tuple[Any, ...]) -> str:
        """The string, of the text and the arguments."""
        made: str = getattr(values[0], self.name)(*values[1:])
        return made


@dataclass(frozen=True)
class Part:
    """A slice with plain bounds: ``text[::-1]``."""

    start: int | None
    stop: int | None
    step: int | None

    def __call__(self, text: str) -> str:
        """The string."""
        return text[self.start : self.stop : self.step]


@dataclass(frozen=True)
class Repeated:
    """A string several times: ``text * 3``."""

    count: int

    def __call__(self, text: str) -> str:
        """The string."""
        return text * self.count


@dataclass(frozen=True)
class Percent:
    """One field of a template of ``%``: ``%5.1f``."""

    template: str

    def __call__(self, value: object) -> str:
        """The string."""
        return self.template % (value,)


@dataclass(frozen=True)
class Joined:
    """A separator between strings: ``", ".join(words)``."""

    separator: str

    def __call__(self, texts: Iterable[str]) -> str:
        """The string."""
        return self.separator.join(texts)


@dataclass(frozen=True)
class Digits:
    """``bin``, ``oct`` or ``hex`` of an int."""

    function: Callable[[int], str]

    def __call__(self, number: int) -> str:
        """The string."""
        return self.function(number)


@dataclass(frozen=True)
class Character:
    """One character, of the int that is its code.

    Attributes:
        is_plain: Whether it is known to be of ASCII, and none that ``int`` skips or takes for a sign.
    """

    is_plain: bool

    def __call__(self, code: int) -> str:
        """The string."""
        return chr(code)


CONVERSIONS: dict[Any, Callable[[Any], Any]] = {
    None: lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}
"""The conversions of an f-string's fields."""


def converted(value: object, conversion: object, spec: str) -> str:
    """One field of a string, of the run's value."""
    convert = conversion if callable(conversion) else CONVERSIONS[conversion]
    return format(convert(value), spec)


TEXTS_OF = {
    **dict.fromkeys(("strip", "lstrip", "rstrip", "removeprefix", "removesuffix"), (1,)),
    "replace": (2,),
}
"""By method: how many arguments that are strings it takes, whatever they are."""

SIZES_OF = {"zfill": (1,), "ljust": (1, 2), "rjust": (1, 2), "center": (1, 2), "__mul__": (1,)}
"""By method whose first argument is an int, whatever it is: how many it takes. The second is a character."""

METHODS = frozenset(
    (
        *("upper", "lower", "title", "capitalize", "swapcase", "casefold", "strip", "lstrip", "rstrip"),
        *("zfill", "ljust", "rjust", "center", "replace", "removeprefix", "removesuffix", "expandtabs"),
    )
)
"""The methods of strings that give a string, whatever the string is."""
