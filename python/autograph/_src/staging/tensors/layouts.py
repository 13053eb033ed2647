"""Where the elements of a view are in the array that it views, as far as that is known.

A layout counts elements of the array in C order: ``x[1, ::2]`` of a 4 x 6 array starts at 6 and goes by 2.
A start may depend on staged indices: that of ``x[i]`` is ``6 * i``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.staging.tensors.tensor import Kind, emit, lift, wrap

if TYPE_CHECKING:
    from autograph._src.staging.tensors.memory import Memory
    from autograph._src.staging.tensors.tensor import Tensor


@dataclass(frozen=True)
class Move:
    """A staged index of one axis: how many of its steps the view starts behind the array.

    Attributes:
        index: The index.
        size: Of the axis, from whose end a negative index counts; ``None`` if the index is not negative.
    """

    index: Tensor
    size: int | None

    def key(self) -> tuple[int, int | None]:
        """What moves have in common that go equally far."""
        return self.index.value_id, self.size

    def steps(self) -> Tensor:
        """The steps from the start of the axis."""
        index = self.index
        number = emit("cast", index.read(), "int64") if index.dtype != np.int64 else index.read()
        if self.size is not None:
            below = emit("binary", "less", number, lift(0).read())
            from_end = emit("binary", "add", number, lift(self.size).read())
            number = emit("select", below, from_end, number)
        return wrap(number, Kind.SCALAR)


@dataclass(frozen=True)
class Layout:
    """The place of a view's first element, and how far it is from one to the next along each axis.

    Attributes:
        root: The memory of the array that is viewed.
        start: The known part of the place.
        moves: Staged indices, each with the elements that one of its steps stands for.
        strides: For each axis.
        axes: For each axis that of the array along which it goes, if it is one. A new axis goes along none.
    """

    root: Memory
    start: int
    moves: tuple[tuple[Move, int], ...]
    strides: tuple[int, ...]
    axes: tuple[int | None, ...]

    def transposed(self, order: Sequence[int]) -> Layout:
        """With the axes in another order."""
        strides = tuple(self.strides[axis] for axis in order)
        return replace(self, strides=strides, axes=tuple(self.axes[axis] for axis in order))

    def reshaped(self, old: Sequence[int | None], new: Sequence[int | None]) -> Layout | None:
        """In another shape, which has to see the same elements in one line."""
        if None in old or None in new or self.strides != _c_strides(old, self.strides[-1:]):
            return None
        strides = _c_strides(new, self.strides[-1:])
        if strides is None:
            return None
        axis = self.axes[0] if len(set(self.axes)) == 1 else None
        return replace(self, strides=strides, axes=(axis,) * len(strides))


def _c_strides(sizes: Sequence[int | None], last: Sequence[int] = (1,)) -> tuple[int, ...] | None:
    """The distances in C order; the size of the first axis does not matter."""
    known = [size for size in sizes[1:] if size is not None]
    if len(known) < len(sizes[1:]):
        return None
    unit = last[0] if last else 1
    return tuple(unit * math.prod(known[axis:]) for axis in range(len(sizes)))


def layout_of(x: Tensor) -> Layout | None:
    """Where the elements of an array are; ``None`` if that is not known."""
    if x.layout is not None or x.is_view():
        return x.layout
    strides = _c_strides(x.sizes)
    return None if strides is None else Layout(x.memory, 0, (), strides, tuple(range(x.ndim)))


def selected(layout: Layout | None, parts: Sequence[Any], sizes: Sequence[int | None]) -> Layout | None:
    """The layout of ``x[index]``, which is a view."""
    from autograph._src.staging.tensors.indexing import At, Cut, New, Pick, Span

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
    """That of an index as it is now, which may count from the end."""
    bounds = index.affine.bounds() if index.affine is not None else (-1, 0)
    return Move(wrap(index.read(), Kind.SCALAR), None if bounds[0] >= 0 else size)
