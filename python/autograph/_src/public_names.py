"""Shows public classes and functions under their public module: ``autograph.Variable``, not its file."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType


def show_as_of(module: str, entities: Iterable[object]) -> None:
    """Sets ``__module__``, which ``repr``, tracebacks, ``help`` and pickle show, to a public module.

    Args:
        module: The public module, which holds the names.
        entities: The objects behind the names. Only classes and functions have a ``__module__``.
    """
    for entity in entities:
        if isinstance(entity, (type, FunctionType)):
            entity.__module__ = module
