"""Checks lists that may be stale aliases before C code reads them directly."""

from __future__ import annotations

from typing import Any

from autograph._src.own_attributes import has_own


def require_current(value: Any, around: tuple[Any, ...] = ()) -> None:
    """Refuses to read a list that may be an alias of one that was changed since, also inside containers.

    C code reads the elements without calling methods of the list: ``np.array(xs)``, ``[1.0] + xs``.

    Args:
        value: The list, or any other value.
        around: The lists and tuples that contain it, to stop at cycles.
    """
    if isinstance(value, list) and has_own(value, "require_current"):
        value.require_current()  # type: ignore[attr-defined]
    is_sequence = isinstance(value, (list, tuple)) and not hasattr(type(value), "stacked")
    if not is_sequence or any(value is one for one in around):
        return
    for one in tuple.__iter__(value) if isinstance(value, tuple) else list.__iter__(value):
        if isinstance(one, (list, tuple)):
            require_current(one, (*around, value))
