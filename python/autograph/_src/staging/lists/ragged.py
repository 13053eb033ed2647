"""``np.concatenate`` and ``np.array`` of staged lists of arrays whose sizes only the run knows.

    parts.append(x[mask])          # arrays of different lengths
    np.concatenate(parts)          # one op, whatever the lengths

:mod:`autograph._src.staging.kinds.ragged_of` explains how a graph stores such lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograph._src.staging.kinds.ragged_of import RaggedOf
from autograph._src.staging.lists.list_searches import Variable
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import compare, require
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.statements import stage_for

if TYPE_CHECKING:
    from autograph._src.staging.lists.list_contents import StagedElements


def joined_end_to_end(contents: StagedElements) -> Tensor | None:
    """``np.concatenate`` of ragged elements; ``None`` if the elements are of another kind."""
    element = contents.element
    if not isinstance(element, RaggedOf) or not element.has_rows():
        return None
    count = contents.count()
    message = "need at least one array to concatenate"
    if isinstance(count, Tensor):
        require(compare("greater", count, 0), ValueError, message)
    elif count == 0:
        raise ValueError(message)
    return wrap(emit("list_stack", emit("list_flatten", contents.read()[0])), Form.ARRAY)


def stacked_ragged(contents: StagedElements) -> Tensor:
    """The elements as the rows of one array; the run raises if their sizes differ."""
    count = lift(contents.count())
    message = "a list of arrays becomes one array, and is empty"
    require(compare("greater", count, 0), "GraphValueError", message)
    first = lift(contents.at(lift(0)))
    joined = Variable("the array", lift(np.reshape(first, (-1,))))

    def add(position: Tensor) -> None:
        one = lift(contents.at(position))
        for size, other in zip(first.shape, one.shape, strict=True):
            if isinstance(size, Tensor) or isinstance(other, Tensor):
                same = compare("equal", lift(size), lift(other))
                require(same, ValueError, "all input arrays must have the same shape")
        joined.value = np.concatenate([joined.value, np.reshape(one, (-1,))])

    stage_for(count - 1, lambda position: position + 1, None, add, joined.state)
    return np.reshape(joined.value, (count, *first.shape))  # type: ignore[return-value]
