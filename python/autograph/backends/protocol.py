"""The protocol between the operators of converted code and the libraries whose values they meet.

A back-end registers the types of its staged values. An operator asks :func:`backend_of` the value
that decides: ``None`` means that the value is plain and the statement runs now, in Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from autograph.operators.places import Place

State = tuple[Any, ...]
GetState = Callable[[], State]
SetState = Callable[[State], None]


class Backend(Protocol):
    """What a library says of the statements that its staged values decide."""

    def is_active(self) -> bool:
        """Whether it is recording on this thread."""

    def if_stmt(
        self,
        test: Any,
        body: Callable[[], None],
        orelse: Callable[[], None] | None,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
        n_outputs: int,
    ) -> None:
        """``if test: body else: orelse`` with a staged test."""

    def while_stmt(
        self,
        first_test: Any,
        test: Callable[[], Any],
        body: Callable[[], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """The rest of a ``while`` whose test, just evaluated to ``first_test``, is staged."""

    def for_stmt(
        self,
        iterable: Any,
        extra_test: Callable[[], Any] | None,
        body: Callable[[Any], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """``for`` over an iterable, staged or, while the back-end is active, plain."""

    def if_exp(self, test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """``body if test else orelse`` with a staged test."""

    def and_(self, left: Any, rest: Callable[[], Any]) -> Any:
        """``left and rest`` with a staged left operand."""

    def or_(self, left: Any, rest: Callable[[], Any]) -> Any:
        """``left or rest`` with a staged left operand."""

    def list_comprehension(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> Any:
        """``[element(item) for item in iterable if condition(item)]``; ``NotImplemented`` to run it."""

    def generator(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> Any:
        """``(element(item) for item in iterable if condition(item))`` over a staged iterable."""

    def not_(self, value: Any) -> Any:
        """``not value`` of a staged value."""

    def contains(self, item: Any, container: Any) -> Any:
        """``item in container`` where one is staged."""

    def assert_stmt(self, test: Any, message: Callable[[], Any] | None) -> None:
        """``assert test, message`` with a staged test."""

    def get_item(self, target: Any, index: Any) -> Any:
        """``target[index]`` where one is staged."""

    def set_item(self, target: Any, index: Any, value: Any) -> None:
        """``target[index] = value`` where one is staged."""

    def call_builtin(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A builtin with a staged argument; ``NotImplemented`` to call it as it is."""

    def joined_string(self, parts: tuple[Any, ...]) -> Any:
        """An f-string with a staged value in it."""

    def formatted(self, value: Any, conversion: str | None, spec: str) -> Any:
        """One replacement field of an f-string, of a staged value."""

    def load(self, value: Any) -> Any:
        """Reads a staged variable that may be unbound."""

    def return_value(self, value: Any) -> None:
        """A function whose early return is staged returns this value, or an element of a tuple."""

    def will_write(self, place: Place) -> None:
        """Converted code is about to write to a plain object while the back-end is active."""

    def watch(self, value: Any) -> None:
        """An object will be written by code that is not converted."""

    def attempt(self) -> AbstractContextManager[None]:
        """Converted code enters a ``try`` or ``with``, whose handlers run while recording only."""

    def entered(self, function: Any) -> None:
        """Converted code is about to call a user's function while the back-end is active."""

    def created(self, value: Any) -> Any:
        """Converted code made an object while the back-end is active; gives it back."""


_by_type: dict[type, Backend] = {}
_active = threading.local()


def register(backend: Backend, *types: type) -> None:
    """Makes values of these types staged, with this back-end deciding what statements mean."""
    for staged_type in types:
        _by_type[staged_type] = backend


def backend_of(value: Any) -> Backend | None:
    """The back-end of a staged value, or ``None`` for a plain one."""
    return _by_type.get(type(value))


def backend_among(values: Any) -> Backend | None:
    """The back-end of the first staged value among these."""
    for value in values:
        backend = _by_type.get(type(value))
        if backend is not None:
            return backend
    return None


def active_backend() -> Backend | None:
    """The back-end that records on this thread, innermost first, or ``None``."""
    stack = getattr(_active, "stack", None)
    return stack[-1] if stack else None


class activated:  # noqa: N801 - a context manager, read as a verb
    """Makes a back-end the active one on this thread."""

    def __init__(self, backend: Backend | None) -> None:
        self._backend = backend

    def __enter__(self) -> None:
        if not hasattr(_active, "stack"):
            _active.stack = []
        _active.stack.append(self._backend)

    def __exit__(self, *_: object) -> None:
        _active.stack.pop()
