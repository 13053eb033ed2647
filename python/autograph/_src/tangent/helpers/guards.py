"""What a derivative requires of the values that it is called with."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused
from autograph._src.tangent.helpers.containers import share_memory


def require_sequence(x, name):
    """Raise `TypeError` if `x` is a dict, which gives its keys for items."""
    if isinstance(x, dict):
        raise refused(
            "AG021",
            f"the derivative is that of items of a list, and `{name}` is a dict, which gives its keys",
            f"write `list({name})`",
        )


def require_items(items, least):
    """Raise what `a, b, *rest = items` raises where `items` are too few."""
    if len(items) < least:
        raise ValueError(f"not enough values to unpack (expected at least {least}, got {len(items)})")


def require_arguments(called, places, items, options, names, given, takes_more, takes_others):
    """Raise what a call with `*items` and `**options` raises where these do not fit.

    Args:
        called: The function, for messages.
        places: The parameters that `items` are of, in order.
        items: What `*` gives.
        options: What `**` gives.
        names: The parameters that `items` and `options` may give.
        given: Those that the call gives besides.
        takes_more: Whether there is an `*args` for more items.
        takes_others: Whether there is a `**kwargs` for other keys.
    """
    if len(items) > len(places) and not takes_more:
        raise TypeError(f"{called}() got {len(items) - len(places)} positional arguments too many")
    for key in options:
        if key in given or key in places[: len(items)]:
            raise TypeError(f"{called}() got multiple values for argument {key!r}")
        if key not in names and not takes_others:
            raise TypeError(f"{called}() got an unexpected keyword argument {key!r}")


def require_same_lengths(*lengths):
    """Raise what `zip(..., strict=True)` raises after the last items that all arguments have."""
    place = lengths.index(min(lengths))
    longer = [one for one, length in enumerate(lengths) if length > lengths[0]]
    if place == 0 and not longer:
        return
    number, word = (longer[0], "longer") if place == 0 else (place, "shorter")
    others = "argument 1" if number == 1 else f"arguments 1-{number}"
    raise ValueError(f"zip() argument {number + 1} is {word} than {others}")


def require_array(x, name):
    """Raise `TypeError` if `x` is no array: `fill` of a number of NumPy does nothing."""
    if not isinstance(x, np.ndarray):
        raise refused(
            "AG021",
            f"the derivative is that of an array that is filled, and `{name}` is a `{type(x).__name__}`",
            f"bind `{name}` anew",
        )


def require_number(x, changed, read):
    """Raise `TypeError` if `x` is an array or a list: `read` would show a change of `changed` in place."""
    if isinstance(x, (np.ndarray, list)):
        raise refused(
            "AG023",
            f"`{changed}` is changed in place, and `{read}`, which is read later, may be the same array",
            f"compute a new one, `{changed} = {changed} + ...`, or copy it first",
        )


def require_repeatable(items, name):
    """Raise `TypeError` if `items` can be iterated over only once: what is checkpointed runs twice."""
    if hasattr(items, "__next__"):
        raise refused(
            "AG021",
            f"`{name}` is an iterator, whose items are there once, and what iterates over it is checkpointed"
            " and runs twice",
            f"make a list of it, `{name} = list({name})`",
        )


def require_separate(x, others, name):
    """Raise `TypeError` if `x`, which a call writes to, may be, or have memory of, another argument."""
    if share_memory(x, others) or (isinstance(x, list) and is_in(x, others)):
        raise refused(
            "AG023",
            f"a call writes to `{name}`, and another of its arguments may be the same array",
            "give it a copy",
        )


def is_in(x, others):
    """Whether a list is another value, or in it."""
    if isinstance(others, (list, tuple)):
        return others is x or any([is_in(x, one) for one in others])
    return isinstance(others, dict) and any([is_in(x, one) for one in others.values()])


def require_own_result(y):
    """Raise `TypeError` if a result and arrays that a function has written may be one.

    Args:
        y: The result, and what is in these arrays.
    """
    for place, one in enumerate(y):
        if share_memory(one, y[place + 1 :]):
            raise refused(
                "AG023",
                "the result of a function may be the same array as one that it writes to, or a part of it",
                "return a copy",
            )


def evaluated(x):
    """Do nothing: that its argument was evaluated says that it raised nothing."""
