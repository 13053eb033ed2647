"""What a statement of a `try` may raise, asked of copies: the statement follows where nothing was raised."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused, refused_aside

__all__ = [
    "augmented",
    "copied_alone",
    "copied_to_change",
    "require_list",
    "require_storable",
    "tried_in_place",
    "tried_item",
    "tried_store",
]


def require_list(x):
    """Raise `TypeError` if `x` is no list: another `append` may fail, which its handler would have to see."""
    if type(x) is not list:
        raise refused(
            "AG022",
            "tangent has no rule of `append` in a `try` with `except`, but of lists",
            "do it after the `try`",
        )


def require_storable(x):
    """Raise `TypeError` if `x` is an object with a `__setattr__` or `__setitem__` of its own: it may fail."""
    kind = type(x)
    if kind in (np.ndarray, list, dict):
        return
    if hasattr(kind, "__setitem__") or kind.__setattr__ is not object.__setattr__:
        raise refused(
            "AG022",
            "tangent has no rule of a store in a `try` with `except`, but of lists, dicts, arrays and plain"
            " attributes",
            "do it after the `try`",
        )


def tried_store(value, x, index):
    """Raise what `x[index] = value` raises, and store nothing."""
    copied_alone(x)[index] = value


def tried_in_place(x, value, method):
    """Raise what `x += value` raises, and change nothing; `method` is `iadd`, or another of `operator`."""
    augmented(copied_to_change(x, method), value, method)


def tried_item(x, index, value, method):
    """Raise what `x[index] += value` raises, and change nothing."""
    found = copied_alone(x)
    found[index] = augmented(copied_to_change(found[index], method), value, method)


def copied_alone(x):
    """Give a copy of an array, a list or a dict, whose items are as they are; another value is as it is."""
    return x.copy() if isinstance(x, (np.ndarray, list, dict)) else x


def copied_to_change(x, method):
    """Give a copy of `x`, which `x += value` may change; what its own class changes in place is refused.

    No handler for an `Exception` takes the refusal.
    """
    if isinstance(x, (np.ndarray, list, dict, set)):
        return x.copy()
    if hasattr(type(x), f"__{method}__"):
        raise refused_aside(
            "AG022",
            f"tangent has no rule of `__{method}__` of a class in a `try` with `except`",
            "do it after the `try`",
        )
    return x


def augmented(x, value, method):
    """Give what `x += value` binds; `method` says which operator it is."""
    if method == "iadd":
        x += value
    elif method == "isub":
        x -= value
    elif method == "imul":
        x *= value
    elif method == "imatmul":
        x @= value
    elif method == "itruediv":
        x /= value
    elif method == "ifloordiv":
        x //= value
    elif method == "imod":
        x %= value
    elif method == "ipow":
        x **= value
    elif method == "ilshift":
        x <<= value
    elif method == "irshift":
        x >>= value
    elif method == "iand":
        x &= value
    elif method == "ior":
        x |= value
    elif method == "ixor":
        x ^= value
    return x
