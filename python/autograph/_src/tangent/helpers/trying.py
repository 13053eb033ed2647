"""What a statement of a `try` may raise, asked of copies: the statement follows where nothing was raised."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused, refused_aside

__all__ = [
    "augmented",
    "caught",
    "caught_plain",
    "copied_alone",
    "copied_to_change",
    "holds_numbers",
    "require_list",
    "require_rebound",
    "require_storable",
    "tried_in_place",
    "tried_item",
    "tried_items",
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


def require_rebound(x, name):
    """Raise `TypeError` if `x += v` changes `x` in place, and does not bind its variable anew.

    No handler for an `Exception` takes the refusal.
    """
    if any([hasattr(type(x), method) for method in ("__iadd__", "__imul__", "__ior__")]):
        raise refused_aside(
            "AG023",
            f"`{name}`, which a function in a `try` with `except` writes by `nonlocal`, is changed in place",
            f"compute a new one, `{name} = {name} + ...`",
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


def tried_items(x):
    """Give what is unpacked to see whether that raises; the items of an iterator would be gone.

    No handler for an `Exception` takes the refusal.
    """
    if hasattr(x, "__next__"):
        raise refused_aside(
            "AG021",
            "an iterator is unpacked in a `try` with `except`, whose items are there once",
            "make a list of it before the `try`",
        )
    return x


def caught(error):
    """Give an exception, of which a handler reads the class and the words."""
    return error


def caught_plain(error):
    """Give an exception that holds no number or array: what is read of that would have no derivative.

    No handler for an `Exception` takes the refusal.
    """
    if holds_numbers((*error.args, *getattr(error, "__dict__", {}).values())):
        raise refused_aside(
            "AG021",
            f"a handler reads what a `{type(error).__name__}` holds, and that may have a derivative",
            "bind it to a variable before it is raised, and read that",
        )
    return error


def holds_numbers(x):
    """Whether a value is, or holds, a float, an array or another object."""
    if isinstance(x, (list, tuple)):
        return any([holds_numbers(item) for item in x])
    return not isinstance(x, (str, bytes, int, type, type(None)))


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
