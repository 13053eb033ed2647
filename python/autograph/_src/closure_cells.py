"""The closure cells of a function, by the names of its free variables."""

from __future__ import annotations

from types import CellType, FunctionType


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
