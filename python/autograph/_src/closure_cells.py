"""The closure cells of a function, by the names of its free variables, and what a cell holds."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any

EMPTY = object()
"""What :func:`content_of` gives for a cell whose variable is not bound."""


def cells_of(function: FunctionType) -> dict[str, CellType]:
    """The cells of a function's free variables, in the order of ``co_freevars``.

    Example:
        >>> def outer():
        ...     n = 1
        ...     return lambda: n
        >>> cells_of(outer())["n"].cell_contents
        1
    """
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def content_of(cell: CellType) -> Any:
    """The value of a closure cell's variable; :data:`EMPTY` if it is not bound.

    Example:
        >>> content_of(CellType(3)), content_of(CellType()) is EMPTY
        (3, True)
    """
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY


def set_content(cell: CellType, value: object) -> None:
    """Binds the variable of a closure cell; unbinds it if the value is :data:`EMPTY`."""
    if value is EMPTY:
        del cell.cell_contents
    else:
        cell.cell_contents = value
