"""``np.nditer`` and ``np.ndenumerate`` of a staged array.

for (i, j), value in np.ndenumerate(x):     # one staged loop over the elements in a row
total += value * (i - j)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.staging.builtins.staged_builtins import staged
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.tensors.layouts import order_of
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import C_ORDER, note_view
from autograph._src.staging.tensors.sizes import at_least, ensure
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import staging_error, value_error


@staged(np.nditer)
def _nditer(op: Any, flags: Any = None, op_flags: Any = None, *others: Any, **options: Any) -> StagedIterable:
    """``np.nditer(x)`` of one array that is only read."""
    order = options.pop("order", "K")
    if isinstance(op, (list, tuple)) or flags or op_flags or others or options:
        raise staging_error(
            "AG120",
            "`np.nditer` of several arrays, or with flags",
            "go over `np.ndindex(x.shape)`",
        )
    x = lift(op)
    if order != "C" and x.ndim > 1 and order_of(x) != C_ORDER:
        raise staging_error(
            "AG120",
            "`np.nditer` goes over an array as it lies in memory",
            "say `order='C'`",
        )
    ensure(at_least(x.size, 1), value_error("Iteration of zero-sized operands is not enabled"))
    row = lift(np.ravel(x))

    def item(position: Any) -> Tensor:
        element = wrap(lift(row[position]).read(), Form.ARRAY)
        note_view(element, x)
        return element

    return StagedIterable(x.size, item, "nditer")


@staged(np.ndenumerate)
def _ndenumerate(arr: Any) -> StagedIterable:
    """``np.ndenumerate(x)``: the indices of each element, and the element."""
    x = lift(arr)
    row, sizes = lift(np.ravel(x)), x.shape

    def item(position: Any) -> tuple[tuple[Any, ...], Any]:
        place, indices = position, []
        for size in reversed(sizes):
            indices.append(place % size)
            place = place // size
        return tuple(reversed(indices)), row[position]

    return StagedIterable(x.size, item, "ndenumerate")
