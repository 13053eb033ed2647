"""``__class__`` of staged values that stand for objects of the user: refused outside this package.

Converted code stages `isinstance`. Code that reads `__class__` directly, as the C code of `match` does,
would see our class instead of the user's and silently take the wrong `case`.
"""

from __future__ import annotations

import sys

from autograph._src.staging.trace.active import staging_error


def own_class(value: object, called: str) -> type:
    """The class of a staged value, for its ``__class__``.

    Args:
        value: The value.
        called: How a message calls it.

    Raises:
        StagingError: If the user's code reads it.
    """
    asking = sys._getframe(2).f_globals.get("__name__", "").partition(".")[0]
    if asking == "autograph" or asking in sys.stdlib_module_names:
        return type(value)
    raise staging_error(
        "AG120",
        f"the class of {called} is asked by a statement that is not staged, such as `match`",
        "use `isinstance` in converted code, and an `if`",
    )
