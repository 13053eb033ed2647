"""Arrays whose sizes only the run knows as elements of staged lists.

    parts.append(x[mask])          # each of another length
    np.concatenate(parts)          # one op, whatever their lengths

All values of a list take the same room in a graph, and arrays of several sizes do not. An array with one
open size, its first, is a list in a list there: a list of its rows. One with others is a list of its
elements, and its open sizes are numbers beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.staging.leaf_types import LeafType, OptionalOf, RaggedOf, TupleOf
from autograph.staging.python_scalars import compare, require
from autograph.staging.tensor import Kind, Tensor, constant, emit, lift, wrap

if TYPE_CHECKING:
    from autograph.staging.list_contents import StagedElements


def ragged(element: Any) -> Any:
    """The type of elements, with arrays of open sizes as lists can hold them."""
    if isinstance(element, LeafType) and None in element.shape:
        return RaggedOf(element)
    if isinstance(element, TupleOf) and element.like is None:
        return replace(element, parts=tuple(map(ragged, element.parts)))
    if isinstance(element, OptionalOf) and element.inner is not None:
        return replace(element, inner=ragged(element.inner))
    return element


def array_type(element: Any) -> Any:
    """The type of a variable that is bound to such an element."""
    return element.inner if isinstance(element, RaggedOf) else element


def _has_rows(kind: RaggedOf) -> bool:
    """Whether only the first size is open."""
    return None not in kind.inner.shape[1:]


def ragged_types(kind: RaggedOf) -> list[tuple[str, Any]]:
    """The types of the graph values of one array."""
    shape = kind.inner.shape
    rows = list(shape[1:]) if _has_rows(kind) else []
    sizes: list[tuple[str, Any]] = [] if _has_rows(kind) else [("int64", [])] * shape.count(None)
    return [("list", (kind.inner.dtype.name, rows)), *sizes]


def convert_ragged(array: int, kind: RaggedOf) -> list[int]:
    """The graph values of one array, which has the dtype and the known sizes of the kind."""
    if _has_rows(kind):
        return [emit("list_unstack", array)]
    axes = [axis for axis, size in enumerate(kind.inner.shape) if size is None]
    sizes = [emit("size", array, axis) for axis in axes]
    flat = emit("reshape", array, [None], [constant(-1, "int64").read()])
    return [emit("list_unstack", flat), *sizes]


def restored_ragged(values: list[int], kind: RaggedOf) -> Tensor:
    """The array of graph values, which it takes off the list."""
    array = emit("list_stack", values.pop(0))
    if not _has_rows(kind):
        sizes = [values.pop(0) for _ in range(kind.inner.shape.count(None))]
        array = emit("reshape", array, list(kind.inner.shape), sizes)
    return wrap(array, kind.inner.kind)


def joined_end_to_end(contents: StagedElements) -> Tensor | None:
    """``np.concatenate`` of the elements; ``None`` if they are no such arrays."""
    element = contents.element
    if not isinstance(element, RaggedOf) or not _has_rows(element):
        return None
    count = contents.count()
    message = "need at least one array to concatenate"
    if isinstance(count, Tensor):
        require(compare("greater", count, 0), ValueError, message)
    elif count == 0:
        raise ValueError(message)
    return wrap(emit("list_stack", emit("list_flatten", contents.read()[0])), Kind.ARRAY)


def stacked_ragged(contents: StagedElements) -> Tensor:
    """The elements as the rows of one array: the run fails where they are of several sizes."""
    from autograph.staging.list_searches import Variable
    from autograph.staging.loops import stage_for

    kind = contents.element
    count = lift(contents.count())
    message = "a list of arrays becomes one array, and is empty"
    require(compare("greater", count, 0), ValueError, message)
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
    assert isinstance(kind, RaggedOf)
    return np.reshape(joined.value, (count, *first.shape))  # type: ignore[return-value]
