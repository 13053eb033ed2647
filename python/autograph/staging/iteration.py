"""What a staged ``for`` iterates: ranges, arrays, and ``enumerate``, ``zip``, ``reversed`` of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import StagingError
from autograph.staging.tensor import Tensor, lift
from autograph.staging.trace import staging_error, value_error


class StagedIterable:
    """A sequence that a staged loop walks: how long it is, and its item number ``k``.

    Attributes:
        length: Number of items, plain or staged.
        item: The item of a staged number.
    """

    def __init__(self, length: Any, item: Callable[[Any], Any]) -> None:
        self.length = length
        self.item = item

    def __iter__(self) -> Any:
        if isinstance(self.length, Tensor):
            self.length.__index__()
        return (self.item(position) for position in range(self.length))


def staged_range(start: Any, stop: Any, step: Any) -> StagedIterable:
    """``range(start, stop, step)``, with a staged bound or to be staged."""
    if not any(isinstance(bound, Tensor) for bound in (start, stop, step)):
        length: Any = len(range(start, stop, step))
    elif isinstance(step, int) and step == 1:
        length = stop - start
    elif isinstance(step, int) and step > 1:
        length = (stop - start + (step - 1)) // step
    elif isinstance(step, int) and step < 0:
        length = (start - stop + (-step - 1)) // -step
    elif isinstance(step, int):
        raise value_error("range() arg 3 must not be zero")
    else:
        raise _staged_step()

    def item(position: Any) -> Any:
        scaled = position if step == 1 else position * step
        return scaled if isinstance(start, int) and start == 0 else scaled + start

    return StagedIterable(length, item)


def _staged_step() -> StagingError:
    return staging_error("AG120", "the step of a staged `range` must be a plain int", "use a `while` loop")


def staged_iterable(value: Any) -> StagedIterable | None:
    """A staged iterable for a staged value, or ``None`` for what Python iterates."""
    if isinstance(value, StagedIterable):
        return value
    if isinstance(value, Tensor):
        return StagedIterable(len(value), lambda position: value[position])
    return None


def sequence_of(value: Any) -> StagedIterable | None:
    """Anything of known items as a staged iterable: for ``zip`` and ``enumerate``."""
    staged = staged_iterable(value)
    if staged is not None:
        return staged
    if isinstance(value, range):
        return staged_range(value.start, value.stop, value.step)
    if isinstance(value, np.ndarray):
        return staged_iterable(lift(value))
    return None


def staged_enumerate(value: Any, start: Any = 0) -> StagedIterable:
    """``enumerate(value, start)``."""
    inner = sequence_of(value)
    assert inner is not None
    return StagedIterable(inner.length, lambda position: (position + start, inner.item(position)))


def staged_zip(values: tuple[Any, ...]) -> StagedIterable | None:
    """``zip(*values)`` of sequences of plain length, or ``None`` if Python has to iterate one."""
    inner = [sequence_of(value) for value in values]
    if any(one is None or not isinstance(one.length, int) for one in inner):
        return None
    length = min(one.length for one in inner if one is not None)
    return StagedIterable(length, lambda k: tuple(one.item(k) for one in inner if one is not None))


def staged_reversed(value: Any) -> StagedIterable:
    """``reversed(value)``."""
    inner = sequence_of(value)
    assert inner is not None
    return StagedIterable(inner.length, lambda position: inner.item(inner.length - 1 - position))
