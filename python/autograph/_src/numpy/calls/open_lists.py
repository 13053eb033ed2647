"""``x.tolist()`` of an array of sizes that only the run knows; the remedy for methods without a graph."""

from __future__ import annotations

from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.trace.active import staging_error

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


def _numbers(values: Any) -> list[Any]:
    return [value.item() for value in values]


request_own(_numbers)
