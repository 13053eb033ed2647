"""``xs.index(v)`` and ``xs.count(v)`` of a list or tuple of a known length that holds staged numbers.

    scores.index(best)        # the position of the first element that equals `best`; else a ValueError
    votes.count(1)

All elements are compared: nobody sees it of numbers. A NaN is found where it is the very element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of, reads
from autograph._src.operators.calls import TABLE_CALLS
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import compare, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.statements import record_failure_of


def _index(values: Sequence[Any], item: object, *bounds: object) -> object:
    is_plain = len(bounds) <= 2 and all(type(one) is int for one in bounds)
    if not is_plain or not _are_numbers(values, item):
        return NotImplemented
    reads(values)
    start, stop, _ = slice(*bounds, *(None,) * (2 - len(bounds))).indices(len(values))
    found = lift(-1)
    for position in range(stop - 1, start - 1, -1):
        is_same = _same(item, values[position])
        found = wrap(emit("select", is_same.read(), lift(position).read(), found.read()), Form.PYTHON)
    # CPython's own method tells the words of the error.
    record_failure_of(compare("greater_equal", found, 0), ValueError, type(values)().index, item)
    return found


def _count(values: Sequence[Any], *items: object) -> object:
    if len(items) != 1 or not _are_numbers(values, *items):
        return NotImplemented
    reads(values)
    total = lift(0)
    for value in values:
        one = emit("cast", _same(items[0], value).read(), "int64")
        total = wrap(emit("binary", "add", total.read(), one), Form.PYTHON)
    return total


def _same(item: object, value: object) -> Tensor:
    """Whether a method of CPython's takes an element for an item: the same object is."""
    return lift(True) if value is item else truth(value == item)


def _are_numbers(values: Sequence[Any], item: object) -> bool:
    """Whether some of these are staged, and all are numbers."""
    every = (*values, item)
    return any(map(backend_of, every)) and all(map(_is_number, every))


def _is_number(value: object) -> bool:
    if isinstance(value, Tensor):
        return not value.sizes
    return type(value) in (int, float, bool) or isinstance(value, np.number | np.bool_)


_METHODS: dict[str, Callable[..., object]] = {"index": _index, "count": _count}

for _kind in (list, tuple):
    for _name, _method in _METHODS.items():
        TABLE_CALLS[_kind, _name] = _method
