"""Variables that may be unbound: they hold an ``Undefined``, and ``ld`` checks each read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from autograph._src.backends.protocol import Backend, active_backend, backend_of


class Undefined:
    """The value of an unbound variable in the state that a back-end reads and assigns.

    Args:
        name: The variable's name.

    Attributes:
        name: The variable's name.

    Example:
        >>> from autograph.backends import Undefined
        >>> Undefined("x").name
        'x'
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<unbound {self.name}>"

    def error(self) -> UnboundLocalError:
        """The exception that CPython raises for a read of the variable.

        Returns:
            An ``UnboundLocalError`` with CPython's message.

        Example:
            >>> from autograph.backends import Undefined
            >>> type(Undefined("x").error())
            <class 'UnboundLocalError'>
        """
        return UnboundLocalError(unbound_message(self.name))


def unbound_message(name: str) -> str:
    """CPython's message for reading an unbound local variable."""
    return f"cannot access local variable '{name}' where it is not associated with a value"


def unbound_free_message(name: str) -> str:
    """CPython's message for reading an unbound variable of an enclosing function."""
    return f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"


def ld(value: object) -> object:
    """Reads a variable that may be unbound.

    Raises:
        UnboundLocalError: If it is unbound.
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
        NameError: If it is unbound.
    """
    if type(value) is Undefined:
        raise NameError(unbound_free_message(value.name))
    backend = backend_of(value) or _backend_of_reference(value)
    return ld(value) if backend is None else backend.load(value, is_free=True)


def _backend_of_reference(value: object) -> Backend | None:
    """The back-end of a table row, which poses as the program's own object but may still be unbound."""
    active = active_backend()
    return active if active is not None and active.stands_for(value) else None


ld_inlined = ld_free if sys.version_info < (3, 12) else ld
"""Reads a variable of the enclosing function in a comprehension, which CPython inlines since 3.12."""


def ld_own(read: Callable[[], Any]) -> object:
    """Reads a variable of the enclosing lambda, which may be unbound, in an operand function.

    Args:
        read: ``lambda: variable``.

    Raises:
        UnboundLocalError: If the variable is unbound.
    """
    try:
        return read()
    except NameError:
        pass
    raise UnboundLocalError(unbound_message(read.__code__.co_freevars[0]))


def ldg(variables: dict[str, Any], name: str) -> object:
    """The value of a global variable for the state of a block; an ``Undefined`` if it is unbound."""
    return variables.get(name, Undefined(name))


def ret(value: object, did_return: object) -> object:
    """The result of a function with early returns: the returned value, or ``None`` if no ``return`` ran.

    Args:
        value: The variable of the returned value.
        did_return: The variable that says whether a ``return`` ran; ``True`` where one does on each path.
    """
    if did_return is True:
        active = active_backend()
        return value if active is None else active.certain_value(value)
    backend = backend_of(did_return)
    if backend is not None:
        return None if type(value) is Undefined else backend.return_value(value)
    return None if type(value) is Undefined or not did_return else value
