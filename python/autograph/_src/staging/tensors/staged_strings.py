"""Strings with staged values in them, which Python builds when the graph runs.

    raise ValueError(f"{x} is over {limit}")      # the run makes the text

They can be printed, asserted and raised. Anything that needs the characters while tracing is refused.
"""

from __future__ import annotations

import sys
from typing import Any

from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.frames import is_internal_file
from autograph.errors import StagingError


class StagedString:
    """A string with staged values in it.

    Attributes:
        type_name: Its name in messages.
        parts: Plain strings, and fields: a value, a conversion (``"s"``, ``"r"``, ``"a"`` or ``None``) and a
            format specification.
    """

    __slots__ = ("parts",)

    type_name = "string with staged values in it"

    def __init__(self, parts: tuple[str | tuple[Any, str | None, str], ...]) -> None:
        self.parts = parts

    def _refuse(self, *_: object) -> Any:
        raise text_needed()

    def ag_lifted(self) -> object:
        """Refused: it is no number."""
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
        """``str`` for the user's code, so that `match s: case str():` matches."""
        return type(self) if is_internal_file(sys._getframe(1).f_code.co_filename) else str

    def __getattr__(self, name: str) -> Any:
        if not hasattr(str, name):
            raise AttributeError(f"'str' object has no attribute '{name}'")
        if name.startswith("__"):
            raise AttributeError(name)  # Python and libraries probe for protocols.
        raise text_needed(f"`.{name}` of")

    def __add__(self, other: object) -> StagedString:
        return join_strings((self, other))

    def __radd__(self, other: object) -> StagedString:
        return join_strings((other, self))

    def __format__(self, spec: str) -> str:
        return str(self._refuse())


def text_needed(use: str = "the text of") -> StagingError:
    """The error for a use of a staged string that needs its characters."""
    return staging_error(
        "AG101",
        f"{use} a string with staged values in it is needed while tracing",
        "such a string can be given to `print`, `assert` and exceptions only: return the values and make the"
        " string outside the staged function",
    )


def join_strings(parts: tuple[Any, ...]) -> StagedString:
    """The concatenation of plain and staged strings."""
    joined: list[Any] = []
    for part in parts:
        joined += part.parts if isinstance(part, StagedString) else [part]
    return StagedString(tuple(joined))
