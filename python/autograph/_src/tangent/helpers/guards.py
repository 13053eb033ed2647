"""What a derivative requires of the values that it is called with."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np


def require_number(x, changed, read):
    """Raise `TypeError` if `x` is an array or a list: `read` would show a change of `changed` in place."""
    if isinstance(x, (np.ndarray, list)):
        raise TypeError(
            f"`{changed}` is changed in place, and `{read}`, which is read later, may be the same array:"
            f" compute a new one, `{changed} = {changed} + ...`, or copy it first"
        )


def require_repeatable(items, name):
    """Raise `TypeError` if `items` can be iterated over only once: what is checkpointed runs twice."""
    if hasattr(items, "__next__"):
        raise TypeError(
            f"`{name}` is an iterator, whose items are there once, and what iterates over it is checkpointed"
            f" and runs twice: make a list of it, `{name} = list({name})`"
        )
