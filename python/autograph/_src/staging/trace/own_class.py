"""``__class__`` of values that stand for objects of the user: code that is not converted must not trust it.

`isinstance` is staged in converted code. What asks the object itself, as `match` does in C, would take a
staged node for no node, and go on with the next `case` without a word.
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
        StagingError: If code of the user asks.
    """
    asking = sys._getframe(2).f_globals.get("__name__", "").partition(".")[0]
    if asking == "autograph" or asking in sys.stdlib_module_names:
        return type(value)
    raise staging_error(
        "AG120",
        f"the class of {called} is asked by a statement that is not staged, such as `match`",
        "use `isinstance` in converted code, and an `if`",
    )
