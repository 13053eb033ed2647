"""Asking a value whether it is one of this package: by the class that has an attribute, not by a name.

A user's object may have a `memory` too, as arrays of the graph have: that is nothing to us.
"""

from __future__ import annotations

from typing import Any, TypeGuard


def has_own(value: object, name: str) -> TypeGuard[Any]:
    """Whether the class of a value has an attribute from a class of this package.

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
