"""Imports all modules of a package whose modules register themselves, so that no list names them."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def import_modules_of(room: str) -> None:
    """Imports the modules of a room, sorted by name.

    Args:
        room: The name of the package, such as ``autograph._src.staging.builtins``.
    """
    package = import_module(room)
    for name in sorted(module.name for module in iter_modules(package.__path__)):
        import_module(f"{room}.{name}")
