"""Rooms whose modules fill tables: all are imported, so that a new file is mentioned nowhere else."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def import_modules_of(room: str) -> None:
    """Imports the modules of a room, in the order of their names.

    Args:
        room: The package, such as ``autograph._src.staging.builtins``.
    """
    package = import_module(room)
    for name in sorted(module.name for module in iter_modules(package.__path__)):
        import_module(f"{room}.{name}")
