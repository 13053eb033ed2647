"""Views: a view is its array and the steps to it.

    row = a[i]
    row /= s            # writes the elements of `a` at `i`, whatever else was written to `a` meanwhile
    a[i] = 0
    row.sum()           # reads them again

A view has the graph value that it was made with while its array has the one that it had then. After a write
to the array, through any name, the view is read from the array's newest value; a write to the view is one to
the array. So nothing has to be told of a write, and a block that undoes those to the array undoes them all.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograph._src.staging.tensors.index_parts import Part
from autograph._src.staging.tensors.layouts import Layout, layout_of, selected
from autograph._src.staging.tensors.memory import Order, note_view
from autograph._src.staging.tensors.part_writes import write_parts
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.tensors.view_steps import Reshaped, Steps, with_index, with_order, with_shape
from autograph._src.staging.trace.active import require_trace


@dataclass(frozen=True)
class ViewPath:
    """The way from an array to a view of it.

    Attributes:
        base: The array; it has no way of its own.
        seen: The array's graph value that belongs to the view's own one.
        steps: The steps, from the array on.
        passed: The views that the steps come by.
    """

    base: Tensor
    seen: int
    steps: Steps
    passed: tuple[weakref.ref[Tensor], ...] = ()

    def read(self, value: int) -> int:
        """The elements of the view, from a graph value of the array."""
        for step in self.steps:
            value = step.read(value)
        return value

    def needing(self, order: Order) -> ViewPath:
        """The same, if these arguments lie in C order."""
        last = self.steps[-1]
        assert isinstance(last, Reshaped)
        return replace(self, steps=(*self.steps[:-1], replace(last, order=last.order | order)))

    def write(self, value: int, new: int) -> int:
        """The array's graph value when the elements of the view are new."""
        if not self.steps:  # It is the array itself, see `control/aliases.py`.
            return new
        between = [value]
        for step in self.steps[:-1]:
            between.append(step.read(between[-1]))
        for step, before in zip(reversed(self.steps), reversed(between), strict=True):
            new = step.write(before, new)
        return new


def note_selected(view: Tensor, x: Tensor, parts: Sequence[Part]) -> None:
    """Notes that a tensor is ``x[index]``, of integers and slices."""
    _link(view, x, with_index(steps_to(x), x.sizes, parts), selected(layout_of(x), parts, x.sizes))


def note_transposed(view: Tensor, x: Tensor, order: Sequence[int]) -> None:
    """Notes that a tensor is ``x.transpose(order)``."""
    layout = layout_of(x)
    _link(view, x, with_order(steps_to(x), x.sizes, order), layout and layout.transposed(order))


def note_reshaped(view: Tensor, x: Tensor, shape: Sequence[Any], order: Order | None) -> None:
    """Notes that a tensor is ``x.reshape(shape)``.

    Args:
        view: The tensor.
        x: The array.
        shape: The shape, with staged sizes.
        order: What has to lie in C order for it to be a view; ``None`` if it may be a copy.
    """
    layout = layout_of(x)
    reshaped = layout and layout.reshaped(x.sizes, view.sizes)
    if order is None:
        note_view(view, x, reshaped)
    else:
        _link(view, x, with_shape(steps_to(x), shape, order), reshaped)


def _link(view: Tensor, x: Tensor, steps: Steps, layout: Layout | None) -> None:
    note_view(view, x, layout)
    if x.form is Form.ARRAY:
        base, passed = (x, ()) if x._path is None else (x._path.base, (*x._path.passed, weakref.ref(x)))
        view._path = ViewPath(base, base.value_id, steps, passed)
        require_trace().journal.note_link(view)


def unlink_older(values: Iterable[object], serial: int) -> None:
    """Has new tensors be no known views of arrays from before a serial number."""
    for value in values:
        if isinstance(value, Tensor) and value.serial > serial:
            path = value._path
            if path is not None and path.base.serial <= serial:
                value._path = None


def unlinked(view: Tensor) -> Tensor:
    """A tensor that may be a view, or a copy: from here on, what it shares is not known."""
    view._path = None
    return view


def follow(value: Tensor, base: Tensor, steps: Steps) -> None:
    """Has a tensor be read from an array, whatever value it was made with."""
    value._path = ViewPath(base, UNSEEN, steps)


UNSEEN = -1
"""No graph value."""


def is_alias(value: Tensor) -> bool:
    """Whether a tensor is known to be another one, wherever its variable is bound."""
    return value._path is not None and not value._path.steps


def is_part_of(view: Tensor, x: Tensor) -> bool:
    """Whether a tensor is known as a view of an array, or of a view."""
    path = view._path
    return path is not None and (path.base is x or any(one() is x for one in path.passed))


def steps_to(x: Tensor) -> Steps:
    """The steps from an array to a view of it; none for what is no view, or not known as one."""
    return () if x._path is None else x._path.steps


def reread(x: Tensor, parts: Sequence[Part]) -> int | None:
    """``x[index]`` of a view whose array was written since, from the array; ``None`` for other arrays."""
    if x._path is None or x._path.seen == x._path.base.value_id:
        return None
    value = x._path.base.read()
    for step in with_index(x._path.steps, x.sizes, parts):
        value = step.read(value)
    return value


def write_block(x: Tensor, parts: Sequence[Part], written: list[Part], block: int) -> None:
    """``x[index] = block``.

    Args:
        x: The array.
        parts: The index, of integers and slices.
        written: The parts as a write takes them.
        block: The new elements, of the very shape of the selection.
    """
    x._let_go()
    if x._path is None:
        x.write(write_parts(x, written, block))
        return
    path = x._path
    way = ViewPath(path.base, path.seen, with_index(path.steps, x.sizes, parts))
    x._write_base(way.write(path.base.read(), block))
