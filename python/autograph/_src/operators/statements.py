"""The operators for ``assert``, f-strings, ``try`` and ``with``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from types import FunctionType, TracebackType
from typing import Any

from autograph._src.backends.protocol import Backend, active_backend, backend_among, backend_of
from autograph._src.floating_modes import refuse_manager
from autograph._src.operators.calls import backend_inside, converted_call
from autograph._src.operators.identity import not_
from autograph._src.operators.library_managers import OfLibrary, passes_on
from autograph._src.operators.special_calls import is_of_user, text_of_object
from autograph._src.policy import is_user_code, is_user_function

_CONVERSIONS: dict[str | None, Callable[[Any], Any]] = {
    None: lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}


def assert_stmt(test: object, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message()``; nothing under ``python -O``."""
    if not __debug__:
        return
    backend = backend_of(test)
    if backend is not None:
        backend.assert_stmt(test, message)
    elif not test:
        raise AssertionError if message is None else AssertionError(message())


def formatted(value: object, conversion: str | None, spec: str) -> object:
    """``{value!conversion:spec}`` of an f-string."""
    backend = backend_of(value)
    if backend is None and active_backend() is not None:
        backend = backend_inside(value)
        if backend is None and is_of_user(value) and not backend_among((spec,)):
            made = text_of_object(value, conversion, spec)
            if made is not NotImplemented:
                return made
            backend = backend_inside(tuple(getattr(value, "__dict__", {}).values()))
    if backend is None and type(spec) is not str:
        backend = backend_of(spec)
    if backend is not None:
        return backend.formatted(value, conversion, spec)
    return format(_CONVERSIONS[conversion](value), spec)


def joined_str(*parts: Any) -> object:
    """An f-string of literal and formatted parts."""
    backend = backend_among(parts)
    return "".join(parts) if backend is None else backend.joined_string(parts)


_NOTHING = nullcontext()


def attempt(clause: str = "") -> AbstractContextManager[None]:
    """A context manager around the body of a ``try`` that Python runs.

    Args:
        clause: The clause for which it does, as the user writes it.
    """
    backend = active_backend()
    return _NOTHING if backend is None else backend.attempt(clause)


def entered(manager: object) -> object:
    """The context manager for a ``with`` statement; converted versions of the user's methods are called."""
    backend = active_backend()
    if backend is not None:
        refuse_manager(manager)
    kind = type(manager)
    if backend is None or not hasattr(kind, "__enter__") or not hasattr(kind, "__exit__"):
        return manager  # CPython raises the error.
    if _is_converted(manager):
        return Entered(backend, manager)
    return manager if passes_on(manager) else OfLibrary(backend, manager)


def _is_converted(manager: object) -> bool:
    """Whether the graph may have what a manager does as it is left: its code is converted, or known here."""
    kind: Any = type(manager)
    generator = inspect.getattr_static(manager, "gen", None)  # Not by the user's `__getattr__`.
    if hasattr(generator, "gi_code"):
        return is_user_code(generator.gi_code)
    if isinstance(manager, (suppress, ExitStack, closing)):
        return True
    return is_user_function(kind.__enter__) or is_user_function(kind.__exit__)


class Entered:
    """Wraps a context manager, to call the converted versions of its methods."""

    def __init__(self, backend: Backend, manager: Any) -> None:
        self._manager = manager
        self._attempt = backend.attempt("with")
        # Python steps a generator that has come here: what its function reads is not told.
        function = inspect.getattr_static(manager, "func", None)
        if isinstance(function, FunctionType):
            backend.reads(function)

    def leaves_again(self) -> bool:
        """Whether its exit can be recorded for runs that raise and for others: a generator ends once."""
        generator = inspect.getattr_static(self._manager, "gen", None)
        return not hasattr(generator, "gi_code") and not isinstance(self._manager, ExitStack)

    def enter(self) -> Any:
        """Enters the manager."""
        return converted_call(type(self._manager).__enter__, self._manager)

    def leave(self, error: BaseException | None) -> Any:
        """Leaves the manager; gives whether it swallows the exception."""
        if type(self._manager) is closing:
            held: Any = self._manager
            converted_call(held.thing.close)
            return None
        kind, traceback = (None, None) if error is None else (error.__class__, error.__traceback__)
        return converted_call(type(self._manager).__exit__, self._manager, kind, error, traceback)

    def __enter__(self) -> Any:
        value = converted_call(type(self._manager).__enter__, self._manager)
        self._attempt.__enter__()
        return value

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Any:
        self._attempt.__exit__(kind, error, traceback)
        return self.leave(error)


def leave(around: Entered, caught: BaseException | None) -> None:
    """Leaves a manager; raises the exception again unless the manager swallows it."""
    if caught is None:
        around.leave(None)
        return
    swallows = around.leave(caught)
    if swallows is None:  # The common case.
        raise caught
    raise_unless(swallows, caught)


def raised(error: object, *cause: object) -> Any:
    """What ``raise error``, or ``raise error from cause``, raises: only the run may know which that is."""

    def again(one: object) -> None:
        raise raised(one, *cause)

    backend = active_backend()
    if backend is not None:
        if isinstance(error, type) and issubclass(error, BaseException):
            error = converted_call(error)
        error = backend.raised(error, again)
    if not cause:
        return error
    return _caused(error, cause[0] if backend is None else backend.cause(cause[0]))


def _caused(error: object, cause: object) -> object:
    """An exception with its cause, as ``raise error from cause`` sets it."""
    if isinstance(error, type) and issubclass(error, BaseException):
        error = converted_call(error)
    if not isinstance(error, BaseException):
        return error  # `raise` refuses it.
    if isinstance(cause, type) and issubclass(cause, BaseException):
        cause = converted_call(cause)
    if cause is not None and not isinstance(cause, BaseException):
        raise TypeError("exception causes must derive from BaseException")
    _CAUSE.__set__(error, cause)
    return error


_CAUSE: Any = BaseException.__cause__
"""Sets the cause of an exception whose class may allow no attributes."""


def traceback_of(error: Any) -> object:
    """``error.__traceback__``."""
    backend = active_backend()
    return error.__traceback__ if backend is None else backend.traceback_of(error)


def raise_unless(swallows: object, caught: BaseException) -> None:
    """Raises an exception unless what a manager's exit gives is true."""

    def pass_on() -> None:
        raise caught

    test = not_(swallows)
    backend = backend_of(test)
    if backend is not None:
        backend.if_stmt(test, pass_on, None, None, None, (), 0)
    elif test:
        pass_on()
