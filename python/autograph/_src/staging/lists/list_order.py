"""The order of lists, as loops of the graph: the first differing elements decide, else the lengths.

    intervals.sort()          # a list of lists `[low, high]`
    [1, 2] < [1, 2, 0]        # true: the right list is longer

Tuples inside lists are compared in the same way, but without a loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph._src.operators.spelled import operated
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.lists.list_contents import StagedElements, staged_contents
from autograph._src.staging.lists.list_searches import Variable, equals
from autograph._src.staging.tensors.current_lists import require_current
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.positions import smaller
from autograph._src.staging.tensors.python_scalars import both, compare, either, require, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.state import NO_VARIABLES
from autograph._src.staging.trace.statements import stage_choice, stage_for


def less(left: Any, right: Any, or_equal: bool = False) -> Tensor:
    """``left < right`` of two list elements, or ``left <= right``."""
    if isinstance(left, list):
        return lists_less(left, right, or_equal)
    if not isinstance(left, tuple):
        texts = texts_of(left), texts_of(right)
        if texts[0] and texts[1]:
            ranks = {text: rank for rank, text in enumerate(sorted({*texts[0], *texts[1]}))}
            return compare(_BY_LENGTH["le" if or_equal else "lt"], _rank(left, ranks), _rank(right, ranks))
        return truth(left <= right if or_equal else left < right)
    if not left or not right:  # The shorter tuple is less.
        return constant(len(left) <= len(right) if or_equal else len(left) < len(right), "bool")
    rest = both(equals(left[0], right[0]), less(left[1:], right[1:], or_equal))
    return either(less(left[0], right[0]), rest)


def texts_of(value: object) -> list[str]:
    """The strings that a value may be; empty where it may be something else."""
    if type(value) is str:
        return [value]
    if type(value) is not StagedChoice or not value.ag_is_of_constants():
        return []
    found = [value.ag_at(position) for position in range(value.ag_count())]
    return found if all([type(one) is str for one in found]) else []


def _rank(value: str | StagedChoice, ranks: dict[str, int]) -> Tensor:
    """The place of a string among sorted ones: `'b'` of `'a'`, `'b'` and `'c'` is 1."""
    if not isinstance(value, StagedChoice):
        return lift(ranks[value])
    found = lift(ranks[value.ag_at(0)])
    for position in range(1, value.ag_count()):
        rank = lift(ranks[value.ag_at(position)])
        found = wrap(emit("select", value.ag_is(position).read(), rank.read(), found.read()), Form.PYTHON)
    return found


def lists_less(left: Any, right: Any, or_equal: bool) -> Tensor:
    """``left < right`` of two lists, at least one of them staged, or ``left <= right``."""
    name = "le" if or_equal else "lt"
    return truth(_ordered(name, left, right, lambda one, other: less(one, other, or_equal)))


def lists_ordered(name: str, left: object, right: object) -> object:
    """A comparison of two lists, by its name in the module ``operator``, of the type that CPython gives it.

    That is the type that the comparison of the elements has, `np.bool_` for numbers of NumPy's, and `bool` if
    the lengths decide.
    """
    return _ordered(name, left, right, lambda one, other: operated(name, one, other))


_BY_LENGTH = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}


def _ordered(name: str, left: object, right: object, decide: Callable[[object, object], object]) -> object:
    """What the first elements that differ decide, else the lengths."""
    contents = [_contents(one, other) for one, other in ((left, right), (right, left))]
    counts = [lift(0 if one is None else one.count()) for one in contents]
    by_length = compare(_BY_LENGTH[name], *counts)
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
    return stage_choice(
        differs.read(), lambda: decide(one.at(at), other.at(at)), lambda: by_length, "the order of lists"
    )


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
    elif not texts_of(element):
        leaf = lift(element)
        if leaf.sizes:
            raise staging_error(
                "AG106", "`sorted` compares arrays, whose order is not defined", "give it a `key`"
            )
        if leaf.dtype.kind in "fc":
            require(truth(leaf == leaf), "GraphValueError", "`sorted` of NaN in a staged function")


class Ordered:
    """The four comparisons of a sequence whose elements are staged."""

    __slots__ = ()

    def _ordered(self, name: str, other: object) -> object:
        """A comparison by its name in the module ``operator``; ``NotImplemented`` beside another class."""
        raise NotImplementedError

    def __lt__(self, other: object) -> Any:
        return self._ordered("lt", other)

    def __le__(self, other: object) -> Any:
        return self._ordered("le", other)

    def __gt__(self, other: object) -> Any:
        return self._ordered("gt", other)

    def __ge__(self, other: object) -> Any:
        return self._ordered("ge", other)
