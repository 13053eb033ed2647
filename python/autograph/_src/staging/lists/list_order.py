"""The order of lists, as loops of the graph: the first differing elements decide, else the lengths.

    intervals.sort()          # a list of lists `[low, high]`
    [1, 2] < [1, 2, 0]        # true: the right list is longer

Tuples inside lists are compared in the same way, but without a loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.lists.list_contents import StagedElements, staged_contents
from autograph._src.staging.lists.list_searches import Variable, equals
from autograph._src.staging.tensors.current_lists import require_current
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.positions import smaller
from autograph._src.staging.tensors.python_scalars import both, compare, either, negate, require, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.state import NO_VARIABLES
from autograph._src.staging.trace.statements import stage_choice, stage_for


def less(left: Any, right: Any, or_equal: bool = False) -> Tensor:
    """``left < right`` of two list elements, or ``left <= right``."""
    if isinstance(left, list):
        return lists_less(left, right, or_equal)
    if not isinstance(left, tuple):
        return truth(left <= right if or_equal else left < right)
    if not left or not right:  # The shorter tuple is less.
        return constant(len(left) <= len(right) if or_equal else len(left) < len(right), "bool")
    rest = both(equals(left[0], right[0]), less(left[1:], right[1:], or_equal))
    return either(less(left[0], right[0]), rest)


def lists_less(left: Any, right: Any, or_equal: bool) -> Tensor:
    """``left < right`` of two lists, at least one of them staged, or ``left <= right``."""
    contents = [_contents(one, other) for one, other in ((left, right), (right, left))]
    counts = [lift(0 if one is None else one.count()) for one in contents]
    by_length = compare("less_equal" if or_equal else "less", *counts)
    one, other = contents
    if one is None or other is None:
        return by_length
    place = Variable("the position", lift(-1))

    def look(position: Tensor) -> None:
        is_same = equals(one.at(position), other.at(position))
        here = emit("select", is_same.read(), place.value.read(), position.read())
        place.value = wrap(here, Form.PYTHON)

    stage_for(
        smaller(*counts),
        lambda position: position,
        lambda: compare("less", place.value, 0),
        look,
        place.state,
    )
    differs = compare("greater_equal", place.value, 0)
    at = place.value
    found = stage_choice(
        differs.read(), lambda: less(one.at(at), other.at(at)), lambda: by_length, "the order of lists"
    )
    return truth(found)


def _contents(value: Any, beside: Any) -> StagedElements | None:
    """The staged contents of a list; ``None`` for an empty plain list."""
    require_current(value)
    contents = value.contents if has_own(value, "contents") else None
    if contents is not None:
        return contents  # type: ignore[no-any-return]
    values = list.copy(value)
    return staged_contents(values, beside.called()) if values else None


def require_order(contents: StagedElements) -> None:
    """Records that the run raises if a NaN is sorted: CPython's order would depend on its algorithm."""

    def look(position: Tensor) -> None:
        _require_order(contents.at(position))

    stage_for(contents.count(), lambda position: position, None, look, NO_VARIABLES)


def _require_order(element: object) -> None:
    if isinstance(element, tuple):
        for part in element:
            _require_order(part)
    elif isinstance(element, list):
        contents = _contents(element, element)
        if contents is not None:
            require_order(contents)
    elif type(element) is StagedUnion:
        each(element, _require_order)
    else:
        leaf = lift(element)
        if leaf.sizes:
            raise staging_error(
                "AG106", "`sorted` compares arrays, whose order is not defined", "give it a `key`"
            )
        if leaf.dtype.kind in "fc":
            require(truth(leaf == leaf), "GraphValueError", "`sorted` of NaN in a staged function")


def greater(left: object, right: object, or_equal: bool = False) -> Tensor:
    """``left > right`` of two lists."""
    return negate(less(left, right, not or_equal))


class Ordered:
    """The four comparisons of a sequence whose elements are staged."""

    __slots__ = ()

    def _ordered(self, other: object, order: Callable[..., Tensor], or_equal: bool) -> object:
        """`less` or `greater` of the elements of both; ``NotImplemented`` beside another class."""
        raise NotImplementedError

    def __lt__(self, other: object) -> Any:
        return self._ordered(other, less, False)

    def __le__(self, other: object) -> Any:
        return self._ordered(other, less, True)

    def __gt__(self, other: object) -> Any:
        return self._ordered(other, greater, False)

    def __ge__(self, other: object) -> Any:
        return self._ordered(other, greater, True)
