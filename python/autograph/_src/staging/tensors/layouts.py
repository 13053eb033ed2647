"""Layouts: the offset and strides of a view within its base array, as far as they are known.

A layout counts elements of the base in C order: ``x[1, ::2]`` of a 4 x 6 array has offset 6 and stride 2.
The offset may depend on staged indices: that of ``x[i]`` is ``6 * i``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.staging.tensors.index_parts import At, Cut, New, Pick, Span
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import C_ORDER, Order, is_view
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap

if TYPE_CHECKING:
    from autograph._src.staging.tensors.memory import Memory


@dataclass(frozen=True)
class Move:
    """A staged index along one axis, which moves the start of the view.

    Attributes:
        index: The index.
        size: The size of the axis, added to a negative index; ``None`` if the index is never negative.
    """

    index: Tensor
    size: int | None

    def key(self) -> tuple[int, int | None]:
        """A key that is equal for two moves by the same distance."""
        return self.index.value_id, self.size

    def steps(self) -> Tensor:
        """The number of steps from the start of the axis."""
        index = self.index
        number = emit("cast", index.read(), "int64") if index.dtype != np.int64 else index.read()
        if self.size is not None:
            below = emit("binary", "less", number, lift(0).read())
            from_end = emit("binary", "add", number, lift(self.size).read())
            number = emit("select", below, from_end, number)
        return wrap(number, Form.SCALAR)


@dataclass(frozen=True)
class Layout:
    """The offset and strides of a view, in elements of its base array.

    Attributes:
        root: The memory of the base array.
        start: The known part of the offset.
        moves: The staged part of the offset: indices, each with the stride of its axis.
        strides: The stride of each axis of the view.
        axes: For each axis of the view, the axis of the base that it follows; ``None`` for a new axis.
    """

    root: Memory
    start: int
    moves: tuple[tuple[Move, int], ...]
    strides: tuple[int, ...]
    axes: tuple[int | None, ...]

    def transposed(self, order: Sequence[int]) -> Layout:
        """The layout with the axes in another order."""
        strides = tuple(self.strides[axis] for axis in order)
        return replace(self, strides=strides, axes=tuple(self.axes[axis] for axis in order))

    def reshaped(self, old: Sequence[int | None], new: Sequence[int | None]) -> Layout | None:
        """The layout after a reshape; ``None`` if the elements are not evenly spaced."""
        if None in old or None in new or self.strides != _c_strides(old, self.strides[-1:]):
            return None
        strides = _c_strides(new, self.strides[-1:])
        if strides is None:
            return None
        axis = self.axes[0] if len(set(self.axes)) == 1 else None
        return replace(self, strides=strides, axes=(axis,) * len(strides))


def _c_strides(sizes: Sequence[int | None], last: Sequence[int] = (1,)) -> tuple[int, ...] | None:
    """The strides in C order; the size of the first axis does not matter and may be unknown."""
    known = [size for size in sizes[1:] if size is not None]
    if len(known) < len(sizes[1:]):
        return None
    unit = last[0] if last else 1
    return tuple(unit * math.prod(known[axis:]) for axis in range(len(sizes)))


def is_split(old: Sequence[int | None], new: Sequence[int | None]) -> bool:
    """Whether a reshape only divides axes, or adds or drops axes of size 1: a view, however the array lies.

    >>> is_split((6, 4), (2, 3, 1, 4)), is_split((6, 4), (24,)), is_split((None, 1), (None,))
    (True, False, True)
    """
    rest = [size for size in new if size != 1]
    for size in [size for size in old if size != 1]:
        if size is None:
            if not rest or rest.pop(0) is not None:
                return False
            continue
        product = 1
        while product < size and rest and rest[0] is not None:
            product *= rest.pop(0) or 0
            if not product:
                return False
        if product != size:
            return False
    return not rest


def order_of_view(x: Tensor, new: Sequence[int | None]) -> Order | None:
    """What has to lie in C order for ``x.reshape(new)`` to be a view; ``None`` if that is not known."""
    if is_split(x.sizes, new):
        return C_ORDER
    layout = layout_of(x)
    return None if layout is None or layout.reshaped(x.sizes, new) is None else layout.root.order


def order_of(x: Tensor) -> Order | None:
    """What has to lie in C order for an array or view to; ``None`` if it is not known to."""
    layout = layout_of(x)
    return None if layout is None or layout.strides != _c_strides(x.sizes) else layout.root.order


def common_order(values: Iterable[object]) -> Order | None:
    """What has to lie in C order for the result of an elementwise operation to."""
    found = C_ORDER
    for value in values:
        if isinstance(value, Tensor) and value.sizes:
            order = order_of(value)
            if order is None:
                return None
            found |= order
        elif isinstance(value, np.ndarray) and not value.flags.c_contiguous:
            return None
    return found


def layout_of(x: Tensor) -> Layout | None:
    """The layout of an array or view; ``None`` if it is not known."""
    if x.layout is not None or is_view(x):
        return x.layout
    strides = _c_strides(x.sizes)
    return None if strides is None else Layout(x.memory, 0, (), strides, tuple(range(x.ndim)))


def selected(layout: Layout | None, parts: Sequence[Any], sizes: Sequence[int | None]) -> Layout | None:
    """The layout of the view ``x[index]``; ``None`` if it is not known."""
    if layout is None:
        return None
    start, moves = layout.start, list(layout.moves)
    kept: list[tuple[int, int | None]] = []
    given = iter(zip(layout.strides, layout.axes, sizes, strict=True))
    for part in parts:
        if isinstance(part, New):
            kept.append((0, None))
            continue
        stride, axis, size = next(given)
        if isinstance(part, At):
            start += part.position * stride
        elif isinstance(part, Span):
            start += part.start * stride if part.moving is None else 0
            moves += [] if part.moving is None else [(Move(part.moving, None), stride)]
            kept.append((part.step * stride, axis))
        elif isinstance(part, Pick) and not part.rank and size is not None:
            moves.append((_move_of(part.indices, size), stride))
        elif isinstance(part, Cut) and isinstance(part.step, int):
            moves.append((Move(part.start, None), stride))
            kept.append((part.step * stride, axis))
        else:
            return None
    strides, axes = tuple(stride for stride, _ in kept), tuple(axis for _, axis in kept)
    return Layout(layout.root, start, tuple(moves), strides, axes)


def _move_of(index: Tensor, size: int) -> Move:
    """The move of an index with its present value, which may be negative."""
    bounds = index.affine.bounds() if index.affine is not None else (-1, 0)
    return Move(wrap(index.read(), Form.SCALAR), None if bounds[0] >= 0 else size)
