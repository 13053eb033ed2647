"""Items of NumPy's arrays of texts and dates at staged indices: one of a few constants.

    label = classes[np.argmax(scores)]      # np.str_("cat") or np.str_("dog")

No graph value is a text, so an item is a choice; see ``kinds/choices.py``. A part of such an array would have
to be one, and is refused.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from autograph._src.staging.lists.list_contents import staged_contents
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.trace.active import staging_error


def are_labels(array: object) -> TypeGuard[NDArray[Any]]:
    """Whether a value is a plain array of texts or dates."""
    return isinstance(array, np.ndarray) and array.dtype.kind in "USMm"


def item_of_labels(labels: NDArray[Any], index: object) -> object:
    """``labels[index]``, with a staged index of one item.

    Raises:
        IndexError: NumPy's own, when the graph runs.
        StagingError: If the index gives an array (AG103).
    """
    place = lift(np.arange(labels.size).reshape(labels.shape))[index]
    if place.shape:
        raise staging_error(
            "AG103",
            f"a part of an array of dtype {labels.dtype}, which depends on data, is not staged",
            "return the indices, and take the part after the call: `labels[f(x)]`",
        )
    if not labels.size:
        return labels.dtype.type()  # The look at the place raises in each run.
    return staged_contents(list(labels.flat), "the array").at(place)
