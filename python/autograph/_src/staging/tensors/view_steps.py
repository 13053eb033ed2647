"""The steps from an array to a view of it, each of which reads the view's elements and writes them back.

    row = a[i]          Selected: `a[i]`, and `a[i] = new`
    t = a[1:].T         Selected, whose axes come in another order
    m = x.reshape(2, 3) Reshaped: there and back

Indices are values of the graph and stay what they were when the view was made. A view of a view is one
selection where that can be said: ``a[1:][2]`` is ``a[3]``, so that it is written at the cost of a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograph._src.staging.tensors.index_parts import At, Cut, New, Part, Pick, Span
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import Order
from autograph._src.staging.tensors.part_writes import as_written, write_parts
from autograph._src.staging.tensors.positions import plus
from autograph._src.staging.tensors.selecting import (
    beside_picks,
    emit_reshape,
    pick_elements,
    take_slices,
    with_axes,
)
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace


@dataclass(frozen=True)
class Selected:
    """A selection by integers and slices, with its axes in any order.

    Attributes:
        parts: What is selected along each axis of the array: no new axes, and no index arrays.
        sizes: The sizes of the array's axes.
        axes: For each axis of the view, the axis of the array that it follows; ``None`` for a new axis.
    """

    parts: tuple[Part, ...]
    sizes: tuple[int | None, ...]
    axes: tuple[int | None, ...]

    def read(self, value: int) -> int:
        """The elements of the view, from those of the array."""
        parts = beside_picks(self.parts)
        value = take_slices(value, self.sizes, parts)
        value = with_axes(pick_elements(value, parts), parts)
        order = self._order()
        if order != sorted(order):
            value = emit("transpose", value, order)
        if None not in self.axes:
            return value
        sizes = iter(wrap(value).shape)
        return emit("reshape", value, [1 if axis is None else next(sizes) for axis in self.axes])

    def write(self, value: int, new: int) -> int:
        """The elements of the array when those of the view are new."""
        if None in self.axes:
            pairs = zip(self.axes, wrap(new).shape, strict=True)
            new = emit("reshape", new, [size for axis, size in pairs if axis is not None])
        order = self._order()
        if order != sorted(order):
            new = emit("transpose", new, [order.index(axis) for axis in range(len(order))])
        array = wrap(value, Form.ARRAY)
        return write_parts(array, as_written(list(self.parts), array), new)

    def _order(self) -> list[int]:
        """For each axis of the view but for new ones, its place among those that are kept."""
        kept = [axis for axis in self.axes if axis is not None]
        return [sorted(kept).index(axis) for axis in kept]

    def selected(self, parts: Sequence[Part]) -> Selected | None:
        """The view ``view[index]`` as one selection; ``None`` if a selection does not say it."""
        made, axes = list(self.parts), list[int | None]()
        given = iter(enumerate(self.axes))
        for part in parts:
            place, axis = (0, None) if isinstance(part, New) else next(given)
            if axis is None:
                if not isinstance(part, (New, At)) and part != Span(0, 1, 1):
                    return None
                axes += [] if isinstance(part, At) else [None]
                continue
            inner = _within(made[axis], part, self.sizes[axis])
            # An index that is out of bounds is so for the view's axis, in the words of the error.
            if inner is None or not (place == axis or _is_safe(part, made[axis], self.sizes[axis])):
                return None
            made[axis] = inner
            axes += [axis] if isinstance(inner, (Span, Cut)) else []
        return replace(self, parts=tuple(made), axes=tuple(axes))

    def is_plain(self) -> bool:
        """Whether it has no staged indices."""
        moving = (part.moving is not None for part in self.parts if isinstance(part, Span))
        return all(isinstance(part, (At, Span)) for part in self.parts) and not any(moving)

    def transposed(self, order: Sequence[int]) -> Selected:
        """The view with its axes in another order."""
        return replace(self, axes=tuple(self.axes[axis] for axis in order))

    def is_written_at_once(self) -> bool:
        """Whether an op can write to it: to elements, or to a slice that moves along one axis."""
        moving = sum(isinstance(part, Span) and part.moving is not None for part in self.parts)
        return not moving or (moving == 1 and not any(isinstance(part, (Pick, Cut)) for part in self.parts))


@dataclass(frozen=True)
class Reshaped:
    """Another shape of an array whose elements lie one after another.

    Attributes:
        shape: The shape, with staged sizes.
        order: The slots of the arguments that have to lie in C order for this to be a view.
    """

    shape: tuple[Any, ...]
    order: Order

    def is_plain(self) -> bool:
        """Whether it has no staged sizes."""
        return all(isinstance(size, int) for size in self.shape)

    def read(self, value: int) -> int:
        """The elements in this shape."""
        require_trace().needs_order(self.order)
        return emit_reshape(value, list(self.shape))

    def write(self, value: int, new: int) -> int:
        """The elements in the array's own shape."""
        require_trace().needs_order(self.order)
        return emit_reshape(new, list(wrap(value).shape))


