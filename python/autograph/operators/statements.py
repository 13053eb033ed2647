"""``assert``, f-strings, and what ``try`` and ``with`` tell."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from autograph.backends.protocol import backend_among, backend_of

_CONVERSIONS: dict[str | None, Callable[[Any], Any]] = {
    None: lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}


def assert_stmt(test: Any, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message()``; nothing under ``python -O``."""
    if not __debug__:
        return
    backend = backend_of(test)
    if backend is not None:
        backend.assert_stmt(test, message)
    elif not test:
        raise AssertionError if message is None else AssertionError(message())


def formatted(value: Any, conversion: str | None, spec: Any) -> Any:
    """``{value!conversion:spec}`` of an f-string."""
    backend = backend_of(value)
    if backend is not None:
        return backend.formatted(value, conversion, spec)
    return format(_CONVERSIONS[conversion](value), spec)


def joined_str(*parts: Any) -> Any:
    """An f-string of literal and formatted parts."""
    backend = backend_among(parts)
    return "".join(parts) if backend is None else backend.joined_string(parts)


def attempt() -> AbstractContextManager[None]:
    """Stands around the body of a ``try``: what raises in it may be caught."""
    return nullcontext()


def entered(manager: Any) -> Any:
    """The manager of a ``with``, about to be entered."""
    return manager
