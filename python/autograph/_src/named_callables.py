"""Wrappers that behave as the functions they wrap: pickled by name, copied as themselves, with a signature.

    @ag.function
    def step(x, rate=0.1): ...

    pickle.loads(pickle.dumps(step)) is step        # by its name, as a plain function is
    copy.deepcopy(step) is step
    step.__signature__                              # (x, rate=0.1), with the defaults of this moment

A wrapper whose name leads to something else, such as ``fast = ag.function(step)``, is pickled as what it
wraps and the options that it was made with, and made again.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any, Self

Making = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function and the arguments with which it makes a wrapper again."""


class _Signature:
    """``__signature__`` of instances. The class has none, so that ``inspect`` reads its ``__init__``."""

    def __get__(self, instance: object, owner: type | None = None) -> inspect.Signature:
        wrapped = getattr(instance, "__wrapped__", None)
        if wrapped is not None:
            try:
                return inspect.signature(wrapped)
            except (TypeError, ValueError):  # A builtin without a signature.
                pass
        raise AttributeError("__signature__")


class NamedCallable:
    """What wrappers of this package have in common; they set ``__wrapped__`` and ``__qualname__``."""

    __slots__ = ()

    __signature__ = _Signature()

    def _making(self) -> Making | None:
        """How to make this object again; ``None`` if only its name leads to it."""
        return None

    def __reduce__(self) -> str | tuple[Any, ...]:
        """The name of this object, if it leads to it; else how to make it again."""
        making = None if _named_as(self) is self else self._making()
        return str(self.__qualname__) if making is None else making

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    __qualname__: str


def known_by_name(function: Any) -> Any:
    """A function, or the wrapper of ours that its name leads to, which pickle finds in its place."""
    found = _named_as(function) if inspect.isfunction(function) else None
    is_its = isinstance(found, NamedCallable) and getattr(found, "__wrapped__", None) is function
    return found if is_its else function


def _named_as(value: Any) -> object:
    """What stands in a module under the name that a function has."""
    found: Any = sys.modules.get(value.__module__)
    try:
        return functools.reduce(getattr, value.__qualname__.split("."), found)
    except AttributeError:
        return None