Step = Selected | Reshaped
Steps = tuple[Step, ...]


def with_index(steps: Steps, sizes: tuple[int | None, ...], parts: Sequence[Part]) -> Steps:
    """The steps to ``view[index]``, from those to a view with these sizes."""
    parts = [_kept(part) for part in parts]
    last = steps[-1] if steps else None
    found = last.selected(parts) if isinstance(last, Selected) else None
    if found is not None and found.is_written_at_once():
        return (*steps[:-1], found)
    step = _whole(sizes).selected(parts)
    assert step is not None
    return (*steps, step)


def with_order(steps: Steps, sizes: tuple[int | None, ...], order: Sequence[int]) -> Steps:
    """The steps to ``view.transpose(order)``."""
    last = steps[-1] if steps else None
    if isinstance(last, Selected):
        return (*steps[:-1], last.transposed(order))
    return (*steps, _whole(sizes).transposed(order))


def with_shape(steps: Steps, shape: Sequence[Any], order: Order) -> Steps:
    """The steps to ``view.reshape(shape)``, where that is a view."""
    last = steps[-1] if steps else None
    if isinstance(last, Reshaped):
        return (*steps[:-1], Reshaped(tuple(shape), last.order | order))
    return (*steps, Reshaped(tuple(shape), order))


def are_plain(steps: Steps) -> bool:
    """Whether no step has a number that only the run knows."""
    return all(step.is_plain() for step in steps)


def _whole(sizes: tuple[int | None, ...]) -> Selected:
    """The step to all of an array."""
    return Selected(tuple(Span(0, size, 1) for size in sizes), sizes, tuple(range(len(sizes))))


def _kept(part: Part) -> Part:
    """A part whose index is not written any more: a 0-d array may be."""
    if isinstance(part, Pick) and part.indices.form is Form.ARRAY:
        return Pick(wrap(part.indices.read(), Form.SCALAR))
    return part


def _within(outer: Part, part: Part, extent: int | None) -> Part | None:
    """The part of an axis that a part of a part of it is; ``None`` if this does not say it."""
    if outer == Span(0, extent, 1):
        return part
    if part == Span(0, outer.size if isinstance(outer, Span) else None, 1):
        return outer
    if not isinstance(outer, Span) or outer.size is None:
        return None
    if isinstance(part, At):
        return _at(outer, part.position)
    if isinstance(part, Span) and part.moving is None and part.size is not None:
        return _slice_of(outer, part, part.size)
    if isinstance(part, Pick) and _is_within(part.indices, outer.size):
        return _moved(outer, part.indices)
    return None


def _at(outer: Span, position: int) -> Part:
    if outer.moving is None:
        return At(outer.start + position * outer.step)
    return Pick(plus(lift(outer.moving), lift(position)))


def _slice_of(outer: Span, part: Span, size: int) -> Part | None:
    if not size:
        return Span(0, 0, 1)
    if outer.moving is None:
        return Span(outer.start + part.start * outer.step, size, part.step * outer.step)
    if part.step != 1:
        return None
    return Span(0, size, 1, plus(lift(outer.moving), lift(part.start)))


def _is_safe(part: Part, outer: Part, extent: int | None) -> bool:
    """Whether a part of an axis of a view is known to be within its bounds."""
    if not isinstance(part, Pick):
        return True
    size = outer.size if isinstance(outer, Span) and outer.size is not None else extent
    return size is not None and _is_within(part.indices, size)


def _is_within(index: Tensor, size: int) -> bool:
    """Whether an index is known to be neither negative nor past the end."""
    bounds = index.affine.bounds() if index.affine is not None else (-1, 0)
    return bounds[0] >= 0 and bounds[1] < size


def _moved(outer: Span, index: Tensor) -> Pick | None:
    place = wrap(emit("cast", index.read(), "int64") if index.dtype.name != "int64" else index.read())
    if outer.moving is not None:
        return Pick(plus(lift(outer.moving), place))
    if outer.step != 1:
        place = wrap(emit("binary", "multiply", place.read(), lift(outer.step).read()), Form.PYTHON)
    return Pick(plus(place, lift(outer.start)) if outer.start else place)
