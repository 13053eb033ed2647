"""What an exception is made of, and an exception made of it again.

>>> class TooLarge(ValueError):
...     def __init__(self, value, *, limit):
...         super().__init__(f"{value} is over {limit}")
...         self.limit = limit
>>> again = remade(TooLarge, *parts_of(TooLarge(5, limit=3)))
>>> again.args, again.limit
(('5 is over 3',), 3)
"""

from __future__ import annotations

from types import MemberDescriptorType
from typing import Any

from autograph._src.backends.protocol import backend_of
from autograph._src.class_slots import slot_names
from autograph._src.policy import is_heap_type


def builtin_base(kind: type[BaseException]) -> Any:
    """The nearest builtin base of an exception class."""
    base: Any = kind
    while is_heap_type(base):
        base = base.__base__
    return base


def parts_of(error: BaseException) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments and the attributes of an exception."""
    reduced = builtin_base(type(error)).__reduce__(error)
    state = dict(reduced[2]) if len(reduced) > 2 and reduced[2] else {}
    state |= {name: getattr(error, name) for name in slot_names(type(error)) if hasattr(error, name)}
    for kind in type(error).__mro__:
        if kind.__module__ == "builtins":  # `KeyError` has none, `AttributeError` has `name` and `obj`.
            members = {name for name, one in vars(kind).items() if isinstance(one, MemberDescriptorType)}
            found = {name: getattr(error, name, None) for name in sorted(members - _OF_ALL)}
            # `AttributeError.obj` may be a staged value, which an exception must not hold.
            state.update(
                (name, one) for name, one in found.items() if one is not None and not backend_of(one)
            )
    return reduced[1], state


_OF_ALL = frozenset(("__suppress_context__",))
"""Members of every exception, which :func:`exception_reader` sets."""


def remade(kind: type[BaseException], args: tuple[Any, ...], state: dict[str, Any]) -> BaseException:
    """An exception of a class with these arguments and attributes."""
    base = builtin_base(kind)
    made: BaseException = base.__new__(kind, *args)
    base.__init__(made, *args)
    for name, value in state.items():
        try:
            put(made, name, value)
        except AttributeError:
            continue  # The class computes it from the arguments: `exceptions` of a group.
    return made


def put(error: BaseException, name: str, value: object) -> None:
    """Sets an attribute of an exception, even if its class is a frozen dataclass."""
    object.__setattr__(error, name, value)


class ChosenCause(BaseException):
    """Stands for the cause of an exception, where that is one of several, or ``None``.

        raise RuntimeError("no result") from last       # `last` is a choice, and Python takes exceptions only

    Attributes:
        choice: The staged value.
    """

    def __init__(self, choice: object) -> None:
        super().__init__()
        self.choice = choice


_CHAIN = {name: getattr(BaseException, name) for name in ("__cause__", "__context__")}


def chained(error: BaseException, name: str) -> Any:
    """The cause or the context of an exception, or the choice that another stands for, or ``None``.

    Args:
        error: The exception.
        name: ``"__cause__"`` or ``"__context__"``.
    """
    found = _CHAIN[name].__get__(error)
    return found.choice if isinstance(found, ChosenCause) else found


def chain(error: BaseException, name: str, value: object) -> None:
    """Sets the cause or the context of an exception: an exception, ``None``, or a choice of such."""
    is_plain = value is None or issubclass(type(value), BaseException)
    _CHAIN[name].__set__(error, value if is_plain else ChosenCause(value))
