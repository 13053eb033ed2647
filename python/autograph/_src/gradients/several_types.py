"""Arguments that may have several types: a transformation records its work once for each type.

y = x if x > 1 else 0
rule(y)                   # the call of a function with a rule, for the float and for the int
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.trees import flatten


def for_each_type(
    record: Callable[[tuple[Any, ...], dict[str, Any]], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """Records ``record(args, kwargs)`` once for each type of a leaf that may have several.

    Args:
        record: Records a call. By itself it would treat a number of several types as one without a
            derivative.
        args: Positional arguments, trees of values.
        kwargs: Named arguments.
    """
    leaves: list[Any] = []
    _, rebuild = flatten((args, kwargs), leaves)
    found = next((place for place, leaf in enumerate(leaves) if type(leaf) is StagedUnion), None)
    if found is None:
        return record(args, kwargs)

    def use(value: object) -> object:
        return for_each_type(record, *rebuild([*leaves[:found], value, *leaves[found + 1 :]]))

    return each(leaves[found], use)
