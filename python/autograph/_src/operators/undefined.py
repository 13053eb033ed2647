"""Variables that may be unbound: ``Undefined`` stands for them, ``ld`` checks where they are read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from autograph._src.backends.protocol import Backend, active_backend, backend_of


class Undefined:
    """The value of a variable that is not bound.

    Attributes:
        name: The variable.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<unbound {self.name}>"

    def error(self) -> UnboundLocalError:
        """What CPython raises where the variable is read."""
        return UnboundLocalError(unbound_message(self.name))


def unbound_message(name: str) -> str:
    """CPython's words for reading an unbound local variable."""
    return f"cannot access local variable '{name}' where it is not associated with a value"


def unbound_free_message(name: str) -> str:
    """CPython's words for reading an unbound variable of an enclosing function."""
    return f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"


def ld(value: object) -> object:
    """Reads a variable that may be unbound.

    Raises:
        UnboundLocalError: If it is.
    """
    if type(value) is Undefined:
        raise value.error()
    backend = backend_of(value) or _backend_of_reference(value)
    if backend is not None:
        return backend.load(value)
    if isinstance(value, tuple):
        for element in value:
            ld(element)
    return value


def ld_free(value: object) -> object:
    """Reads a variable of an enclosing function that may be unbound.

    Raises:
        NameError: If it is.
    """
    if type(value) is Undefined:
        raise NameError(unbound_free_message(value.name))
    backend = backend_of(value) or _backend_of_reference(value)
    return ld(value) if backend is None else backend.load(value, is_free=True)


def _backend_of_reference(value: object) -> Backend | None:
    """An object that is a row of a table is one of the program's, and may be unbound all the same."""
    return active_backend() if hasattr(type(value), "ag_table") else None


ld_inlined = ld_free if sys.version_info < (3, 12) else ld
"""Reads a variable of the function around from a comprehension, which CPython 3.12 began to inline."""


def ld_own(read: Callable[[], Any]) -> object:
    """Reads a variable of the lambda around, which may be unbound, from an operand.

    Args:
        read: ``lambda: variable``.

    Raises:
        UnboundLocalError: If it is.
    """
    try:
        return read()
    except NameError:
        pass
    raise UnboundLocalError(unbound_message(read.__code__.co_freevars[0]))


def ldg(variables: dict[str, Any], name: str) -> object:
    """Reads a global variable that may be unbound, for the state of a block."""
    return variables.get(name, Undefined(name))


def ret(value: object, did_return: object) -> object:
    """What a function with early returns returns: ``None`` where it ran off its end."""
    backend = backend_of(did_return)
    if backend is not None:
        return None if type(value) is Undefined else backend.return_value(value)
    return None if type(value) is Undefined or not did_return else value
