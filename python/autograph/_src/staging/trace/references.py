"""How to tell a reference (a staged object that is a row of a table) from other values."""

from __future__ import annotations

from typing import Any, TypeGuard


def is_reference(value: object) -> TypeGuard[Any]:
    """Whether a value refers to an object of the program that is a row of a table."""
    return hasattr(type(value), "ag_table")
