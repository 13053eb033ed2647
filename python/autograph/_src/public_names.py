"""Public names are those of the public module: ``autograph.Variable``, whatever file makes it."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType


def show_as_of(module: str, entities: Iterable[object]) -> None:
    """Makes a public module the one that ``repr``, tracebacks, ``help`` and pickle name.

    Args:
        module: The public module, which holds the names.
        entities: What it holds. Classes and functions are changed; others have no module.
    """
    for entity in entities:
        if isinstance(entity, (type, FunctionType)):
            entity.__module__ = module
