"""Refuses writes where NumPy would read elements that the same statement has just written.

If both sides overlap, NumPy copies the right side first, or iterates in a safe order. In two cases it does
neither::

    x = np.arange(8)
    x[::2] = x[:4]      # one dimension, other steps: [0, 1, 1, 3, 1, 5, 3, 7], and not 2 at x[4]
    x[mask] = x[:4]     # a mask of all dimensions

The result then depends on the memory layout of the array, which a staged array does not have. Such a write is
refused if an element would be read after it was written; otherwise it is recorded as if the right side was
copied first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from autograph._src.staging.tensors.index_parts import Cut, New, Part, Span
from autograph._src.staging.tensors.layouts import Layout, Move, layout_of, selected
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import memories_of
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.statements import record_error_unless
from autograph.errors import GraphRuntimeError

_MESSAGE = (
    "this writes a part of an array into a part of it that overlaps it, and NumPy reads what it has written"
)
_HELP = "copy the right side first: `.copy()`"

_MOST_LOOKED_AT = 1 << 20
"""The most elements that are checked one by one."""


def refuse_overlap(x: Tensor, parts: Sequence[Part] | None, source: Tensor) -> None:
    """Refuses a write in which NumPy would read an element after writing it.

    Args:
        x: The array.
        parts: The parsed index that is written to; ``None`` for a mask.
        source: The value.
    """
    if not _may_share(x, source) or all(size == 1 for size in source.sizes):
        return
    if parts is None:
        raise staging_error("AG139", _MESSAGE, _HELP)
    axes = [part for part in parts if isinstance(part, New | Span | Cut)]
    if len(axes) != 1:
        return  # NumPy copies the right side.
    to, of = selected(layout_of(x), parts, x.sizes), layout_of(source)
    size = _size_of(axes[0], x)
    if to is None or of is None or to.root is not of.root:
        raise staging_error("AG139", _MESSAGE, _HELP)
    is_turned = to.strides[-1] * of.strides[-1] < 0 and to.axes[-1] == of.axes[-1] is not None
    if is_turned or to.strides[-1] == of.strides[-1] or (isinstance(size, int) and size < 2):
        return
    distance, moves = of.start - to.start, _difference(of, to)
    if not isinstance(size, int) or (moves and not _divides(to, of, size)):
        raise staging_error("AG139", _MESSAGE, _HELP)
    if not moves:
        if _is_read_late(distance, to.strides[-1], of.strides[-1], size):
            raise staging_error("AG139", _MESSAGE, _HELP)
        return
    is_right = truth(_crosses_at_one_time(_summed(distance, moves), to.strides[-1], of.strides[-1], size))
    record_error_unless(is_right, GraphRuntimeError, _MESSAGE, code="AG139", help=_HELP)


def refuse_shared(x: Tensor, source: Tensor) -> None:
    """Refuses a write by a function that never copies its source, if both may share memory."""
    if _may_share(x, source):
        raise staging_error("AG139", _MESSAGE, _HELP)


def _size_of(part: Part, x: Tensor) -> int | None:
    """The number of elements that a part selects; ``None`` if it is not known."""
    if not isinstance(part, Span):
        return 1 if isinstance(part, New) else None
    return x.sizes[-1] if part.size is None and x.ndim == 1 else part.size


def _may_share(x: Tensor, source: Tensor) -> bool:
    own = {id(memory) for memory in memories_of(x)}
    return source.form is Form.ARRAY and any(id(memory) in own for memory in memories_of(source))


def _difference(of: Layout, to: Layout) -> list[tuple[Move, int]]:
    """The staged part of the distance between two offsets: moves, each with its factor."""
    factors: dict[tuple[int, int | None], tuple[Move, int]] = {}
    for moves, sign in ((of.moves, 1), (to.moves, -1)):
        for move, stride in moves:
            _, known = factors.get(move.key(), (move, 0))
            factors[move.key()] = (move, known + sign * stride)
    return [(move, factor) for move, factor in factors.values() if factor]


def _is_read_late(distance: int, to: int, of: int, size: int) -> bool:
    """Whether some element is read and written in two different steps."""
    if distance % math.gcd(to, of):
        return False
    last = size - 1
    if max(0, to * last) < distance + min(0, of * last) or distance + max(0, of * last) < min(0, to * last):
        return False
    if size > _MOST_LOOKED_AT:
        return True
    steps = np.arange(size)
    step, rest = np.divmod(distance + of * steps, to)
    return bool(np.any((rest == 0) & (step >= 0) & (step < size) & (step != steps)))


def _divides(to: Layout, of: Layout, size: int) -> bool:
    """Whether one stride is so large a multiple of the other that both meet in one element at most."""
    small, large = sorted((abs(to.strides[-1]), abs(of.strides[-1])))
    return small > 0 and large % small == 0 and large // small >= size


def _summed(distance: int, moves: list[tuple[Move, int]]) -> Tensor:
    total = lift(np.int64(distance))
    for move, factor in moves:
        moved = emit("binary", "multiply", move.steps().read(), lift(np.int64(factor)).read())
        total = wrap(emit("binary", "add", total.read(), moved), Form.SCALAR)
    return total


def _crosses_at_one_time(distance: Tensor, to: int, of: int, size: int) -> object:
    """Whether the one element that both sides may share is read and written in the same step.

    Step ``k`` reads at ``distance + of * k``, and step ``j`` writes at ``to * j``.
    """
    if abs(to) > abs(of):
        # Swap the roles of reading and writing, and measure from the start of the reading.
        return _crosses_at_one_time(lift(-distance), of, to, size)
    place, rest = lift(distance // to), distance % to
    times = of // to
    # At most one k puts place + times * k into [0, size), since abs(times) >= size.
    met = place % abs(times)
    step = (met - place) // times
    meets = (rest == 0) & (met < size) & (step >= 0) & (step < size)
    return np.logical_not(meets & (met != step))
