"""Asking whether this package defines an attribute of a value.

``hasattr(value, "memory")`` is not enough: a staged array has a `memory`, and a user's object may have an
unrelated one.
"""

from __future__ import annotations

from typing import Any, TypeGuard


def has_own(value: object, name: str) -> TypeGuard[Any]:
    """Whether a class of this package defines the attribute that a value has.

    Args:
        value: Any value.
        name: The attribute.

    Example:
        >>> from fractions import Fraction
        >>> has_own(Fraction(1, 2), "numerator"), has_own([], "append")
        (False, False)
    """
    for kind in type(value).__mro__:
        if name in kind.__dict__:
            return kind.__module__.partition(".")[0] == "autograph"
    return False
