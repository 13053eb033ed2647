"""``x.tolist()``: lists of the program; and the remedy for methods without a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.lists.traced_list import TracedList, made_list
from autograph._src.staging.trace.active import require_trace, staging_error

AFTERWARDS = "call it on what the staged function returns"
"""The remedy for a method or attribute that is not staged."""


def list_of_open(x: Any) -> object:
    """The numbers of a vector, as a list of the run.

    Args:
        x: The array, with a size that only the run knows.

    Raises:
        StagingError: If it has several axes (AG117).
    """
    if len(x.sizes) > 1:
        raise staging_error(
            "AG117",
            "`tolist` of an array of several axes whose sizes depend on data",
            "write a loop for each axis: `[[v.item() for v in row] for row in x]`",
        )
    return converted_call(_numbers, x)


def made_rows(x: Any, item: Callable[[Any], object]) -> object:
    """The nested lists of the numbers of an array, which the program may change.

    Args:
        x: The array, of known sizes.
        item: Gives the number of an array without axes.
    """
    if not x.sizes:
        return item(x)
    return made_list([_row(x[place], item) for place in range(x.sizes[0])])


def _row(x: Any, item: Callable[[Any], object]) -> object:
    if not x.sizes:
        return item(x)
    rows = [_row(x[place], item) for place in range(x.sizes[0])]
    return require_trace().journal.created(TracedList(rows))


def _numbers(values: Any) -> list[Any]:
    return [value.item() for value in values]


request_own(_numbers)
