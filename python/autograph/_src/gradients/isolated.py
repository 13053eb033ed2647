"""Records the user's code as a block of its own, which must not write to anything outside of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.staging.objects.object_tables import ObjectTable
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.trace import Trace


def isolated(trace: Trace, what: str, code: str, function: Callable[..., Any], *args: object) -> object:
    """The result of a function that is recorded into the innermost open block.

    Args:
        trace: The trace, whose builder has opened a block.
        what: A description of the block for messages: ``a function of ag.vmap``.
        code: The error code of the refusal.
        function: The function.
        *args: Its arguments.

    Raises:
        StagingError: If the function writes to an object that is older than the block.
    """
    try:
        with trace.journal.block(what, is_isolated=True) as block:
            result = converted_call(function, *args)
            writes = trace.journal.take(block, (result,))
    except BaseException:
        trace.builder.close([])  # The enclosing block records the exception.
        raise
    # The rows that the block has added to tables are gone: nothing of the result refers to them.
    places = [place for place, _ in writes.places.values() if not isinstance(place.owner, ObjectTable)]
    if writes.tensors or places:
        names = [tensor.name for tensor, _ in writes.tensors.values()]
        names += [place.name for place in places]
        named = next((f"`{name}`" for name in names if name), "an array")
        raise staging_error(
            code,
            f"{named} is from around {what}, and is written in it",
            "return the new value instead",
        )
    return result
